// SPDX-License-Identifier: Apache-2.0
#include "ends_by_itself.hpp"

#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "turn_stride.hpp"
#include "warp_operations.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned kMostSteps = 64;

Value* behind_casts(Value* v) {
  while (isa<CastInst>(v) || isa<FreezeInst>(v)) v = cast<Instruction>(v)->getOperand(0);
  return v;
}

// bb stays in l while `number` is below `end`.
struct upper_bound {
  Value *number, *end;
};
// The same of a condition; `when`: its value with which the loop goes on.
std::optional<upper_bound> bound_of(Value* condition, bool when, function_ref<bool(Value*)> is_end) {
  auto* const asked = dyn_cast<ICmpInst>(condition);
  if (asked == nullptr) return {};
  Value *number = behind_casts(asked->getOperand(0)), *end = behind_casts(asked->getOperand(1));
  auto goes_on = when ? asked->getPredicate() : asked->getInversePredicate();
  if (!is_end(end)) std::swap(number, end), goes_on = ICmpInst::getSwappedPredicate(goes_on);
  if (!is_upper_bound(goes_on) || !is_end(end)) return {};
  return upper_bound{number, end};
}
std::optional<upper_bound> bound_in(const BasicBlock* bb, const Loop& l, function_ref<bool(Value*)> is_end) {
  auto* const branch = dyn_cast<BranchInst>(bb->getTerminator());
  if (branch == nullptr || !branch->isConditional()) return {};
  return bound_of(branch->getCondition(), l.contains(branch->getSuccessor(0)), is_end);
}

// `number` of `bound` is what a constant is added to in each turn, before or after that. one_by_one: by 1, and it does
// not wrap.
bool grows_in_turns(const upper_bound& bound, const Loop& l, bool one_by_one = false) {
  const BasicBlock* const latch = l.getLoopLatch();
  return latch != nullptr && any_of(l.getHeader()->phis(), [&](const PHINode& phi) {
           auto* const next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
           auto* const step = next == nullptr ? nullptr : dyn_cast<ConstantInt>(next->getOperand(1));
           if (step == nullptr || next->getOpcode() != Instruction::Add || next->getOperand(0) != &phi) return false;
           if (one_by_one && (!step->isOne() || (!next->hasNoUnsignedWrap() && !next->hasNoSignedWrap()))) return false;
           return step->getValue().isStrictlyPositive() && (bound.number == &phi || bound.number == next);
         });
}
// A loop goes on until a number is `end`, which is how clang asks where it knows that the count comes there.
std::optional<upper_bound> equality_of(Value* condition, bool when, function_ref<bool(Value*)> is_end) {
  auto* const asked = dyn_cast<ICmpInst>(condition);
  if (asked == nullptr || asked->getPredicate() != (when ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ)) return {};
  Value *number = asked->getOperand(0), *end = asked->getOperand(1);
  if (!is_end(end)) std::swap(number, end);
  if (!is_end(end)) return {};
  return upper_bound{number, end};
}

class drawn_numbers {
 public:
  drawn_numbers(const Loop& l, const dependence& seen) : l_(l), seen_(seen) {}

  // v grows with what is drawn, or is nothing that was drawn.
  bool may_be(Value* v) {
    if (auto* const i = dyn_cast<Instruction>(v); i == nullptr || !l_.contains(i)) return true;
    if (!visited_.insert(v).second) return true;
    if (visited_.size() > kMostSteps) return false;
    if (auto* const draws = dyn_cast<AtomicRMWInst>(v)) return is_draw(*draws);
    if (auto* const load = dyn_cast<LoadInst>(v)) return is_stored_draw(*load);
    if (auto* const phi = dyn_cast<PHINode>(v))
      return all_of(phi->incoming_values(), [&](const Use& u) { return may_be(u.get()); });
    if (auto* const call = dyn_cast<CallInst>(v); call != nullptr && is_marker(call, marker::warp))
      return is_shuffle(*call) && may_be(call->getArgOperand(3));
    Value* rest = nullptr;
    const APInt* by = nullptr;
    if (match(v, m_CombineOr(m_Shl(m_Value(rest), m_APInt(by)), m_Mul(m_Value(rest), m_APInt(by)))))
      return by->isStrictlyPositive() && may_be(rest);
    if (match(v, m_Add(m_Value(rest), m_Value())))
      return l_.isLoopInvariant(cast<Instruction>(v)->getOperand(1)) && may_be(rest);
    return (isa<CastInst>(v) || isa<FreezeInst>(v)) && may_be(cast<Instruction>(v)->getOperand(0));
  }
  bool any() const { return any_; }

