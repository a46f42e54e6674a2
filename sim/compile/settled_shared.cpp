// SPDX-License-Identifier: Apache-2.0
#include "settled_shared.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "memory_objects.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// Where i may write, or hands an address to somebody who may. once: when it runs, not later (an asynchronous copy).
struct written {
  SmallVector<const Value*, 2> addresses;
  bool once = true;
};
written writes_of(const Instruction& i) {
  if (auto* store = dyn_cast<StoreInst>(&i)) return {{store->getPointerOperand()}};
  if (auto* update = dyn_cast<AtomicRMWInst>(&i)) return {{update->getPointerOperand()}};
  if (auto* swap = dyn_cast<AtomicCmpXchgInst>(&i)) return {{swap->getPointerOperand()}};
  if (auto* whole = dyn_cast<MemIntrinsic>(&i)) return {{whole->getDest()}};
  auto* const call = dyn_cast<CallBase>(&i);
  if (call == nullptr || is_any_marker(call) || !call->mayWriteToMemory() || isa<DbgInfoIntrinsic>(call)) return {};
  written w;
  const Function* const callee = call->getCalledFunction();
  w.once = callee != nullptr && engine_call_of(*callee) == engine_call::atomic;
  for (const Value* v : call->args())
    if (v->getType()->isPointerTy()) w.addresses.push_back(v);
  return w;
}

bool is_no_shared_memory(const Value* object, const Function& f) {
  return isa<AllocaInst>(object) || isa<Constant>(object) || object == f.getArg(parameter::block);
}

}  // namespace

void settled_shared::find_phase() {
  const auto begins_behind_barrier = [&](BasicBlock* bb) { return is_contained(k_.barriers, bb); };
  // Back to where threads come from that are in the loop: barriers, and the kernel's beginning.
  SmallPtrSet<BasicBlock*, 32> seen;
  SmallVector<BasicBlock*> todo(l_.blocks()), begins;
  while (!todo.empty()) {
    BasicBlock* const bb = todo.pop_back_val();
    if (!seen.insert(bb).second) continue;
    if (begins_behind_barrier(bb) || pred_empty(bb))
      begins.push_back(bb);
    else
      todo.append(pred_begin(bb), pred_end(bb));
  }
  // And on to all that threads come to from there without another barrier.
  todo = begins;
  while (!todo.empty()) {
    BasicBlock* const bb = todo.pop_back_val();
    if (!at_the_same_time_.insert(bb).second) continue;
    for (BasicBlock* next : successors(bb))
      if (!begins_behind_barrier(next)) todo.push_back(next);
  }
}

// Of an object once, though many instructions write it.
void settled_shared::find_writes() {
  SmallPtrSet<const Value*, 16> seen_elsewhere, seen_here;
  for (const Instruction& i : instructions(k_.f)) {
    const written w = writes_of(i);
    const bool here = !w.once || at_the_same_time_.contains(i.getParent());
    for (const Value* to : w.addresses) {
      const Value* const object = getUnderlyingObject(to, 0);
      if (is_no_shared_memory(object, k_.f) || !(here ? seen_here : seen_elsewhere).insert(object).second) continue;
      if (here || !is_in_shared_memory(object)) writes_.push_back(object);
    }
  }
}

bool settled_shared::is_read_by(const Instruction& i) {
  auto* const load = dyn_cast<LoadInst>(&i);
  if (load == nullptr || !is_in_shared_memory(load->getPointerOperand())) return false;
  if (at_the_same_time_.empty()) {
    find_phase();
    find_writes();
  }
  return all_of(writes_, [&](const Value* to) { return are_different_memory(load->getPointerOperand(), to); });
}

}  // namespace simt::compile
