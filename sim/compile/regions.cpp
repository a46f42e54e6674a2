// SPDX-License-Identifier: Apache-2.0
#include "regions.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "cut_points.hpp"
#include "early_leave.hpp"
#include "lane_dependence.hpp"
#include "engine_calls.hpp"
#include "shared_code.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// Where regions begin within groups, but for blocks that shuffles stand in.
SmallVector<BasicBlock*> heads_within_groups(const kernel_form& k) {
  SmallVector<BasicBlock*> heads(k.warp_turns);
  for (const warp_operation& o : k.warp_operations) heads.push_back(o.behind);
  return heads;
}

// Heads from which one comes to a barrier. The others are ways out, or what follows the last barrier.
SmallVector<BasicBlock*> heads_before_barriers(const kernel_form& k, const cut_points& c) {
  block_set waiting;
  SmallVector<BasicBlock*> todo(k.barriers.begin(), k.barriers.end());
  todo.append(heads_within_groups(k));
  while (!todo.empty()) {
    BasicBlock* const bb = todo.pop_back_val();
    if (waiting.insert(bb)) todo.append(pred_begin(bb), pred_end(bb));
  }
  SmallVector<BasicBlock*> found;
  for (BasicBlock* head : c.heads)
    if (waiting.count(head) != 0) found.push_back(head);
  return found;
}

constexpr const char* kDivergentBarrier = "a barrier under a condition that differs between threads";
constexpr const char* kDivergentOperation = "an operation of a warp under a condition that differs between its lanes";

// The branch itself has often no line any more: what it branches by has, or what is around.
refusal refuse_condition(const BasicBlock& bb, const char* what = kDivergentBarrier) {
  const Instruction* at = bb.getTerminator();
  if (!at->getDebugLoc() && at->getNumOperands() > 0)
    if (auto* condition = dyn_cast<Instruction>(at->getOperand(0)); condition != nullptr && condition->getDebugLoc())
      at = condition;
  for (const Instruction& i : bb)
    if (!at->getDebugLoc() && i.getDebugLoc()) at = &i;
  return refuse(what, at);
}

// Lets the threads that leave at bb come to a guard, if that is what the branch is about.
bool let_leave(kernel_form& k, region_map& out, BasicBlock* bb, ArrayRef<BasicBlock*> heads) {
  auto g = leave_early(k, bb, heads);
  if (g == nullptr) return false;
  k.barriers.push_back(g->head);
  out.guards.push_back(std::move(g));
  return true;
}

// Looks after branches that decide over a head, and do not decide alike.
class divergent_branches {
 public:
  divergent_branches(kernel_form& k, region_map& out, const char* what) : k_(k), out_(out), what_(what) {}

  // `more` are heads beside the barriers. True: something has changed, and all is to be looked at again. Else there is
  // no such branch, or `no` says why it cannot be.
  bool settle(const cut_points& c, ArrayRef<BasicBlock*> more, function_ref<bool(const BasicBlock*)> decides_alike,
              maybe_refused& no) {
    SmallVector<BasicBlock*> divergent;
    ReversePostOrderTraversal<Function*> order(&k_.f);
    for (BasicBlock* bb : order)
      if (c.deciding.count(bb) != 0 && !decides_alike(bb)) divergent.push_back(bb);
    if (divergent.empty()) return false;
    const auto one_leaves = [&](ArrayRef<BasicBlock*> heads) {
      return any_of(divergent, [&](BasicBlock* bb) { return let_leave(k_, out_, bb, heads); });
    };
    SmallVector<BasicBlock*> waits(
        k_.barriers);  // where those go on who stay; other heads may be there for this branch
    waits.append(heads_within_groups(k_));
    waits.append(more.begin(), more.end());
    if (one_leaves(waits) || one_leaves(heads_before_barriers(k_, c))) return true;
    cut_points found;
    const divergence first = find_divergence(k_, found, more, decides_alike);
    const char* why_shared = nullptr;  // of the first
    for (BasicBlock* head : first.shared) {
      const char* const why_not = copy_shared_code(k_, found, head, copied_);
      if (why_not == nullptr) return true;
      if (why_shared == nullptr) why_shared = why_not;
    }
    if (one_leaves(c.heads.getArrayRef())) return true;
    const bool shared = !first.shared.empty();
    const BasicBlock* const at = shared ? first.shared.front() : first.deciding;
    no = refuse_condition(at != nullptr ? *at : *divergent.front(), shared ? why_shared : what_);
    return false;
  }

 private:
  kernel_form& k_;
  region_map& out_;
  const char* what_;
  std::size_t copied_ = 0;
};

// Both kinds of cut points: c, what lies between barriers, and within, what lies between operations of warps, too.
struct all_cut_points {
  cut_points between_barriers, all;
};