 private:
  // Whoever comes to it does so in each turn: nothing that was seen decides, but for what ends the loop.
  bool is_draw(AtomicRMWInst& i) {
    Value* const by = i.getValOperand();
    auto* const number = dyn_cast<ConstantInt>(by);
    const bool grows = number != nullptr ? number->getValue().isStrictlyPositive() : is_extent(by);
    if (i.getOperation() != AtomicRMWInst::Add || !grows || !l_.isLoopInvariant(i.getPointerOperand()) ||
        seen_.loops().getLoopFor(i.getParent()) == nullptr ||
        seen_.loops().getLoopFor(i.getParent())->getHeader() != l_.getHeader())
      return false;
    PostDominatorTree post_dominators(*i.getFunction());
    ReverseIDFCalculator frontier(post_dominators);
    const SmallPtrSet<BasicBlock*, 1> here{i.getParent()};
    frontier.setDefiningBlocks(here);
    SmallVector<BasicBlock*> deciding;
    frontier.calculate(deciding);
    for (BasicBlock* bb : deciding)
      if (l_.contains(bb) && !l_.isLoopExiting(bb) && !seen_.decides_alike(bb)) return false;
    any_ = true;
    return true;
  }
  static bool is_extent(Value* v) {
    auto* const a = dyn_cast<Argument>(behind_casts(v));
    return a != nullptr && a->getArgNo() >= parameter::extent && a->getArgNo() < parameter::extent + 3;
  }
  static bool is_of(const Value* variable, const Value* v) {
    return v->getType()->isPointerTy() && getUnderlyingObject(v, 0) == variable;
  }
  // Of a variable of the block, in which l stores nothing else.
  bool is_stored_draw(LoadInst& load) {
    const Value* const variable = getUnderlyingObject(load.getPointerOperand(), 0);
    if (!load.isSimple() || !is_shared_array(variable)) return false;
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : *bb) {
        auto* const store = dyn_cast<StoreInst>(&i);
        if (store != nullptr && is_of(variable, store->getPointerOperand()) && !may_be(store->getValueOperand()))
          return false;
        if (store == nullptr && i.mayWriteToMemory() && !is_any_marker(&i) &&
            any_of(i.operand_values(), [&](const Value* v) { return is_of(variable, v); }))
          return false;
      }
    return true;
  }

  const Loop& l_;
  const dependence& seen_;
  SmallPtrSet<const Value*, 16> visited_;
  bool any_ = false;
};

}  // namespace

bool counts_up_to_what_it_reads(const BasicBlock* bb, const Loop& l) {
  const auto bound = bound_in(bb, l, [](Value* v) { return isa<LoadInst>(v) && cast<LoadInst>(v)->isSimple(); });
  return bound && grows_in_turns(*bound, l);
}

bool counts_turns(const Loop& l, const DominatorTree& dominators) {
  const BasicBlock* const latch = l.getLoopLatch();
  if (latch == nullptr) return false;
  const auto is_end = [&](Value* v) { return l.isLoopInvariant(v); };
  SmallVector<BasicBlock*> exits;
  l.getExitingBlocks(exits);
  return any_of(exits, [&](BasicBlock* bb) {
    auto* const branch = dyn_cast<BranchInst>(bb->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !dominators.dominates(bb, latch)) return false;
    // Of several conditions of which each must hold for the loop to go on, one may be the count's.
    const bool when = l.contains(branch->getSuccessor(0));
    SmallVector<Value*> parts{branch->getCondition()};
    for (std::size_t i = 0; i < parts.size() && parts.size() < kMostSteps; ++i) {
      Value *a = nullptr, *b = nullptr;
      if (when ? match(parts[i], m_LogicalAnd(m_Value(a), m_Value(b)))
               : match(parts[i], m_LogicalOr(m_Value(a), m_Value(b))))
        parts.append({a, b});
    }
    return any_of(parts, [&](Value* part) {
      if (const auto bound = bound_of(part, when, is_end); bound && grows_in_turns(*bound, l)) return true;
      const auto count = equality_of(part, when, is_end);
      return count && grows_in_turns(*count, l, true);
    });
  });
}

bool draws_numbers(const BasicBlock* bb, const Loop& l, const dependence& seen) {
  const auto bound = bound_in(bb, l, [&](Value* v) { return l.isLoopInvariant(v); });
  drawn_numbers numbers(l, seen);
  return bound && numbers.may_be(bound->number) && numbers.any();
}

}  // namespace simt::compile
