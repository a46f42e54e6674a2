// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "dependence.hpp"
#include "ends_by_itself.hpp"
#include "engine_calls.hpp"
#include "markers.hpp"
#include "settled_shared.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

std::string plain_name(const Function& f) {
  const std::string whole = demangle(f.getName().str());
  return whole.substr(0, whole.find('('));
}

// As the user wrote it: what our headers call is not the user's word.
std::string name_of_call(const CallBase& call, const Function& callee) {
  const std::string name = plain_name(callee);
  if (name == "simt_cuda::assert_failed") return "assert";
  bool is_ours = false;
  for (const std::string_view prefix : {"__tsan_", "simt::", "simt_cuda::"})
    is_ours = is_ours || std::string_view(name).substr(0, prefix.size()) == prefix;
  const std::string called = is_ours ? call_of_user(call) : std::string();
  return called.empty() ? name : called;
}

maybe_refused refuse_call(CallBase& call) {
  if (is_any_marker(&call) || is_block_marker(call)) return {};
  if (call.isInlineAsm()) return refuse("inline assembly", &call);
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr) return refuse("a call through a pointer, which may wait", &call);
  if (callee->isIntrinsic()) {
    switch (callee->getIntrinsicID()) {
      case Intrinsic::stacksave:
      case Intrinsic::stackrestore:
      case Intrinsic::vastart:
      case Intrinsic::readcyclecounter:
      case Intrinsic::eh_typeid_for:
      case Intrinsic::trap:  // which would name no thread
      case Intrinsic::debugtrap:
        return refuse("a use of " + callee->getName().str(), &call);
      default:
        return {};
    }
  }
  switch (engine_call_of(*callee)) {
    case engine_call::report:
    case engine_call::atomic:
      return {};
    case engine_call::waits:
      return refuse_call_that_waits(call);
    default:
      break;
  }
  if (is_math(*callee) || is_output(*callee)) return {};
  if (is_cold_report(*callee)) return {};  // prepare.cpp has left those alone that wait nowhere
  if (callee->getName().substr(0, 6) == "__cxa_") return refuse("an exception", &call);
  const bool pure = call.doesNotThrow() && (call.onlyReadsMemory() || call.onlyAccessesArgMemory());
  return pure ? maybe_refused{} : refuse("a call of " + name_of_call(call, *callee) + ", which may wait", &call);
}

// v is what the loop l reads, or has read in its last turn: by `swap` itself or by a load.
bool was_read_in(const Value* v, const Loop& l, const AtomicCmpXchgInst& swap, int depth = 0) {
  auto* i = dyn_cast<Instruction>(v);
  if (i == nullptr || !l.contains(i) || depth > 6) return false;
  if (isa<LoadInst>(i)) return true;
  if (auto* part = dyn_cast<ExtractValueInst>(i)) return part->getAggregateOperand() == &swap;
  if (isa<CastInst>(i) || isa<FreezeInst>(i)) return was_read_in(i->getOperand(0), l, swap, depth + 1);
  auto* phi = dyn_cast<PHINode>(i);
  if (phi == nullptr || phi->getParent() != l.getHeader()) return false;
  for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
    if (l.contains(phi->getIncomingBlock(k)) && !was_read_in(phi->getIncomingValue(k), l, swap, depth + 1))
      return false;
  return true;
}

// It fails only where somebody else has succeeded since.
bool retries(const AtomicCmpXchgInst& swap, const Loop& l) { return was_read_in(swap.getCompareOperand(), l, swap); }

bool may_see_others(const Instruction& i) {
  if (isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i)) return true;
  if (auto* call = dyn_cast<CallBase>(&i); call != nullptr && call->getCalledFunction() != nullptr)
    return engine_call_of(*call->getCalledFunction()) == engine_call::atomic;
  auto* load = dyn_cast<LoadInst>(&i);
  return load != nullptr && !load->isSimple();
}

// A plain load of memory that others may write: a loop that waits for it is a race, which watched runs are to find, not
// to hang in.
bool may_race(const Instruction& i) {
  auto* load = dyn_cast<LoadInst>(&i);
  if (load == nullptr) return false;
  const Value* object = getUnderlyingObject(load->getPointerOperand(), 0);
  auto* fixed = dyn_cast<GlobalVariable>(object);
  return !isa<AllocaInst>(object) && !(fixed != nullptr && fixed->isConstant());
}

// errno, which a square root may set, is the thread's own.
bool only_computes(const Instruction& i) {
  auto* const call = dyn_cast<CallBase>(&i);
  return call != nullptr && call->getCalledFunction() != nullptr && is_math(*call->getCalledFunction()) &&
         none_of(call->args(), [](const Use& u) { return u->getType()->isPointerTy(); });
}

// It writes nothing, and each turn reads elsewhere, as in a binary search. Who waits reads one place again; what does
// not change in a loop without writes was read in front of it.
bool reads_on(const Loop& l) {
  for (BasicBlock* bb : l.blocks())
    for (Instruction& i : *bb) {
      if (i.mayWriteToMemory() && !is_noncoherent_read(i) && !only_computes(i)) return false;
      auto* load = dyn_cast<LoadInst>(&i);
      if (load != nullptr && (!load->isSimple() || l.isLoopInvariant(load->getPointerOperand()))) return false;
    }
  return true;
}

