// SPDX-License-Identifier: Apache-2.0
#include "shared_atomics.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "memory_objects.hpp"

namespace simt::compile {

using namespace llvm;

void make_shared_atomics_plain(Function& f) {
  SmallVector<Instruction*> atomics;
  for (Instruction& i : instructions(f)) {
    if (auto* update = dyn_cast<AtomicRMWInst>(&i); update != nullptr && !update->isVolatile())
      if (is_in_shared_memory(update->getPointerOperand())) atomics.push_back(update);
    if (auto* swap = dyn_cast<AtomicCmpXchgInst>(&i); swap != nullptr && !swap->isVolatile())
      if (is_in_shared_memory(swap->getPointerOperand())) atomics.push_back(swap);
  }
  for (Instruction* i : atomics)
    if (auto* update = dyn_cast<AtomicRMWInst>(i))
      lowerAtomicRMWInst(update);
    else
      lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(i));
}

}  // namespace simt::compile
