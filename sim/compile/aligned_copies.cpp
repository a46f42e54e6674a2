// SPDX-License-Identifier: Apache-2.0
#include "aligned_copies.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::uint64_t kLeast = 8;  // what is smaller is loaded and stored as one number, and judged then

FunctionCallee misplaced_copy(Module& m) {
  LLVMContext& c = m.getContext();
  FunctionCallee f = m.getOrInsertFunction("simt_misplaced_copy", Type::getVoidTy(c), PointerType::getUnqual(c),
                                           Type::getInt64Ty(c), Type::getInt1Ty(c));
  auto* const declared = cast<Function>(f.getCallee());
  for (const auto attribute : {Attribute::Cold, Attribute::NoInline, Attribute::NoUnwind})
    declared->addFnAttr(attribute);
  return f;
}

void check(MemCpyInst& copy, Value* address, MaybeAlign promised, bool written) {
  const std::uint64_t alignment = promised.valueOrOne().value();
  if (alignment < kLeast || isa<AllocaInst>(getUnderlyingObject(address))) return;
  IRBuilder<> b(&copy);
  Value* const number = b.CreatePtrToInt(address, b.getInt64Ty());
  Value* const wrong = b.CreateICmpNE(b.CreateAnd(number, alignment - 1), b.getInt64(0));
  MDNode* const never = MDBuilder(copy.getContext()).createBranchWeights(1, 1 << 20);
  b.SetInsertPoint(SplitBlockAndInsertIfThen(wrong, &copy, false, never));
  b.SetCurrentDebugLocation(copy.getDebugLoc());
  b.CreateCall(misplaced_copy(*copy.getModule()), {address, b.getInt64(alignment), b.getInt1(written)});
}

}  // namespace

bool check_aligned_copies(Module& m) {
  SmallVector<MemCpyInst*> copies;
  for (Function& f : m)
    if (f.hasFnAttribute(Attribute::SanitizeThread))
      for (Instruction& i : instructions(f))
        if (auto* const copy = dyn_cast<MemCpyInst>(&i); copy != nullptr && isa<ConstantInt>(copy->getLength()))
          copies.push_back(copy);
  for (MemCpyInst* copy : copies) {
    check(*copy, copy->getRawSource(), copy->getSourceAlign(), false);
    check(*copy, copy->getRawDest(), copy->getDestAlign(), true);
  }
  return !copies.empty();
}

}  // namespace simt::compile
