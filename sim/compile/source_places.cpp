// SPDX-License-Identifier: Apache-2.0
// A note is an annotation "simt.place.N"; N counts the locations in the module's list !simt.places.
#include "source_places.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/NoFolder.h>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr StringLiteral kList = "simt.places", kNote = "simt.place.";

bool is_access(const Instruction& i) { return isa<LoadInst>(i) || isa<StoreInst>(i); }

bool has_places(const Function& f) {
  return f.hasFnAttribute(Attribute::SanitizeThread) && f.getSubprogram() != nullptr && !f.isDeclaration();
}

bool is_placed(const Instruction& i) { return i.getDebugLoc() && i.getDebugLoc().getLine() != 0; }

const DILocation* noted(const Instruction& i, const NamedMDNode& list) {
  unsigned n = 0;
  if (note_of(i, kNote).getAsInteger(10, n) || n >= list.getNumOperands()) return nullptr;
  return dyn_cast<DILocation>(list.getOperand(n));
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

StringRef note_of(const Instruction& i, StringRef name) {
  const MDNode* const notes = i.getMetadata(LLVMContext::MD_annotation);
  if (notes == nullptr) return {};
  for (const MDOperand& o : notes->operands())
    if (const auto* const text = dyn_cast<MDString>(o.get()); text != nullptr && text->getString().starts_with(name))
      return text->getString().drop_front(name.size());
  return {};
}

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
