// SPDX-License-Identifier: Apache-2.0
#include "affine.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
constexpr int kDeepest = 64;  // operands of operands

range_condition not_negative(const affine_form& f, unsigned bits) {
  return {f, 0, static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1)};
}

bool is_zero(const Value* v) {
  auto* c = dyn_cast_or_null<ConstantInt>(v);
  return v == nullptr || (c != nullptr && c->isZero());
}
}  // namespace

Value* affine_forms::invariant(Value* v) {
  if (isa<Constant>(v) || isa<Argument>(v)) {
    if (auto* a = dyn_cast<Argument>(v); a != nullptr && s_.indices.count(a) != 0) return nullptr;
    return v;
  }
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr) return nullptr;
  if (Value* const known = s_.known.lookup(v)) return known;
  if (s_.dominators.dominates(i, s_.in_front)) return i;
  const auto [at, fresh] = invariants_.try_emplace(v, nullptr);
  if (!fresh) return at->second;
  if (isa<PHINode>(i) || i->isTerminator() || i->mayReadOrWriteMemory() || isa<AllocaInst>(i) ||
      (isa<CallInst>(i) && !isa<IntrinsicInst>(i)) || !isSafeToSpeculativelyExecute(i) || ++depth_ > kDeepest)
    return nullptr;
  SmallVector<Value*, 4> operands;
  for (Use& o : i->operands()) {
    Value* const mine = isa<IntrinsicInst>(i) && isa<Function>(o.get()) ? o.get() : invariant(o.get());
    if (mine == nullptr) {
      --depth_;
      return nullptr;
    }
    operands.push_back(mine);
  }
  --depth_;
  Instruction* const copy = i->clone();
  for (unsigned o = 0; o < operands.size(); ++o) copy->setOperand(o, operands[o]);
  copy->dropUnknownNonDebugMetadata();
  b_.Insert(copy, i->getName());
  return invariants_[v] = copy;
}

Value* affine_forms::in_64_bits(Value* v, bool is_signed) {
  if (v->getType()->isPointerTy()) return b_.CreatePtrToInt(v, b_.getInt64Ty());
  return is_signed ? b_.CreateSExt(v, b_.getInt64Ty()) : b_.CreateZExt(v, b_.getInt64Ty());
}

Value* affine_forms::sum(Value* a, Value* b, bool subtract) {
  if (is_zero(b)) return a;
  if (subtract) return b_.CreateSub(a == nullptr ? b_.getInt64(0) : a, b);
  return is_zero(a) ? b : b_.CreateAdd(a, b);
}

affine_form affine_forms::sum(const affine_form& a, const affine_form& b, bool subtract) {
  affine_form s;
  s.base = sum(a.base, b.base, subtract);
  for (unsigned d = 0; d < kMostDimensions; ++d) {
    s.factor[d] = sum(a.factor[d], b.factor[d], subtract);
    if (is_zero(s.factor[d])) s.factor[d] = nullptr;
  }
  return s;
}

affine_form affine_forms::scaled(const affine_form& a, Value* factor) {
  affine_form s;
  s.base = b_.CreateMul(a.base, factor);
  for (unsigned d = 0; d < kMostDimensions; ++d)
    if (a.factor[d] != nullptr) s.factor[d] = b_.CreateMul(a.factor[d], factor);
  return s;
}

// `a` is the value modulo 2^bits: it is the value itself where it lies in the type's range. x + 0xffffffff is x - 1,
// which leaves that range for one x only.
affine_form affine_forms::checked(affine_form a, unsigned bits, bool is_signed) {
  if (bits < 64) {
    if (!is_signed) a.base = b_.CreateSExt(b_.CreateTrunc(a.base, b_.getIntNTy(bits)), b_.getInt64Ty());
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    rely_on({a, is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1});
  }
  return a;
}

void affine_forms::rely_on(range_condition r) {
  needs_.push_back(static_cast<unsigned>(ranges_.size()));
  ranges_.push_back(r);
  for_all_.push_back(false);
}
void affine_forms::must_not_be_negative(const affine_form& f, unsigned bits) {
  ranges_.push_back(not_negative(f, bits));
  for_all_.push_back(true);
}

std::vector<range_condition> affine_forms::in_range() const {
  std::vector<range_condition> all;
  for (unsigned r = 0; r < ranges_.size(); ++r)
    if (for_all_[r]) all.push_back(ranges_[r]);
  return all;
}

