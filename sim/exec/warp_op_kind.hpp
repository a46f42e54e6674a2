// SPDX-License-Identifier: Apache-2.0
// What lanes of a warp do together, as far as reports tell operations apart.
#pragma once

#include <cstdint>

namespace simt::sim {

enum class warp_op_kind : std::uint8_t { sync, shuffle, vote, match, reduction };

}  // namespace simt::sim