// Brings what is to become a group into its form: one block in which it ends, and where threads may have left, one in
// which nothing is done at its beginning. True if anything changed.
bool form_groups(kernel_form& k, const region_map& out, const cut_points& c, block_set& first_blocks,
                 maybe_refused& no) {
  block_set groups;  // by their heads
  for (BasicBlock* inner : heads_within_groups(k)) groups.insert(c.owner.lookup(inner));
  for (BasicBlock* head : groups) {
    block_set from;
    BasicBlock* to = nullptr;
    for (BasicBlock& bb : k.f) {
      if (c.owner.lookup(&bb) != head || c.deciding.count(&bb) != 0) continue;
      for (BasicBlock* s : successors(&bb)) {
        if (s != head && c.owner.lookup(s) == head) continue;
        if (to != nullptr && to != s) {
          no = refuse("a piece between barriers with two ways out", bb.getTerminator());
          return false;
        }
        to = s;
        from.insert(&bb);
      }
    }
    const bool one = from.size() == 1 && from.front()->getSingleSuccessor() != nullptr;
    if (to != nullptr && !one) {
      SplitBlockPredecessors(to, from.getArrayRef(), ".out");
      return true;
    }
    auto* const jump = dyn_cast<BranchInst>(head->getFirstNonPHI());
    if (!out.guards.empty() && first_blocks.count(head) == 0 && (jump == nullptr || jump->isConditional())) {
      SplitBlock(head, head->getFirstNonPHI());
      first_blocks.insert(head);
      return true;
    }
    if (!out.guards.empty()) first_blocks.insert(head);
  }
  return false;
}

// Where regions begin within groups. Empty: something changed, and all is to be looked at again.
maybe_refused settle_groups(kernel_form& k, const region_map& out, all_cut_points& c, block_set& first_blocks,
                            divergent_branches& divergent, bool& changed) {
  maybe_refused no;
  changed = form_groups(k, out, c.between_barriers, first_blocks, no);
  if (no || changed) return no;
  SmallVector<BasicBlock*> more = heads_within_groups(k);
  for (const warp_operation& o : k.warp_operations)
    if (o.shuffles) more.push_back(o.call->getParent());
  for (BasicBlock* head : first_blocks)
    if (c.between_barriers.heads.count(head) != 0)
      if (BasicBlock* rest = head->getSingleSuccessor(); c.between_barriers.owner.lookup(rest) == head)
        more.push_back(rest);
  if (!find_cut_points(k, c.all, more)) return refuse("control flow around operations of warps that does not settle");
  const lane_dependence lanes(k);
  const auto decides_alike = [&](const BasicBlock* bb) {
    return c.between_barriers.deciding.count(const_cast<BasicBlock*>(bb)) != 0 || lanes.decides_alike(bb);
  };
  changed = divergent.settle(c.all, more, decides_alike, no);
  return no;
}

maybe_refused settle_cut_points(kernel_form& k, region_map& out, all_cut_points& both) {
  cut_points& c = both.between_barriers;
  block_set first_blocks;
  divergent_branches of_block(k, out, kDivergentBarrier), of_lanes(k, out, kDivergentOperation);
  for (int round = 0; round < kMostRounds; ++round) {
    if (!find_cut_points(k, c)) return refuse("control flow around barriers that does not settle");
    const auto varying = find_varying(k);
    maybe_refused no;
    if (of_block.settle(
            c, {}, [&](const BasicBlock* bb) { return varying->decides_alike(bb); }, no))
      continue;
    if (no) return no;
    if (k.warp_operations.empty()) {
      both.all = c;
      return {};
    }
    bool changed = false;
    no = settle_groups(k, out, both, first_blocks, of_lanes, changed);
    if (no || !changed) return no;
  }
  return refuse("too many places where threads leave the kernel");
}

// The only edge out of r, from a block that ends in a jump.
maybe_refused find_exit(const region_map& m, region& r) {
  block_set from;
  for (BasicBlock* bb : r.blocks)
    for (BasicBlock* s : successors(bb)) {
      if (s != r.head && r.blocks.count(s) != 0) continue;
      if (r.next != nullptr && r.next != s)
        return refuse("a piece between barriers with two ways out", bb->getTerminator());
      r.next = s;
      from.insert(bb);
    }
  if (r.next == nullptr) return refuse("a piece between barriers without an end", r.head->getTerminator());
  (void)m;
  auto* jump = dyn_cast<BranchInst>(from.front()->getTerminator());
  if (from.size() == 1 && jump != nullptr && jump->isUnconditional()) {
    r.last = from.front();
  } else {
    r.last = SplitBlockPredecessors(r.next, from.getArrayRef(), ".out");
    r.blocks.insert(r.last);
  }
  return {};
}

maybe_refused find_guards(const kernel_form& k, region_map& m) {
  DominatorTree dominators(k.f);
  for (const auto& g : m.guards) {
    SmallPtrSet<BasicBlock*, 16> behind;
    SmallVector<BasicBlock*> todo{g->head};
    while (!todo.empty()) {
      BasicBlock* const bb = todo.pop_back_val();
      if (behind.insert(bb).second) todo.append(succ_begin(bb), succ_end(bb));
    }
    for (const auto& r : m.regions) {
      if (dominators.dominates(g->head, r->head))
        r->guards.push_back(g.get());
      else if (behind.count(r->head) != 0)
        return refuse("threads that leave on one way to a barrier only", g->head->getTerminator());
    }
  }
  return {};
}

}  // namespace

