// SPDX-License-Identifier: Apache-2.0
#include "index_lines.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// Numbers of 64 bits are lines if they are much smaller, so that no sum of a few of them wraps.
constexpr unsigned kBitsOfWide = 58, kBitsOfStep = 32;
constexpr std::size_t kMostParts = 8;

}  // namespace

// Whichever sign its parts are taken with, a sum of n bits is right but for a multiple of 2^n: so it is what it should
// be if it is in the range of its kind.
std::optional<index_line> line_finder::find(const SCEV* v, bool is_signed) const {
  index_line made;
  if (!v->getType()->isIntegerTy() || !gather(v, made)) return {};
  const auto bits = static_cast<unsigned>(evolution_.getTypeSizeInBits(v->getType()));
  const bool is_alone = made.sum.steps.empty() && made.sum.begin.size() == 1;
  if (!is_alone || !is_signed) made.fits.push_back({made.sum, std::min(bits, kBitsOfWide), is_signed});
  return made;
}

bool line_finder::gather(const SCEV* v, index_line& to) const {
  const auto is_short = [&] {
    return to.sum.begin.size() <= kMostParts && to.sum.steps.size() <= kMostParts && to.fits.size() <= kMostParts;
  };
  const auto bits = static_cast<unsigned>(evolution_.getTypeSizeInBits(v->getType()));
  if (bits > 64) return false;
  const auto is_small = [](const SCEV* number, unsigned most) {
    auto* const known = dyn_cast<SCEVConstant>(number);
    return known == nullptr || known->getAPInt().isSignedIntN(most);
  };
  if (const auto known = known_.find(v); known != known_.end()) {
    to.sum.begin.append(known->second.sum.begin), to.sum.steps.append(known->second.sum.steps);
    to.fits.append(known->second.fits);
    return is_short();
  }
  if (evolution_.isLoopInvariant(v, &nest_)) {
    to.sum.begin.push_back(v);
    if (!is_small(v, kBitsOfWide)) return false;
    if (bits > kBitsOfWide && !isa<SCEVConstant>(v)) to.fits.push_back({{{v}, {}}, kBitsOfWide, true});
    return is_short();
  }
  if (auto* const cast = dyn_cast<SCEVIntegralCastExpr>(v)) {
    if (isa<SCEVTruncateExpr>(cast)) return gather(cast->getOperand(), to);
    const auto inner = find(cast->getOperand(), isa<SCEVSignExtendExpr>(cast));
    if (!inner) return false;
    to.sum.begin.append(inner->sum.begin), to.sum.steps.append(inner->sum.steps), to.fits.append(inner->fits);
    return is_short();
  }
  if (auto* const line = dyn_cast<SCEVAddRecExpr>(v)) {
    const SCEV* const step = line->getOperand(1);
    if (!line->isAffine() || !nest_.contains(line->getLoop()) || !evolution_.isLoopInvariant(step, &nest_))
      return false;
    to.sum.steps.push_back({line->getLoop(), step});
    if (!is_small(step, kBitsOfStep)) return false;
    if (bits > kBitsOfStep && !isa<SCEVConstant>(step)) to.fits.push_back({{{step}, {}}, kBitsOfStep, true});
    return gather(line->getStart(), to);
  }
  auto* const sum = dyn_cast<SCEVAddExpr>(v);
  return sum != nullptr && all_of(sum->operands(), [&](const SCEV* part) { return gather(part, to); });
}

line_maker::line_maker(ScalarEvolution& evolution, Instruction* front)
    : front_(front), expander_(evolution, front->getModule()->getDataLayout(), "line"), b_(front) {}

bool line_maker::can_make(const index_line& line) const {
  const auto is_safe = [&](const SCEV* v) { return expander_.isSafeToExpandAt(v, front_); };
  return all_of(line.sum.begin, is_safe) &&
         all_of(line.sum.steps, [&](const line_step& s) { return is_safe(s.value); });
}

Value* line_maker::in_front(const SCEV* v) {
  Value*& known = made_[v];
  if (known == nullptr) {
    Value* const made = expander_.expandCodeFor(v, v->getType(), front_);
    known = isa<Constant>(made) ? made : b_.CreateFreeze(made);
  }
  return known;
}

Value* line_maker::begin(const line_sum& of) {
  Value* sum = nullptr;
  for (const SCEV* v : of.begin) {
    Value* const wide = b_.CreateSExt(in_front(v), b_.getInt64Ty());
    sum = sum == nullptr ? wide : b_.CreateAdd(sum, wide);
  }
  return sum == nullptr ? b_.getInt64(0) : sum;
}

Value* line_maker::step(const line_step& s) { return b_.CreateSExt(in_front(s.value), b_.getInt64Ty()); }

Value* line_maker::last_turn(const turn_range& r) {
  Value* const turns = in_front(r.turns);
  Value* const most = b_.CreateZExt(turns, b_.getInt64Ty());
  if (r.last < 0) return most;
  Value* const last = b_.getInt64(static_cast<std::uint64_t>(r.last));
  if (auto* const known = dyn_cast<ConstantInt>(most)) return known->getSExtValue() < r.last ? most : last;
  return b_.CreateBinaryIntrinsic(Intrinsic::umin, most, last);
}

Value* line_maker::extreme(const line_sum& of, const turn_ranges& in, bool largest) {
  Value* sum = begin(of);
  for (const line_step& s : of.steps) {
    const turn_range range = in.lookup(s.loop);
    Value *const by = step(s), *const first = b_.getInt64(static_cast<std::uint64_t>(range.first));
    Value* const last = last_turn(range);
    Value* moved;
    if (auto* const known = dyn_cast<ConstantInt>(by))
      moved = b_.CreateMul(by, known->isNegative() == largest ? first : last);
    else
      moved = b_.CreateBinaryIntrinsic(largest ? Intrinsic::smax : Intrinsic::smin, b_.CreateMul(by, first),
                                       b_.CreateMul(by, last));
    if (!match(moved, m_Zero())) sum = b_.CreateAdd(sum, moved);
  }
  return sum;
}

Value* line_maker::fits(const index_line& line, const turn_ranges& in) {
  Value* all = b_.getTrue();
  for (const index_line::fit& f : line.fits)
    for (const bool largest : {false, true}) {
      const APInt of_signed = largest ? APInt::getSignedMaxValue(f.bits) : APInt::getSignedMinValue(f.bits);
      const APInt limit = f.is_signed ? of_signed.sext(64)
                          : largest   ? APInt::getMaxValue(f.bits).zext(64)
                                      : APInt(64, 0);
      Value *const v = extreme(f.of, in, largest), *const number = ConstantInt::get(b_.getInt64Ty(), limit);
      all = b_.CreateAnd(largest ? b_.CreateICmpSLE(v, number) : b_.CreateICmpSGE(v, number), all);
    }
  return all;
}

}  // namespace simt::compile