void affine_forms::begin_choice() {
  without_choice_.push_back(known_);
  // What has no form may have got one.
  for (const auto& [of, found] : without_choice_.back())
    if (!found.form) known_.erase(of);
}
void affine_forms::choose(const Instruction& choice, Value& value) {
  begin_choice();
  chosen_[&choice] = &value;
}
void affine_forms::choose(const Instruction& choice, const affine_form& is) {
  begin_choice();
  chosen_forms_[&choice] = is;
}
void affine_forms::forget(const Instruction& choice) {
  known_ = std::move(without_choice_.back());
  without_choice_.pop_back();
  chosen_.erase(&choice);
  chosen_forms_.erase(&choice);
}

affine_forms::maybe affine_forms::of(Value* v, bool is_signed) {
  range_numbers needed;
  const maybe found = of_some(v, needed, is_signed);
  for (const unsigned r : needed) for_all_[r] = true;
  return found;
}
affine_forms::maybe affine_forms::of_some(Value* v, range_numbers& needed, bool is_signed) {
  needs_.clear();
  const maybe found = find(v, is_signed);
  if (found) needed.append(needs_);
  return found;
}

// Adds what it relies on to needs_.
affine_forms::maybe affine_forms::find(Value* v, bool is_signed) {
  if (!v->getType()->isPointerTy() && !(v->getType()->isIntegerTy() && v->getType()->getIntegerBitWidth() <= 64))
    return {};
  const auto known = known_.find({v, is_signed});
  if (known != known_.end()) {
    needs_.append(known->second.needs);
    return known->second.form;
  }
  known_[{v, is_signed}] = {};  // of itself: none
  const range_numbers others = std::move(needs_);
  needs_.clear();
  maybe found;
  if (const auto index = s_.indices.find(v); index != s_.indices.end()) {
    found = of_index(index->second);
  } else if (Value* const all = invariant(v)) {
    affine_form f;
    f.base = in_64_bits(all, is_signed);
    found = f;
  } else if (auto* i = dyn_cast<Instruction>(v); i != nullptr && depth_ < kDeepest) {
    ++depth_;
    found = of_instruction(*i, is_signed);
    --depth_;
  }
  sort(needs_);
  needs_.erase(std::unique(needs_.begin(), needs_.end()), needs_.end());
  known_[{v, is_signed}] = {found, needs_};
  needs_.append(others);
  return found;
}

affine_forms::maybe affine_forms::of_element(GetElementPtrInst& p) {
  maybe at = find(p.getPointerOperand());
  if (!at || p.getType()->isVectorTy()) return {};
  for (gep_type_iterator t = gep_type_begin(p), end = gep_type_end(p); t != end; ++t) {
    if (StructType* const s = t.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(cast<ConstantInt>(t.getOperand())->getZExtValue());
      affine_form offset;
      offset.base = b_.getInt64(static_cast<std::uint64_t>(s_.layout.getStructLayout(s)->getElementOffset(field)));
      at = sum(*at, offset, false);
      continue;
    }
    const TypeSize size = s_.layout.getTypeAllocSize(t.getIndexedType());
    const maybe index = find(t.getOperand());
    if (!index || size.isScalable()) return {};
    at = sum(*at, scaled(*index, b_.getInt64(size.getFixedValue())), false);
  }
  return at;
}

// The turn's number times a step, from where the loop begins; or what is left of the ways that come together.
affine_forms::maybe affine_forms::of_phi(PHINode& phi, bool is_signed) {
  const auto turn = s_.turns.find(phi.getParent());
  if (turn == s_.turns.end()) {
    Value* only = nullptr;
    for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
      if (s_.never_entered.count(phi.getIncomingBlock(n)) != 0) continue;
      if (only != nullptr && only != phi.getIncomingValue(n)) return {};
      only = phi.getIncomingValue(n);
    }
    return only == nullptr ? maybe{} : find(only, is_signed);
  }
  Value *start = nullptr, *next = nullptr;
  for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
    Value*& one = s_.dominators.dominates(phi.getParent(), phi.getIncomingBlock(n)) ? next : start;
    if (one != nullptr && one != phi.getIncomingValue(n)) return {};
    one = phi.getIncomingValue(n);
  }
  auto* step = dyn_cast_or_null<Instruction>(next);
  if (start == nullptr || step == nullptr) return {};
  Value* by = nullptr;
  bool exact = true;
  if (auto* element = dyn_cast<GetElementPtrInst>(step)) {
    if (element->getPointerOperand() != &phi || element->getNumIndices() != 1) return {};
    Value* const index = invariant(element->getOperand(1));
    const TypeSize size = s_.layout.getTypeAllocSize(element->getSourceElementType());
    if (index == nullptr || size.isScalable()) return {};
    by = b_.CreateMul(in_64_bits(index, true), b_.getInt64(size.getFixedValue()));
  } else if (step->getOpcode() == Instruction::Add) {
    Value* const other = step->getOperand(0) == &phi ? step->getOperand(1) : step->getOperand(0);
    if ((step->getOperand(0) != &phi && step->getOperand(1) != &phi) || other == &phi) return {};
    Value* const all = invariant(other);
    if (all == nullptr) return {};
    by = in_64_bits(all, true);
    exact = is_signed && step->hasNoSignedWrap();
  } else {
    return {};
  }
  maybe f = find(start, is_signed);
  if (!f || f->factor[turn->second] != nullptr) return {};
  f->factor[turn->second] = by;
  if (phi.getType()->isIntegerTy() && !exact) return checked(*f, phi.getType()->getIntegerBitWidth(), is_signed);
  return f;
}

