// SPDX-License-Identifier: Apache-2.0
#include "merged_guards.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <optional>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::size_t kMostMoved = 16;  // instructions of a block that those compute, too, who would pass by

struct two_guards {
  BranchInst *outer, *inner;
  BasicBlock *loop, *join;              // where they lead: to the loop's preheader, or past it
  BasicBlock *past_outer, *past_inner;  // by way of these, or from the guards themselves
  bool outer_enters_if, inner_enters_if;
};

// Everybody may run through bb.
bool can_be_made_ahead(const BasicBlock& bb) {
  std::size_t count = 0;
  for (const Instruction& i : bb) {
    if (i.isTerminator()) return true;
    if (++count > kMostMoved || isa<PHINode>(i) || i.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&i))
      return false;
  }
  return true;
}
void move_ahead(BasicBlock& bb, Instruction& before) {
  for (Instruction& i : make_early_inc_range(bb)) {
    if (i.isTerminator()) break;
    i.dropUnknownNonDebugMetadata();
    i.moveBefore(&before);
  }
}
BranchInst* condition_of(BasicBlock* bb) {
  auto* const branch = bb == nullptr ? nullptr : dyn_cast<BranchInst>(bb->getTerminator());
  return branch != nullptr && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) ? branch
                                                                                                            : nullptr;
}
// Where a way leads that goes through one block in which nothing happens.
BasicBlock* behind(BasicBlock* bb) {
  return bb->getSinglePredecessor() != nullptr && can_be_made_ahead(*bb) ? bb->getSingleSuccessor() : nullptr;
}

std::optional<two_guards> guards_of(const Loop& l, const kernel_form& k, const dependence& varying) {
  two_guards g{};
  g.loop = l.getLoopPreheader();
  BasicBlock* const inner = g.loop == nullptr ? nullptr : g.loop->getSinglePredecessor();
  BasicBlock* const outer = inner == nullptr ? nullptr : inner->getSinglePredecessor();
  g.inner = condition_of(inner), g.outer = condition_of(outer);
  if (g.inner == nullptr || g.outer == nullptr || outer == k.entry) return {};
  if (varying.decides_alike(inner) || varying.decides_alike(outer) || !can_be_made_ahead(*inner)) return {};
  g.inner_enters_if = g.inner->getSuccessor(0) == g.loop;
  g.outer_enters_if = g.outer->getSuccessor(0) == inner;
  BasicBlock* const inner_past = g.inner->getSuccessor(g.inner_enters_if ? 1 : 0);
  BasicBlock* const outer_past = g.outer->getSuccessor(g.outer_enters_if ? 1 : 0);
  for (BasicBlock* p : {inner_past, behind(inner_past)})
    for (BasicBlock* q : {outer_past, behind(outer_past)}) {
      if (p == nullptr || p != q) continue;
      g.join = p;
      g.past_inner = p == inner_past ? inner : inner_past;
      g.past_outer = q == outer_past ? outer : outer_past;
      return g;
    }
  return {};
}

void merge(const two_guards& g) {
  BasicBlock *const inner = g.inner->getParent(), *const outer = g.outer->getParent();
  SmallVector<BasicBlock*> gone{inner};
  for (BasicBlock* past : {g.past_inner, g.past_outer})
    if (past != inner && past != outer) gone.push_back(past);
  for (BasicBlock* bb : gone) move_ahead(*bb, *g.outer);
  IRBuilder<> b(g.outer);
  Value *const a = g.outer->getCondition(), *const c = g.inner->getCondition();
  Value* const comes = g.outer_enters_if ? a : b.CreateNot(a);
  Value* const both = b.CreateLogicalAnd(comes, g.inner_enters_if ? c : b.CreateNot(c));
  for (PHINode& phi : g.join->phis()) {
    Value *const by_inner = phi.getIncomingValueForBlock(g.past_inner), *const by_outer =
                                                                            phi.getIncomingValueForBlock(g.past_outer);
    phi.removeIncomingValue(g.past_inner, false);
    const int at = phi.getBasicBlockIndex(g.past_outer);
    phi.setIncomingBlock(static_cast<unsigned>(at), outer);
    if (by_inner != by_outer)
      phi.setIncomingValue(static_cast<unsigned>(at), b.CreateSelect(comes, by_inner, by_outer));
  }
  for (PHINode& phi : g.loop->phis()) phi.replaceIncomingBlockWith(inner, outer);
  b.CreateCondBr(both, g.loop, g.join);
  g.outer->eraseFromParent();
  for (BasicBlock* bb : gone) bb->dropAllReferences();
  for (BasicBlock* bb : gone) bb->eraseFromParent();
}

// Who does not enter a loop passes through bb. What is left of it is the same for all, or can be computed in front of
// the question.
bool is_way_past_loop(const BasicBlock& bb, const kernel_form& k, const LoopInfo& loops) {
  auto* const jump = dyn_cast<BranchInst>(bb.getTerminator());
  if (jump == nullptr || jump->isConditional() || &bb == k.entry || is_contained(k.barriers, &bb)) return false;
  if (any_of(k.warp_operations, [&](const warp_operation& o) { return o.behind == &bb; })) return false;
  const BasicBlock* const from = bb.getSinglePredecessor();
  if (from == nullptr || from == k.entry || jump->getSuccessor(0) == k.leave || loops.getLoopFor(&bb) != nullptr ||
      loops.getLoopFor(from) != nullptr || loops.getLoopFor(jump->getSuccessor(0)) != nullptr)
    return false;
  return &bb.front() == jump || (can_be_made_ahead(bb) && any_of(successors(from), [&](const BasicBlock* other) {
                                   const BasicBlock* const entered = other->getSingleSuccessor();
                                   return entered != nullptr && loops.isLoopHeader(entered);
                                 }));
}
void drop_ways_past_loops(kernel_form& k) {
  DominatorTree dominators(k.f);
  const LoopInfo loops(dominators);
  for (BasicBlock& bb : make_early_inc_range(k.f))
    if (is_way_past_loop(bb, k, loops)) {
      move_ahead(bb, *bb.getSinglePredecessor()->getTerminator());
      TryToSimplifyUncondBranchFromEmptyBlock(&bb);
    }
}

}  // namespace

void merge_guards(kernel_form& k) {
  drop_ways_past_loops(k);
  for (bool merged = true; merged;) {
    merged = false;
    DominatorTree dominators(k.f);
    LoopInfo loops(dominators);
    for (Loop* l : loops) simplifyLoop(l, &dominators, &loops, nullptr, nullptr, nullptr, false);
    const auto varying = find_varying(k);
    for (const Loop* l : loops.getLoopsInPreorder()) {
      const auto g = guards_of(*l, k, *varying);
      if (!g) continue;
      merge(*g);
      merged = true;
      break;
    }
  }
}

}  // namespace simt::compile
