// SPDX-License-Identifier: Apache-2.0
#include "guarded_loop.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool has_effects(BasicBlock& bb) {
  return any_of(bb, [](Instruction& i) { return i.mayHaveSideEffects() && !i.isTerminator(); });
}

// What i is, where an operand has become known.
Value* simplified(Instruction& i) {
  Value *a, *b;
  if (match(&i, m_LogicalAnd(m_Value(a), m_Value(b)))) {
    if (match(a, m_One())) return b;
    if (match(b, m_One())) return a;
  } else if (match(&i, m_LogicalOr(m_Value(a), m_Value(b)))) {
    if (match(a, m_Zero())) return b;
    if (match(b, m_Zero())) return a;
  } else if (match(&i, m_Not(m_Value(a))) && isa<ConstantInt>(a)) {
    return ConstantInt::getBool(i.getContext(), cast<ConstantInt>(a)->isZero());
  }
  return nullptr;
}

}  // namespace

void for_each_part(Value& condition, bool holds, function_ref<void(Value&, bool)> look) {
  Value *a, *b;
  if (holds ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
            : match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    for_each_part(*a, holds, look), for_each_part(*b, holds, look);
    return;
  }
  if (match(&condition, m_Not(m_Value(a)))) return for_each_part(*a, !holds, look);
  look(condition, holds);
}

bool guarded_loop::find() {
  latch = l_.getLoopLatch(), preheader = l_.getLoopPreheader(), exit = l_.getUniqueExitBlock();
  if (latch == nullptr || preheader == nullptr || exit == nullptr || l_.getExitingBlock() != latch) return false;
  if (l_.getHeader() == latch || !isa<BranchInst>(latch->getTerminator())) return false;
  if (!counts_by_one()) return false;
  move_stores_to_who_changes();
  if (!leaves_nothing()) return false;
  const SCEV* const turns = evolution_.getBackedgeTakenCount(&l_);
  if (isa<SCEVCouldNotCompute>(turns) || !turns->getType()->isIntegerTy(64)) return false;
  count = evolution_.getAddExpr(turns, evolution_.getOne(turns->getType()));
  return true;
}

bool guarded_loop::counts_by_one() {
  auto phis = l_.getHeader()->phis();
  if (phis.begin() == phis.end() || std::next(phis.begin()) != phis.end()) return false;
  index = &*phis.begin();
  return index->getType()->isIntegerTy(64) &&
         match(index->getIncomingValueForBlock(latch), m_c_Add(m_Specific(index), m_One()));
}

// What the latch stores for all, though it is what has just been loaded for those that do nothing, is stored by the
// others.
void guarded_loop::move_stores_to_who_changes() {
  BasicBlock* const header = l_.getHeader();
  for (Instruction& i : make_early_inc_range(*latch)) {
    if (!i.mayReadOrWriteMemory()) continue;
    auto* const store = dyn_cast<StoreInst>(&i);
    auto* const value = store == nullptr ? nullptr : dyn_cast<PHINode>(store->getValueOperand());
    if (value == nullptr || !store->isSimple() || value->getParent() != latch || value->getNumIncomingValues() != 2 ||
        has_effects(*header) || value->getBasicBlockIndex(header) < 0)
      return;
    auto* const loaded = dyn_cast<LoadInst>(value->getIncomingValueForBlock(header));
    const int other = 1 - value->getBasicBlockIndex(header);
    BasicBlock* const changes = value->getIncomingBlock(static_cast<unsigned>(other));
    if (loaded == nullptr || !loaded->isSimple() || loaded->getParent() != header ||
        loaded->getPointerOperand() != store->getPointerOperand() || changes->getSingleSuccessor() != latch)
      return;
    store->setOperand(0, value->getIncomingValue(static_cast<unsigned>(other)));
    store->moveBefore(changes->getTerminator());
    changed = true;
  }
}

// Iterations that do nothing are not missed.
bool guarded_loop::leaves_nothing() const {
  for (BasicBlock* bb : l_.blocks())
    for (Instruction& i : *bb)
      for (User* u : i.users())
        if (!l_.contains(cast<Instruction>(u))) return false;
  return !has_effects(*latch);
}

void guarded_loop::for_each_question(function_ref<void(Value&, bool)> look) const {
  for (BasicBlock* at = l_.getHeader(); at != latch;) {
    auto* const branch = dyn_cast<BranchInst>(at->getTerminator());
    if (has_effects(*at) || branch == nullptr) return;
    BasicBlock* onward = branch->getSuccessor(0);
    if (branch->isConditional()) {
      const bool first_ends = branch->getSuccessor(0) == latch;
      if (first_ends == (branch->getSuccessor(1) == latch)) return;
      onward = branch->getSuccessor(first_ends ? 1 : 0);
      for_each_part(*branch->getCondition(), !first_ends, look);
    }
    if (onward->getSinglePredecessor() != at) return;
    at = onward;
  }
}

void answer_question(Instruction& question, bool holds) {
  question.replaceAllUsesWith(ConstantInt::getBool(question.getContext(), holds));
  RecursivelyDeleteTriviallyDeadInstructions(&question);
}

void fold_answers(ArrayRef<BasicBlock*> blocks) {
  for (BasicBlock* bb : blocks)
    for (Instruction& i : make_early_inc_range(*bb))
      if (Value* const known = simplified(i)) {
        i.replaceAllUsesWith(known);
        i.eraseFromParent();
      }
  for (BasicBlock* bb : blocks) ConstantFoldTerminator(bb, true);
}

}  // namespace simt::compile
