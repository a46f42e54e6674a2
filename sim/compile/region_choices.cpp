// SPDX-License-Identifier: Apache-2.0
// The third part of region_accesses: addresses that are one of several linear functions, as at the edges of an image
// (x > 0 ? x - 1 : 0, min(max(x, 0), width - 1)) and where data decide which neighbour is read.
//
// Such an access is listed once for each function, under the condition that chooses it. Where that condition is linear
// the runtime knows whose accesses these are; where data decide it may only be a read of an array that the launch only
// reads, by any thread.
#include <llvm/IR/IntrinsicInst.h>

#include <utility>

#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;
using sim::loop_test;

namespace {

constexpr std::size_t kMostWays = 16;
constexpr unsigned kDeepestChoice = 12;  // operands of operands

bool is_of_two(const Instruction& i) {
  auto* m = dyn_cast<MinMaxIntrinsic>(&i);
  return m != nullptr && m->getType()->isIntegerTy();
}

// A condition as a number.
bool is_truth(const Instruction& i) { return isa<ZExtInst, SExtInst>(i) && i.getOperand(0)->getType()->isIntegerTy(1); }

}  // namespace

// A value that v is computed from and that is one of several, itself of none that are; null: there is none.
Instruction* region_accesses::choice_in(Value* v, unsigned depth) {
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr || depth > kDeepestChoice || !row_->contains(i)) return nullptr;
  if (affine_forms::range_numbers unused; forms_->of_some(v, unused)) return nullptr;
  if (Value* const chosen = forms_->chosen(*i)) return choice_in(chosen, depth + 1);
  if (forms_->is_chosen(*i)) return nullptr;
  auto* phi = dyn_cast<PHINode>(i);
  if (phi != nullptr) return loops_.isLoopHeader(phi->getParent()) ? nullptr : phi;
  auto* select = dyn_cast<SelectInst>(i);
  const bool is_choice = select != nullptr || is_of_two(*i) || is_truth(*i) || bit_of(*i) != nullptr;
  if (!is_choice && !isa<GetElementPtrInst, BinaryOperator, CastInst, FreezeInst>(i)) return nullptr;
  if (is_truth(*i)) return i;
  for (Value* const o : i->operand_values())
    if (select == nullptr || o != select->getCondition())
      if (Instruction* const inner = choice_in(o, depth + 1)) return inner;
  return is_choice ? i : nullptr;
}

// What it may be, and under which condition.
SmallVector<region_accesses::option, 4> region_accesses::options_of(Instruction& choice) {
  SmallVector<option, 4> all;
  if (auto* phi = dyn_cast<PHINode>(&choice)) {
    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
      all.push_back({phi->getIncomingValue(n), when_on_edge(phi->getIncomingBlock(n), phi->getParent())});
  } else if (auto* select = dyn_cast<SelectInst>(&choice)) {
    all.push_back({select->getTrueValue(), holds(select->getCondition(), true)});
    all.push_back({select->getFalseValue(), holds(select->getCondition(), false)});
  } else if (is_truth(choice)) {
    Type* const number = choice.getType();
    all.push_back({isa<SExtInst>(choice) ? ConstantInt::getAllOnesValue(number) : ConstantInt::get(number, 1),
                   holds(choice.getOperand(0), true)});
    all.push_back({ConstantInt::get(number, 0), holds(choice.getOperand(0), false)});
  } else if (auto* bits = dyn_cast<BinaryOperator>(&choice)) {
    return options_of_bit(*bits);
  } else {
    auto& m = cast<MinMaxIntrinsic>(choice);
    Value *const left = m.getLHS(), *const right = m.getRHS();
    const form a = form_under(under_, left, m.isSigned(), needed_),
               b = form_under(under_, right, m.isSigned(), needed_);
    int is_left = kUnknown, is_right = kUnknown;
    if (a && b) {
      const bool is_max = m.getIntrinsicID() == Intrinsic::smax || m.getIntrinsicID() == Intrinsic::umax;
      is_left =
          add(m.isSigned() ? loop_test::less : loop_test::less_unsigned, 0, 0, is_max ? &*b : &*a, is_max ? &*a : &*b);
      is_right = add(loop_test::neither, is_left, 0);
    }
    all.push_back({left, is_left});
    all.push_back({right, is_right});
  }
  return all;
}

// Adds to `all` the forms that v has where `condition` holds; false: not all of them are known.
bool region_accesses::ways_of(Value* v, int condition, SmallVectorImpl<way>& all) {
  if (const form f = form_under(condition, v, true, needed_of_access_)) {
    all.push_back({*f, condition});
    return all.size() <= kMostWays;
  }
  Instruction* const choice = choice_in(v, 0);
  if (choice == nullptr) return false;
  const int outer = std::exchange(under_, condition);
  const SmallVector<option, 4> options = options_of(*choice);
  under_ = outer;
  for (const option& o : options) {
    choose(*choice, o);
    const bool known = ways_of(v, both(condition, o.when), all);
    forms_->forget(*choice);
    if (!known) return false;
  }
  return !options.empty();
}

void region_accesses::choose(const Instruction& choice, const option& o) {
  o.value != nullptr ? forms_->choose(choice, *o.value) : forms_->choose(choice, o.form);
}

}  // namespace simt::compile
