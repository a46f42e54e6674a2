// SPDX-License-Identifier: Apache-2.0
// Blocks of which no thread is at an edge.
//
//   for each row y, each thread x of it:   if (x0 + x < width && y0 + y < height) s[y][x] = in[(y0 + y) * width + x0 +
//   x];
//
// A block at the edge of an image has to ask who takes part, and where indices wrap; all others do not. Row by row, the
// asking takes longer than 16 or 32 threads' work. So it is done once, in front of the loops over rows: whether each
// guard is met by all threads that come to it, each minimum or maximum (`max(x - 1, 0)`) is one of its operands for all
// of them, and no index wraps that is widened to 64 bits (index_lines.hpp). If so, loops run in which nothing of this
// is asked, and indices are sums of the loops' own; else the loops as they were.
//
// Who comes to a guard is known as far as comparisons of x and y with numbers say so (`if (x >= 1 && x <= 14)`).
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// In the loops of a block, in front of all that changes bounds. True: f has changed, and none of the analyses holds.
bool make_nests_whole(llvm::Function& f, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                      llvm::DominatorTree& dominators);

}  // namespace simt::compile
