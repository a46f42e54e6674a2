// SPDX-License-Identifier: Apache-2.0
#include "fused_rows.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include "blocks_beside.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

bool is_empty(const BasicBlock* bb) { return bb->size() == 1; }

// What a piece keeps for the next one in a place of the stack may be that of its last thread.
bool meet_on_stack(const region& a, const region& b) {
  SmallPtrSet<const Value*, 8> places;
  const auto places_of = [](const region& r, function_ref<void(const Value*)> take) {
    for (const BasicBlock* bb : r.blocks)
      for (const Instruction& i : *bb)
        if (const Value* const at = getLoadStorePointerOperand(&i))
          if (const Value* const object = getUnderlyingObject(at, 0); isa<AllocaInst>(object)) take(object);
  };
  places_of(a, [&](const Value* v) { places.insert(v); });
  bool meet = false;
  places_of(b, [&](const Value* v) { meet |= places.count(v) != 0; });
  return meet;
}

}  // namespace

void fuse_rows(region_map& m, DenseMap<region*, loop_nest>& nests, const kernel_form& k) {
  if (!runs_blocks_beside(k.f)) return;
  DenseMap<const region*, SmallVector<const region*>> fused;  // by the last: all of a row's pieces
  for (const auto& r : m.regions) {
    region* const next = m.of_head.lookup(r->next);
    if (next == nullptr || next == r.get() || k.places.count(r->next) != 0) continue;
    loop_nest &n = nests[r.get()], &other = nests[next];
    SmallVector<const region*>& row = fused[r.get()];
    row.push_back(r.get());
    if (!is_empty(n.after) || !is_empty(other.before) || n.after->getSingleSuccessor() != other.before ||
        other.before->getSinglePredecessor() != n.after ||
        any_of(row, [&](const region* each) { return meet_on_stack(*each, *next); }))
      continue;
    other.index[2]->replaceAllUsesWith(n.index[2]);
    cast<Instruction>(other.index[2])->eraseFromParent();
    other.index[2] = n.index[2];
    n.y_next->getTerminator()->replaceUsesOfWith(n.z_next, other.z);
    other.y_next->getTerminator()->replaceUsesOfWith(other.z_next, n.z_next);
    n.z_next->getTerminator()->replaceUsesOfWith(n.after, other.after);
    for (BasicBlock* gone : {n.after, other.before, other.z_next}) {
      gone->dropAllReferences();
      gone->eraseFromParent();
    }
    other.z_next = n.z_next, n.after = other.after, other.before = n.before;
    fused[next] = row;
  }
}

}  // namespace simt::compile
