// SPDX-License-Identifier: Apache-2.0
#include "no_wrap.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::int64_t kPage = 4096;

void note_of_iterations(const Loop& l, const DominatorTree& dominators, ScalarEvolution& evolution) {
  const BasicBlock* const latch = l.getLoopLatch();
  if (latch == nullptr || l.getExitingBlock() != latch) return;
  for (BasicBlock* bb : l.blocks()) {
    if (!dominators.dominates(bb, latch)) continue;
    for (Instruction& i : *bb) {
      Value* const address = getLoadStorePointerOperand(&i);
      if (address == nullptr) continue;
      auto* const place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address));
      if (place == nullptr || place->getLoop() != &l || !place->isAffine()) continue;
      auto* const step = dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
      if (step != nullptr && step->getAPInt().abs().ule(kPage))
        evolution.setNoWrapFlags(const_cast<SCEVAddRecExpr*>(place), SCEV::FlagNW);
    }
  }
}

}  // namespace

void note_no_wrap(LoopInfo& loops, const DominatorTree& dominators, ScalarEvolution& evolution) {
  for (Loop* const l : loops.getLoopsInPreorder())
    if (l->isInnermost()) note_of_iterations(*l, dominators, evolution);
}

}  // namespace simt::compile
