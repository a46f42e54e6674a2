// SPDX-License-Identifier: Apache-2.0
#include "not_negative.hpp"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr int kDeepestSum = 12;
constexpr unsigned kPlaceOfGridBits = 31, kThreadBits = 10;  // a block has at most 1,024 threads, whatever its shape

ConstantRange below(unsigned bits, unsigned power, bool and_itself = false) {
  if (power + 1 >= bits) return ConstantRange::getFull(bits);
  return ConstantRange(APInt(bits, 0), APInt::getOneBitSet(bits, power) + (and_itself ? 1 : 0));
}

const Value* behind_widths(const Value* v) {
  while (isa<TruncInst>(v) || isa<ZExtInst>(v) || isa<SExtInst>(v)) v = cast<CastInst>(v)->getOperand(0);
  return v;
}

class place_ranges {
 public:
  explicit place_ranges(const kernel_form& k) : k_(k) {}

  ConstantRange of(const Value* v, int depth = 0) {
    const unsigned bits = v->getType()->getIntegerBitWidth();
    const ConstantRange any = ConstantRange::getFull(bits);
    if (auto* c = dyn_cast<ConstantInt>(v)) return ConstantRange(c->getValue());
    if (auto* a = dyn_cast<Argument>(v)) return of_parameter(*a, bits);
    if (is_marker(v, marker::rank)) return below(bits, kThreadBits);
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || depth > kDeepestSum) return any;
    const auto operand = [&](unsigned n) { return of(i->getOperand(n), depth + 1); };
    switch (i->getOpcode()) {
      case Instruction::Trunc:
        return operand(0).truncate(bits);
      case Instruction::ZExt:
        return operand(0).zeroExtend(bits);
      case Instruction::SExt:
        return operand(0).signExtend(bits);
      case Instruction::Add:
        return of_sum(*i, bits, depth);
      case Instruction::Sub:
        return operand(0).sub(operand(1));
      case Instruction::Mul:
        return operand(0).multiply(operand(1));
      case Instruction::Shl:
        return operand(0).shl(operand(1));
      case Instruction::LShr:
        return operand(0).lshr(operand(1));
      case Instruction::AShr: {
        const Value* narrow = nullptr;
        const APInt *up = nullptr, *down = nullptr;
        if (match(v, m_AShr(m_Shl(m_Value(narrow), m_APInt(up)), m_APInt(down))) && *up == *down && up->ult(bits))
          return of(narrow, depth + 2).truncate(bits - static_cast<unsigned>(up->getZExtValue())).signExtend(bits);
        return operand(0).ashr(operand(1));
      }
      case Instruction::And:
        return operand(0).binaryAnd(operand(1));
      case Instruction::Or:
        return operand(0).binaryOr(operand(1));
      case Instruction::UDiv:
        return operand(0).udiv(operand(1));
      case Instruction::URem:
        return operand(0).urem(operand(1));
      default:
        return any;
    }
  }
  bool is_not_negative(const Value* v) { return of(v).getSignedMin().isNonNegative(); }
  bool relies_on_grid() const { return relies_on_grid_; }

 private:
  ConstantRange of_parameter(const Argument& a, unsigned bits) const {
    const unsigned n = a.getArgNo();
    if (n >= parameter::thread && n < parameter::extent) return below(bits, kThreadBits);
    if (n >= parameter::extent && n < parameter::place) return below(bits, kThreadBits, true);
    if (n >= parameter::place && n < parameter::count) return below(bits, kPlaceOfGridBits);
    return ConstantRange::getFull(bits);
  }

  // Of an axis: its place times its extent, and the index. Together they are below the number of threads in it.
  ConstantRange of_sum(const Instruction& sum, unsigned bits, int depth) {
    SmallVector<const Value*> parts{&sum};
    for (std::size_t n = 0; n < parts.size() && parts.size() < kDeepestSum;) {
      auto* const more = dyn_cast<BinaryOperator>(parts[n]);
      if (more == nullptr || more->getOpcode() != Instruction::Add) {
        ++n;
        continue;
      }
      parts[n] = more->getOperand(0);
      parts.push_back(more->getOperand(1));
    }
    std::optional<ConstantRange> all;
    const auto add = [&](const ConstantRange& part) { all = all ? all->add(part) : part; };
    for (int d = 0; d < 3 && bits >= 32; ++d) {
      const auto index = find_if(parts, [&](const Value* v) { return behind_widths(v) == k_.index[d]; });
      const auto first = find_if(parts, [&](const Value* v) { return is_first_of_block(v, d); });
      if (index == parts.end() || first == parts.end()) continue;
      const Value *const a = *index, *const b = *first;
      erase_if(parts, [&](const Value* v) { return v == a || v == b; });
      add(bits == 32 ? ConstantRange(APInt(32, 0), APInt::getSignMask(32)) : below(bits, kPlaceOfGridBits));
      relies_on_grid_ = true;
    }
    for (const Value* part : parts) add(of(part, depth + 1));
    return *all;
  }
  bool is_first_of_block(const Value* v, int d) const {
    v = behind_widths(v);
    const Value *a = nullptr, *b = nullptr;
    const APInt* by = nullptr;
    const auto* const extent = dyn_cast<ConstantInt>(k_.extent[d]);
    const Argument* const place = k_.f.getArg(parameter::place + static_cast<unsigned>(d));
    if (match(v, m_Shl(m_Value(a), m_APInt(by))))
      return extent != nullptr && behind_widths(a) == place && by->ult(32) &&
             extent->getValue() == 1ull << by->getZExtValue();
    if (!match(v, m_Mul(m_Value(a), m_Value(b)))) return false;
    if (behind_widths(a) != place) std::swap(a, b);
    if (behind_widths(a) != place) return false;
    if (auto* const c = dyn_cast<ConstantInt>(b))
      return extent != nullptr && extent->getZExtValue() == c->getZExtValue();
    return behind_widths(b) == k_.extent[d];
  }

  const kernel_form& k_;
  bool relies_on_grid_ = false;
};

