// SPDX-License-Identifier: Apache-2.0
// Loops that end by what they read, or what an atomic gives, and yet wait for nobody: if no other thread does anything
// they end all the same.
#pragma once

#include "dependence.hpp"

namespace simt::compile {

// bb leaves l when a number that grows by itself in each turn has come to what was read plainly, as does a loop over
// the edges of a node whose end is in memory.
bool counts_up_to_what_it_reads(const llvm::BasicBlock* bb, const llvm::Loop& l);

// Each turn of l asks whether a number that grows by itself has come to what does not change, and ends there if so.
bool counts_turns(const llvm::Loop& l, const llvm::DominatorTree& dominators);

// bb leaves l when a number that was drawn is too large: each turn draws one by an atomic addition, whose result comes
// here directly, through shared memory or from another lane (`tile = atomicAdd(&next, 1); ... if (tile >= tiles)
// break;`). Each draw makes the next number larger. seen: what depends on what l has read of others.
bool draws_numbers(const llvm::BasicBlock* bb, const llvm::Loop& l, const dependence& seen);

}  // namespace simt::compile
