// SPDX-License-Identifier: Apache-2.0
#include "place_questions.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr int kDeepestQuestion = 12;    // operands of operands
constexpr int kMostBlocksBetween = 16;  // between a branch and where its ways have met

// The value of a phi, put together of the conditions of the branches that lead to it.
class answer_maker {
 public:
  answer_maker(PHINode& phi, const kernel_form& k, const DominatorTree& dominators, const place_questions& questions)
      : phi_(phi), dominators_(dominators), questions_(questions), b_(&*phi.getParent()->getFirstInsertionPt()) {
    heads_.insert(k.barriers.begin(), k.barriers.end());
    for (const warp_operation& o : k.warp_operations) behind_operations_.insert(o.behind);
  }

  // Null: it cannot be.
  Value* make() {
    BasicBlock* const join = phi_.getParent();
    auto* const node = dominators_.getNode(join);
    if (heads_.count(join) + behind_operations_.count(join) != 0 || node == nullptr || node->getIDom() == nullptr)
      return nullptr;
    if (!all_of(phi_.incoming_values(), [&](const Use& u) {
          return isa<ConstantInt>(u.get()) || (questions_.is_one(u.get()) && can_be_asked(u.get()));
        }))
      return nullptr;
    from_ = node->getIDom()->getBlock();
    // A way that does not come from there is one around a loop.
    if (!can_be_made(*from_) || !all_of(phi_.blocks(), [&](BasicBlock* way) { return seen_.count(way) != 0; }))
      return nullptr;
    return at(*from_);
  }

 private:
  bool can_be_made(BasicBlock& bb) {
    if (!seen_.insert(&bb).second) return true;
    auto* const branch = dyn_cast<BranchInst>(bb.getTerminator());
    if (branch == nullptr || seen_.size() > kMostBlocksBetween) return false;
    if (branch->isConditional() && !(questions_.is_one(branch->getCondition()) && can_be_asked(branch->getCondition())))
      return false;
    return all_of(successors(&bb), [&](BasicBlock* next) {
      if (next == phi_.getParent()) return true;
      // Not around, not past a barrier.
      return next != from_ && heads_.count(next) == 0 && dominators_.dominates(from_, next) &&
             !dominators_.dominates(next, &bb) && can_be_made(*next);
    });
  }
  // Behind the join: what is made of the thread's place has no effect and cannot fail.
  bool can_be_asked(Value* v, int depth = 0) const {
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || dominators_.dominates(i->getParent(), phi_.getParent())) return true;
    return depth < kDeepestQuestion && !isa<PHINode>(i) && !i->mayReadOrWriteMemory() && !i->isIntDivRem() &&
           !isa<CallInst>(i) && all_of(i->operands(), [&](const Use& o) { return can_be_asked(o.get(), depth + 1); });
  }

  Value* along(BasicBlock& bb, BasicBlock& next) {
    return &next == phi_.getParent() ? ask(phi_.getIncomingValueForBlock(&bb)) : at(next);
  }
  // What the phi is for whoever is at the end of bb.
  Value* at(BasicBlock& bb) {
    if (Value* const known = made_.lookup(&bb)) return known;
    auto* const branch = cast<BranchInst>(bb.getTerminator());
    Value* value = along(bb, *branch->getSuccessor(0));
    if (branch->isConditional()) {
      Value* const otherwise = along(bb, *branch->getSuccessor(1));
      // Who does not come to a branch does not ask its question, so it may be anything there: a choice passes nothing
      // on of what is not chosen.
      if (value != otherwise) value = choose(ask(branch->getCondition()), value, otherwise);
    }
    return made_[&bb] = value;
  }
  Value* choose(Value* condition, Value* value, Value* otherwise) {
    if (!phi_.getType()->isIntegerTy(1)) return b_.CreateSelect(condition, value, otherwise);
    if (match(otherwise, m_Zero())) return match(value, m_One()) ? condition : b_.CreateLogicalAnd(condition, value);
    if (match(value, m_One())) return b_.CreateLogicalOr(condition, otherwise);
    if (match(value, m_Zero())) {
      Value* const no = b_.CreateNot(condition);
      return match(otherwise, m_One()) ? no : b_.CreateLogicalAnd(no, otherwise);
    }
    return b_.CreateSelect(condition, value, otherwise);
  }
  Value* ask(Value* v) {
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || dominators_.dominates(i->getParent(), phi_.getParent())) return v;
    if (Value* const known = asked_.lookup(i)) return known;
    Instruction* const again = i->clone();
    for (Use& o : again->operands()) o.set(ask(o.get()));
    return asked_[i] = b_.Insert(again, i->getName());
  }

  PHINode& phi_;
  const DominatorTree& dominators_;
  const place_questions& questions_;
  IRBuilder<> b_;
  BasicBlock* from_ = nullptr;
  SmallPtrSet<const BasicBlock*, 16> heads_, behind_operations_;
  SmallPtrSet<const BasicBlock*, 16> seen_;
  DenseMap<const BasicBlock*, Value*> made_;
  DenseMap<const Instruction*, Value*> asked_;
};

}  // namespace

bool place_questions::is_one(Value* v, int depth) const {
  if (depth > kDeepestQuestion || !v->getType()->isIntegerTy(1)) return false;
  if (!varying_.has(v)) return true;
  Value *a, *b;
  if (match(v, m_Not(m_Value(a)))) return is_one(a, depth + 1);
  if (match(v, m_LogicalAnd(m_Value(a), m_Value(b))) || match(v, m_LogicalOr(m_Value(a), m_Value(b))))
    return is_one(a, depth + 1) && is_one(b, depth + 1);
  auto* const compare = dyn_cast<ICmpInst>(v);
  return compare != nullptr && is_sum_of_index(compare->getOperand(0), depth + 1) &&
         is_sum_of_index(compare->getOperand(1), depth + 1);
}

bool place_questions::is_sum_of_index(const Value* v, int depth) const {
  if (depth > kDeepestQuestion || !v->getType()->isIntegerTy()) return false;
  if (!varying_.has(v) || is_contained(k_.index, v)) return true;
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr) return false;
  switch (i->getOpcode()) {
    case Instruction::Trunc:
    case Instruction::SExt:
    case Instruction::ZExt:
      return is_sum_of_index(i->getOperand(0), depth + 1);
    case Instruction::Mul:
    case Instruction::Shl:
      if (varying_.has(i->getOperand(1))) return false;
      return is_sum_of_index(i->getOperand(0), depth + 1);
    case Instruction::Add:
    case Instruction::Sub:
      return is_sum_of_index(i->getOperand(0), depth + 1) && is_sum_of_index(i->getOperand(1), depth + 1);
    default:
      return false;
  }
}

void ask_instead_of_noting(kernel_form& k) {
  const DominatorTree dominators(k.f);
  const auto varying = find_varying(k);
  const place_questions questions(k, *varying);
  SmallVector<PHINode*> notes;
  for (BasicBlock& bb : k.f)
    for (PHINode& phi : bb.phis())
      if (phi.getType()->isIntegerTy() && varying->has(&phi)) notes.push_back(&phi);
  for (PHINode* phi : notes)
    if (Value* const answer = answer_maker(*phi, k, dominators, questions).make()) {
      phi->replaceAllUsesWith(answer);
      phi->eraseFromParent();
    }
}

}  // namespace simt::compile
