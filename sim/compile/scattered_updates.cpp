// SPDX-License-Identifier: Apache-2.0
#include "scattered_updates.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstdint>

#include "lane_vectors.hpp"
#include "loop_nest.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr unsigned kLittle = 64;  // of a body that computes little
constexpr unsigned kShort = 24, kUnrolled = 4, kFewTurns = 8;

struct element_access {
  const Value* object;
  std::uint64_t size;  // bytes
  std::uint64_t step;  // bytes to the next iteration's; 0: they do not lie at equal distances
};

class update_finder {
 public:
  update_finder(Loop& l, ScalarEvolution& evolution) : l_(l), evolution_(evolution), assumed_(evolution, l) {}

  bool find() {
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : *bb)
        if (!look_at(i)) return false;
    return any_of(stores_, [&](const element_access& s) { return is_scattered(s) && is_read(s.object); });
  }
  unsigned instructions() const { return instructions_; }

 private:
  // False: it takes longer than an access.
  bool look_at(Instruction& i) {
    if (++instructions_ > kLittle) return false;
    if (isa<CallBase>(i) && !isa<DbgInfoIntrinsic>(i)) return is_quick(i);
    if (i.getOpcode() == Instruction::FDiv || i.getOpcode() == Instruction::FRem || i.isIntDivRem()) return false;
    Value* const at = getLoadStorePointerOperand(&i);
    if (at == nullptr || evolution_.isLoopInvariant(evolution_.getSCEV(at), &l_)) return true;
    const std::uint64_t size = i.getModule()->getDataLayout().getTypeAllocSize(getLoadStoreType(&i)).getFixedValue();
    (isa<StoreInst>(i) ? stores_ : loads_).push_back({getUnderlyingObject(at), size, step_of(at)});
    return true;
  }
  static bool is_quick(const Instruction& i) {
    switch (auto* const call = dyn_cast<IntrinsicInst>(&i); call == nullptr ? 0 : call->getIntrinsicID()) {
      case Intrinsic::smin:
      case Intrinsic::smax:
      case Intrinsic::umin:
      case Intrinsic::umax:
      case Intrinsic::abs:
      case Intrinsic::fabs:
      case Intrinsic::fma:
      case Intrinsic::fmuladd:
      case Intrinsic::minnum:
      case Intrinsic::maxnum:
        return true;
      default:
        return false;
    }
  }
  std::uint64_t step_of(Value* at) {
    const SCEVAddRecExpr* const moves = assumed_.getAsAddRec(at);
    auto* const step = moves == nullptr ? nullptr : dyn_cast<SCEVConstant>(moves->getStepRecurrence(evolution_));
    return step == nullptr ? 0 : step->getAPInt().abs().getLimitedValue();
  }
  // Neighbours, pairs, and what several stores fill without gaps are joined to wide stores.
  bool is_scattered(const element_access& s) const {
    if (s.step == 0) return true;
    const auto beside =
        count_if(stores_, [&](const element_access& o) { return o.object == s.object && o.step == s.step; });
    return s.step > 2 * s.size && static_cast<std::uint64_t>(beside) * s.size < s.step;
  }
  bool is_read(const Value* object) const {
    return any_of(loads_, [&](const element_access& l) { return l.object == object; });
  }

  Loop& l_;
  ScalarEvolution& evolution_;
  PredicatedScalarEvolution assumed_;
  unsigned instructions_ = 0;
  SmallVector<element_access> stores_, loads_;
};

void unroll_instead(Loop& l, unsigned times) {
  LLVMContext& c = l.getHeader()->getContext();
  const auto word = [&](const char* name, unsigned value) {
    auto* const number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), value));
    return MDNode::get(c, {MDString::get(c, name), number});
  };
  SmallVector<MDNode*> words{word("llvm.loop.vectorize.enable", 0)};
  if (times > 1) words.push_back(word("llvm.loop.unroll.count", times));
  SmallVector<StringRef> gone{"llvm.loop.vectorize", "llvm.loop.interleave"};
  if (times > 1) gone.push_back("llvm.loop.unroll");
  l.setLoopID(makePostTransformationMetadata(c, l.getLoopID(), gone, words));
}

}  // namespace

void keep_scattered_updates(LoopInfo& loops, ScalarEvolution& evolution) {
  for (Loop* const l : loops.getLoopsInPreorder()) {
    if (!l->isInnermost() || l->getLoopID() == nullptr || takes_lanes_at_once(*l) ||
        findStringMetadataForLoop(l, kParallelMark) == std::nullopt)
      continue;
    update_finder finder(*l, evolution);
    if (!finder.find()) continue;
    const unsigned turns = evolution.getSmallConstantTripCount(l);
    const bool few = turns != 0 && turns <= kFewTurns;
    unroll_instead(*l, finder.instructions() > kShort ? 1 : few ? turns : kUnrolled);
  }
}

}  // namespace simt::compile
