// SPDX-License-Identifier: Apache-2.0
// Indices that are sums along a stretch of a row of threads, though their thread cannot know it (steady_terms.hpp):
//   in[min(max(x - 1, 0), width - 1)]     away from the edges that is x - 1
//   i % width, i / width                  between two multiples of the width: i less a number, and a number
//   if (x >= d) sum += s[x - d]           from d on all threads do so
// The vectoriser sees addresses like these as ones that data decide, and conditions as masks. So a loop over threads
// that has them runs in stretches. In a steady one all of them are sums and all conditions are met; the others run in a
// copy of the loop as it was, or, if there was only one condition, in one where nobody meets it.
//
//   preheader -> stretch -> steady: header ... latch -> stretch.end -> stretch.next or exit
//                stretch -> rest:   copy of these    -> stretch.end    stretch.next -> stretch
//
// A stretch ends where what is compared or divided would wrap. The first one is measured in the preheader, so what is
// the same for all rows of a block is measured once.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// True: f has changed, and none of the analyses holds.
bool run_in_steady_stretches(llvm::Function& f, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                             llvm::DominatorTree& dominators);

}  // namespace simt::compile
