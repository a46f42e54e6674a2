// SPDX-License-Identifier: Apache-2.0
#include "guarded_division.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace simt::compile {

using namespace llvm;

namespace {
bool divides_under_condition(const Loop& l, const DominatorTree& dominators) {
  const BasicBlock* const latch = l.getLoopLatch();
  for (BasicBlock* bb : l.blocks()) {
    if (latch != nullptr && dominators.dominates(bb, latch)) continue;
    for (const Instruction& i : *bb)
      if (i.isIntDivRem() && l.isLoopInvariant(i.getOperand(0)) && l.isLoopInvariant(i.getOperand(1))) return true;
  }
  return false;
}
}  // namespace

bool keep_guarded_divisions(LoopInfo& loops, const DominatorTree& dominators) {
  bool any = false;
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!divides_under_condition(*l, dominators)) continue;
    addStringMetadataToLoop(l, "llvm.loop.vectorize.enable", 0);
    any = true;
  }
  return any;
}

}  // namespace simt::compile
