// SPDX-License-Identifier: Apache-2.0
#include "lane_patterns.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "engine_calls.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_rank(const Value* v) {
  while (isa<TruncInst>(v) || isa<ZExtInst>(v)) v = cast<CastInst>(v)->getOperand(0);
  return is_marker(v, marker::rank);
}

class lane_folder {
 public:
  lane_folder(unsigned lane, const DataLayout& layout) : lane_(lane), layout_(layout) {}

  // Null: unknown.
  Constant* fold(Value* v) {
    if (auto* c = dyn_cast<Constant>(v)) return c;
    const auto [known, fresh] = folded_.try_emplace(v, nullptr);
    if (!fresh) return known->second;
    Constant* const made = fold_anew(v);
    return folded_[v] = made;
  }

 private:
  Constant* fold_anew(Value* v) {
    Value* of;
    const APInt* mask;
    if (match(v, m_And(m_Value(of), m_APInt(mask))) && mask->ult(kLanes) && is_rank(of))
      return ConstantInt::get(v->getType(), lane_ & mask->getZExtValue());
    auto* const i = dyn_cast<Instruction>(v);
    const bool computes = i != nullptr && (isa<BinaryOperator>(i) || isa<CastInst>(i) || isa<SelectInst>(i) ||
                                           isa<ICmpInst>(i) || isa<FreezeInst>(i) || isa<IntrinsicInst>(i));
    if (!computes || i->mayReadOrWriteMemory()) return nullptr;
    SmallVector<Constant*> operands;
    for (Use& o : i->operands()) {
      operands.push_back(fold(o.get()));
      if (operands.back() == nullptr) return nullptr;
    }
    if (isa<FreezeInst>(i)) return isa<ConstantInt>(operands[0]) ? operands[0] : nullptr;
    if (isa<SelectInst>(i)) {
      auto* const chosen = dyn_cast<ConstantInt>(operands[0]);
      return chosen == nullptr ? nullptr : operands[chosen->isOne() ? 1 : 2];
    }
    if (auto* compare = dyn_cast<ICmpInst>(i))
      return ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1], layout_);
    return ConstantFoldInstOperands(i, operands, layout_);
  }

  unsigned lane_;
  const DataLayout& layout_;
  DenseMap<Value*, Constant*> folded_;
};

}  // namespace

std::optional<lane_pattern> pattern_of(Value* v, const DataLayout& layout) {
  lane_pattern pattern{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto* const c = dyn_cast_or_null<ConstantInt>(lane_folder(lane, layout).fold(v));
    if (c == nullptr || c->getBitWidth() > 64) return {};
    pattern[lane] = c->getZExtValue();
  }
  return pattern;
}

}  // namespace simt::compile
