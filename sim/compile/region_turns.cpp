// SPDX-License-Identifier: Apache-2.0
// A part of region_accesses: the loops that each thread runs within the region, and how often.
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

#include "markers.hpp"
#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;
using sim::loop_test;
using sim::loop_turns;

namespace {
// A loop that goes on while what it counts, as it is after the turn or was in it, is below a bound.
struct counting {
  PHINode* counted;
  BinaryOperator* next;
  Value *step, *bound;
  CmpInst::Predicate below;
  bool asks_before_step;
};
std::optional<counting> counting_of(const Loop& l) {
  BasicBlock* const latch = l.getLoopLatch();
  auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto* again = branch == nullptr || !branch->isConditional() ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
  if (again == nullptr) return {};
  const auto below = l.contains(branch->getSuccessor(0)) ? again->getPredicate() : again->getInversePredicate();
  for (PHINode& phi : l.getHeader()->phis()) {
    auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
    if (next == nullptr || next->getOpcode() != Instruction::Add || next->getType()->getIntegerBitWidth() > 64)
      continue;
    const unsigned at = next->getOperand(0) == &phi ? 0 : 1;
    if (next->getOperand(at) != &phi) continue;
    for (const unsigned side : {0U, 1U}) {
      Value* asked = again->getOperand(side);
      if (auto* cut = dyn_cast<TruncInst>(asked)) asked = cut->getOperand(0);  // it counts in more bits than it was
      if (asked != next && asked != &phi) continue;
      return counting{&phi,
                      next,
                      next->getOperand(1 - at),
                      again->getOperand(1 - side),
                      side == 0 ? below : ICmpInst::getSwappedPredicate(below),
                      asked == &phi};
    }
  }
  return {};
}

// Is v computed from what a thread has read since its piece began?
bool is_from_memory(const Value* v, const Loop& row, unsigned depth) {
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr || !row.contains(i) || depth == 0) return false;
  if (isa<LoadInst>(i)) return true;
  return isa<CastInst, FreezeInst, BinaryOperator>(i) &&
         any_of(i->operand_values(), [&](const Value* o) { return is_from_memory(o, row, depth - 1); });
}
// Data say where it begins or ends: the edges of a node.
bool begins_or_ends_by_data(const Loop& l, const Loop& row) {
  constexpr unsigned kDeepest = 6;
  const auto c = counting_of(l);
  return c && (is_from_memory(c->bound, row, kDeepest) ||
               is_from_memory(c->counted->getIncomingValueForBlock(l.getLoopPredecessor()), row, kDeepest));
}
}  // namespace

// A loop over registers, as the products of a tile in registers are: how often it runs matters to nobody.
bool region_accesses::announces_nothing(const Loop& l) const {
  return !counted_ && all_of(l.blocks(), [](const BasicBlock* bb) {
    return none_of(*bb, [](const Instruction& i) { return is_announced(i) || is_block_marker(i); });
  });
}

// The loops that each thread runs.
bool region_accesses::find_turns() {
  for (Loop* l : row_->getLoopsInPreorder()) {
    if (l == row_) continue;
    if (goes_by_data(l->getHeader())) continue;  // within another one
    if (announces_nothing(*l)) {
      loops_apart_.push_back(l);
      continue;
    }
    BasicBlock* const latch = l->getLoopLatch();
    if (latch == nullptr || l->getExitingBlock() != latch || l->getLoopPredecessor() == nullptr) return false;
    const bool by_data = in_ == nullptr && !counted_ && begins_or_ends_by_data(*l, *row_);
    (by_data ? loops_by_data_ : turn_loops_).push_back(l);
  }
  // 32 lanes that touch little are watched in less time than a question takes.
  return (in_ == nullptr || !turn_loops_.empty()) && turn_loops_.size() <= sim::kLoopTurns;
}

// Is it in a loop of which data say how often each thread runs it? Nothing in there is listed.
bool region_accesses::goes_by_data(const BasicBlock* bb) const {
  return any_of(loops_by_data_, [&](const Loop* l) { return l->contains(bb); });
}

