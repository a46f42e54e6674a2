// SPDX-License-Identifier: Apache-2.0
#include "steady_terms.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "guarded_loop.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::size_t kMostCopied = 400, kMostTerms = 16;  // instructions of the loop, and terms in it
constexpr int kDeepestAddress = 6;                         // users of users

class term_finder {
 public:
  term_finder(Loop& l, ScalarEvolution& evolution, const DominatorTree& dominators)
      : l_(l), evolution_(evolution), dominators_(dominators) {}

  SmallVector<steady_term> run() {
    std::size_t instructions = 0;
    for (BasicBlock* bb : l_.blocks()) instructions += bb->size();
    if (instructions > kMostCopied) return {};
    for (BasicBlock* bb : l_.blocks()) {
      for (Instruction& i : *bb)
        if (found_.size() < kMostTerms) look_at(i);
      auto* const branch = dyn_cast<BranchInst>(bb->getTerminator());
      if (branch != nullptr && branch->isConditional() && bb != l_.getLoopLatch()) look_at_question(*branch);
    }
    append_range(found_, of_row_);
    return std::move(found_);
  }

 private:
  void look_at(Instruction& i) {
    if (auto* const choice = dyn_cast<SelectInst>(&i)) return look_at_choice(*choice);
    if (!i.getType()->isIntegerTy(32) && !i.getType()->isIntegerTy(64)) return;
    if (auto* const of_two = dyn_cast<MinMaxIntrinsic>(&i)) {
      // A minimum is its line while that is below the other, so its predicate is the one that compares the two.
      const auto p = ICmpInst::getNonStrictPredicate(of_two->getPredicate());
      if (add(i, of_two->getLHS(), of_two->getRHS(), p) || add(i, of_two->getRHS(), of_two->getLHS(), p))
        lines_[&i] = found_.back().form;
      return;
    }
    Value *const a = i.getNumOperands() > 0 ? i.getOperand(0) : nullptr, *const b = i.getNumOperands() > 1
                                                                                        ? i.getOperand(1)
                                                                                        : nullptr;
    switch (i.getOpcode()) {
      case Instruction::UDiv:
      case Instruction::SDiv:
        divide(i, a, b, steady_value::quotient, divisor_from::value);
        break;
      case Instruction::URem:
      case Instruction::SRem:
        divide(i, a, b, steady_value::remainder, divisor_from::value);
        break;
      case Instruction::LShr:
        if (leads_to_address(i)) divide(i, a, b, steady_value::quotient, divisor_from::shift);
        break;
      case Instruction::And:
        if (leads_to_address(i)) mask(i, a, b) || mask(i, b, a);
        break;
      default:
        break;
    }
  }

