// SPDX-License-Identifier: Apache-2.0
// Code that is counted: members that are named apart (p[i].x + p[i].y of a float2) are one access, as nvcc makes them.
//
// Invariants
// - They are in one basic block, of one size, side by side, and what lies between them neither writes them nor, if they
//   are stores, reads them.
// - As with copies (joined_members.hpp): as wide as the alignment that is known of the first one, up to 16 bytes; no
// byte
//   more than before. Of three floats the first two are one access.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/Function.h>

namespace simt::compile {

void join_named_apart(llvm::Function& f, llvm::AAResults& aliases);

}  // namespace simt::compile
