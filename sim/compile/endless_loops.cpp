// SPDX-License-Identifier: Apache-2.0
#include "endless_loops.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "regions.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
constexpr char kEnds[] = "llvm.loop.mustprogress";
}

void keep_endless_loops(kernel_form& k) {
  DominatorTree dominators(k.f);
  LoopInfo loops(dominators);
  const bool all_end = k.f.hasFnAttribute(Attribute::MustProgress);
  for (Loop* l : loops.getLoopsInPreorder()) {
    LLVMContext& c = k.f.getContext();
    if (any_of(k.barriers, [&](const BasicBlock* bb) { return l->contains(bb); })) {
      if (MDNode* const id = l->getLoopID()) l->setLoopID(makePostTransformationMetadata(c, id, {kEnds}, {}));
    } else if (all_end && !hasMustProgress(l)) {
      addStringMetadataToLoop(l, kEnds);
    }
  }
  k.f.removeFnAttr(Attribute::MustProgress);
  k.f.removeFnAttr(Attribute::WillReturn);
}

}  // namespace simt::compile