  const SCEVAddRecExpr* line_of(Value* v) {
    const auto known = lines_.find(v);
    auto* const form = known != lines_.end() ? known->second : dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(v));
    if (form == nullptr || form->getLoop() != &l_ || !form->isAffine()) return nullptr;
    return form->getStepRecurrence(evolution_)->isOne() ? form : nullptr;
  }
  bool add(Instruction& i, Value* line, Value* fixed, ICmpInst::Predicate p) {
    const SCEVAddRecExpr* const form = l_.isLoopInvariant(fixed) ? line_of(line) : nullptr;
    if (form == nullptr) return false;
    steady_term& made = found_.emplace_back(steady_term{&i, line, form, fixed, steady_value::line, p});
    made.is_signed = ICmpInst::isSigned(p);
    return true;
  }
  // A line of 64 bits that is widened from one of fewer, which may wrap, and perhaps moved.
  bool add_widened(Instruction& i, Value* line, Value* fixed, ICmpInst::Predicate p) {
    if (!l_.isLoopInvariant(fixed) || !line->getType()->isIntegerTy(64)) return false;
    const SCEV *of = evolution_.getSCEV(line), *more = nullptr;
    if (auto* const sum = dyn_cast<SCEVAddExpr>(of)) {
      const auto rest = [&](const SCEV* s) { return evolution_.isLoopInvariant(s, &l_); };
      SmallVector<const SCEV*> same(make_filter_range(sum->operands(), rest));
      if (same.size() + 1 != sum->getNumOperands()) return false;
      of = *find_if_not(sum->operands(), rest);
      more = evolution_.getAddExpr(same);
    }
    if (!isa<SCEVSignExtendExpr>(of) && !isa<SCEVZeroExtendExpr>(of)) return false;
    auto* const form = dyn_cast<SCEVAddRecExpr>(cast<SCEVIntegralCastExpr>(of)->getOperand());
    if (form == nullptr || form->getLoop() != &l_ || !form->isAffine() || !form->getStepRecurrence(evolution_)->isOne())
      return false;
    steady_term& made = found_.emplace_back(steady_term{&i, line, form, fixed, steady_value::answer, p});
    made.is_signed = ICmpInst::isSigned(p);
    made.widens = isa<SCEVSignExtendExpr>(of) ? Instruction::SExt : Instruction::ZExt;
    made.more = more;
    return true;
  }
  bool divide(Instruction& i, Value* line, Value* fixed, steady_value what, divisor_from divisor) {
    if (!add(i, line, fixed, ICmpInst::BAD_ICMP_PREDICATE)) return false;
    steady_term& made = found_.back();
    made.what = what, made.divisor = divisor;
    made.is_signed = i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem;
    return true;
  }
  // The partners of a sorting network (`t & (stride - 1)`) change places if data say so. With masks that takes longer
  // than one by one.
  bool mask(Instruction& i, Value* line, Value* fixed) {
    auto* const constant = dyn_cast<ConstantInt>(fixed);
    if (constant == nullptr && stores_under_condition()) return false;
    if (constant != nullptr ? constant->getValue().isNegatedPowerOf2() : match(fixed, m_Neg(m_Value())))
      return divide(i, line, fixed, steady_value::multiple, divisor_from::high_mask);
    if (constant != nullptr && !constant->getValue().isMask()) return false;
    return divide(i, line, fixed, steady_value::remainder, divisor_from::mask);
  }

  bool stores_under_condition() const {
    return any_of(l_.blocks(), [&](const BasicBlock* bb) {
      return !dominators_.dominates(bb, l_.getLoopLatch()) &&
             any_of(*bb, [](const Instruction& i) { return isa<StoreInst>(i); });
    });
  }

  void ask(Value& condition, bool holds) {
    if (auto* const of_row = dyn_cast<Instruction>(&condition); of_row != nullptr && l_.isLoopInvariant(of_row)) {
      if (of_row_.size() < kMostTerms && none_of(of_row_, [&](const steady_term& t) { return t.i == of_row; }))
        of_row_.push_back(
            {of_row, nullptr, nullptr, nullptr, steady_value::answer, ICmpInst::BAD_ICMP_PREDICATE, holds});
      return;
    }
    auto* const compare = dyn_cast<ICmpInst>(&condition);
    if (compare == nullptr || found_.size() >= kMostTerms || !l_.contains(compare)) return;
    if (!compare->getOperand(0)->getType()->isIntegerTy(32) && !compare->getOperand(0)->getType()->isIntegerTy(64))
      return;
    if (any_of(found_, [&](const steady_term& t) { return t.i == compare; })) return;
    const auto p = holds ? compare->getPredicate() : compare->getInversePredicate();
    if (p == ICmpInst::ICMP_EQ) return;  // true for one thread at most
    Value *const a = compare->getOperand(0), *const b = compare->getOperand(1);
    const auto swapped = ICmpInst::getSwappedPredicate(p);
    if (!add(*compare, a, b, p) && !add(*compare, b, a, swapped) && !add_widened(*compare, a, b, p) &&
        !add_widened(*compare, b, a, swapped))
      return;
    found_.back().what = steady_value::answer, found_.back().holds = holds;
  }
  // What decides over accesses would make masks of vectors. The way with more of them is the usual one.
  void look_at_question(BranchInst& branch) {
    const unsigned if_true = accesses_behind(branch, 0), if_false = accesses_behind(branch, 1);
    if (if_true == 0 && if_false == 0) return;
    const bool usual = if_true >= if_false;
    for_each_part(*branch.getCondition(), usual, [&](Value& part, bool holds) { ask(part, holds); });
  }
  unsigned accesses_behind(const BranchInst& branch, unsigned way) const {
    const BasicBlock* const first = branch.getSuccessor(way);
    if (first->getSinglePredecessor() != branch.getParent()) return 0;
    unsigned accesses = 0;
    for (const BasicBlock* bb : l_.blocks())
      if (dominators_.dominates(first, bb) && bb != l_.getLoopLatch())
        accesses += static_cast<unsigned>(
            count_if(*bb, [](const Instruction& i) { return getLoadStorePointerOperand(&i) != nullptr; }));
    return accesses;
  }
  // `x > 0 ? x - 1 : 0`, where what comes of it is an address.
  void look_at_choice(SelectInst& choice) {
    if (!leads_to_address(choice) || choice.getType()->isIntegerTy(1)) return;
    const auto is_line = [&](Value* v) { return isa<SCEVAddRecExpr>(evolution_.getSCEV(v)); };
    if (!evolution_.isSCEVable(choice.getType())) return;
    const bool usual = is_line(choice.getTrueValue());
    if (!usual && !is_line(choice.getFalseValue())) return;
    for_each_part(*choice.getCondition(), usual, [&](Value& part, bool holds) { ask(part, holds); });
  }

  bool leads_to_address(const Instruction& i, int depth = 0) const {
    if (depth > kDeepestAddress) return false;
    return any_of(i.users(), [&](const User* u) {
      if (getLoadStorePointerOperand(u) == &i) return true;
      auto* const user = cast<Instruction>(u);
      return (isa<BinaryOperator>(user) || isa<CastInst>(user) || isa<GetElementPtrInst>(user) ||
              isa<SelectInst>(user)) &&
             leads_to_address(*user, depth + 1);
    });
  }

  Loop& l_;
  ScalarEvolution& evolution_;
  const DominatorTree& dominators_;
  SmallVector<steady_term> found_, of_row_;
  DenseMap<const Value*, const SCEVAddRecExpr*> lines_;  // of minima and maxima that are lines themselves
};

}  // namespace

bool are_alike(const steady_term& a, const steady_term& b) {
  if (a.is_of_row() || b.is_of_row() || a.form != b.form || a.fixed != b.fixed || a.is_signed != b.is_signed)
    return false;
  if (a.divides() != b.divides() || a.divisor != b.divisor || a.widens != b.widens || a.more != b.more) return false;
  return a.divides() ? (a.what == steady_value::multiple) == (b.what == steady_value::multiple)
                     : a.p == b.p && a.moves() == b.moves();
}

SmallVector<steady_term> find_steady_terms(Loop& l, ScalarEvolution& evolution, const DominatorTree& dominators) {
  return term_finder(l, evolution, dominators).run();
}

}  // namespace simt::compile
