// SPDX-License-Identifier: Apache-2.0
// The second half of region_accesses: under which conditions threads come to a place.
//
// Invariant: a condition is right for all threads for which `under_` holds where it is asked, and whoever uses it joins
// it with that (`both`). So `if (i > 0) if (i - 1 < n)` needs nothing of i - 1 where i is 0.
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/PatternMatch.h>

#include <utility>

#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;
using sim::loop_condition;
using sim::loop_test;

// Under which a thread comes to bb.
int region_accesses::when(BasicBlock* bb) {
  const auto known = when_.find(bb);
  if (known != when_.end()) return known->second;
  const int found = when_new(bb);
  if (!forms_->has_choices()) when_[bb] = found;
  return found;
}

int region_accesses::when_new(BasicBlock* bb) {
  if (bb == n_.x) return kAlways;
  BasicBlock* const above = dominators_.getNode(bb)->getIDom()->getBlock();
  if (!row_->contains(above)) return kUnknown;
  const int before = when(above);
  if (before == kUnknown || post_dominators_.dominates(bb, above)) return before;
  for (const auto* loops : {&turn_loops_, &loops_by_data_, &loops_apart_})
    for (const Loop* l : *loops)
      if (l->getLoopLatch() == above && !l->contains(bb)) return before;  // every loop ends
  for (BasicBlock* to : successors(above))
    if (dominators_.dominates(BasicBlockEdge(above, to), bb))
      return both(before, goes_to(before, *above->getTerminator(), to));
  return when_by_ways(bb);
}

// Under which a thread comes from one block to the next.
int region_accesses::when_on_edge(BasicBlock* from, const BasicBlock* to) {
  const int before = when(from);
  return both(before, goes_to(before, *from->getTerminator(), to));
}

int region_accesses::holds_under(int before, Value* condition, bool is) {
  const int outer = std::exchange(under_, before);
  const int found = holds(condition, is);
  under_ = outer;
  return found;
}

// The form of v where the condition holds.
region_accesses::form region_accesses::form_under(int condition, Value* v, bool is_signed, needed_ranges& needed) {
  affine_forms::range_numbers ranges;
  const form f = forms_->of_some(v, ranges, is_signed);
  for (const unsigned r : ranges) needed.push_back({r, condition});
  return f;
}

// What forms rely on, for those threads for which anybody uses them.
void region_accesses::ask_for_ranges() {
  const auto number = [&](std::int64_t n) {
    return place(ConstantInt::getSigned(Type::getInt64Ty(k_.f.getContext()), n));
  };
  const auto ask = [&](const range_condition& r) {
    return add(loop_test::in_range, number(r.low), number(r.high), &r.form);
  };
  for (const range_condition& r : forms_->in_range()) always_.push_back(ask(r));
  SmallDenseSet<unsigned> for_all;
  for (const needed_range& n : needed_)
    if (!forms_->is_for_all(n.range) && n.when < 0 && for_all.insert(n.range).second)
      always_.push_back(ask(forms_->ranges()[n.range]));
  DenseSet<std::pair<unsigned, int>> asked;
  DenseMap<unsigned, int> conditions;
  for (const needed_range& n : needed_) {
    if (forms_->is_for_all(n.range) || for_all.contains(n.range) || !asked.insert({n.range, n.when}).second) continue;
    const auto [at, fresh] = conditions.try_emplace(n.range, 0);
    if (fresh) at->second = ask(forms_->ranges()[n.range]);
    always_.push_back(add(loop_test::either, at->second, add(loop_test::neither, n.when, 0)));
  }
}

// By one of several ways.
int region_accesses::when_by_ways(BasicBlock* bb) {
  int found = kUnknown;
  for (BasicBlock* from : predecessors(bb)) {
    if (dominators_.dominates(bb, from)) continue;  // a loop's way back
    const int way = when_on_edge(from, bb);
    if (way == kAlways) return way;
    found = found == kUnknown ? way : add(loop_test::either, found, way);
  }
  return found;
}

