// SPDX-License-Identifier: Apache-2.0
#include "widened.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "regions.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

bool is_or_widens(const Value* v, const Value* narrow, bool is_signed) {
  if (v == narrow) return true;
  if (auto* const cast = dyn_cast<CastInst>(v); cast != nullptr && cast->getOperand(0) == narrow)
    return is_signed ? isa<SExtInst>(cast) : isa<ZExtInst>(cast);
  const Value* wide;  // what `narrow` was cut of
  if (!match(narrow, m_Trunc(m_Value(wide)))) return false;
  const unsigned bits = narrow->getType()->getIntegerBitWidth(), all = wide->getType()->getIntegerBitWidth();
  if (is_signed) return match(v, m_AShr(m_Shl(m_Specific(wide), m_SpecificInt(all - bits)), m_SpecificInt(all - bits)));
  return match(v, m_And(m_Specific(wide), m_SpecificInt(APInt::getLowBitsSet(all, bits))));
}

bool is_widened_by_parts(const Value* v, const Value* narrow, bool is_signed, int depth) {
  constexpr int kDeepestPart = 4;
  if (is_or_widens(v, narrow, is_signed)) return true;
  if (depth > kDeepestPart) return false;
  Value *a, *b, *c, *d;
  const APInt *mask, *narrow_mask;
  if (match(v, m_And(m_Value(a), m_APInt(mask))) && match(narrow, m_And(m_Value(b), m_APInt(narrow_mask))))
    return *mask == kLanes - 1 && *narrow_mask == kLanes - 1 &&
           (match(b, m_Trunc(m_Specific(a))) || is_widened_by_parts(a, b, is_signed, depth + 1));
  if (!is_signed || !match(v, m_NSWAdd(m_Value(a), m_Value(b))) || !match(narrow, m_NSWAdd(m_Value(c), m_Value(d))))
    return false;
  const auto both = [&](const Value* p, const Value* q) {
    return is_widened_by_parts(a, p, true, depth + 1) && is_widened_by_parts(b, q, true, depth + 1);
  };
  return both(c, d) || both(d, c);
}

}  // namespace simt::compile
