// SPDX-License-Identifier: Apache-2.0
// The part of affine_forms about bits of the thread's index, where the threads of a row count as rows of 2^split.
//
// Invariant: a number that is x and a multiple of 2^split has the low bits of x, and its other bits are those of x and
// of the multiple added up: nothing is carried from the low ones.
#include "index_parts.hpp"

#include <llvm/IR/PatternMatch.h>

#include "affine.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

std::optional<bit_field> field_of(const Instruction& i) {
  if (!i.getType()->isIntegerTy() || i.getType()->getIntegerBitWidth() > 64) return {};
  const unsigned bits = i.getType()->getIntegerBitWidth();
  Value* number = nullptr;
  const APInt *by = nullptr, *moved = nullptr;
  if (match(&i, m_UDiv(m_Value(number), m_Power2(by)))) return bit_field{number, by->logBase2(), bits, 0, false};
  if (match(&i, m_SDiv(m_Value(number), m_Power2(by)))) return bit_field{number, by->logBase2(), bits, 0, true};
  if (match(&i, m_URem(m_Value(number), m_Power2(by)))) return bit_field{number, 0, by->logBase2(), 0, false};
  if (match(&i, m_SRem(m_Value(number), m_Power2(by)))) return bit_field{number, 0, by->logBase2(), 0, true};
  const auto shift = [&](const APInt* n) { return static_cast<unsigned>(n->getZExtValue()); };
  if (match(&i, m_LShr(m_Value(number), m_APInt(by))) && by->ult(bits))
    return bit_field{number, shift(by), bits, 0, false};
  if (match(&i, m_AShr(m_Value(number), m_APInt(by))) && by->ult(bits))
    return bit_field{number, shift(by), bits, 0, true};
  Value* masked = nullptr;
  unsigned low = 0, length = 0;
  if (!match(&i, m_And(m_Value(masked), m_APInt(by))) || !by->isShiftedMask(low, length)) return {};
  if (match(masked, m_LShr(m_Value(number), m_APInt(moved))) && moved->ult(bits))
    return bit_field{number, shift(moved) + low, std::min(shift(moved) + low + length, bits), low, false};
  // What is moved up must not become a sign.
  if (match(masked, m_Shl(m_Value(number), m_APInt(moved))) && moved->ule(low) && low + length < bits)
    return bit_field{number, low - shift(moved), low + length - shift(moved), low, false};
  return bit_field{masked, low, low + length, low, false};
}

affine_form affine_forms::of_index(unsigned dimension) {
  affine_form f;
  f.base = b_.getInt64(0);
  if (s_.split == 0 || dimension >= 3) {
    f.factor[dimension] = b_.getInt64(1);
  } else if (dimension == 0) {
    f.factor[0] = b_.getInt64(1);
    f.factor[1] = b_.getInt64(std::uint64_t{1} << s_.split);
  }
  return f;
}

affine_forms::maybe affine_forms::of_part(Instruction& i, bool is_signed) {
  if (s_.split == 0) return {};
  const auto field = field_of(i);
  if (!field || (field->from != 0 && field->from != s_.split) || (field->from == 0 && field->to != s_.split)) return {};
  const unsigned bits = i.getType()->getIntegerBitWidth();
  const maybe f = find(field->number, true);
  if (!f) return {};
  const affine_form x = of_index(0);
  for (unsigned d = 0; d < kMostDimensions; ++d)
    if (f->factor[d] != x.factor[d]) return {};
  auto* const base = dyn_cast<ConstantInt>(f->base);
  if (base == nullptr || !base->isZero()) multiples_.push_back({f->base, std::uint64_t{1} << s_.split});
  Value* const raised = b_.getInt64(std::uint64_t{1} << field->up);
  affine_form part;
  if (field->from == 0) {
    if (field->of_sign) rely_on({*f, 0, static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1)});
    part.base = b_.getInt64(0);
    part.factor[0] = raised;
    return part;
  }
  rely_on({*f, 0, static_cast<std::int64_t>((std::uint64_t{1} << std::min(field->to, bits - 1)) - 1)});
  part.base = b_.CreateMul(b_.CreateLShr(f->base, s_.split), raised);
  part.factor[1] = raised;
  return part;
}

}  // namespace simt::compile
