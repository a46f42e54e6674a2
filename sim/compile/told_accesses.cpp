// SPDX-License-Identifier: Apache-2.0
#include "told_accesses.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "hidden.hpp"
#include "region_accesses.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// The runtime's name for it, as ThreadSanitizer's pass has them; empty: it is left to that pass.
std::string announcement_of(Instruction& i) {
  const auto* const load = dyn_cast<LoadInst>(&i);
  const auto* const store = dyn_cast<StoreInst>(&i);
  if (load != nullptr ? !load->isSimple() : store == nullptr || !store->isSimple()) return {};
  if (getLoadStoreAddressSpace(&i) != 0) return {};
  const TypeSize bits = i.getModule()->getDataLayout().getTypeStoreSizeInBits(getLoadStoreType(&i));
  if (bits.isScalable()) return {};
  const std::uint64_t size = bits.getFixedValue() / 8;
  if (!isPowerOf2_64(size) || size > 16) return {};
  const std::uint64_t align = getLoadStoreAlignment(&i).value();
  const bool aligned = align >= 8 || align % size == 0;
  return (Twine("__tsan_") + (aligned ? "" : "unaligned_") + (load != nullptr ? "read" : "write") + Twine(size)).str();
}

}  // namespace

void tell_accesses(Function& f, ArrayRef<BasicBlock*> blocks) {
  for (BasicBlock* bb : blocks)
    for (Instruction& i : *bb) {
      if (is_private_access(f, i)) hide(i);
      if (auto* const call = dyn_cast<CallBase>(&i)) {
        if (!isa<IntrinsicInst>(call)) call->setCannotDuplicate();
        continue;
      }
      if (!is_announced(i)) continue;
      const std::string name = announcement_of(i);
      if (name.empty()) continue;
      IRBuilder<> b(&i);
      b.SetCurrentDebugLocation(i.getDebugLoc() ? i.getDebugLoc() : place_in_function(f));
      CallInst* const told = b.CreateCall(f.getParent()->getOrInsertFunction(name, b.getVoidTy(), b.getPtrTy()),
                                          {getLoadStorePointerOperand(&i)});
      told->setDoesNotThrow();
      told->setCannotDuplicate();
      hide(i);
    }
}

void tell_accesses(Function& f) {
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock& bb : f) blocks.push_back(&bb);
  tell_accesses(f, blocks);
}

}  // namespace simt::compile
