// SPDX-License-Identifier: Apache-2.0
#include "turn_loop.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include "any_geometry.hpp"
#include "canonical_form.hpp"
#include "engine_calls.hpp"
#include "lane_steps.hpp"
#include "turn_end.hpp"
#include "turn_stride.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 60;        // of what is added up: no sum of a few wraps
constexpr std::int64_t kLargestFactor = std::int64_t{1} << 40;  // of an index, which is below 1024
constexpr int kDeepestMoved = 8;                                // operands of operands
constexpr std::int64_t kLargestStep = 16;                       // bytes: float4
constexpr unsigned kFew = 8;                                    // threads of a row
constexpr unsigned kTurn = 3;                                   // the index of the turn, behind x, y and z

class turn_finder {
 public:
  turn_finder(const kernel_form& k, const dependence& varying, PostDominatorTree& post_dominators,
              const DominatorTree& dominators, bool of_warp = false)
      : k_(k), varying_(varying), post_dominators_(post_dominators), dominators_(dominators), of_warp_(of_warp) {}

  std::optional<turn_loop> find_of_warp(Loop& l, const lane_dependence& lanes) const {
    std::optional<turn_loop> t = look_at(l);
    if (!t || !t->by_stride || !allow_stride_of_warp(*t, *t->by_stride, lanes)) return {};
    t->of_warp = true;
    return t;
  }
  std::optional<turn_loop> find(Loop& l) const {
    std::optional<turn_loop> t = look_at(l);
    if (!t) return {};
    if (!l.isInnermost() && !t->by_stride) return allow_around_strides(*t) ? t : std::nullopt;
    if (!l.isInnermost() && !strides_in_x_within(l)) return {};
    t->any_geometry = !t->asks_more && takes_any_geometry(k_, *t);  // before anything is added
    if (t->by_stride ? allow_stride(*t) : allow_sum(*t)) return t;
    return {};
  }

 private:
  // All threads come to bb, or none.
  bool all_come_to(BasicBlock* bb) const {
    ReverseIDFCalculator frontier(post_dominators_);
    SmallPtrSet<BasicBlock*, 2> defined;
    defined.insert(bb);
    frontier.setDefiningBlocks(defined);
    SmallVector<BasicBlock*> deciding;
    frontier.calculate(deciding);
    return all_of(deciding, [&](BasicBlock* d) { return varying_.decides_alike(d); });
  }

  std::optional<turn_loop> look_at(Loop& l) const {
    turn_loop t{&l, l.getLoopPreheader(), l.getHeader(), l.getLoopLatch(), l.getUniqueExitBlock()};
    if (t.preheader == nullptr || t.latch == nullptr || t.exit == nullptr || l.getExitingBlock() != t.latch) return {};
    if (t.exit->getSinglePredecessor() != t.latch || t.preheader == k_.entry) return {};
    for (BasicBlock* bb : l.blocks())
      for (Instruction& i : *bb) {
        if (is_any_marker(&i) || i.isVolatile() || isa<AllocaInst>(i)) return {};
        if (auto* call = dyn_cast<CallBase>(&i);
            call != nullptr && !isa<IntrinsicInst>(call) && call->mayHaveSideEffects())
          return {};
      }
    if (!all_come_to(t.preheader)) {
      t.guard = t.preheader->getSinglePredecessor();
      auto* branch = t.guard == nullptr ? nullptr : dyn_cast<BranchInst>(t.guard->getTerminator());
      if (branch == nullptr || !branch->isConditional() || t.guard == k_.entry) return {};
      BasicBlock* entered = t.preheader;
      if (!all_come_to(t.guard)) {
        entered = t.asks_for_any = t.guard;
        if (!varying_.decides_alike(t.guard) || !varying_.decides_alike(t.latch) || !can_go_to_guard(t)) return {};
        t.guard = t.guard->getSinglePredecessor();
        branch = t.guard == nullptr ? nullptr : dyn_cast<BranchInst>(t.guard->getTerminator());
        if (branch == nullptr || !branch->isConditional() || t.guard == k_.entry) return {};
        if (!all_come_to(t.guard)) return {};
      }
      t.enters_if = branch->getSuccessor(0) == entered;
      t.join = branch->getSuccessor(t.enters_if ? 1 : 0);
      t.entered = branch->getCondition();
      if (t.join == entered || t.join == t.exit || !post_dominators_.dominates(t.join, t.exit)) return {};
    }
    if (varying_.decides_alike(t.latch)) return t;
    // What all threads count alike has another last value for each of them.
    for (PHINode& phi : t.exit->phis()) {
      auto* const i = dyn_cast<Instruction>(phi.getIncomingValue(0));
      if (i != nullptr && l.contains(i) && !varying_.has(i)) return {};
    }
    t.by_stride = find_stride(k_, t, of_warp_);
    return t.by_stride ? std::optional(t) : std::nullopt;
  }

