// SPDX-License-Identifier: Apache-2.0
#include "turn_stride.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <cstdlib>

#include "widened.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

bool compares(Value* condition, bool holds, Value*& left, Value*& right, ICmpInst::Predicate& p) {
  auto* c = dyn_cast<ICmpInst>(condition);
  if (c == nullptr || !c->getOperand(0)->getType()->isIntegerTy()) return false;
  left = c->getOperand(0), right = c->getOperand(1);
  p = holds ? c->getPredicate() : c->getInversePredicate();
  return true;
}
bool is_upper_bound(ICmpInst::Predicate p) {
  return p == ICmpInst::ICMP_SLT || p == ICmpInst::ICMP_ULT || p == ICmpInst::ICMP_SLE || p == ICmpInst::ICMP_ULE;
}

namespace {

class stride_finder {
 public:
  stride_finder(const kernel_form& k, turn_loop& t, bool of_warp) : k_(k), t_(t), of_warp_(of_warp) {}

  // The latch goes on while index + step `p` limit.
  std::optional<stride> find() {
    if (t_.guard == nullptr) return {};
    auto* branch = cast<BranchInst>(t_.latch->getTerminator());
    Value *asked, *limit;
    stride s{};
    if (!compares(branch->getCondition(), branch->getSuccessor(0) == t_.header, asked, limit, s.goes_on)) return {};
    if (!t_.loop->isLoopInvariant(limit)) {
      std::swap(asked, limit);
      s.goes_on = ICmpInst::getSwappedPredicate(s.goes_on);
    }
    if (!t_.loop->isLoopInvariant(limit) || !is_upper_bound(s.goes_on)) return {};
    for (PHINode& phi : t_.header->phis()) {
      auto* const next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(t_.latch));
      if (next == nullptr || (asked != next && asked != &phi)) continue;
      if (!match(next, m_c_Add(m_Specific(&phi), m_Value(s.step))) || !t_.loop->isLoopInvariant(s.step)) continue;
      s.index = &phi;
      s.limit = asked == next ? limit : limit_of_next(limit, s);
      return s.limit != nullptr && guard_asks_the_same(s) ? std::optional(s) : std::nullopt;
    }
    return {};
  }

 private:
  // Where all is constant, the latch asks of the index itself: 4 instead of 20, if the step is 16.
  static Value* limit_of_next(Value* limit, const stride& s) {
    auto *const of_index = dyn_cast<ConstantInt>(limit), *const step = dyn_cast<ConstantInt>(s.step);
    if (of_index == nullptr || step == nullptr) return nullptr;
    bool wraps = false;
    const APInt sum = s.is_signed() ? of_index->getValue().sadd_ov(step->getValue(), wraps)
                                    : of_index->getValue().uadd_ov(step->getValue(), wraps);
    return wraps ? nullptr : ConstantInt::get(limit->getType(), sum);
  }

  bool widens(const Value* v, const Value* narrow, ICmpInst::Predicate p) const {
    if (auto* const a = dyn_cast<ConstantInt>(v), * const b = dyn_cast<ConstantInt>(narrow);
        a != nullptr && b != nullptr && a->getBitWidth() >= b->getBitWidth())
      return a->getValue() == (ICmpInst::isSigned(p) ? b->getValue().sextOrTrunc(a->getBitWidth())
                                                     : b->getValue().zextOrTrunc(a->getBitWidth()));
    return is_or_widens(v, narrow, ICmpInst::isSigned(p)) ||
           (of_warp_ && is_widened_by_parts(v, narrow, ICmpInst::isSigned(p)));
  }

  bool guard_asks_the_same(stride& s) {
    if (asks_the_same(t_.entered, t_.enters_if, s)) return true;
    t_.asks_more = true;
    return !of_warp_ && one_asks_the_same(t_.entered, t_.enters_if, s);
  }
  // One of several questions that all have to be answered alike.
  bool one_asks_the_same(Value* condition, bool holds, stride& s) const {
    Value *a, *b;
    if (match(condition, m_Not(m_Value(a)))) return one_asks_the_same(a, !holds, s);
    if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
      return one_asks_the_same(a, holds, s) || one_asks_the_same(b, holds, s);
    return asks_the_same(condition, holds, s);
  }
  bool asks_the_same(Value* condition, bool holds, stride& s) const {
    Value *&left = s.asked_first, *&right = s.asked_limit;
    ICmpInst::Predicate p;
    if (!compares(condition, holds, left, right, p)) return false;
    Value* const first = s.index->getIncomingValueForBlock(t_.preheader);
    if (widens(first, right, s.goes_on)) {
      std::swap(left, right);
      p = ICmpInst::getSwappedPredicate(p);
    }
    if (!widens(first, left, s.goes_on) || !widens(s.limit, right, s.goes_on)) return false;
    if (left->getType() != right->getType()) return false;
    // Of an index that is known to be none below 0, clang asks without sign at the latch: with it is the same.
    if (of_warp_ && !s.is_signed() && p == ICmpInst::getSignedPredicate(s.goes_on) &&
        computeKnownBits(left, k_.f.getParent()->getDataLayout()).isNonNegative())
      s.goes_on = p;
    return p == s.goes_on;
  }

  const kernel_form& k_;
  turn_loop& t_;
  const bool of_warp_;
};

}  // namespace

std::optional<stride> find_stride(const kernel_form& k, turn_loop& t, bool of_warp) {
  return stride_finder(k, t, of_warp).find();
}

Value* ask_whether_it_wraps(const kernel_form& k, const stride& s, const ConstantInt& step, BinaryOperator& next) {
  const unsigned bits = step.getBitWidth();
  const APInt most = (s.is_signed() ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)) - step.getValue();
  if (s.is_signed())
    next.setHasNoSignedWrap();
  else
    next.setHasNoUnsignedWrap();
  return IRBuilder<>(k.entry->getTerminator())
      .CreateICmp(s.is_signed() ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE, s.limit,
                  ConstantInt::get(s.limit->getType(), most));
}

bool takes_neighbours_together(const Instruction& load, const ConstantInt& step, const Value* turn) {
  constexpr std::int64_t kMostTogether = 4;
  if (!isa<LoadInst>(load)) return false;
  const TypeSize stored = load.getModule()->getDataLayout().getTypeStoreSize(load.getType());
  const auto size = static_cast<std::int64_t>(stored.getFixedValue());
  const std::int64_t bytes = step.getSExtValue();
  if (bytes <= 0 || bytes % size != 0 || bytes / size > kMostTogether) return false;
  auto* const known = dyn_cast_or_null<ConstantInt>(turn);
  return turn == nullptr || (known != nullptr && std::abs(known->getSExtValue()) >= bytes);
}

}  // namespace simt::compile
