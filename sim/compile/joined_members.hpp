// SPDX-License-Identifier: Apache-2.0
// Code that is counted: members of a structure that is copied whole are one access, as nvcc makes them. clang takes
// such a copy apart (v = x[i]; v.x += 1), by what is done to the members.
//
// Invariants
// - An access is as wide as its members together, and as the alignment that is known of the first one: a GPU's load of
//   four floats needs 16 bytes, also where the address happens to suit. Never more than 16 bytes.
// - No byte is read or written that was not before, so checks of such code judge the same.
// - What is left of one copy and may be one load all the same (x, y and z of a float4) keeps its place in the source;
//   what cannot be one differs in bits of its column (source_column.hpp).
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

void join_members(llvm::Function& f);

}  // namespace simt::compile
