// SPDX-License-Identifier: Apache-2.0
#include "narrow_casts.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr unsigned kConvertedBits = 32;

bool is_narrow_cast(const Instruction& i) {
  const auto* call = dyn_cast<IntrinsicInst>(&i);
  if (call == nullptr || !call->getType()->isIntegerTy()) return false;
  const Intrinsic::ID id = call->getIntrinsicID();
  return (id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat) &&
         call->getType()->getIntegerBitWidth() < kConvertedBits;
}

void widen_cast(IntrinsicInst& narrow) {
  IRBuilder<> builder(&narrow);
  Value* const from = narrow.getArgOperand(0);
  Value* const wide =
      builder.CreateIntrinsic(narrow.getIntrinsicID(), {builder.getIntNTy(kConvertedBits), from->getType()}, {from});
  narrow.replaceAllUsesWith(builder.CreateTrunc(wide, narrow.getType()));
  narrow.eraseFromParent();
}

}  // namespace

bool widen_narrow_casts(Module& m) {
  bool any = false;
  for (Function& f : m)
    for (BasicBlock& bb : f)
      for (Instruction& i : make_early_inc_range(bb))
        if (is_narrow_cast(i)) widen_cast(cast<IntrinsicInst>(i)), any = true;
  return any;
}

}  // namespace simt::compile
