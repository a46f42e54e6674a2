// SPDX-License-Identifier: Apache-2.0
#include "lane_vectors.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char* kWidthMark = "llvm.loop.vectorize.width";  // LLVM Language Reference
constexpr unsigned kMostInVectors = 40;                          // more would not fit into registers

bool is_plain(const Instruction& i) {
  if (isa<LoadInst>(i) || isa<StoreInst>(i)) return !i.isAtomic() && !i.isVolatile();
  if (auto* call = dyn_cast<IntrinsicInst>(&i)) return isTriviallyVectorizable(call->getIntrinsicID());
  return !isa<CallBase>(i) && !i.mayReadOrWriteMemory() && !i.isIntDivRem() && !isa<AllocaInst>(i);
}

}  // namespace

void take_lanes_at_once(const kernel_form& k, const region& r, const loop_nest& nest) {
  if (r.in == nullptr || !has_whole_rows(k) || nest.x->getSingleSuccessor() == nullptr) return;
  const bool may_branch = k.partial_turns.count(r.head) != 0;
  unsigned count = 0;
  SmallPtrSet<const BasicBlock*, 8> seen;
  for (const BasicBlock* bb : r.blocks) {
    seen.insert(bb);
    if (!may_branch && bb->getSingleSuccessor() == nullptr) return;
    if (any_of(successors(bb), [&](const BasicBlock* s) { return seen.count(s) != 0; })) return;  // a loop
    for (const Instruction& i : *bb)
      if (++count > kMostInVectors || !is_plain(i)) return;
  }
  auto* const back = cast<BranchInst>(nest.x_next->getTerminator());
  LLVMContext& c = back->getContext();
  auto* const lanes = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), kLanes));
  MDNode* const width = MDNode::get(c, {MDString::get(c, kWidthMark), lanes});
  back->setMetadata(LLVMContext::MD_loop,
                    makePostTransformationMetadata(c, back->getMetadata(LLVMContext::MD_loop), {}, {width}));
}

bool takes_lanes_at_once(const Loop& l) { return getOptionalIntLoopAttribute(&l, kWidthMark) == kLanes; }

}  // namespace simt::compile
