// SPDX-License-Identifier: Apache-2.0
// Indices as sums again. Behind `if (t < 16)` LLVM's simplification makes `t & 15` of a widened t, and of the question
// itself `(t & ~15) == 0`, and `(first | x) == 0` of `first + x == 0`; where the body needs t + 1, it puts the loop's
// own step on each way through the body. Neither is a number that grows by one for the vectoriser and for
// loop_bounds.hpp: addresses made of it are gathers, and the loop has no known number of turns. Nor does it take a
// `switch`, up to LLVM 19: a choice between a few values becomes questions.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// Of innermost loops. True if anything changed; what was known of f is then out of date.
bool make_indices_plain(const llvm::Function& f, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                        const llvm::DominatorTree& dominators);

}  // namespace simt::compile
