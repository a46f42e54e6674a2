// SPDX-License-Identifier: Apache-2.0
#include "dependence.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

using namespace llvm;

dependence::dependence(Function& f, phis skip_none)
    : dominators_(f), post_dominators_(f), loops_(dominators_), skip_none_(std::move(skip_none)) {}

void dependence::mark(Value* v) {
  if (v->getType()->isVoidTy() || excluded_.count(v) != 0) return;
  if (marked_.insert(v).second) work_.push_back(v);
}

void dependence::propagate() {
  while (!work_.empty()) {
    for (User* u : work_.pop_back_val()->users()) {
      auto* i = dyn_cast<Instruction>(u);
      if (i == nullptr) continue;
      if (!i->isTerminator())
        mark(i);
      else if (i->getNumSuccessors() > 1 && branches_seen_.insert(i->getParent()).second)
        spread_from_branch(i->getParent());
    }
  }
}

// Phis that can be reached from two sides of the branch at the end of bb, up to where all its ways have met again.
void dependence::mark_joins(BasicBlock* bb, BasicBlock* join) {
  DenseMap<BasicBlock*, int> sides;
  const SmallPtrSet<BasicBlock*, 4> successor_set(succ_begin(bb), succ_end(bb));
  for (BasicBlock* side : successor_set) {
    SmallVector<BasicBlock*> todo{side};
    SmallPtrSet<BasicBlock*, 16> seen;
    while (!todo.empty()) {
      BasicBlock* const x = todo.pop_back_val();
      if (!seen.insert(x).second) continue;
      if (++sides[x] == 2)
        for (PHINode& phi : x->phis())
          if (skip_none_.count(&phi) != 0 ? !phi.hasConstantOrUndefValue() : phi.hasConstantValue() == nullptr)
            mark(&phi);
      if (x != join && x != bb) todo.append(succ_begin(x), succ_end(x));
    }
  }
  // A branch whose sides are one block with different values cannot be; a switch may name a block twice, with the same.
}

void dependence::spread_from_branch(BasicBlock* bb) {
  auto* const node = post_dominators_.getNode(bb);
  BasicBlock* const join = node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
  mark_joins(bb, join);
  // A loop that does not hold the join is left in a turn that depends: what it computes may be of any turn.
  for (Loop* l = loops_.getLoopFor(bb); l != nullptr; l = l->getParentLoop()) {
    if (join != nullptr && l->contains(join)) break;  // and so do the loops around it
    for (BasicBlock* inner : l->blocks())
      for (Instruction& i : *inner)
        for (User* u : i.users())
          if (auto* user = dyn_cast<Instruction>(u); user != nullptr && !l->contains(user->getParent())) mark(&i);
  }
}

bool dependence::decides_alike(const BasicBlock* bb) const {
  const Instruction* t = bb->getTerminator();
  if (t->getNumSuccessors() < 2) return true;
  if (auto* branch = dyn_cast<BranchInst>(t)) return !has(branch->getCondition());
  if (auto* choice = dyn_cast<SwitchInst>(t)) return !has(choice->getCondition());
  return false;
}

}  // namespace simt::compile
