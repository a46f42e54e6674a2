// SPDX-License-Identifier: Apache-2.0
#include "cut_points.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/IR/CFG.h>

namespace simt::compile {

using namespace llvm;

namespace {

// The head of the region that each block belongs to. Adds heads where ways from two regions meet; false if it did.
bool find_owners(const kernel_form& k, cut_points& c) {
  c.owner.clear();
  bool settled = true;
  ReversePostOrderTraversal<Function*> order(&k.f);
  for (BasicBlock* bb : order) {
    if (bb == k.entry || bb == k.leave) continue;
    if (c.heads.count(bb) != 0) {
      c.owner[bb] = bb;
      continue;
    }
    BasicBlock* owner = nullptr;
    for (BasicBlock* p : predecessors(bb)) {
      const auto known = c.owner.find(p);
      if (known == c.owner.end()) continue;  // comes later: a way back within the same region, or found next time
      if (owner == nullptr) owner = known->second;
      if (owner != known->second) {
        settled = !c.heads.insert(bb) && settled;
        owner = bb;
        break;
      }
    }
    c.owner[bb] = owner;
  }
  for (BasicBlock* bb : order) {  // ways back from another region
    if (bb == k.entry || bb == k.leave || c.heads.count(bb) != 0) continue;
    for (BasicBlock* p : predecessors(bb))
      if (c.owner.lookup(p) != c.owner.lookup(bb)) settled = !c.heads.insert(bb) && settled;
  }
  return settled;
}

SmallVector<BasicBlock*> blocks_that_decide(const kernel_form& k, ArrayRef<BasicBlock*> heads) {
  PostDominatorTree post_dominators(k.f);
  ReverseIDFCalculator frontier(post_dominators);
  const SmallPtrSet<BasicBlock*, 16> defined(heads.begin(), heads.end());
  frontier.setDefiningBlocks(defined);
  SmallVector<BasicBlock*> deciding;
  frontier.calculate(deciding);
  return deciding;
}

void begin(const kernel_form& k, cut_points& c, ArrayRef<BasicBlock*> more) {
  c = cut_points();
  c.heads.insert(k.entry->getSingleSuccessor());
  for (BasicBlock* bb : k.barriers) c.heads.insert(bb);
  for (BasicBlock* bb : more) c.heads.insert(bb);
}

void find_deciding(const kernel_form& k, cut_points& c) {
  const SmallVector<BasicBlock*> deciding = blocks_that_decide(k, c.heads.getArrayRef());
  c.deciding = block_set(deciding.begin(), deciding.end());
}

// With what there is, more heads: where those lead that decide, and where ways meet. False if there are any.
bool add_heads(const kernel_form& k, cut_points& c) {
  bool settled = true;
  for (BasicBlock* bb : c.deciding)
    for (BasicBlock* s : successors(bb))
      if (s != k.leave && c.heads.insert(s)) settled = false;
  return find_owners(k, c) && settled;
}

}  // namespace

bool find_cut_points(const kernel_form& k, cut_points& c, ArrayRef<BasicBlock*> more) {
  begin(k, c, more);
  for (int round = 0; round < kMostRounds; ++round) {
    find_deciding(k, c);
    if (add_heads(k, c)) return true;
  }
  return false;
}

divergence find_divergence(const kernel_form& k, cut_points& c, ArrayRef<BasicBlock*> more,
                           function_ref<bool(const BasicBlock*)> decides_alike) {
  begin(k, c, more);
  const block_set needed = c.heads;
  ReversePostOrderTraversal<Function*> order(&k.f);
  for (int round = 0; round < kMostRounds; ++round) {
    find_deciding(k, c);
    for (BasicBlock* bb : order) {
      if (c.deciding.count(bb) == 0 || decides_alike(bb)) continue;
      divergence found{bb, {}};
      if (is_contained(blocks_that_decide(k, needed.getArrayRef()), bb)) return found;
      for (BasicBlock* head : order)
        if (c.heads.count(head) != 0 && needed.count(head) == 0 && is_contained(blocks_that_decide(k, {head}), bb))
          found.shared.push_back(head);
      return found;
    }
    if (add_heads(k, c)) break;
  }
  return {};
}

}  // namespace simt::compile