  // Everybody can ask what is asked in `asks_for_any`, and the way around the loop leads to where the loop leads.
  static bool can_go_to_guard(const turn_loop& t) {
    if (t.asks_for_any->getSinglePredecessor() == nullptr || t.exit->getSingleSuccessor() == nullptr) return false;
    if (!isa<BranchInst>(t.exit->getFirstNonPHI())) return false;
    if (!is_contained(successors(t.asks_for_any), t.exit->getSingleSuccessor())) return false;
    return can_go_up(cast<BranchInst>(t.asks_for_any->getTerminator())->getCondition(), *t.asks_for_any);
  }
  static bool can_go_up(const Value* v, const BasicBlock& from, int depth = 0) {
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || i->getParent() != &from || isa<PHINode>(i)) return true;
    if (depth > kDeepestMoved || i->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(i)) return false;
    return all_of(i->operands(), [&](const Use& o) { return can_go_up(o.get(), from, depth + 1); });
  }

  affine_forms forms_of(const BasicBlock* turns) const {
    affine_scope scope{k_.entry->getTerminator(), dominators_, k_.f.getParent()->getDataLayout()};
    for (unsigned d = 0; d < 3; ++d) scope.indices[k_.index[d]] = d;
    if (turns != nullptr) scope.turns[turns] = kTurn;
    return affine_forms(std::move(scope));
  }

  // The loops in l are strides themselves, of neighbours.
  bool strides_in_x_within(const Loop& l) const {
    affine_forms forms = forms_of(nullptr);
    return all_of(l.getSubLoops(), [&](const Loop* inner) {
      BasicBlock *const preheader = inner->getLoopPreheader(), *const latch = inner->getLoopLatch();
      if (!inner->isInnermost() || preheader == nullptr || latch == nullptr || varying_.decides_alike(latch))
        return false;
      return any_of(inner->getHeader()->phis(), [&](const PHINode& phi) {
        if (!phi.getType()->isIntegerTy()) return false;
        const auto first = forms.of(phi.getIncomingValueForBlock(preheader), true);
        return first && is_one(first->factor[0]);
      });
    });
  }
  static bool is_one(const Value* v) {
    auto* const known = dyn_cast_or_null<ConstantInt>(v);
    return known != nullptr && known->isOne();
  }
  // Neighbours in x touch neighbours in memory, in the same turn.
  bool touches_neighbours_in_x(const turn_loop& t) const {
    affine_forms forms = forms_of(t.header);
    const DataLayout& layout = k_.f.getParent()->getDataLayout();
    return any_of(t.loop->blocks(), [&](BasicBlock* bb) {
      return any_of(*bb, [&](Instruction& i) {
        Value* const pointer = getLoadStorePointerOperand(&i);
        const auto at = pointer == nullptr ? std::nullopt : forms.of(pointer);
        auto* const bytes = at ? dyn_cast_or_null<ConstantInt>(at->factor[0]) : nullptr;
        return bytes != nullptr && bytes->getValue() == layout.getTypeStoreSize(getLoadStoreType(&i)).getFixedValue();
      });
    });
  }

  // Neighbours in x take neighbours in memory, and nothing wraps: what that takes is `holds`.
  bool allow_stride(turn_loop& t) const {
    stride& s = *t.by_stride;
    affine_forms forms = forms_of(nullptr);
    const auto first = forms.of(s.index->getIncomingValueForBlock(t.preheader), s.is_signed());
    const auto limit = forms.of(s.limit, s.is_signed()), step = forms.of(s.step, s.is_signed());
    if (!first || !limit || !step || !limit->is_constant() || !step->is_constant()) return false;
    const bool in_rows = first->factor[0] == nullptr;  // y or z goes on, threads of a row together
    if (in_rows ? t.loop->isInnermost() && !touches_neighbours_in_x(t) : !is_one(first->factor[0])) return false;
    IRBuilder<> b(k_.entry->getTerminator());
    SmallVector<Value*> all;
    const auto within = [&](Value* v, std::int64_t low, std::int64_t high) {
      all.push_back(b.CreateICmpSGE(v, b.getInt64(static_cast<std::uint64_t>(low))));
      all.push_back(b.CreateICmpSLE(v, b.getInt64(static_cast<std::uint64_t>(high))));
    };
    const auto lies_within = [&](const affine_form& form, std::int64_t low, std::int64_t high) {
      within(form.base, -kLargest, kLargest);
      Value *least = form.base, *most = form.base;
      for (unsigned d = 0; d < 3; ++d) {
        if (form.factor[d] == nullptr) continue;
        within(form.factor[d], -kLargestFactor, kLargestFactor);
        Value* const reach = b.CreateMul(form.factor[d], b.CreateSub(k_.extent[d], b.getInt64(1)));
        least = b.CreateAdd(least, b.CreateBinaryIntrinsic(Intrinsic::smin, reach, b.getInt64(0)));
        most = b.CreateAdd(most, b.CreateBinaryIntrinsic(Intrinsic::smax, reach, b.getInt64(0)));
      }
      all.push_back(b.CreateICmpSGE(least, b.getInt64(static_cast<std::uint64_t>(low))));
      all.push_back(b.CreateICmpSLE(most, b.getInt64(static_cast<std::uint64_t>(high))));
      return most;
    };
    for (const range_condition& r : forms.in_range()) lies_within(r.form, r.low, r.high);
    Value* const last = lies_within(*first, 0, kLargest);
    within(step->base, 1, kLargest);
    within(limit->base, -kLargest, kLargest);
    for (unsigned d = 0; d < 3; ++d)
      if (first->factor[d] != nullptr) within(first->factor[d], 0, kLargestFactor);
    const bool narrow = s.index->getType()->getIntegerBitWidth() < 64;
    const std::int64_t largest =
        narrow ? (std::int64_t{1} << (s.index->getType()->getIntegerBitWidth() - 1)) - 1 : kLargest;
    Value* const most = b.CreateAdd(b.CreateAdd(limit->base, step->base), b.CreateSub(last, first->base));
    all.push_back(b.CreateICmpSLE(most, b.getInt64(static_cast<std::uint64_t>(largest - 1))));
    all.push_back(b.CreateICmpSLE(last, b.getInt64(static_cast<std::uint64_t>(largest))));
    for (Value* v : all) s.holds = s.holds == nullptr ? v : b.CreateAnd(s.holds, v);
    s.first = *first;
    s.end = s.counts_limit() ? b.CreateAdd(limit->base, b.getInt64(1)) : limit->base;
    s.step_wide = step->base;
    return true;
  }

  // Neighbouring lanes take neighbours in memory, and the first lane takes part as long as any does: the index grows,
  // and does not wrap.
  bool allow_stride_of_warp(const turn_loop& t, stride& s, const lane_dependence& lanes) const {
    lane_steps steps(k_, lanes);
    auto* const next = cast<BinaryOperator>(s.index->getIncomingValueForBlock(t.latch));
    auto* const constant_step = dyn_cast<ConstantInt>(s.step);
    if (steps.of(s.asked_first) != 1 || !steps.has_first_lane(s.asked_first)) return false;
    const bool wraps_never = s.is_signed() ? next->hasNoSignedWrap() : next->hasNoUnsignedWrap();
    if (!wraps_never && (constant_step == nullptr || !is_known_at_entry(k_, s.limit))) return false;
    if (!lanes.is_alike(s.limit) || !lanes.is_alike(s.asked_limit)) return false;
    if (constant_step != nullptr ? !constant_step->getValue().isStrictlyPositive() : !is_known_at_entry(k_, s.step))
      return false;
    steps.know(s.index, 1);
    if (!touches_neighbours(t, steps)) return false;
    s.place = steps.place_in(s.asked_first);
    IRBuilder<> b(t.guard->getTerminator());
    s.first_lane = b.CreateIntCast(steps.of_first_lane(s.asked_first, b), s.index->getType(), s.is_signed());
    s.limit_in_guard = b.CreateIntCast(s.asked_limit, s.index->getType(), s.is_signed());
    if (constant_step == nullptr)
      s.holds = IRBuilder<>(k_.entry->getTerminator())
                    .CreateICmp(s.is_signed() ? ICmpInst::ICMP_SGT : ICmpInst::ICMP_NE, s.step,
                                ConstantInt::getNullValue(s.step->getType()));
    if (!wraps_never) s.holds = ask_whether_it_wraps(k_, s, *constant_step, *next);
    return true;
  }
  // Else a lane's own way through memory is as good.
  static bool touches_neighbours(const turn_loop& t, const lane_steps& steps) {
    return any_of(t.loop->blocks(), [&](BasicBlock* bb) {
      return any_of(*bb, [&](const Instruction& i) {
        const Value* const pointer = getLoadStorePointerOperand(&i);
        const auto step = pointer == nullptr ? std::nullopt : steps.of(pointer);
        return step && *step > 0 && *step <= kLargestStep;
      });
    });
  }

  // A few of the block's threads come to the loop, if any: those whose place is a certain one, `if (rank == 0)`.
  // Turned, all of them would ask in each turn whether they take part.
  bool is_for_few(Value* condition, bool holds) const {
    Value *a, *b;
    if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
      return is_for_few(a, holds) || is_for_few(b, holds);
    if (match(condition, m_Not(m_Value(a)))) return is_for_few(a, !holds);
    ICmpInst::Predicate p;
    if (!compares(condition, holds, a, b, p)) return false;
    if (!varying_.has(a)) {
      std::swap(a, b);
      p = ICmpInst::getSwappedPredicate(p);
    }
    if (varying_.has(b) || !tells_threads_apart(a)) return false;
    const APInt* below;
    return p == ICmpInst::ICMP_EQ || (p == ICmpInst::ICMP_ULT && match(b, m_APInt(below)) && below->ule(kFew));
  }
  // No two threads of a row have the same v: x, or a sum with it in which nothing else has to do with x.
  bool tells_threads_apart(const Value* v) const {
    if (v == k_.index[0] || is_marker(v, marker::rank)) return true;
    const Value *a, *b;
    const APInt* mask;
    if (match(v, m_Trunc(m_Value(a)))) return !v->getType()->isIntegerTy(1) && tells_threads_apart(a);
    if (match(v, m_ZExtOrSExt(m_Value(a)))) return tells_threads_apart(a);
    if (match(v, m_And(m_Value(a), m_APInt(mask))))
      return (mask->getLimitedValue() & 1023) == 1023 && tells_threads_apart(a);
    // `or` is how a sum is written in which no bit is in both.
    if (!match(v, m_Add(m_Value(a), m_Value(b))) && !match(v, m_Or(m_Value(a), m_Value(b)))) return false;
    if (has_to_do_with_x(a, 0)) std::swap(a, b);
    return !has_to_do_with_x(a, 0) && tells_threads_apart(b);
  }
  bool has_to_do_with_x(const Value* v, int depth) const {
    if (!varying_.has(v) || v == k_.index[1] || v == k_.index[2]) return false;
    if (depth > 8 || !(isa<CastInst>(v) || isa<BinaryOperator>(v))) return true;
    return any_of(cast<Instruction>(v)->operands(), [&](const Use& o) { return has_to_do_with_x(o.get(), depth + 1); });
  }

  // All threads make the same turns, and in each of them one stride of neighbours, or several: `for (b ...) for (i =
  // threadIdx.x; i < n; i += blockDim.x)`. clang asks in front of both loops whether there is anything in the strides.
  // Turned, it is asked in front of each of them, which are turned next.
  bool allow_around_strides(const turn_loop& t) const {
    ICmpInst::Predicate ends = ICmpInst::BAD_ICMP_PREDICATE;
    if (t.guard == nullptr || is_for_few(t.entered, t.enters_if) || !ends_without_threads(t, ends)) return false;
    if (!moves_to_turn(t, t.latch->getTerminator()->getOperand(0)) || !strides_in_x_within(*t.loop)) return false;
    for (BasicBlock* bb : t.loop->blocks())
      for (Instruction& i : *bb)
        if (i.isAtomic()) return false;
    const auto is_asked_for = [&](Loop* inner) {
      turn_loop within{inner, inner->getLoopPreheader(), inner->getHeader(), inner->getLoopLatch(),
                       inner->getUniqueExitBlock()};
      within.guard = t.guard, within.entered = t.entered, within.enters_if = t.enters_if;
      return within.exit != nullptr && inner->getExitingBlock() == within.latch && find_stride(k_, within, false);
    };
    if (!all_of(t.loop->getSubLoops(), is_asked_for)) return false;
    ask_in_order(t, ends);
    return true;
  }

  // Carries a sum of floats, or goes down columns, and neighbours in x touch neighbours in memory, or the same.
  bool allow_sum(const turn_loop& t) const {
    bool sums = false;
    ICmpInst::Predicate ends = ICmpInst::BAD_ICMP_PREDICATE;
    if (t.guard != nullptr && (is_for_few(t.entered, t.enters_if) || !ends_without_threads(t, ends))) return false;
    bool in_columns = false;
    for (PHINode& phi : t.header->phis()) sums |= phi.getType()->isFloatTy() || phi.getType()->isDoubleTy();
    if (!moves_to_turn(t, t.latch->getTerminator()->getOperand(0))) return false;
    affine_forms forms = forms_of(t.header);
    const DataLayout& layout = k_.f.getParent()->getDataLayout();
    for (BasicBlock* bb : t.loop->blocks())
      for (Instruction& i : *bb) {
        if (isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i) || isa<FenceInst>(i)) return false;
        auto* const pointer = getLoadStorePointerOperand(&i);
        if (pointer == nullptr) continue;
        const auto at = forms.of(const_cast<Value*>(pointer));
        if (!at) return false;
        if (at->factor[0] == nullptr) continue;
        auto* const bytes = dyn_cast<ConstantInt>(at->factor[0]);
        if (bytes == nullptr) return false;
        if (!takes_neighbours_together(i, *bytes, at->factor[kTurn]) &&
            bytes->getSExtValue() != static_cast<std::int64_t>(layout.getTypeStoreSize(getLoadStoreType(&i))))
          return false;
        in_columns |= at->factor[kTurn] != nullptr && at->factor[kTurn] != bytes;
      }
    if (!sums && !in_columns) return false;  // what each thread does in a row is done side by side as it is
    if (t.guard != nullptr) ask_in_order(t, ends);
    return true;
  }

  const kernel_form& k_;
  const dependence& varying_;
  PostDominatorTree& post_dominators_;
  const DominatorTree& dominators_;
  const bool of_warp_;
};

}  // namespace

std::optional<turn_loop> find_turn_loop(const kernel_form& k, Loop& l, const dependence& varying,
                                        PostDominatorTree& post_dominators, const DominatorTree& dominators) {
  return turn_finder(k, varying, post_dominators, dominators).find(l);
}

std::optional<turn_loop> find_warp_turn_loop(const kernel_form& k, Loop& l, const lane_dependence& lanes,
                                             PostDominatorTree& post_dominators, const DominatorTree& dominators) {
  return turn_finder(k, lanes.found(), post_dominators, dominators, true).find_of_warp(l, lanes);
}

bool moves_to_turn(const turn_loop& t, const Value* v, int depth) {
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr || !t.loop->contains(i)) return true;
  if (isa<PHINode>(i)) return i->getParent() == t.header;
  if (depth > 8 || i->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(i)) return false;
  return all_of(i->operands(), [&](const Use& o) { return moves_to_turn(t, o.get(), depth + 1); });
}

}  // namespace simt::compile