// What v is 2^bits times of, modulo 2^64: sums and differences of numbers that were shifted up by so much, or more.
affine_forms::maybe affine_forms::of_raised(Value* v, unsigned bits) {
  Value *left = nullptr, *right = nullptr;
  const APInt* number = nullptr;
  if (match(v, m_APInt(number))) {
    if (number->countTrailingZeros() < bits) return {};
    affine_form f;
    f.base = b_.getInt64(number->ashr(bits).getZExtValue());
    return f;
  }
  if (match(v, m_Shl(m_Value(left), m_APInt(number)))) {
    if (number->uge(64) || number->ult(bits)) return {};
    const maybe f = find(left, true);
    if (!f) return {};
    const std::uint64_t more = number->getZExtValue() - bits;
    return more == 0 ? *f : scaled(*f, b_.getInt64(std::uint64_t{1} << more));
  }
  const bool subtracts = match(v, m_Sub(m_Value(left), m_Value(right)));
  if ((!subtracts && !match(v, m_Add(m_Value(left), m_Value(right)))) || depth_ >= kDeepest) return {};
  ++depth_;
  const maybe p = of_raised(left, bits), q = of_raised(right, bits);
  --depth_;
  if (!p || !q) return {};
  return sum(*p, *q, subtracts);
}

// A number that was cut to fewer bits and widened again, perhaps times a power of two: as shifts, or as a mask.
affine_forms::maybe affine_forms::of_narrowed(Instruction& i) {
  if (!i.getType()->isIntegerTy(64)) return {};
  Value *raised = nullptr, *whole = nullptr;
  const APInt* down = nullptr;
  const bool is_signed = match(&i, m_AShr(m_Value(raised), m_APInt(down)));
  if (is_signed || match(&i, m_LShr(m_Value(raised), m_APInt(down)))) {
    if (down->isZero() || down->uge(64)) return {};
    const auto bits = static_cast<unsigned>(down->getZExtValue());
    const maybe f = of_raised(raised, bits);
    return f ? checked(*f, 64 - bits, is_signed) : maybe{};
  }
  // Other masks are remainders: what they leave is the number itself only by chance.
  if (match(&i, m_And(m_Value(whole), m_APInt(down))) && (down->isMask(16) || down->isMask(32))) {
    const maybe f = find(whole, true);
    if (f) return checked(*f, down->getActiveBits(), false);
  }
  return {};
}

// In a loop over the lanes of a warp, the quotient or the remainder of a thread's number by 32, or by a larger power of
// two: which warp it is, and which lane. Where the first lane's number is a multiple of 32, the quotient is the same
// for all lanes, and the remainder goes on by one from lane to lane.
affine_forms::maybe affine_forms::of_warp(Instruction& i) {
  if (!s_.counts_lanes || !i.getType()->isIntegerTy()) return {};
  Value* number = nullptr;
  const APInt* by = nullptr;
  const bool divides =
                 match(&i, m_SDiv(m_Value(number), m_Power2(by))) || match(&i, m_UDiv(m_Value(number), m_Power2(by))),
             shifts =
                 match(&i, m_LShr(m_Value(number), m_APInt(by))) || match(&i, m_AShr(m_Value(number), m_APInt(by))),
             masks = match(&i, m_And(m_Value(number), m_LowBitMask(by))),
             remains =
                 match(&i, m_SRem(m_Value(number), m_Power2(by))) || match(&i, m_URem(m_Value(number), m_Power2(by)));
  const unsigned bits = i.getType()->getIntegerBitWidth();
  if (!(divides || shifts || masks || remains) || bits > 64 || (shifts && by->uge(bits))) return {};
  const std::uint64_t shift = shifts ? by->getZExtValue() : masks ? by->getActiveBits() : by->logBase2();
  if (shift < Log2_32(kLanesOfWarp) || shift >= bits - 1) return {};
  const maybe f = find(number, true);
  auto* const step = f ? dyn_cast_or_null<ConstantInt>(f->factor[0]) : nullptr;
  if (step == nullptr || !step->isOne() || any_of(drop_begin(f->factor), [](Value* v) { return v != nullptr; }))
    return {};
  rely_on(not_negative(*f, bits));
  multiples_.push_back({f->base, kLanesOfWarp});
  affine_form part;
  if (divides || shifts) {
    part.base = b_.CreateLShr(f->base, shift);
  } else {
    part.base = b_.CreateAnd(f->base, (std::uint64_t{1} << shift) - 1);
    part.factor[0] = step;
  }
  return part;
}

