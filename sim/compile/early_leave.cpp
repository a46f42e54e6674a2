// SPDX-License-Identifier: Apache-2.0
#include "early_leave.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace simt::compile {

using namespace llvm;

namespace {

using block_set = SmallSetVector<BasicBlock*, 16>;

// Where one gets from `from`, itself included, without going through `end`.
block_set reachable(BasicBlock* from, BasicBlock* end) {
  block_set seen;
  SmallVector<BasicBlock*> todo{from};
  while (!todo.empty()) {
    BasicBlock* const bb = todo.pop_back_val();
    if (bb != end && seen.insert(bb)) todo.append(succ_begin(bb), succ_end(bb));
  }
  return seen;
}

// The way out from bb over `out`, as a copy for those who come from bb, where others go it too.
block_set way_of_their_own(kernel_form& k, BasicBlock* bb, BranchInst* branch, unsigned side) {
  block_set way = reachable(branch->getSuccessor(side), k.leave);
  bool shared = false;
  for (BasicBlock* x : way)
    for (BasicBlock* p : predecessors(x)) shared |= p != bb && way.count(p) == 0;
  if (!shared) return way;
  ValueToValueMapTy map;
  SmallVector<BasicBlock*> copies;
  for (BasicBlock* x : way) {
    auto* copy = CloneBasicBlock(x, map, ".left", &k.f);
    map[x] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, map);
  BasicBlock* const out = branch->getSuccessor(side);
  auto* const first = cast<BasicBlock>(map.lookup(out));
  for (BasicBlock* c : copies)
    for (PHINode& phi : make_early_inc_range(c->phis()))
      for (int n = static_cast<int>(phi.getNumIncomingValues()) - 1; n >= 0; --n) {
        BasicBlock* const from = phi.getIncomingBlock(n);
        if (!is_contained(copies, from) && !(c == first && from == bb)) phi.removeIncomingValue(n, false);
      }
  out->removePredecessor(bb, true);
  branch->setSuccessor(side, first);
  return block_set(copies.begin(), copies.end());
}

}  // namespace

std::unique_ptr<guard> leave_early(kernel_form& k, BasicBlock* bb, ArrayRef<BasicBlock*> heads) {
  auto* branch = dyn_cast<BranchInst>(bb->getTerminator());
  if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return nullptr;
  bool waits[2];
  for (const unsigned side : {0u, 1u}) {
    const block_set there = reachable(branch->getSuccessor(side), k.leave);
    if (there.count(bb) != 0) return nullptr;
    waits[side] = any_of(heads, [&](BasicBlock* head) { return there.count(head) != 0; });
  }
  if (waits[0] == waits[1]) return nullptr;
  const unsigned out = waits[0] ? 1 : 0, on = 1 - out;
  auto* const head = BasicBlock::Create(k.f.getContext(), "stay", &k.f, branch->getSuccessor(on));
  if (branch->getSuccessor(out) == k.leave) {
    branch->setSuccessor(out, head);
  } else {
    for (BasicBlock* x : way_of_their_own(k, bb, branch, out)) x->getTerminator()->replaceUsesOfWith(k.leave, head);
  }
  BasicBlock* const onward = branch->getSuccessor(on);
  BranchInst::Create(onward, head);
  onward->replacePhiUsesWith(bb, head);
  branch->setSuccessor(on, head);
  auto g = std::make_unique<guard>();
  g->head = head;
  g->condition = branch->getCondition();
  g->left_if = out == 0;
  return g;
}

}  // namespace simt::compile
