// SPDX-License-Identifier: Apache-2.0
#include "read_before_write.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "update_forms.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// Two accesses are one for clang if their address is the same value. So the store gets a value of its own, which is the
// same address.
void set_apart(StoreInst& store) {
  Type* const byte = Type::getInt8Ty(store.getContext());
  Value* const none = ConstantInt::get(Type::getInt64Ty(store.getContext()), 0);
  auto* const same = GetElementPtrInst::CreateInBounds(byte, store.getPointerOperand(), {none}, "", &store);
  same->setDebugLoc(store.getDebugLoc());
  store.setOperand(StoreInst::getPointerOperandIndex(), same);
}

bool set_apart(BasicBlock& block) {
  SmallPtrSet<const Value*, 16> read;  // and not yet written
  SmallVector<StoreInst*> stores;
  for (Instruction& i : block) {
    if (auto* const load = dyn_cast<LoadInst>(&i))
      read.insert(load->getPointerOperand());
    else if (auto* const store = dyn_cast<StoreInst>(&i); store != nullptr && read.contains(store->getPointerOperand()))
      stores.push_back(store);
  }
  for (StoreInst* const store : stores) set_apart(*store);
  return !stores.empty();
}

}  // namespace

bool announce_reads_before_writes(Module& m) {
  if (!tells_unread_updates(m)) return false;
  bool changed = false;
  for (Function& f : m)
    if (f.hasFnAttribute(Attribute::SanitizeThread))
      for (BasicBlock& block : f) changed |= set_apart(block);
  return changed;
}

}  // namespace simt::compile
