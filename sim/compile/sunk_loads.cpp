// SPDX-License-Identifier: Apache-2.0
#include "sunk_loads.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace simt::compile {

using namespace llvm;

namespace {

// It only says that an address does not suit, and goes on to `behind`.
bool only_reports(const BasicBlock& bb, const BasicBlock& behind) {
  return bb.getSingleSuccessor() == &behind && any_of(bb, [](const Instruction& i) {
           const auto* const call = dyn_cast<CallInst>(&i);
           return call != nullptr && call->getCalledFunction() != nullptr &&
                  call->getCalledFunction()->getName() == "simt_misplaced_copy";
         });
}

// Where threads go on behind a question whether an address suits, with which bb ends; null: it does not end so.
const BasicBlock* behind_question(const BasicBlock& bb) {
  const auto* const branch = dyn_cast<BranchInst>(bb.getTerminator());
  if (branch == nullptr || !branch->isConditional()) return nullptr;
  for (const unsigned s : {0U, 1U})
    if (only_reports(*branch->getSuccessor(s), *branch->getSuccessor(1 - s))) return branch->getSuccessor(1 - s);
  return nullptr;
}

// The side of the branch at bb's end that leads to `user`, by such questions only; null: there is none.
BasicBlock* side_of(BasicBlock& bb, const BasicBlock& user) {
  for (BasicBlock* side : successors(&bb)) {
    if (side->getSinglePredecessor() != &bb) continue;
    for (const BasicBlock* at = side; at != nullptr; at = behind_question(*at))
      if (at == &user) return side;
  }
  return nullptr;
}

bool is_lifetime(const Value& v) {
  const auto* const call = dyn_cast<IntrinsicInst>(&v);
  return call != nullptr && call->isLifetimeStartOrEnd();
}

// The one instruction that uses what is loaded, or copied into a variable of the thread; null: there are others.
const Instruction* user_of(const Instruction& from) {
  if (const auto* const load = dyn_cast<LoadInst>(&from))
    return load->isSimple() && load->hasOneUse() ? dyn_cast<Instruction>(*load->user_begin()) : nullptr;
  const auto* const copy = dyn_cast<MemCpyInst>(&from);
  const auto* const variable = copy == nullptr ? nullptr : dyn_cast<AllocaInst>(copy->getRawDest());
  if (variable == nullptr || copy->isVolatile() || isa<AllocaInst>(getUnderlyingObject(copy->getRawSource())))
    return nullptr;
  const Instruction* found = nullptr;
  for (const User* u : variable->users()) {
    if (u == copy || is_lifetime(*u)) continue;
    if (found != nullptr || !isa<MemCpyInst>(u)) return nullptr;
    found = cast<Instruction>(u);
  }
  return found;
}

void sink(Instruction& from) {
  BasicBlock& bb = *from.getParent();
  const Instruction* user = user_of(from);
  Instruction* kept = nullptr;  // what keeps a load apart from others (separate_accesses.hpp)
  if (user != nullptr && isa<FreezeInst>(user) && user->getParent() == &bb && user->hasOneUse()) {
    kept = cast<FreezeInst>(*from.user_begin());
    user = dyn_cast<Instruction>(*kept->user_begin());
  }
  if (user == nullptr || user->getParent() == &bb || isa<PHINode>(user)) return;
  BasicBlock* const side = side_of(bb, *user->getParent());
  if (side == nullptr || side->isEHPad()) return;
  for (const Instruction* i = from.getNextNode(); i != nullptr; i = i->getNextNode())
    if (i->mayWriteToMemory() && !is_lifetime(*i)) return;
  if (kept != nullptr) kept->moveBefore(*side, side->getFirstInsertionPt());
  from.moveBefore(*side, side->getFirstInsertionPt());
}

}  // namespace

void sink_loads(Function& f) {
  for (BasicBlock& bb : f) {
    if (bb.getTerminator()->getNumSuccessors() != 2) continue;
    for (Instruction& i : make_early_inc_range(reverse(bb)))
      if (isa<LoadInst>(i) || isa<MemCpyInst>(i)) sink(i);
  }
}

}  // namespace simt::compile
