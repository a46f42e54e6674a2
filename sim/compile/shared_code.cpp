// SPDX-License-Identifier: Apache-2.0
#include "shared_code.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include "copied_blocks.hpp"
#include "warp_operations.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::size_t kMostSharedCode = 1000;  // instructions, in one kernel

class copier {
 public:
  copier(kernel_form& k, const block_set& blocks, BasicBlock* first) : k_(k), blocks_(blocks), first_(first) {}

  // The ways from `from` lead into a copy from now on.
  void copy_for(const block_set& from) {
    ValueToValueMapTy map;
    const SmallVector<BasicBlock*> copies = copy_blocks(blocks_.getArrayRef(), map, ".own", k_.f);
    auto* const copy_of_first = cast<BasicBlock>(map.lookup(first_));
    keep_ways(*copy_of_first, [&](BasicBlock* p) { return from.count(p) != 0 || is_contained(copies, p); });
    keep_ways(*first_, [&](BasicBlock* p) { return from.count(p) == 0; });
    for (BasicBlock* p : from) p->getTerminator()->replaceUsesOfWith(first_, copy_of_first);
    lead_out(map);
    for (BasicBlock* bb : blocks_)
      for (Instruction& i : *bb) meet_behind(i, *cast<Instruction>(map.lookup(&i)), copies);
  }

 private:
  template <class Keeps>
  static void keep_ways(BasicBlock& bb, Keeps keeps) {
    for (PHINode& phi : bb.phis())
      for (int n = static_cast<int>(phi.getNumIncomingValues()) - 1; n >= 0; --n)
        if (!keeps(phi.getIncomingBlock(n))) phi.removeIncomingValue(n, false);
  }

  // What the copies bring to where they lead.
  void lead_out(ValueToValueMapTy& map) {
    SmallVector<std::pair<BasicBlock*, BasicBlock*>> ways;
    for (BasicBlock* bb : blocks_)
      for (BasicBlock* s : successors(bb))
        if (blocks_.count(s) == 0) ways.emplace_back(bb, s);
    for (const auto& [bb, s] : ways)
      for (PHINode& phi : s->phis()) {
        Value* const v = phi.getIncomingValueForBlock(bb);
        Value* const mine = map.lookup(v);
        phi.addIncoming(mine != nullptr ? mine : v, cast<BasicBlock>(map.lookup(bb)));
      }
  }

  // What is used behind both is either, by the way that a thread has come.
  void meet_behind(Instruction& i, Instruction& copy, ArrayRef<BasicBlock*> copies) {
    SmallVector<Use*> behind;
    for (Use& u : i.uses()) {
      auto* const user = cast<Instruction>(u.getUser());
      auto* const phi = dyn_cast<PHINode>(user);
      BasicBlock* const at = phi != nullptr ? phi->getIncomingBlock(u) : user->getParent();
      if (blocks_.count(at) == 0 && !is_contained(copies, at)) behind.push_back(&u);
    }
    if (behind.empty()) return;
    SSAUpdater updater;
    updater.Initialize(i.getType(), i.getName());
    updater.AddAvailableValue(i.getParent(), &i);
    updater.AddAvailableValue(copy.getParent(), &copy);
    for (Use* u : behind) updater.RewriteUse(*u);
  }

  kernel_form& k_;
  const block_set& blocks_;
  BasicBlock* first_;
};

bool is_waited_in(const kernel_form& k, BasicBlock* bb) {
  return is_contained(k.barriers, bb) || is_contained(k.warp_turns, bb) || any_of(*bb, [](const Instruction& i) {
           auto* const call = dyn_cast<CallInst>(&i);
           return i.isEHPad() || (call != nullptr && (call->isConvergent() || call->cannotDuplicate()));
         });
}

}  // namespace

const char* copy_shared_code(kernel_form& k, const cut_points& c, BasicBlock* head, std::size_t& copied) {
  constexpr const char* kLarge = "code that ways past different barriers share, and that is too large to be copied";
  constexpr const char* kOnce = "code that ways past different barriers share, and that must not be copied";
  const DominatorTree dominators(k.f);
  const LoopInfo loops(dominators);
  block_set blocks;
  blocks.insert(head);
  if (const Loop* l = loops.getLoopFor(head); l != nullptr && l->getHeader() == head)
    blocks.insert(l->block_begin(), l->block_end());
  std::size_t size = 0;
  for (BasicBlock* bb : blocks) {
    if (is_waited_in(k, bb) || (bb != head && c.heads.count(bb) != 0)) return kOnce;
    size += bb->size();
  }
  MapVector<BasicBlock*, block_set> ways;  // by the region that they come from
  for (BasicBlock* p : predecessors(head))
    if (blocks.count(p) == 0) ways[c.owner.lookup(p)].insert(p);
  if (ways.size() < 2) return kOnce;
  if (copied + size * (ways.size() - 1) > kMostSharedCode) return kLarge;
  copied += size * (ways.size() - 1);
  copier made(k, blocks, head);
  for (const auto& [owner, from] : drop_begin(ways)) made.copy_for(from);
  return nullptr;
}

}  // namespace simt::compile
