// SPDX-License-Identifier: Apache-2.0
#include "delay_loops.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace simt::compile {

using namespace llvm;

namespace {

// frontends/cuda/runtime: clock64(), simt_cuda::global_timer_ns(), delay_turn(delay_place*, long) and the queue of
// stacks that runs.
constexpr const char *kReadsClock = "_Z7clock64v", *kReadsTimer = "_ZN9simt_cuda15global_timer_nsEv",
                     *kTellsTurn = "_ZN9simt_cuda10delay_turnEPNS_11delay_placeEl",
                     *kTellsRunning = "_ZN9simt_cuda7runningE";

bool calls(const Instruction& i, std::initializer_list<StringRef> names) {
  auto* const call = dyn_cast<CallBase>(&i);
  const Function* const f = call != nullptr ? call->getCalledFunction() : nullptr;
  return f != nullptr && is_contained(names, f->getName());
}
bool reads_clock(const Instruction& i) { return calls(i, {kReadsClock, kReadsTimer}); }

// The engine's own memory, reached from the queue of stacks: what counts the turns of loops until others run.
bool is_of_engine(const Value* address) {
  for (;;) {
    address = getUnderlyingObject(address);
    if (auto* const loaded = dyn_cast<LoadInst>(address))
      address = loaded->getPointerOperand();
    else if (auto* const local = dyn_cast<IntrinsicInst>(address);
             local != nullptr && local->getIntrinsicID() == Intrinsic::threadlocal_address)
      address = local->getArgOperand(0);
    else
      return address->getName() == kTellsRunning;
  }
}

// What may stand beside the readings: nothing that others see or that sees others.
bool is_idle(const Instruction& i) {
  if (reads_clock(i) || i.isDebugOrPseudoInst() || i.isTerminator()) return true;
  if (calls(i, {"_ZN9simt_cuda13yield_in_loopEv"})) return true;
  if (const Value* const address = getLoadStorePointerOperand(&i); address != nullptr && is_of_engine(address))
    return true;
  return !i.mayHaveSideEffects() && !i.mayReadOrWriteMemory();
}

bool only_waits(const Loop& l) {
  bool any = false;
  for (const BasicBlock* bb : l.blocks())
    for (const Instruction& i : *bb) {
      if (!is_idle(i)) return false;
      any |= reads_clock(i);
    }
  return any;
}

// What the runtime remembers of one loop: of which launch, and how long a thread waited there.
GlobalVariable* place_of_loop(Module& m) {
  auto* const type = ArrayType::get(Type::getInt64Ty(m.getContext()), 2);
  return new GlobalVariable(m, type, false, GlobalValue::InternalLinkage, Constant::getNullValue(type), "simt.delay");
}

// since = turn(place, 0 or the last turn's since), first of all in each turn.
void tell_turns(Loop& l) {
  BasicBlock* const header = l.getHeader();
  Module& m = *header->getModule();
  auto* const number = Type::getInt64Ty(m.getContext());
  IRBuilder<> at(header, header->begin());
  PHINode* const before = at.CreatePHI(number, pred_size(header));
  at.SetInsertPoint(header, header->getFirstInsertionPt());
  for (const Instruction& i : *header)  // a call in a function with debug information needs a place
    if (i.getDebugLoc()) {
      at.SetCurrentDebugLocation(i.getDebugLoc());
      break;
    }
  const FunctionCallee turn = m.getOrInsertFunction(kTellsTurn, number, at.getPtrTy(), number);
  CallInst* const since = at.CreateCall(turn, {place_of_loop(m), before});
  for (BasicBlock* from : predecessors(header))
    before->addIncoming(l.contains(from) ? static_cast<Value*>(since) : at.getInt64(0), from);
}

}  // namespace

bool tell_delays(Function& f) {
  const auto reads = [](const BasicBlock& bb) { return std::any_of(bb.begin(), bb.end(), reads_clock); };
  if (f.isDeclaration() || std::none_of(f.begin(), f.end(), reads)) return false;
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  bool any = false;
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!only_waits(*l) || (l->getParentLoop() != nullptr && only_waits(*l->getParentLoop()))) continue;
    tell_turns(*l);
    any = true;
  }
  return any;
}

}  // namespace simt::compile
