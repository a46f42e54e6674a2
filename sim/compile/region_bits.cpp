// SPDX-License-Identifier: Apache-2.0
// A part of region_accesses: numbers in which one bit is set, cleared or turned, as the partners of sorting networks
// and of butterflies (i ^ j). Where the bit is the same for all threads, such a number is one of two linear functions:
// i + j for those threads whose i has not got the bit, i - j for the others.
#include <llvm/IR/PatternMatch.h>

#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;
using sim::loop_test;

namespace {
constexpr unsigned kMostChosen = 4;           // choices within each other, for a comparison
constexpr std::size_t kMostConditions = 256;  // beyond, comparisons are not taken apart
}  // namespace

// The operand that is the same for all threads, of a number that is made so; null: it is no such number. Constants
// have to be one bit.
Value* region_accesses::bit_of(const Instruction& i) const {
  if (i.getOpcode() != Instruction::Xor && i.getOpcode() != Instruction::Or && i.getOpcode() != Instruction::And)
    return nullptr;
  if (!i.getType()->isIntegerTy() || i.getType()->getIntegerBitWidth() > 64) return nullptr;
  for (const unsigned side : {0U, 1U}) {
    Value* const o = i.getOperand(side);
    if (auto* constant = dyn_cast<ConstantInt>(o)) return constant->getValue().isPowerOf2() ? o : nullptr;
    if (isa<Argument>(o) || (isa<Instruction>(o) && !row_->contains(cast<Instruction>(o)))) return o;
  }
  return nullptr;
}

SmallVector<region_accesses::option, 4> region_accesses::options_of_bit(BinaryOperator& i) {
  Value* const bit = bit_of(i);
  Value* const number = i.getOperand(i.getOperand(0) == bit ? 1 : 0);
  const form f = forms_->of(number);
  Value* const known = bit == nullptr ? nullptr : forms_->invariant(bit);
  if (!f || known == nullptr) return {};
  const unsigned width = i.getType()->getIntegerBitWidth();
  IRBuilder<> b(n_.before->getTerminator());
  affine_form one;
  one.base = b.CreateZExt(known, b.getInt64Ty());
  forms_->must_not_be_negative(*f, width);
  forms_->must_not_be_negative(one, width);
  // It is one bit: none is left when the lowest one is gone, and it is not zero.
  Value* const rest = b.CreateAnd(one.base, b.CreateSub(one.base, b.getInt64(1)));
  Value* const is_one = b.CreateAnd(b.CreateICmpEQ(rest, b.getInt64(0)), b.CreateICmpNE(one.base, b.getInt64(0)));
  always_.push_back(add(loop_test::number, place(b.CreateZExt(is_one, b.getInt64Ty())), 0));
  affine_form with = *f, without = *f, nothing;
  with.base = b.CreateAdd(f->base, one.base);
  without.base = b.CreateSub(f->base, one.base);
  nothing.base = b.getInt64(0);
  const int clear = add(loop_test::no_bits, place(one.base), 0, &*f), set = add(loop_test::neither, clear, 0);
  switch (i.getOpcode()) {
    case Instruction::Xor:
      return {{nullptr, clear, with}, {nullptr, set, without}};
    case Instruction::Or:
      return {{nullptr, clear, with}, {nullptr, set, *f}};
    default:
      return {{nullptr, clear, nothing}, {nullptr, set, one}};
  }
}

// A comparison of numbers of which one or both are one of several.
int region_accesses::holds_by_choice(ICmpInst& c, bool is) {
  Instruction* choice = choice_in(c.getOperand(0), 0);
  if (choice == nullptr) choice = choice_in(c.getOperand(1), 0);
  if (choice == nullptr || chosen_for_comparison_ == kMostChosen || conditions_.size() > kMostConditions)
    return kUnknown;
  ++chosen_for_comparison_;
  int found = kUnknown;
  for (const option& o : options_of(*choice)) {
    choose(*choice, o);
    const int here = o.when == kUnknown ? kUnknown : holds(&c, is);
    forms_->forget(*choice);
    if (here == kUnknown) {
      found = kUnknown;
      break;
    }
    const int way = both(o.when, here);
    found = found == kUnknown ? way : add(loop_test::either, found, way);
  }
  --chosen_for_comparison_;
  return found;
}

}  // namespace simt::compile
