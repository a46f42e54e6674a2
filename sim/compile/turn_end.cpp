// SPDX-License-Identifier: Apache-2.0
#include "turn_end.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "turn_stride.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
// What the turns count begins as a number of this narrower type.
bool begins_within(const turn_loop& t, const PHINode& phi, Type* narrow) {
  Value *const first = phi.getIncomingValueForBlock(t.preheader), *from = nullptr;
  if (auto* const c = dyn_cast<ConstantInt>(first)) return c->getValue().isSignedIntN(narrow->getIntegerBitWidth());
  return match(first, m_SExt(m_Value(from))) && from->getType() == narrow;
}
}  // namespace

bool ends_without_threads(const turn_loop& t, ICmpInst::Predicate& made) {
  auto* branch = cast<BranchInst>(t.latch->getTerminator());
  Value *next, *limit;
  ICmpInst::Predicate p;
  if (!compares(branch->getCondition(), branch->getSuccessor(0) == t.header, next, limit, p)) return false;
  if (!t.loop->isLoopInvariant(limit)) {
    std::swap(next, limit);
    p = ICmpInst::getSwappedPredicate(p);
  }
  // What is counted may be a wider number than the one that is asked for.
  Type* const asked = next->getType();
  if (auto* const cut = dyn_cast<TruncInst>(next)) next = cut->getOperand(0);
  // It may ask of the number itself instead of the next one: `k > 0` where a loop goes down to 0.
  auto* const itself = dyn_cast<PHINode>(next);
  auto* const add = dyn_cast<BinaryOperator>(
      itself != nullptr && itself->getParent() == t.header ? itself->getIncomingValueForBlock(t.latch) : next);
  if (add == nullptr || add->getOpcode() != Instruction::Add || !t.loop->isLoopInvariant(limit)) return false;
  auto* const phi = dyn_cast<PHINode>(add->getOperand(0));
  auto* const step = dyn_cast<ConstantInt>(add->getOperand(1));
  if (phi == nullptr || phi->getParent() != t.header || phi->getIncomingValueForBlock(t.latch) != add ||
      (itself != nullptr && itself != phi) || step == nullptr || step->isZero())
    return false;
  const bool up = !step->isNegative(), never_wraps = add->hasNoSignedWrap() || (up && add->hasNoUnsignedWrap());
  made = p;
  if (asked != phi->getType()) {
    made = ICmpInst::ICMP_SLT;
    return p == ICmpInst::ICMP_NE && step->isOne() && add->hasNoSignedWrap() && begins_within(t, *phi, asked);
  }
  if (p == ICmpInst::ICMP_NE) {
    if (!never_wraps) return false;
    made = add->hasNoSignedWrap() ? (up ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_SGT) : ICmpInst::ICMP_ULT;
    return true;
  }
  if (up ? !is_upper_bound(p) : !is_upper_bound(ICmpInst::getSwappedPredicate(p))) return false;
  return never_wraps || (step->getValue().abs().isOne() && ICmpInst::isFalseWhenEqual(p));
}

void ask_in_order(const turn_loop& t, ICmpInst::Predicate p) {
  auto* const branch = cast<BranchInst>(t.latch->getTerminator());
  auto* const asked = cast<ICmpInst>(branch->getCondition());
  Value *next = asked->getOperand(0), *limit = asked->getOperand(1);
  if (!t.loop->isLoopInvariant(limit)) std::swap(next, limit);
  Value* goes_on = IRBuilder<>(branch).CreateICmp(p, next, limit);
  if (branch->getSuccessor(0) != t.header) goes_on = IRBuilder<>(branch).CreateNot(goes_on);
  branch->setCondition(goes_on);
}

}  // namespace simt::compile
