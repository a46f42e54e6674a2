// SPDX-License-Identifier: Apache-2.0
#include "narrow_blocks.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::int64_t kNarrowest = 8;  // hardly any blocks are narrower: who asks so means some of the threads

struct width_question {
  std::int64_t width;  // x < width
  bool answer;         // the comparison's value where that holds
};

bool is_index(const Value* v, const Argument* x) {
  for (const Value* of = nullptr;; v = of) {
    const APInt* mask = nullptr;
    if (match(v, m_And(m_Value(of), m_APInt(mask))) && (mask->getZExtValue() & kPlaceMask) == kPlaceMask) continue;
    if (v->getType()->getIntegerBitWidth() <= kPlaceBits) return false;
    if (!match(v, m_CombineOr(m_Trunc(m_Value(of)), m_ZExtOrSExt(m_Value(of))))) return v == x;
  }
}

// v is zero where x is below that; 0: of no such number.
std::int64_t width_of_zero(const Value* v, const Argument* x) {
  const Value* of = nullptr;
  const APInt* bits = nullptr;
  if (match(v, m_LShr(m_Value(of), m_APInt(bits))) && bits->ult(kPlaceBits) && is_index(of, x))
    return std::int64_t{1} << bits->getZExtValue();
  if (!match(v, m_And(m_Value(of), m_APInt(bits))) || !is_index(of, x)) return 0;
  const std::uint64_t below = ~bits->getZExtValue() & kPlaceMask;  // the lower bits, or something else
  return (below & (below + 1)) == 0 ? static_cast<std::int64_t>(below + 1) : 0;
}

std::optional<width_question> question_of(const Instruction& i, const Argument* x) {
  auto* const asked = dyn_cast<ICmpInst>(&i);
  if (asked == nullptr || !asked->getOperand(0)->getType()->isIntegerTy() ||
      asked->getOperand(0)->getType()->getIntegerBitWidth() > 64)
    return {};
  const Value *of = asked->getOperand(0), *with = asked->getOperand(1);
  auto relation = asked->getPredicate();
  if (isa<ConstantInt>(of)) std::swap(of, with), relation = ICmpInst::getSwappedPredicate(relation);
  auto* const number = dyn_cast<ConstantInt>(with);
  if (number == nullptr) return {};
  if (asked->isEquality()) {
    const std::int64_t width = number->isZero() ? width_of_zero(of, x) : 0;
    return width > 0 ? std::optional(width_question{width, relation == ICmpInst::ICMP_EQ}) : std::nullopt;
  }
  if (!is_index(of, x) || number->isNegative() || number->getValue().ugt(kWidestBlock)) return {};
  const std::int64_t n = number->getSExtValue();
  switch (relation) {
    case ICmpInst::ICMP_ULT:
    case ICmpInst::ICMP_SLT:
      return width_question{n, true};
    case ICmpInst::ICMP_ULE:
    case ICmpInst::ICMP_SLE:
      return width_question{n + 1, true};
    case ICmpInst::ICMP_UGT:
    case ICmpInst::ICMP_SGT:
      return width_question{n + 1, false};
    case ICmpInst::ICMP_UGE:
    case ICmpInst::ICMP_SGE:
      return width_question{n, false};
    default:
      return {};
  }
}

}  // namespace

std::int64_t narrow_blocks(Function& f, std::int64_t most) {
  const Argument* const x = f.getArg(parameter::thread);
  std::int64_t width = 0;
  for (const Instruction& i : instructions(f))
    if (const auto asked = question_of(i, x); asked && asked->width < most) width = std::max(width, asked->width);
  if (width < kNarrowest) return 0;
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (const auto asked = question_of(i, x); asked && asked->width >= width)
      i.replaceAllUsesWith(ConstantInt::getBool(f.getContext(), asked->answer));
  for (BasicBlock& bb : f) SimplifyInstructionsInBlock(&bb);
  for (BasicBlock& bb : f) ConstantFoldTerminator(&bb, true);
  EliminateUnreachableBlocks(f);
  for (BasicBlock& bb : f)
    if (bb.getSinglePredecessor() != nullptr) FoldSingleEntryPHINodes(&bb);
  return width;
}

}  // namespace simt::compile