affine_forms::maybe affine_forms::of_instruction(Instruction& i, bool is_signed) {
  if (Value* const value = chosen(i)) return find(value, is_signed);
  if (const auto is = chosen_forms_.find(&i); is != chosen_forms_.end()) return is->second;
  if (auto* phi = dyn_cast<PHINode>(&i)) return of_phi(*phi, is_signed);
  if (auto* element = dyn_cast<GetElementPtrInst>(&i)) return of_element(*element);
  const unsigned bits = i.getType()->isIntegerTy() ? i.getType()->getIntegerBitWidth() : 64;
  switch (i.getOpcode()) {
    case Instruction::Freeze:
    case Instruction::BitCast:
    case Instruction::IntToPtr:
    case Instruction::PtrToInt:
      if (bits < 64 || !(i.getOperand(0)->getType()->isPointerTy() || i.getOperand(0)->getType()->isIntegerTy()))
        return {};
      return find(i.getOperand(0), is_signed);
    case Instruction::SExt:
      return find(i.getOperand(0), true);
    case Instruction::ZExt:
      if (i.getOperand(0)->getType()->isIntegerTy(1)) return {};
      return find(i.getOperand(0), false);
    case Instruction::Trunc: {
      const maybe whole = find(i.getOperand(0), true);
      if (!whole) return {};
      if (s_.indices.count(i.getOperand(0)) != 0 && bits >= 16) return whole;  // of a thread in its block
      return checked(*whole, bits, is_signed);
    }
    default:
      break;
  }
  if (const maybe narrow = of_narrowed(i)) return narrow;
  if (const maybe part = of_warp(i)) return part;
  if (const maybe part = of_part(i, is_signed)) return part;
  auto* operation = dyn_cast<BinaryOperator>(&i);
  if (operation == nullptr) return {};
  const auto* may_wrap = dyn_cast<OverflowingBinaryOperator>(operation);
  const bool exact = may_wrap == nullptr || (is_signed ? may_wrap->hasNoSignedWrap() : may_wrap->hasNoUnsignedWrap());
  const auto result = [&](const affine_form& f) { return bits == 64 || exact ? f : checked(f, bits, is_signed); };
  Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  switch (operation->getOpcode()) {
    case Instruction::Or: {
      const KnownBits a = computeKnownBits(left, s_.layout), c = computeKnownBits(right, s_.layout);
      if (!KnownBits::haveNoCommonBitsSet(a, c)) return {};
      const maybe p = find(left, is_signed), q = find(right, is_signed);
      if (!p || !q) return {};
      return sum(*p, *q, false);
    }
    case Instruction::Add:
    case Instruction::Sub: {
      const maybe p = find(left, is_signed), q = find(right, is_signed);
      if (!p || !q) return {};
      return result(sum(*p, *q, operation->getOpcode() == Instruction::Sub));
    }
    case Instruction::Xor: {  // ~x, as subtractions of x end up
      const maybe q = find(left, is_signed);
      if (!match(right, m_AllOnes()) || !q) return {};
      affine_form ones;
      ones.base = b_.getInt64(is_signed || bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
      return sum(ones, *q, true);
    }
    case Instruction::Mul:
    case Instruction::Shl: {
      const bool shift = operation->getOpcode() == Instruction::Shl;
      if (!shift && invariant(right) == nullptr) std::swap(left, right);
      Value* by = invariant(right);
      const maybe p = find(left, is_signed);
      if (by == nullptr || !p) return {};
      by = shift ? b_.CreateShl(b_.getInt64(1), in_64_bits(by, false)) : in_64_bits(by, is_signed);
      return result(scaled(*p, by));
    }
    default:
      return {};
  }
}

}  // namespace simt::compile
