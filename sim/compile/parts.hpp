// SPDX-License-Identifier: Apache-2.0
// A source is compiled in two parts at once, by two compilers that read the same text
// (frontends/cuda/driver/parts.hpp). Until kernels are cut both do the same work. Then one keeps host code and about
// half of the kernels, the other the rest of the kernels; what the two share is named across the two objects.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "loop_bodies.hpp"

namespace simt::compile {

// Whether the environment asks for a part (kPartWanted).
bool wants_part();
// Leaves that part in m, and of `sources` those that are in it.
void keep_wanted_part(llvm::Module& m, std::vector<loop_source>& sources);
// "0 NAME" or "1 NAME": the part, and a word that no other source of the program has.
inline constexpr const char* kPartWanted = "SIMT_PART_OF_SOURCE";

}  // namespace simt::compile
