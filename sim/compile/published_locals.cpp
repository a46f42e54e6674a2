// SPDX-License-Identifier: Apache-2.0
#include "published_locals.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

maybe_refused refuse_published_locals(Function& f) {
  if (!is_watched(f)) return {};
  for (Instruction& i : instructions(f)) {
    auto* store = dyn_cast<StoreInst>(&i);
    if (store == nullptr || !store->getValueOperand()->getType()->isPointerTy()) continue;
    if (!isa<AllocaInst>(getUnderlyingObject(store->getValueOperand(), 0))) continue;
    if (isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand(), 0))) continue;
    return refuse("the address of a thread's own variable, stored where other threads may find it", store);
  }
  return {};
}

}  // namespace simt::compile
