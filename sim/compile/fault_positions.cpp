// SPDX-License-Identifier: Apache-2.0
#include "fault_positions.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

using namespace llvm;

namespace {

bool is_position(const StoreInst& store) {
  auto* const member = dyn_cast<GetElementPtrInst>(store.getPointerOperand());
  auto* const type = member == nullptr ? nullptr : dyn_cast<StructType>(member->getSourceElementType());
  return type != nullptr && type->hasName() && type->getName().ends_with("simt::sim::thread_range");
}

// The engine's own code knows what it divides by.
bool is_of_the_engine(const Function& f) { return f.getName().starts_with("_ZN4simt3sim"); }

// What f calls divides by something that may be zero, or calls itself.
bool may_fault(Function& f, SmallPtrSetImpl<Function*>& done, SmallPtrSetImpl<Function*>& running) {
  if (running.contains(&f)) return true;
  if (!done.insert(&f).second) return false;
  running.insert(&f);
  for (Instruction& i : instructions(f)) {
    if (i.isIntDivRem() && !isa<Constant>(i.getOperand(1)) && !is_of_the_engine(f)) return true;
    auto* const call = dyn_cast<CallBase>(&i);
    if (call == nullptr || call->getCalledFunction() == nullptr || call->getCalledFunction()->isDeclaration()) continue;
    if (may_fault(*call->getCalledFunction(), done, running)) return true;
  }
  running.erase(&f);
  return false;
}

}  // namespace

bool keep_fault_positions(Module& m) {
  bool any = false;
  for (Function& f : m) {
    SmallVector<StoreInst*> positions;
    for (Instruction& i : instructions(f))
      if (auto* store = dyn_cast<StoreInst>(&i); store != nullptr && is_position(*store)) positions.push_back(store);
    SmallPtrSet<Function*, 32> done, running;
    if (positions.empty() || !may_fault(f, done, running)) continue;
    for (StoreInst* store : positions) store->setVolatile(true);
    any = true;
  }
  return any;
}

}  // namespace simt::compile
