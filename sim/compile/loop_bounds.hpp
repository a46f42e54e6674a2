// SPDX-License-Identifier: Apache-2.0
// A condition that an innermost loop asks first, and that decides over all of an iteration, becomes bounds of the loop:
//   for (x = first; x < end; ++x) if (place + x < n) body          for (x = first; x < min(end, n - place); ++x) body
// What would be a vector with a mask, for nothing but the last threads of a grid, is a whole vector then.
//
// What is compared grows by one in each iteration, in a type in which it may wrap (`int i = blockIdx.x * blockDim.x +
// threadIdx.x` in a grid of more threads than an int counts). So a loop around goes from one wrap to the next, nearly
// always once:
//   preheader -> piece -> (rows: first, ... latch) -> piece.end -> piece.next or exit         piece -> piece.end
//                                                                 piece.next -> piece
// The first piece is measured in the preheader, so what is the same for all rows of a block is measured once.
// Within a piece nothing wraps, and what is widened of the index is the wide index itself.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// Who is watched is told of every thread; who is counted, of every condition: their loops stay as they are.
bool is_told_step_by_step(const llvm::Function& f);

// Right before the vectoriser. Returns whether a loop was changed: then nothing that was known of f holds, and others
// may be left.
bool take_conditions_as_bounds(llvm::Function& f, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                               llvm::DominatorTree& dominators);

}  // namespace simt::compile