// Null: it stays.
Value* without_sign(Instruction& i, place_ranges& ranges) {
  IRBuilder<> b(&i);
  const APInt* c = nullptr;
  Value* of = nullptr;
  if (match(&i, m_SDiv(m_Value(of), m_APInt(c))) && c->isPowerOf2() && !c->isNegative() && ranges.is_not_negative(of))
    return b.CreateLShr(of, c->logBase2());
  if (match(&i, m_SRem(m_Value(of), m_APInt(c))) && c->isPowerOf2() && !c->isNegative() && ranges.is_not_negative(of))
    return b.CreateAnd(of, *c - 1);
  // of + c < end, where nothing wraps
  auto* const compare = dyn_cast<ICmpInst>(&i);
  const APInt* end = nullptr;
  if (compare == nullptr || !compare->isUnsigned() || !match(compare->getOperand(0), m_Add(m_Value(of), m_APInt(c))) ||
      !match(compare->getOperand(1), m_APInt(end)) || !c->isStrictlyPositive() || !end->ugt(*c))
    return nullptr;
  bool wraps = false;
  const APInt most = ranges.of(of).getUnsignedMax();
  (void)most.uadd_ov(*c, wraps);
  if (wraps || !ranges.is_not_negative(of)) return nullptr;
  return b.CreateICmp(compare->getPredicate(), of, ConstantInt::get(of->getType(), *end - *c));
}

}  // namespace

bool use_that_places_are_not_negative(const kernel_form& k) {
  if (none_of(instructions(k.f), [](const Instruction& i) { return is_marker(&i, marker::warp); })) return false;
  place_ranges ranges(k);
  for (Instruction& i : make_early_inc_range(instructions(k.f))) {
    if (i.getNumOperands() == 0 || !i.getOperand(0)->getType()->isIntegerTy()) continue;
    Value* const plain = without_sign(i, ranges);
    if (plain == nullptr) continue;
    plain->takeName(&i);
    i.replaceAllUsesWith(plain);
    i.eraseFromParent();
  }
  return ranges.relies_on_grid();
}

}  // namespace simt::compile
