// SPDX-License-Identifier: Apache-2.0
#include "whole_products.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

using namespace llvm;

namespace {

// All that is done with it is to take parts out.
bool is_taken_apart(const BinaryOperator& i) {
  auto* const type = dyn_cast<FixedVectorType>(i.getType());
  if (type == nullptr || !type->isFPOrFPVectorTy() || i.use_empty()) return false;
  return all_of(i.users(), [&](const User* u) {
    auto* const part = dyn_cast<ShuffleVectorInst>(u);
    return part != nullptr && part->getOperand(0) == &i && isa<UndefValue>(part->getOperand(1)) &&
           cast<FixedVectorType>(part->getType())->getNumElements() < type->getNumElements();
  });
}

}  // namespace

bool keep_products_whole(Function& f) {
  bool changed = false;
  for (BasicBlock& bb : f) {
    SmallVector<BinaryOperator*> found;
    for (Instruction& i : make_early_inc_range(bb)) {
      auto* const operation = dyn_cast<BinaryOperator>(&i);
      if (operation == nullptr || !is_taken_apart(*operation)) continue;
      // LLVM has made one for each part.
      const auto same = find_if(found, [&](BinaryOperator* other) { return other->isIdenticalTo(operation); });
      if (same == found.end()) {
        found.push_back(operation);
        continue;
      }
      operation->replaceAllUsesWith(*same);
      operation->eraseFromParent();
      changed = true;
    }
    for (BinaryOperator* operation : found) {
      if (operation->hasOneUse()) continue;
      IRBuilder<> b(operation->getNextNode());
      CallInst* const fence = b.CreateArithmeticFence(operation, operation->getType());
      operation->replaceUsesWithIf(fence, [&](Use& u) { return u.getUser() != fence; });
      changed = true;
    }
  }
  return changed;
}

}  // namespace simt::compile
