// SPDX-License-Identifier: Apache-2.0
// Which stores are kept separate is noted in an annotation "simt.apart.A.B": the store's alignment is 2^A meanwhile,
// 2^B in truth.
#include "separate_accesses.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "loop_bodies.hpp"
#include "source_places.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr StringLiteral kApart = "simt.apart.";

bool is_simplified_watched(const Function& f) { return is_watched(f) && !f.isDeclaration() && !f.hasOptNone(); }

// Variables of the function itself are to become registers, and a kernel's parameters to be seen where they are used.
bool is_own(const Value* object) {
  if (isa<AllocaInst>(object)) return true;
  auto* const parameter = dyn_cast<Argument>(object);
  return parameter != nullptr && is_marked_source(*parameter->getParent());
}

// Only the end of a block that goes on at one place can meet another one's.
bool goes_on_at_one_place(const BasicBlock& b) {
  const auto* const branch = dyn_cast<BranchInst>(b.getTerminator());
  return branch != nullptr && !branch->isConditional();
}

bool is_end_of_store(const Instruction& i) {
  const auto* const call = dyn_cast<IntrinsicInst>(&i);
  return call != nullptr && call->getIntrinsicID() == Intrinsic::sideeffect;
}

// Sets the alignment that its note has for now, or in truth.
void align(StoreInst& store, bool truly) {
  const auto [meanwhile, in_truth] = note_of(store, kApart).split('.');
  unsigned power = 0;
  if (!(truly ? in_truth : meanwhile).getAsInteger(10, power)) store.setAlignment(Align(1ULL << power));
}

}  // namespace

bool keep_loads_separate(Module& m) {
  bool changed = false;
  for (Function& f : m) {
    if (!is_simplified_watched(f)) continue;
    for (Instruction& i : make_early_inc_range(instructions(f))) {
      auto* const load = dyn_cast<LoadInst>(&i);
      if (load == nullptr || is_own(getUnderlyingObject(load->getPointerOperand()))) continue;
      Value* const kept = IRBuilder<>(load->getNextNode()).CreateFreeze(load);
      load->replaceUsesWithIf(kept, [&](const Use& u) { return u.getUser() != kept; });
      changed = true;
    }
  }
  return changed;
}

void let_loads_join(Function& f) {
  for (Instruction& i : make_early_inc_range(instructions(f))) {
    if (!isa<FreezeInst>(i) || !isa<LoadInst>(i.getOperand(0))) continue;
    i.replaceAllUsesWith(i.getOperand(0));
    i.eraseFromParent();
  }
}

void keep_stores_separate(Module& m) {
  unsigned next = 0;
  for (Function& f : m) {
    if (!is_simplified_watched(f)) continue;
    for (Instruction& i : instructions(f)) {
      auto* const store = dyn_cast<StoreInst>(&i);
      if (store == nullptr || !store->isSimple() || !goes_on_at_one_place(*i.getParent())) continue;
      if (isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()))) continue;
      const unsigned truly = Log2(store->getAlign());
      const TypeSize size = m.getDataLayout().getTypeStoreSize(store->getValueOperand()->getType());
      if (truly == 0 && size != TypeSize::getFixed(1)) continue;
      // A byte has no smaller alignment, and may have any: no instruction needs it.
      const unsigned meanwhile = truly != 0 ? next % (truly + 1) : next % 4;
      ++next;
      store->addAnnotationMetadata((kApart + Twine(meanwhile) + "." + Twine(truly)).str());
    }
    separate_stores(f);
  }
}

void separate_stores(Function& f) {
  for (Instruction& i : instructions(f))
    if (auto* const store = dyn_cast<StoreInst>(&i)) align(*store, false);
}

void separate_stores_at_end(Function& f) {
  separate_stores(f);
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (isa<StoreInst>(i) && !note_of(i, kApart).empty())
      IRBuilder<>(i.getNextNode()).CreateIntrinsic(Intrinsic::sideeffect, {}, {});
}

void let_stores_join(Module& m) {
  for (Function& f : m)
    for (Instruction& i : make_early_inc_range(instructions(f)))
      if (auto* const store = dyn_cast<StoreInst>(&i))
        align(*store, true);
      else if (is_end_of_store(i))
        i.eraseFromParent();
}

}  // namespace simt::compile