// How often they run.
bool region_accesses::count_turns() {
  if (turn_loops_.empty()) return true;
  TargetLibraryInfoImpl known{Triple(k_.f.getParent()->getTargetTriple())};
  TargetLibraryInfo library(known, &k_.f);
  AssumptionCache assumptions(k_.f);
  ScalarEvolution evolution(k_.f, library, assumptions, const_cast<DominatorTree&>(dominators_),
                            const_cast<LoopInfo&>(loops_));
  SCEVExpander expander(evolution, k_.f.getParent()->getDataLayout(), "turns");
  Instruction* const in_front = n_.before->getTerminator();
  const Loop* all = loops_.getLoopFor(n_.z != nullptr ? n_.z : n_.y);
  if (n_.z == nullptr && (all == nullptr || all->getHeader() != n_.y)) all = row_;  // a warp in one row
  for (Loop* l : turn_loops_) {
    loop_turns t{};
    affine_form zero;
    zero.base = ConstantInt::get(Type::getInt64Ty(k_.f.getContext()), 0);
    t.start = t.bound = places(zero);
    t.count = t.step = t.most = -1;
    t.compared = static_cast<std::int32_t>(sim::loop_compared::with_sign);
    const SCEV* const count = evolution.getBackedgeTakenCount(l);
    if (!isa<SCEVCouldNotCompute>(count) && evolution.isLoopInvariant(count, all) &&
        expander.isSafeToExpandAt(count, in_front) && count->getType()->getIntegerBitWidth() <= 64) {
      Value* const back = expander.expandCodeFor(count, count->getType(), in_front);
      IRBuilder<> b(in_front);
      t.count = place(b.CreateAdd(b.CreateZExt(back, b.getInt64Ty()), b.getInt64(1)));
    } else if (!count_by_step(*l, t)) {
      return false;
    }
    turns_.push_back(t);
  }
  return true;
}

// Each thread may begin elsewhere, and all may still run as often.
bool region_accesses::count_by_step(const Loop& l, loop_turns& t) {
  const auto c = counting_of(l);
  if (!c) return false;
  const bool is_signed = c->below == ICmpInst::ICMP_SLT || c->below == ICmpInst::ICMP_SLE,
             is_unsigned = c->below == ICmpInst::ICMP_ULT || c->below == ICmpInst::ICMP_ULE;
  const bool is_cut = c->next->getType() != c->bound->getType();
  // Until a bound is met, it counts by the number that it is met with.
  if (!is_signed && !is_unsigned && (c->below != ICmpInst::ICMP_NE || c->asks_before_step || is_cut)) return false;
  using sim::loop_compared;
  t.compared = static_cast<std::int32_t>(is_signed     ? loop_compared::with_sign
                                         : is_unsigned ? loop_compared::without_sign
                                                       : loop_compared::unequal);
  t.inclusive = c->below == ICmpInst::ICMP_SLE || c->below == ICmpInst::ICMP_ULE;
  const unsigned bits = c->bound->getType()->getIntegerBitWidth();
  const form start = forms_->of(c->counted->getIncomingValueForBlock(l.getLoopPredecessor()), !is_unsigned),
             end = forms_->of(c->bound, !is_unsigned), step = forms_->of(c->step);
  if (!start || !end || !step || !step->is_constant()) return false;
  affine_form bound = *end;
  IRBuilder<> b(n_.before->getTerminator());
  if (c->asks_before_step) {
    bound.base = b.CreateAdd(bound.base, step->base);
    constexpr std::int64_t kFar = std::int64_t{1} << 62;  // the sum of two numbers up to that is no other number
    const int low = place(b.getInt64(-kFar)), high = place(b.getInt64(kFar));
    for (const form& f : {end, step}) always_.push_back(add(loop_test::in_range, low, high, &*f));
  }
  const bool whole = is_signed || bits == 64;
  const APInt most = whole ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  const APInt least = is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits);
  if (is_cut)
    always_.push_back(add(loop_test::in_range, place(b.getInt64(static_cast<std::uint64_t>(least.getSExtValue()))),
                          place(b.getInt64(most.getZExtValue())), &*start));
  if (is_unsigned && bits == 64) {  // they may be too large to be told with a sign
    affine_form zero;
    zero.base = b.getInt64(0);
    always_.push_back(add(loop_test::less_or_equal, 0, 0, &zero, &*start));
    always_.push_back(add(loop_test::less_or_equal, 0, 0, &zero, &bound));
  }
  t.step = place(step->base);
  t.start = places(*start);
  t.bound = places(bound);
  // i += blockDim.x is a sum of numbers without sign, which may wrap.
  if (is_cut || (is_unsigned ? !c->next->hasNoUnsignedWrap() : is_signed && !c->next->hasNoSignedWrap()))
    t.most = place(b.getInt64(most.getZExtValue()));
  return true;
}

}  // namespace simt::compile
