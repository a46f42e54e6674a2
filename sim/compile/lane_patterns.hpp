// SPDX-License-Identifier: Apache-2.0
// What is known of each lane of a warp when its loops are made: `lane ^ 8`, `lane + 1 < 32 ? lane + 1 : lane`.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <array>
#include <cstdint>
#include <optional>

#include "regions.hpp"

namespace simt::compile {

using lane_pattern = std::array<std::uint64_t, kLanes>;

// What v, an integer, is for each lane; nothing where that depends on more than the lane.
std::optional<lane_pattern> pattern_of(llvm::Value* v, const llvm::DataLayout& layout);

}  // namespace simt::compile
