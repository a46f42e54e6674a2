// SPDX-License-Identifier: Apache-2.0
// A mistake of LLVM's vectoriser (seen in 16 to 19, with AVX-512), kept away from kernels. In
//   for (i...) if (condition(i)) use(n / m);
// it divides for each lane whose condition holds, and then takes lane 0's quotient for all of them, since operands that
// do not change in the loop promise one quotient. Where lane 0 did not divide, that is anything.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace simt::compile {

// Loops that divide under a condition, by operands that do not change in them, are not vectorised. Returns whether
// there was one. Right before the vectoriser, when what could stand in front of the loop does.
bool keep_guarded_divisions(llvm::LoopInfo& loops, const llvm::DominatorTree& dominators);

}  // namespace simt::compile
