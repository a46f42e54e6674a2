// SPDX-License-Identifier: Apache-2.0
// A mistake of LLVM's vectoriser (seen in 16 to 19), kept away from kernels. Threads of a block are iterations of a
// loop that is marked as parallel: no iteration waits for another. When the vectoriser joins strided accesses
//   t = a[2 * i];  a[2 * i] = a[2 * i + 1];  a[2 * i + 1] = t;
// into one wide load or store, it takes the mark as a promise within an iteration as well, and moves an access of a
// thread across a write of the same thread.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace simt::compile {

// Takes the mark from loops in which accesses that could be joined have one between them that must not be passed. The
// vectoriser then proves the order of all accesses, or checks it when the loop begins. Right before the vectoriser.
void keep_own_order(llvm::LoopInfo& loops, llvm::AAResults& aliases, llvm::ScalarEvolution& evolution);

}  // namespace simt::compile
