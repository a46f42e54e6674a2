// SPDX-License-Identifier: Apache-2.0
#include "told_accesses.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "engine_calls.hpp"
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

// A call of the function `name` in front of the access, which ThreadSanitizer's pass does not see then.
CallInst& announce(Instruction& i, const std::string& name) {
  Function& f = *i.getFunction();
  IRBuilder<> b(&i);
  b.SetCurrentDebugLocation(i.getDebugLoc() ? i.getDebugLoc() : place_in_function(f));
  CallInst* const told = b.CreateCall(f.getParent()->getOrInsertFunction(name, b.getVoidTy(), b.getPtrTy()),
                                      {getLoadStorePointerOperand(&i)});
  told->setDoesNotThrow();
  hide(i);
  return *told;
}

SmallVector<BasicBlock*> blocks_of(Function& f) {
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock& bb : f) blocks.push_back(&bb);
  return blocks;
}

bool are_of_one_line(const Instruction& a, const Instruction& b) {
  return !a.getDebugLoc() || !b.getDebugLoc() || a.getDebugLoc().getLine() == b.getDebugLoc().getLine();
}

// Reads that are told with the write behind them, and these writes.
struct updates {
  SmallPtrSet<const Instruction*, 8> reads, writes;
};
updates updates_in(const BasicBlock& bb) {
  updates found;
  DenseMap<const Value*, const StoreInst*> behind;
  for (const Instruction& i : reverse(bb)) {
    if (isa<CallBase>(i) && !isa<DbgInfoIntrinsic>(i)) behind.clear();
    if (auto* const store = dyn_cast<StoreInst>(&i); store != nullptr && store->isSimple() && is_announced(*store))
      behind[store->getPointerOperand()] = store;
    auto* const load = dyn_cast<LoadInst>(&i);
    if (load == nullptr || !load->isSimple()) continue;
    const StoreInst* const store = behind.lookup(load->getPointerOperand());
    if (store == nullptr || !are_of_one_line(*load, *store) ||
        load->getType()->getPrimitiveSizeInBits() != store->getValueOperand()->getType()->getPrimitiveSizeInBits())
      continue;
    found.reads.insert(load);
    found.writes.insert(store);
  }
  return found;
}

template <class IsPrivate>
void tell_watched_accesses(Function& f, ArrayRef<BasicBlock*> blocks, IsPrivate is_private) {
  // See read_before_write.hpp: where workers may keep sums, reads are told in front of the load.
  const bool apart = any_of(*f.getParent(), [](const Function& g) { return is_checked_atomic(g) && !g.use_empty(); });
  for (BasicBlock* bb : blocks) {
    const updates together = apart ? updates{} : updates_in(*bb);
    for (Instruction& i : *bb) {
      if (isa<CallBase>(i) || !is_announced(i) || is_private(i)) continue;
      std::string name = announcement_of(i);
      if (name.empty()) continue;
      if (together.writes.contains(&i)) name.replace(name.find("write"), 5, "read_write");
      if (together.reads.contains(&i))
        hide(i);
      else
        announce(i, name);
    }
  }
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
      if (const std::string name = announcement_of(i); !name.empty()) announce(i, name).setCannotDuplicate();
    }
}

void tell_accesses(Function& f) { tell_accesses(f, blocks_of(f)); }

void tell_watched_accesses(Function& f, ArrayRef<BasicBlock*> blocks) {
  tell_watched_accesses(f, blocks, [&](const Instruction& i) { return is_private_access(f, i); });
}

void tell_watched_accesses(Function& f) {
  tell_watched_accesses(f, blocks_of(f), [](const Instruction& i) {
    const Value* const at = getLoadStorePointerOperand(&i);
    return at != nullptr && isa<AllocaInst>(getUnderlyingObject(at, 0));
  });
}

}  // namespace simt::compile
