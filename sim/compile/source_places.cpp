// SPDX-License-Identifier: Apache-2.0
// A note is an annotation "simt.place.N"; N counts the locations in the module's list !simt.places. That of a store
// which is told apart is "simt.apart.A.B": its alignment is 2^A meanwhile, 2^B in truth.
#include "source_places.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/NoFolder.h>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr StringLiteral kList = "simt.places", kNote = "simt.place.", kApart = "simt.apart.";

bool is_access(const Instruction& i) { return isa<LoadInst>(i) || isa<StoreInst>(i); }

bool has_places(const Function& f) {
  return f.hasFnAttribute(Attribute::SanitizeThread) && f.getSubprogram() != nullptr && !f.isDeclaration();
}

bool is_placed(const Instruction& i) { return i.getDebugLoc() && i.getDebugLoc().getLine() != 0; }

// What follows `name` in a note of i's; empty: there is none.
StringRef note_of(const Instruction& i, StringRef name) {
  const MDNode* const notes = i.getMetadata(LLVMContext::MD_annotation);
  if (notes == nullptr) return {};
  for (const MDOperand& o : notes->operands())
    if (const auto* const text = dyn_cast<MDString>(o.get()); text != nullptr && text->getString().starts_with(name))
      return text->getString().drop_front(name.size());
  return {};
}

const DILocation* noted(const Instruction& i, const NamedMDNode& list) {
  unsigned n = 0;
  if (note_of(i, kNote).getAsInteger(10, n) || n >= list.getNumOperands()) return nullptr;
  return dyn_cast<DILocation>(list.getOperand(n));
}

bool goes_on_at_one_place(const BasicBlock& b) {
  const auto* const branch = dyn_cast<BranchInst>(b.getTerminator());
  return branch != nullptr && !branch->isConditional();
}

// A store to memory that others may see.
StoreInst* store_for_others(Instruction& i) {
  auto* const store = dyn_cast<StoreInst>(&i);
  const bool own = store == nullptr || isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
  return own || !store->isSimple() ? nullptr : store;
}

bool is_end_of_store(const Instruction& i) {
  const auto* const call = dyn_cast<IntrinsicInst>(&i);
  return call != nullptr && call->getIntrinsicID() == Intrinsic::sideeffect;
}

// A location in `s` among those that i's was inlined through.
const DILocation* within(const Instruction& i, const DISubprogram* s) {
  const DILocation* at = i.getDebugLoc().get();
  while (at != nullptr && at->getScope()->getSubprogram() != s) at = at->getInlinedAt();
  return at;
}

// How function `s` came to be part of i's function: as for the next instruction of the same block, else for any.
const DILocation* as_inlined(const Instruction& i, const DISubprogram* s) {
  for (const Instruction& near : *i.getParent())
    if (const DILocation* at = within(near, s)) return at;
  for (const Instruction& other : instructions(i.getFunction()))
    if (const DILocation* at = within(other, s)) return at;
  return nullptr;
}

bool restore(Instruction& i, const NamedMDNode& list) {
  const DILocation* const was = noted(i, list);
  if (was == nullptr) return false;
  const DISubprogram* const s = was->getScope()->getSubprogram();
  DILocation* around = nullptr;
  if (s != i.getFunction()->getSubprogram()) {
    const DILocation* const like = as_inlined(i, s);
    if (like == nullptr) return false;
    around = like->getInlinedAt();
  }
  i.setDebugLoc(DILocation::get(i.getContext(), was->getLine(), was->getColumn(), was->getScope(), around));
  return true;
}

}  // namespace

void note_places(Module& m) {
  unsigned next = 0;
  NamedMDNode* list = nullptr;
  for (Function& f : m) {
    if (!has_places(f)) continue;
    for (Instruction& i : instructions(f)) {
      if (!is_access(i) || !is_placed(i) || i.getDebugLoc()->getInlinedAt() != nullptr) continue;
      if (list == nullptr) list = m.getOrInsertNamedMetadata(kList);
      list->addOperand(i.getDebugLoc().get());
      i.addAnnotationMetadata((kNote + Twine(next++)).str());
    }
  }
}

