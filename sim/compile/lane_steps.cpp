// SPDX-License-Identifier: Apache-2.0
#include "lane_steps.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "engine_calls.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
constexpr int kDeepestStep = 8;  // operands of operands
constexpr std::uint64_t kLargestFactorOfStep = 1u << 20;

#if LLVM_VERSION_MAJOR >= 20
using offsets = SmallMapVector<Value*, APInt, 4>;
#else
using offsets = MapVector<Value*, APInt>;
#endif

// The x or rank that other places are made of.
bool is_index(const Value* v) { return isa<Argument>(v) || is_marker(v, marker::rank); }
}  // namespace

std::optional<std::int64_t> lane_steps::of(const Value* v, int depth) const {
  if (const auto known = known_.find(v); known != known_.end()) return known->second;
  if (lanes_.is_alike(v)) return 0;
  if (lanes_.is_place(v)) return 1;
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr || depth > kDeepestStep) return {};
  return of_instruction(*i, depth + 1);
}

std::optional<std::int64_t> lane_steps::of_instruction(const Instruction& i, int depth) const {
  if (lanes_.is_lane(&i)) return 1;
  if (auto* const p = dyn_cast<GetElementPtrInst>(&i)) return of_address(*p, depth);
  if (isa<SExtInst>(i) || isa<ZExtInst>(i)) {
    if (!does_not_wrap(i.getOperand(0), isa<SExtInst>(i))) return {};
    return of(i.getOperand(0), depth);
  }
  if (isa<TruncInst>(i)) return of(i.getOperand(0), depth);
  if (!isa<BinaryOperator>(i) || !i.getType()->isIntegerTy()) return {};
  const auto left = of(i.getOperand(0), depth), right = of(i.getOperand(1), depth);
  if (!left || !right) return {};
  const APInt* factor;
  switch (i.getOpcode()) {
    case Instruction::Add:
      return *left + *right;
    case Instruction::Sub:
      return *left - *right;
    case Instruction::Mul:
      if (match(i.getOperand(1), m_APInt(factor)) && factor->abs().ult(kLargestFactorOfStep))
        return *left * factor->getSExtValue();
      return {};
    case Instruction::Shl:
      if (match(i.getOperand(1), m_APInt(factor)) && factor->ult(32)) return *left << factor->getZExtValue();
      return {};
    default:
      return {};
  }
}

std::optional<std::int64_t> lane_steps::of_address(const GetElementPtrInst& p, int depth) const {
  offsets variable;
  const unsigned bits = layout_.getIndexTypeSizeInBits(p.getType());
  APInt constant(bits, 0);
  auto step = of(p.getPointerOperand(), depth);
  if (!step || !cast<GEPOperator>(p).collectOffset(layout_, bits, variable, constant)) return {};
  for (const auto& [index, scale] : variable) {
    const auto by = of(index, depth);
    if (!by) return {};
    step = *step + *by * scale.getSExtValue();
  }
  return step;
}

bool lane_steps::does_not_wrap(const Value* v, bool is_signed) const {
  if (lanes_.is_alike(v) || lanes_.is_place(v) || known_.count(v) != 0) return true;
  if (isa<Instruction>(v) && lanes_.is_lane(v)) return true;
  auto* const sum = dyn_cast<OverflowingBinaryOperator>(v);
  return sum != nullptr && (is_signed ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
}

Value* lane_steps::of_first_lane(Value* v, IRBuilder<>& b) const {
  if (lanes_.is_alike(v)) return v;
  if (is_index(v)) return b.CreateAnd(v, ConstantInt::get(v->getType(), ~std::uint64_t{kLanes - 1}));
  Instruction* const first = cast<Instruction>(v)->clone();
  for (Use& o : first->operands()) o.set(of_first_lane(o.get(), b));
  return b.Insert(first, v->getName() + ".first");
}

bool lane_steps::has_first_lane(const Value* v) const {
  if (lanes_.is_alike(v) || is_index(v)) return true;
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr || isa<PHINode>(i) || i->mayReadOrWriteMemory()) return false;
  return all_of(i->operands(), [&](const Use& o) { return has_first_lane(o.get()); });
}

Value* lane_steps::place_in(Value* v) const {
  if (lanes_.is_alike(v)) return nullptr;
  if (is_index(v)) return v;
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr) return nullptr;
  for (Use& o : i->operands())
    if (Value* const place = place_in(o.get())) return place;
  return nullptr;
}

}  // namespace simt::compile
