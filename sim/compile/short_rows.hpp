// SPDX-License-Identifier: Apache-2.0
// Rows of few threads, of which the shape of the block is known.
//
// Where a guard has become the bounds of a row (loop_bounds.hpp), or a row runs in stretches (steady_indices.hpp), how
// many turns it makes is known at run time only. So the vectoriser adds a loop for what is left over, and of a row of
// 14 floats six run one by one. But nearly always a row makes all the turns that the shape and the constants in its
// bounds allow. For these there is a copy: its number of turns is a constant, and it is in pieces that are whole
// vectors each:
//
//   preheader -> first piece -> second piece -> ... -> exit
//             -> the loop as it was -> exit
//
// Pieces of 14 turns of floats with vectors of eight: 0 to 8, and 6 to 14, if a turn may be made twice; else 8, 4
// and 2. A turn may be made twice if it reads nothing that it writes, and no other thread writes that, either.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// A loop whose index grows by one from `first` to in front of `end`.
struct row_bounds {
  std::int64_t first, end;
};
// The least and the largest that the bounds of l can be; none: not known, or l is no such loop.
std::optional<row_bounds> widest_row(const llvm::Loop& l, llvm::ScalarEvolution& evolution);
// For loops whose bounds do not tell any more.
void note_widest_row(llvm::Loop& l, const row_bounds& widest);

// In the loops of a block, behind all that changes bounds. True: f has changed, and none of the analyses holds.
bool make_short_rows_whole(llvm::Function& f, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                           llvm::DominatorTree& dominators, llvm::AAResults& aliases,
                           const llvm::TargetTransformInfo& target);

}  // namespace simt::compile
