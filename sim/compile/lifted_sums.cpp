// SPDX-License-Identifier: Apache-2.0
#include "lifted_sums.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>

#include "warp_operations.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr int kLongestWay = 4;  // zext, trunc, bitcast, sum

bool can_be_lifted(const Instruction& i) {
  return (isa<CastInst>(i) || isa<BinaryOperator>(i)) && !i.isIntDivRem() && isSafeToSpeculativelyExecute(&i);
}

// What is made of `given` alone and of what is there at the head of its block, moved to there; up to the first sum.
void lift(Instruction& given, BasicBlock& behind, const DominatorTree& dominators) {
  Instruction *made = &given, *last = nullptr;
  SmallVector<Instruction*> way;
  for (int n = 0; n < kLongestWay && made->hasOneUse(); ++n) {
    made = cast<Instruction>(*made->user_begin());
    if (!can_be_lifted(*made)) break;
    Instruction* const to = &*behind.getFirstInsertionPt();
    if (!all_of(made->operands(), [&](const Use& o) {
          auto* const from = dyn_cast<Instruction>(o.get());
          return from == nullptr || from == &given || is_contained(way, from) || dominators.dominates(from, to);
        }))
      break;
    way.push_back(made);
    if (!isa<BinaryOperator>(made)) continue;
    last = made;
    break;
  }
  if (last == nullptr || last->getParent() == given.getParent() || last->getParent() == &behind) return;
  Instruction* to = &*behind.getFirstInsertionPt();
  while (is_contained(way, to)) to = to->getNextNode();
  for (Instruction* i : way) {
    i->dropPoisonGeneratingFlags();
    i->moveBefore(to);
  }
}

}  // namespace

void lift_sums(const kernel_form& k) {
  const DominatorTree dominators(k.f);
  for (const warp_operation& o : k.warp_operations)
    if (o.shuffles) lift(*o.call, *o.behind, dominators);
}

}  // namespace simt::compile