bool restore_places(Module& m) {
  const NamedMDNode* const list = m.getNamedMetadata(kList);
  if (list == nullptr) return false;
  bool changed = false;
  for (Function& f : m) {
    if (f.isDeclaration() || f.getSubprogram() == nullptr) continue;
    for (Instruction& i : instructions(f))
      if (is_access(i) && !is_placed(i)) changed |= restore(i, *list);
  }
  return changed;
}

void choose_stores_apart(Module& m) {
  unsigned next = 0;
  for (Function& f : m) {
    if (!has_places(f)) continue;
    for (Instruction& i : instructions(f)) {
      StoreInst* const store = store_for_others(i);
      if (store == nullptr || !goes_on_at_one_place(*i.getParent())) continue;
      const unsigned truly = Log2(store->getAlign());
      const TypeSize size = m.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
      if (truly == 0 && size != TypeSize::getFixed(1)) continue;
      // A byte has no smaller alignment, and may have any: no instruction needs it.
      const unsigned meanwhile = truly != 0 ? next % (truly + 1) : next % 4;
      ++next;
      store->addAnnotationMetadata((kApart + Twine(meanwhile) + "." + Twine(truly)).str());
    }
    tell_stores_apart(f);
  }
}

void tell_stores_apart(Function& f) {
  unsigned meanwhile = 0;
  for (Instruction& i : instructions(f))
    if (auto* const store = dyn_cast<StoreInst>(&i))
      if (!note_of(i, kApart).split('.').first.getAsInteger(10, meanwhile))
        store->setAlignment(Align(1ULL << meanwhile));
}

void end_stores_apart(Function& f) {
  tell_stores_apart(f);
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (isa<StoreInst>(i) && !note_of(i, kApart).empty())
      IRBuilder<>(i.getNextNode()).CreateIntrinsic(Intrinsic::sideeffect, {}, {});
}

void align_stores_truly(Module& m) {
  for (Function& f : m)
    for (Instruction& i : make_early_inc_range(instructions(f)))
      if (is_end_of_store(i)) i.eraseFromParent();
  unsigned truly = 0;
  for (Function& f : m)
    for (Instruction& i : instructions(f))
      if (auto* const store = dyn_cast<StoreInst>(&i))
        if (!note_of(i, kApart).split('.').second.getAsInteger(10, truly)) store->setAlignment(Align(1ULL << truly));
}

void keep_reads_in_place(Module& m) {
  IRBuilder<NoFolder> b(m.getContext());
  for (Function& f : m) {
    if (!has_places(f)) continue;
    for (BasicBlock& bb : f) {
      DenseMap<const Value*, const StoreInst*> behind;
      for (Instruction& i : reverse(bb)) {
        if (const auto* const store = dyn_cast<StoreInst>(&i)) behind[store->getPointerOperand()] = store;
        if (isa<CallBase>(i) && !isa<DbgInfoIntrinsic>(i)) behind.clear();
        auto* const load = dyn_cast<LoadInst>(&i);
        if (load == nullptr) continue;
        const auto store = behind.find(load->getPointerOperand());
        if (store == behind.end() || !is_placed(*load) || !is_placed(*store->second)) continue;
        if (load->getDebugLoc().getLine() == store->second->getDebugLoc().getLine()) continue;
        b.SetInsertPoint(load);
        load->setOperand(0, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), load->getPointerOperand(), 0));
      }
    }
  }
}

void forget_places(Module& m) {
  NamedMDNode* const list = m.getNamedMetadata(kList);
  if (list == nullptr) return;
  for (Function& f : m)
    for (Instruction& i : instructions(f))
      if (noted(i, *list) != nullptr) i.setMetadata(LLVMContext::MD_annotation, nullptr);
  m.eraseNamedMetadata(list);
}

}  // namespace simt::compile