namespace {
// Groups: regions of which the head's owner between barriers is one that has operations of warps.
maybe_refused find_groups(const kernel_form& k, const all_cut_points& both, region_map& out) {
  DenseMap<BasicBlock*, group*> of_first;
  for (BasicBlock* inner : heads_within_groups(k)) {
    BasicBlock* const head = both.between_barriers.owner.lookup(inner);
    if (of_first.count(head) != 0) continue;
    out.groups.push_back(std::make_unique<group>());
    out.groups.back()->first = out.of_head.lookup(head);
    of_first[head] = out.groups.back().get();
  }
  for (const auto& r : out.regions) r->in = of_first.lookup(both.between_barriers.owner.lookup(r->head));
  for (const auto& r : out.regions) {
    if (r->in == nullptr) continue;
    const bool leaves = out.is_tail(r->next) ? out.warp_tails.count(r->next) == 0
                                             : r->next == k.leave || both.between_barriers.heads.count(r->next) != 0;
    if (!leaves) continue;
    if (r->in->last != nullptr)
      return refuse("operations of warps between which threads go two ways", r->last->getTerminator());
    r->in->last = r.get();
  }
  for (const auto& g : out.groups)
    if (g->last == nullptr) return refuse("operations of warps that come to no end", g->first->last->getTerminator());
  for (BasicBlock* tail : out.warp_tails) {
    group* const mine = out.before_tail.lookup(tail)->in;
    if (mine == nullptr) return refuse("a condition of a warp outside of its operations", tail->getTerminator());
    for (BasicBlock* s : successors(tail))
      if (region* to = out.of_head.lookup(s); to == nullptr || to->in != mine || to == mine->first)
        return refuse("a condition of a warp that leads out of its operations", tail->getTerminator());
  }
  return {};
}
}  // namespace

namespace {
void find_alike_in_warp(const kernel_form& k, const lane_dependence& lanes, region_map& out) {
  for (const Instruction& i : instructions(k.f)) {
    if (!out.varying->has(&i)) continue;
    if (lanes.is_alike(&i)) out.alike_in_warp.insert(&i);
    if (lanes.is_lane(&i)) out.lane_numbers.insert(&i);
  }
}

// The region in front of a barrier is what waits there (cut.cpp). So one has to be: between a branch that leads to the
// barrier, after what was in between has become empty and gone, and the barrier.
void keep_places_to_wait(kernel_form& k) {
  for (BasicBlock* head : k.barriers) {
    if (k.places.count(head) == 0) continue;
    const SmallSetVector<BasicBlock*, 4> from(pred_begin(head), pred_end(head));
    for (BasicBlock* p : from)
      if (p->getSingleSuccessor() == nullptr) SplitBlockPredecessors(head, {p}, ".waits");
  }
}
}  // namespace

maybe_refused cut_into_regions(kernel_form& k, region_map& out) {
  keep_places_to_wait(k);
  all_cut_points both;
  if (maybe_refused no = refuse_partial_warps(k)) return no;
  if (maybe_refused no = settle_cut_points(k, out, both)) return no;
  const cut_points& c = both.all;
  ReversePostOrderTraversal<Function*> order(&k.f);
  for (BasicBlock* bb : order) {
    if (c.heads.count(bb) == 0) continue;
    out.regions.push_back(std::make_unique<region>());
    out.regions.back()->head = bb;
    out.of_head[bb] = out.regions.back().get();
  }
  for (BasicBlock* bb : order) {
    if (bb == k.entry || bb == k.leave) continue;
    out.of_head[c.owner.lookup(bb)]->blocks.insert(bb);
  }
  for (BasicBlock* bb : c.deciding) {
    BasicBlock* const tail = SplitBlock(bb, bb->getTerminator());
    out.before_tail[tail] = out.of_head[c.owner.lookup(bb)];
    if (both.between_barriers.deciding.count(bb) == 0) out.warp_tails.insert(tail);
  }
  for (const auto& r : out.regions)
    if (maybe_refused no = find_exit(out, *r)) return no;
  for (const auto& r : out.regions)
    for (BasicBlock* bb : r->blocks) out.of_block[bb] = r.get();
  if (maybe_refused no = find_groups(k, both, out)) return no;
  out.varying = find_varying(k);
  if (!is_watched(k.f)) out.varying_in_row = find_varying_in_row(k, out);
  const std::unique_ptr<lane_dependence> lanes =
      out.warp_tails.empty() ? nullptr : std::make_unique<lane_dependence>(k);
  for (const auto& [tail, r] : out.before_tail) {
    const bool of_warp = out.warp_tails.count(tail) != 0;
    if (of_warp ? !lanes->decides_alike(tail) : !out.varying->decides_alike(tail))
      return refuse_condition(*tail, of_warp ? kDivergentOperation : kDivergentBarrier);
  }
  if (!out.groups.empty()) {
    const lane_dependence of_lanes(k);
    for (const auto& g : out.guards) g->by_whole_warps = of_lanes.is_alike(g->condition);
    if (!is_watched(k.f)) find_alike_in_warp(k, of_lanes, out);
  }
  return find_guards(k, out);
}

}  // namespace simt::compile