// A thread that has come to this end of a block goes on there.
int region_accesses::goes_to(int before, Instruction& end, const BasicBlock* to) {
  if (auto* branch = dyn_cast<BranchInst>(&end)) {
    if (!branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return kAlways;
    return holds_under(before, branch->getCondition(), branch->getSuccessor(0) == to);
  }
  auto* one_of = dyn_cast<SwitchInst>(&end);
  const form value = one_of == nullptr ? form() : form_under(before, one_of->getCondition(), true, needed_);
  if (!value) return kUnknown;
  const bool others = one_of->getDefaultDest() == to;  // it goes there unless a case says otherwise
  int found = kUnknown;
  for (const auto& c : one_of->cases()) {
    if ((c.getCaseSuccessor() == to) == others) continue;
    affine_form is;
    is.base = ConstantInt::getSigned(Type::getInt64Ty(end.getContext()), c.getCaseValue()->getSExtValue());
    const int this_one = add(loop_test::equal, 0, 0, &*value, &is);
    found = found == kUnknown ? this_one : add(loop_test::either, found, this_one);
  }
  if (found == kUnknown) return others ? kAlways : kUnknown;
  return others ? add(loop_test::neither, found, 0) : found;
}

int region_accesses::add(loop_test test, int a, int b, const affine_form* left, const affine_form* right) {
  loop_condition c{};
  c.test = test;
  c.a = a, c.b = b;
  affine_form none;
  none.base = ConstantInt::get(Type::getInt64Ty(k_.f.getContext()), 0);
  c.left = places(left == nullptr ? none : *left);
  c.right = places(right == nullptr ? none : *right);
  const bool of_two = test == loop_test::both || test == loop_test::either, of_one = test == loop_test::neither;
  uncertain_.push_back(test == loop_test::unknown || ((of_two || of_one) && is_uncertain(a)) ||
                       (of_two && is_uncertain(b)));
  conditions_.push_back(c);
  return static_cast<int>(conditions_.size()) - 1;
}
int region_accesses::unknown() {
  if (unknown_ < 0) unknown_ = add(loop_test::unknown, 0, 0);
  return unknown_;
}
int region_accesses::both(int a, int b) {
  if (a == kUnknown) a = unknown();
  if (b == kUnknown) b = unknown();
  if (a == kAlways) return b;
  return b == kAlways ? a : add(loop_test::both, a, b);
}

// Might the runtime find that it holds for all threads, or (`all` is false) for none?
bool region_accesses::may_hold_for(int condition, bool all) const {
  if (condition < 0) return condition == kAlways && all;
  const loop_condition& c = conditions_[static_cast<std::size_t>(condition)];
  switch (c.test) {
    case loop_test::unknown:
      return false;
    case loop_test::neither:
      return may_hold_for(c.a, !all);
    case loop_test::both:
    case loop_test::either: {
      const bool a = may_hold_for(c.a, all), b = may_hold_for(c.b, all);
      return (c.test == loop_test::both) == all ? a && b : a || b;
    }
    default:
      return true;
  }
}

int region_accesses::holds(Value* condition, bool is) {
  Value *p, *q;
  if (Value* const all = forms_->invariant(condition)) {
    IRBuilder<> b(n_.before->getTerminator());
    const int number = add(loop_test::number, place(b.CreateZExt(all, b.getInt64Ty())), 0);
    return is ? number : add(loop_test::neither, number, 0);
  }
  if (match(condition, m_Not(m_Value(p)))) return holds(p, !is);
  const bool is_and = match(condition, m_LogicalAnd(m_Value(p), m_Value(q)));
  if (is_and || match(condition, m_LogicalOr(m_Value(p), m_Value(q)))) {
    const int a = holds(p, is), b = holds(q, is);
    if (a == kUnknown && b == kUnknown) return kUnknown;
    return add(is_and == is ? loop_test::both : loop_test::either, a == kUnknown ? unknown() : a,
               b == kUnknown ? unknown() : b);
  }
  auto* c = dyn_cast<ICmpInst>(condition);
  if (c == nullptr) return kUnknown;
  // Tests of several numbers' signs are one test of their bits.
  const ICmpInst::Predicate predicate = c->getPredicate();  // m_ICmp takes another type from LLVM 20 on
  Value *const left = c->getOperand(0), *const right = c->getOperand(1);
  if (predicate == ICmpInst::ICMP_SGT && match(right, m_AllOnes())) return has_sign(left, !is);
  if (predicate == ICmpInst::ICMP_SLT && match(right, m_Zero())) return has_sign(left, is);
  return compare(*c, is);
}

// v is negative; or, where `is` is false, it is not.
int region_accesses::has_sign(Value* v, bool is) {
  Value *p, *q;
  const bool any = match(v, m_Or(m_Value(p), m_Value(q)));
  if (const form f = form_under(under_, v, true, needed_)) {
    affine_form zero;
    zero.base = ConstantInt::get(Type::getInt64Ty(v->getContext()), 0);
    const int negative = add(loop_test::less, 0, 0, &*f, &zero);
    return is ? negative : add(loop_test::neither, negative, 0);
  }
  if (!any && !match(v, m_And(m_Value(p), m_Value(q)))) return kUnknown;
  const int a = has_sign(p, is), b = has_sign(q, is);
  if (a == kUnknown || b == kUnknown) return kUnknown;
  return add(any == is ? loop_test::either : loop_test::both, a, b);
}

// Is v & mask zero, or not?
int region_accesses::has_no_bits(Value* v, Value* mask, bool is) {
  const form f = form_under(under_, v, true, needed_);
  Value* const known = forms_->invariant(mask);
  if (!f || known == nullptr) return kUnknown;
  IRBuilder<> b(n_.before->getTerminator());
  const int none = add(loop_test::no_bits, place(b.CreateZExt(known, b.getInt64Ty())), 0, &*f);
  return is ? none : add(loop_test::neither, none, 0);
}

// Is v, as a number without sign, less than a power of two? a | b is where both are; LLVM makes one question of two
// (`y == 0 && x == 0`).
int region_accesses::is_below(Value* v, const APInt& power, bool is) {
  Value *p, *q;
  if (const form f = form_under(under_, v, power.isOne(), needed_)) {
    affine_form limit;
    limit.base = ConstantInt::get(Type::getInt64Ty(v->getContext()), power.isOne() ? 0 : power.getZExtValue());
    const int below = add(power.isOne() ? loop_test::equal : loop_test::less_unsigned, 0, 0, &*f, &limit);
    return is ? below : add(loop_test::neither, below, 0);
  }
  if (!match(v, m_Or(m_Value(p), m_Value(q)))) return kUnknown;
  const int a = is_below(p, power, is), b = is_below(q, power, is);
  if (a == kUnknown && b == kUnknown) return kUnknown;
  return add(is ? loop_test::both : loop_test::either, a == kUnknown ? unknown() : a, b == kUnknown ? unknown() : b);
}

int region_accesses::compare_of_bits(ICmpInst& c, bool is) {
  const APInt* limit;
  if (!match(c.getOperand(0), m_Or(m_Value(), m_Value())) || !match(c.getOperand(1), m_APInt(limit)) ||
      limit->getBitWidth() > 64)
    return kUnknown;
  const APInt one(limit->getBitWidth(), 1);
  const ICmpInst::Predicate predicate = c.getPredicate();
  if (c.isEquality() && limit->isZero()) return is_below(c.getOperand(0), one, is == (predicate == ICmpInst::ICMP_EQ));
  if (predicate == ICmpInst::ICMP_ULT && limit->isPowerOf2()) return is_below(c.getOperand(0), *limit, is);
  if (predicate == ICmpInst::ICMP_UGT && (*limit + 1).isPowerOf2()) return is_below(c.getOperand(0), *limit + 1, !is);
  return kUnknown;
}

int region_accesses::compare(ICmpInst& c, bool is) {
  if (c.getOperand(0)->getType()->isPointerTy()) return kUnknown;
  Value *number, *mask;
  if (c.isEquality() && match(c.getOperand(1), m_Zero()) &&
      match(c.getOperand(0), m_And(m_Value(number), m_Value(mask)))) {
    if (forms_->invariant(mask) == nullptr) std::swap(number, mask);
    return has_no_bits(number, mask, is == (c.getPredicate() == ICmpInst::ICMP_EQ));
  }
  const bool is_signed = !c.isUnsigned();
  const form left = form_under(under_, c.getOperand(0), is_signed, needed_),
             right = form_under(under_, c.getOperand(1), is_signed, needed_);
  if (!left || !right) {
    const int of_bits = compare_of_bits(c, is);
    return of_bits != kUnknown ? of_bits : holds_by_choice(c, is);
  }
  int found = kUnknown;
  switch (c.getPredicate()) {
    case ICmpInst::ICMP_EQ:
      found = add(loop_test::equal, 0, 0, &*left, &*right);
      break;
    case ICmpInst::ICMP_NE:
      found = add(loop_test::equal, 0, 0, &*left, &*right);
      is = !is;
      break;
    case ICmpInst::ICMP_SLT:
      found = add(loop_test::less, 0, 0, &*left, &*right);
      break;
    case ICmpInst::ICMP_SGT:
      found = add(loop_test::less, 0, 0, &*right, &*left);
      break;
    case ICmpInst::ICMP_SLE:
      found = add(loop_test::less_or_equal, 0, 0, &*left, &*right);
      break;
    case ICmpInst::ICMP_SGE:
      found = add(loop_test::less_or_equal, 0, 0, &*right, &*left);
      break;
    case ICmpInst::ICMP_ULT:
      found = add(loop_test::less_unsigned, 0, 0, &*left, &*right);
      break;
    case ICmpInst::ICMP_UGT:
      found = add(loop_test::less_unsigned, 0, 0, &*right, &*left);
      break;
    case ICmpInst::ICMP_ULE:
      found = add(loop_test::less_or_equal_unsigned, 0, 0, &*left, &*right);
      break;
    case ICmpInst::ICMP_UGE:
      found = add(loop_test::less_or_equal_unsigned, 0, 0, &*right, &*left);
      break;
    default:
      return kUnknown;
  }
  return is ? found : add(loop_test::neither, found, 0);
}

}  // namespace simt::compile
