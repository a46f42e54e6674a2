// SPDX-License-Identifier: Apache-2.0
// A condition that holds for few iterations, which are known in front, decides which iterations a loop makes:
//   for (x = 0; x < end; ++x) if (x % m == 0) body            for (x = 0; x < end; x += m) body
//   for (x = 0; x < end; ++x) if (c * x < n) body             for (x = 0; x < min(end, (n + c - 1) / c); ++x) body
// The first steps of a reduction are like that, as tutorials write it, and `if (threadIdx.x % 32 == 0)`: what they cost
// is in proportion to the threads that do something.
//
// x grows in a type in which it may wrap, m and c may be known at run time only: be 0, or 1, or so large that c * x
// wraps. Where these numbers are constants the loop itself is changed. Else it gets a copy, which runs if nothing
// wraps and at most every fourth iteration does something.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// Behind take_conditions_as_bounds. Returns whether a loop was changed: then nothing that was known of f holds, and
// others may be left.
bool take_conditions_as_steps(llvm::Function& f, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                              llvm::DominatorTree& dominators);

}  // namespace simt::compile
