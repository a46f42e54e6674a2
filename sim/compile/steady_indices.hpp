// SPDX-License-Identifier: Apache-2.0
// Indices that are sums along a whole row of threads, though their thread cannot know it:
//   in[min(max(x - 1, 0), width - 1)]     away from the edges that is x - 1
//   i % width, i / width                  between two multiples of the width: i less a number, and a number
// The vectoriser sees an address like these as one that data decide, and gathers. Where they are in a loop over
// threads, the loop gets a copy in which they are sums; in front of both it is asked which of the two may run.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// True: f has changed, and none of the analyses holds.
bool copy_for_steady_indices(llvm::Function& f, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                             llvm::DominatorTree& dominators);

}  // namespace simt::compile
