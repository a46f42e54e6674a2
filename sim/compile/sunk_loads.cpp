// SPDX-License-Identifier: Apache-2.0
#include "sunk_loads.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

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

bool sink(LoadInst& load) {
  BasicBlock& bb = *load.getParent();
  if (!load.isSimple() || !load.hasOneUse() || bb.getTerminator()->getNumSuccessors() != 2) return false;
  Instruction* last = &load;  // with what keeps it apart from others (separate_accesses.hpp)
  if (auto* const kept = dyn_cast<FreezeInst>(*load.user_begin()); kept != nullptr && kept->getParent() == &bb)
    last = kept;
  const auto* const user = last->hasOneUse() ? dyn_cast<Instruction>(*last->user_begin()) : nullptr;
  if (user == nullptr || user->getParent() == &bb || isa<PHINode>(user)) return false;
  BasicBlock* const side = side_of(bb, *user->getParent());
  if (side == nullptr || side->isEHPad()) return false;
  for (const Instruction* i = load.getNextNode(); i != nullptr; i = i->getNextNode())
    if (i->mayWriteToMemory()) return false;
  const auto to = side->getFirstInsertionPt();
  if (last != &load) last->moveBefore(*side, to);
  load.moveBefore(*side, last != &load ? last->getIterator() : to);
  return true;
}

}  // namespace

void sink_loads(Function& f) {
  for (BasicBlock& bb : f) {
    SmallVector<LoadInst*> loads;
    for (Instruction& i : reverse(bb))
      if (auto* const load = dyn_cast<LoadInst>(&i)) loads.push_back(load);
    for (LoadInst* load : loads) sink(*load);
  }
}

}  // namespace simt::compile
