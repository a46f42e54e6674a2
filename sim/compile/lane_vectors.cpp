// SPDX-License-Identifier: Apache-2.0
#include "lane_vectors.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace simt::compile {

using namespace llvm;

namespace {

// LLVM Language Reference and "Code Transformation Metadata".
constexpr const char *kWidthMark = "llvm.loop.vectorize.width",
                     *kVectorisedMark = "llvm.loop.vectorize.followup_vectorized";
constexpr unsigned kMostInVectors = 40;  // more would not fit into registers

bool is_plain(const Instruction& i) {
  if (isa<LoadInst>(i) || isa<StoreInst>(i)) return !i.isAtomic() && !i.isVolatile();
  if (auto* call = dyn_cast<IntrinsicInst>(&i)) return isTriviallyVectorizable(call->getIntrinsicID());
  return !isa<CallBase>(i) && !i.mayReadOrWriteMemory() && !i.isIntDivRem() && !isa<AllocaInst>(i);
}

// It has no loop, and no more than fits into registers. Only in partial turns are conditions worth masks.
bool fits(const kernel_form& k, const region& r) {
  const bool may_branch = k.partial_turns.count(r.head) != 0;
  unsigned count = 0;
  SmallPtrSet<const BasicBlock*, 8> seen;
  for (const BasicBlock* bb : r.blocks) {
    seen.insert(bb);
    if (!may_branch && bb->getSingleSuccessor() == nullptr) return false;
    if (any_of(successors(bb), [&](const BasicBlock* s) { return seen.count(s) != 0; })) return false;  // a loop
    for (const Instruction& i : *bb)
      if (++count > kMostInVectors || !is_plain(i)) return false;
  }
  return true;
}

}  // namespace

void take_lanes_at_once(const kernel_form& k, const region& r, const loop_nest& nest) {
  if (r.in == nullptr || !has_whole_rows(k) || nest.x->getSingleSuccessor() == nullptr) return;
  auto* const back = cast<BranchInst>(nest.x_next->getTerminator());
  LLVMContext& c = back->getContext();
  const auto number = [&](unsigned n) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), n)); };
  const auto word = [&](const char* name, Metadata* what) { return MDNode::get(c, {MDString::get(c, name), what}); };
  // Else the few turns that are left of it when it has been vectorised may be made one after the other, without a loop:
  // what it takes and leaves stays in registers then.
  MDNode* const mark =
      fits(k, r) ? word(kWidthMark, number(kLanes)) : word(kVectorisedMark, word("llvm.loop.isvectorized", number(1)));
  back->setMetadata(LLVMContext::MD_loop,
                    makePostTransformationMetadata(c, back->getMetadata(LLVMContext::MD_loop), {}, {mark}));
}

bool takes_lanes_at_once(const Loop& l) { return getOptionalIntLoopAttribute(&l, kWidthMark) == kLanes; }

}  // namespace simt::compile
