// SPDX-License-Identifier: Apache-2.0
#include "range_apart.hpp"

#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace simt::compile {

using namespace llvm;

namespace {
constexpr StringRef kRange = "struct.simt::sim::thread_range";
constexpr const char* kAsked = "simt.range_apart";

class accesses {
 public:
  accesses(Function& f, AllocaInst* range) : range_(range), layout_(f.getParent()->getDataLayout()) {
    for (User* u : range->users())
      if (auto* store = dyn_cast<StoreInst>(u); store != nullptr && store->getValueOperand() == range)
        shown_at_.insert(offset_of(store->getPointerOperand()));
    for (Instruction& i : instructions(f)) sort(i);
  }

  SmallVector<Instruction*> in_range, elsewhere;

 private:
  std::int64_t offset_of(const Value* address) const {
    std::int64_t offset = 0;
    GetPointerBaseWithConstantOffset(address, offset, layout_);
    return offset;
  }

  void sort(Instruction& i) {
    if (const Value* const address = getLoadStorePointerOperand(&i)) {
      if (getUnderlyingObject(address, 0) == range_)
        in_range.push_back(&i);
      else if (is_elsewhere(address))
        elsewhere.push_back(&i);
    } else if (auto* const copy = dyn_cast<MemTransferInst>(&i)) {
      if (is_elsewhere(copy->getDest()) && is_elsewhere(copy->getSource())) elsewhere.push_back(&i);
    } else if (auto* const set = dyn_cast<MemSetInst>(&i)) {
      if (is_elsewhere(set->getDest())) elsewhere.push_back(&i);
    }
  }

  // The engine finds the range by a pointer that lies where f has stored its address, in whichever structure.
  bool is_elsewhere(const Value* address) const {
    const Value* const object = getUnderlyingObject(address, 0);
    if (auto* const pointer = dyn_cast<LoadInst>(object))
      return shown_at_.count(offset_of(pointer->getPointerOperand())) == 0;
    return object != range_ && (isa<Argument>(object) || isa<AllocaInst>(object) || isa<GlobalVariable>(object));
  }

  const AllocaInst* range_;
  const DataLayout& layout_;
  SmallSet<std::int64_t, 2> shown_at_;
};
}  // namespace

AllocaInst* range_of(Function& f) {
  for (Instruction& i : f.getEntryBlock())
    if (auto* a = dyn_cast<AllocaInst>(&i))
      if (auto* type = dyn_cast<StructType>(a->getAllocatedType()); type != nullptr && type->hasName())
        if (type->getName() == kRange) return a;
  return nullptr;
}

bool keep_range_apart(Function& f) {
  if (f.hasFnAttribute(kAsked) || f.hasFnAttribute(Attribute::SanitizeThread)) return false;
  AllocaInst* const range = range_of(f);
  if (range == nullptr) return false;
  f.addFnAttr(kAsked);
  const accesses of(f, range);
  if (of.in_range.empty() || of.elsewhere.empty()) return false;
  MDBuilder b(f.getContext());
  MDNode* const scope = b.createAnonymousAliasScope(b.createAnonymousAliasScopeDomain("simt"), "range");
  MDNode* const only = MDNode::get(f.getContext(), {scope});
  const auto add = [&](ArrayRef<Instruction*> accesses, unsigned kind) {
    for (Instruction* i : accesses) i->setMetadata(kind, MDNode::concatenate(i->getMetadata(kind), only));
  };
  add(of.in_range, LLVMContext::MD_alias_scope);
  add(of.elsewhere, LLVMContext::MD_noalias);
  return true;
}

}  // namespace simt::compile