// Every turn passes a barrier of the grid, so all blocks go on together: whatever the loop waits for, nobody is kept
// from doing it.
bool meets_grid(const Loop& l, const kernel_form& k, const DominatorTree& dominators) {
  SmallVector<BasicBlock*> latches;
  l.getLoopLatches(latches);
  return all_of(latches, [&](BasicBlock* latch) {
    return any_of(k.grid_barriers, [&](BasicBlock* bb) { return l.contains(bb) && dominators.dominates(bb, latch); });
  });
}

// What threads say in a vote comes back behind its barrier, as the number of those who said so.
void pass_on_votes(const Loop& l, dependence& on) {
  SmallVector<Instruction*> answers;
  bool asked = false;
  for (BasicBlock* bb : l.blocks())
    for (Instruction& i : *bb) {
      asked |= is_marker(&i, marker::vote) && on.has(cast<CallInst>(i).getArgOperand(0));
      if (is_marker(&i, marker::votes)) answers.push_back(&i);
    }
  if (!asked) return;
  for (Instruction* i : answers) on.add(i);
  on.propagate();
}

maybe_refused refuse_waiting_loop(const kernel_form& k, const Loop& l, const LoopInfo& loops,
                                  const DominatorTree& dominators) {
  Function& f = k.f;
  settled_shared settled(k, l);
  SmallPtrSet<const Instruction*, 8> may_change;
  const Instruction* seen = nullptr;
  for (BasicBlock* bb : l.blocks())
    for (Instruction& i : *bb) {
      const bool sees = may_see_others(i);
      if ((!sees && !isa<LoadInst>(i)) || settled.is_read_by(i)) continue;
      may_change.insert(&i);
      if (sees || (is_watched(f) && may_race(i))) seen = &i;
    }
  // Loops within may read a place again in the next turn (a window that grows until it holds enough): a count ends it.
  if (seen == nullptr || (reads_on(l) && (l.isInnermost() || counts_turns(l, dominators)))) return {};
  dependence on(f);
  for (BasicBlock* bb : l.blocks())
    for (Instruction& i : *bb) {
      auto* swap = dyn_cast<AtomicCmpXchgInst>(&i);
      if (swap != nullptr && loops.getLoopFor(bb) == &l && retries(*swap, l)) on.exclude(&i);
    }
  for (BasicBlock* bb : l.blocks())
    for (Instruction& i : *bb)
      if (may_change.contains(&i)) on.add(&i);  // what was seen may have passed through memory
  on.propagate();
  pass_on_votes(l, on);
  SmallVector<BasicBlock*> exits;
  l.getExitingBlocks(exits);
  for (BasicBlock* bb : exits)
    if (!on.decides_alike(bb) && !counts_up_to_what_it_reads(bb, l) && (is_watched(f) || !draws_numbers(bb, l, on)))
      return refuse("a loop that may wait for another thread", seen);
  return {};
}

}  // namespace

refusal refuse_call_that_waits(const CallBase& call) {
  std::string name = plain_name(*call.getCalledFunction()).substr(sizeof "simt::sim::" - 1);
  if (constexpr std::string_view kChecked = "checked_"; name.substr(0, kChecked.size()) == kChecked)
    name = name.substr(kChecked.size());
  std::string what = "a call of " + name;
  if (name == "warp_meet" || name == "active_lanes")
    what = "an operation of a warp";
  else if (name == "cluster_barrier")
    what = "a barrier of a cluster";
  else if (name == "named_barrier")
    what = "a named barrier";
  else if (name == "yield_thread" || name == "yield")
    what = "a yield";
  return refuse(what + ", which loops do not know", &call);
}

maybe_refused refuse_calls(Function& f) {
  for (Instruction& i : instructions(f)) {
    // A call beside variables that have destructors; what it calls is the better reason where that may wait.
    if (auto* invoke = dyn_cast<InvokeInst>(&i))
      if (maybe_refused no = refuse_call(*invoke)) return no;
    if (isa<InvokeInst>(i) || isa<LandingPadInst>(i) || isa<ResumeInst>(i) || isa<CallBrInst>(i))
      return refuse("an exception", &i);
    if (isa<IndirectBrInst>(i)) return refuse("a jump to a computed address", &i);
    if (isa<VAArgInst>(i)) return refuse("variable arguments", &i);
    if (auto* a = dyn_cast<AllocaInst>(&i); a != nullptr && !a->isStaticAlloca())
      return refuse("an array on the stack whose size is known at run time only", &i);
    if (auto* call = dyn_cast<CallBase>(&i))
      if (maybe_refused no = refuse_call(*call)) return no;
  }
  return {};
}

maybe_refused refuse_waiting_loops(const kernel_form& k) {
  Function& f = k.f;
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  ReversePostOrderTraversal<const Function*> order(&f);
  if (containsIrreducibleCFG<const BasicBlock*, const ReversePostOrderTraversal<const Function*>, const LoopInfo>(
          order, loops))
    return refuse("control flow that is no nest of loops");
  for (Loop* l : loops.getLoopsInPreorder())
    if (!meets_grid(*l, k, dominators))
      if (maybe_refused no = refuse_waiting_loop(k, *l, loops, dominators)) return no;
  return {};
}

}  // namespace simt::compile
