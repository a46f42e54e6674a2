// SPDX-License-Identifier: Apache-2.0
#include "idle_loops.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "engine_calls.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::uint64_t kFarLimit = 1U << 30;  // a limit below, and a step: no number of 32 bits wraps

bool does_nothing(const Loop& l) {
  return all_of(l.blocks(), [&](const BasicBlock* bb) {
    return all_of(*bb, [&](const Instruction& i) {
      return !i.mayHaveSideEffects() && !i.mayReadFromMemory() &&
             all_of(i.users(), [&](const User* u) { return l.contains(cast<Instruction>(u)); });
    });
  });
}

// At least one, and no more than the threads of a block.
bool is_extent(const kernel_form& k, const Value* v) {
  const Value* whole;
  return is_contained(k.extent, v) || (match(v, m_Trunc(m_Value(whole))) && is_contained(k.extent, whole));
}

// for (...; index < limit; index += step): up, to an end.
bool comes_to_its_end(const kernel_form& k, const Loop& l) {
  BasicBlock* const latch = l.getLoopLatch();
  auto* const branch = latch == nullptr ? nullptr : dyn_cast<BranchInst>(latch->getTerminator());
  if (branch == nullptr || !branch->isConditional() || l.getExitingBlock() != latch) return false;
  auto* const asked = dyn_cast<ICmpInst>(branch->getCondition());
  const APInt* limit;
  if (asked == nullptr || !match(asked->getOperand(1), m_APInt(limit))) return false;
  const auto p = l.contains(branch->getSuccessor(0)) ? asked->getPredicate() : asked->getInversePredicate();
  if (p != ICmpInst::ICMP_SLT && p != ICmpInst::ICMP_ULT) return false;
  if (limit->getBitWidth() < 32 || limit->isNegative() || limit->ugt(kFarLimit)) return false;
  Value *index, *step;
  if (!match(asked->getOperand(0), m_Add(m_Value(index), m_Value(step)))) return false;
  if (!is_extent(k, step)) std::swap(index, step);
  auto* const phi = dyn_cast<PHINode>(index);
  return is_extent(k, step) && phi != nullptr && phi->getParent() == l.getHeader() &&
         phi->getIncomingValueForBlock(latch) == asked->getOperand(0);
}

bool drop_one(kernel_form& k) {
  DominatorTree dominators(k.f);
  LoopInfo loops(dominators);
  for (Loop* l : loops) simplifyLoop(l, &dominators, &loops, nullptr, nullptr, nullptr, false);
  for (const Loop* l : loops.getLoopsInPreorder()) {
    BasicBlock *const preheader = l->getLoopPreheader(), *const exit = l->getUniqueExitBlock();
    if (!l->isInnermost() || preheader == nullptr || exit == nullptr || !does_nothing(*l) || !comes_to_its_end(k, *l))
      continue;
    exit->replacePhiUsesWith(l->getLoopLatch(), preheader);
    preheader->getTerminator()->replaceUsesOfWith(l->getHeader(), exit);
    EliminateUnreachableBlocks(k.f);
    MergeBlockIntoPredecessor(exit);
    return true;
  }
  return false;
}

}  // namespace

void drop_idle_loops(kernel_form& k) {
  while (drop_one(k)) {
  }
}

SmallPtrSet<const BasicBlock*, 4> idle_barriers(const kernel_form& k) {
  SmallPtrSet<const BasicBlock*, 4> found;
  const DominatorTree dominators(k.f);
  const LoopInfo loops(dominators);
  for (const Loop* l : loops.getLoopsInPreorder()) {
    const bool does_something = any_of(l->blocks(), [](const BasicBlock* bb) {
      return any_of(*bb, [](const Instruction& i) { return i.mayHaveSideEffects() && !is_any_marker(&i); });
    });
    if (does_something) continue;
    for (const BasicBlock* barrier : k.barriers)
      if (l->contains(barrier)) found.insert(barrier);
  }
  return found;
}

}  // namespace simt::compile
