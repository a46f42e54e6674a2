// SPDX-License-Identifier: Apache-2.0
#include "counted_loops.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>
#include <vector>

#include "hidden.hpp"
#include "markers.hpp"
#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

struct moving_access {
  Instruction* instruction;
  const SCEV *first, *second;  // its addresses in the first two turns
  unsigned size;
  bool reads_too = false;  // a store that is announced with the read before it (x += y)
};
struct counted_loop {
  Loop* loop;
  const SCEV* back;  // how often it jumps back
  std::vector<moving_access> accesses;
  // In front of it:
  CallInst* marker = nullptr;
  Value* turns = nullptr;
  std::vector<Value*> first{}, second{};
};

// Bytes of an access that the sanitizer announces as one of this size; 0: it does not.
unsigned announced_size(const Instruction& i, const DataLayout& layout) {
  const bool is_load = isa<LoadInst>(i);
  Type* const type = is_load ? i.getType() : cast<StoreInst>(i).getValueOperand()->getType();
  const TypeSize bits = layout.getTypeStoreSizeInBits(type);
  if (bits.isScalable()) return 0;
  const auto size = bits.getFixedValue() / 8;
  const Align align = is_load ? cast<LoadInst>(i).getAlign() : cast<StoreInst>(i).getAlign();
  const bool aligned = align.value() >= 8 || align.value() % size == 0;
  return isPowerOf2_64(size) && size <= 16 && aligned ? static_cast<unsigned>(size) : 0;
}

// A read that a store of the same turn follows at the same place is announced by the sanitizer with that store.
void announce_with_stores(std::vector<moving_access>& accesses) {
  DenseMap<const Value*, moving_access*> stores;  // the next one at each place
  for (moving_access& a : reverse(accesses)) {
    const Value* const at = getLoadStorePointerOperand(a.instruction);
    if (isa<StoreInst>(a.instruction))
      stores[at] = &a;
    else if (moving_access* const store = stores.lookup(at))
      store->reads_too = true, a.instruction = nullptr;
  }
  erase_if(accesses, [](const moving_access& a) { return a.instruction == nullptr; });
}

// An access before the marker belongs to the block before.
bool touches_before(const CallInst& marker) {
  for (const Instruction& i : *marker.getParent()) {
    if (&i == &marker) return false;
    if (i.mayReadOrWriteMemory() && !isa<DbgInfoIntrinsic>(i)) return true;
  }
  return true;
}

}  // namespace

struct counted_loops::state {
  Function& f;
  DominatorTree& dominators;
  LoopInfo& loops;
  bool pairs;
  TargetLibraryInfoImpl known;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  ScalarEvolution evolution;
  std::vector<counted_loop> found;

  state(Function& of, DominatorTree& d, LoopInfo& l, bool in_pairs)
      : f(of),
        dominators(d),
        loops(l),
        pairs(in_pairs),
        known(Triple(of.getParent()->getTargetTriple())),
        library(known, &of),
        assumptions(of),
        evolution(of, library, assumptions, d, l) {
    for (Loop* one : loops.getLoopsInPreorder())
      if (std::optional<counted_loop> counted = look_at(*one)) found.push_back(std::move(*counted));
  }

  std::optional<counted_loop> look_at(Loop& l) {
    BasicBlock* const block = l.getHeader();
    if (l.getNumBlocks() != 1 || !l.isLoopSimplifyForm() || l.getExitBlock() == nullptr) return {};
    counted_loop out{&l, evolution.getBackedgeTakenCount(&l), {}};
    if (isa<SCEVCouldNotCompute>(out.back) || out.back->getType()->getIntegerBitWidth() > 64) return {};
    const SCEVExpander expander(evolution, f.getParent()->getDataLayout(), "turns");
    Instruction* const in_front = l.getLoopPreheader()->getTerminator();
    if (!expander.isSafeToExpandAt(out.back, in_front)) return {};
    for (Instruction& i : *block) {
      if (!i.mayReadOrWriteMemory() && !isa<CallBase>(i)) continue;
      if (isa<DbgInfoIntrinsic>(i) || is_block_marker(i)) continue;
      if (const auto* call = dyn_cast<CallBase>(&i)) {
        if (!isa<IntrinsicInst>(call) || call->mayHaveSideEffects() || i.mayReadOrWriteMemory()) return {};
        continue;
      }
      // What is not the user's is the engine's: its loop over threads.
      if (!is_of_user(i.getDebugLoc()) || i.getDebugLoc()->getLine() == 0) return {};
      if (is_hidden(i)) return {};
      const auto* load = dyn_cast<LoadInst>(&i);
      const auto* store = dyn_cast<StoreInst>(&i);
      if ((load == nullptr || !load->isSimple()) && (store == nullptr || !store->isSimple())) return {};
      Value* const at = getLoadStorePointerOperand(&i);
      if (at->getType()->getPointerAddressSpace() != 0) return {};
      if (isa<AllocaInst>(getUnderlyingObject(at, 0))) continue;  // the thread's own is in no count
      const unsigned size = announced_size(i, f.getParent()->getDataLayout());
      const SCEV* const address = evolution.getSCEV(at);
      const SCEV *first = address, *second = address;
      if (const auto* moves = dyn_cast<SCEVAddRecExpr>(address); moves != nullptr && moves->getLoop() == &l) {
        if (!moves->isAffine()) return {};
        first = moves->getStart();
        second = evolution.getAddExpr(first, moves->getStepRecurrence(evolution));
      }
      for (const SCEV* const e : {first, second})
        if (size == 0 || !evolution.isLoopInvariant(e, &l) || !expander.isSafeToExpandAt(e, in_front)) return {};
      out.accesses.push_back({&i, first, second, size});
    }
    if (pairs) announce_with_stores(out.accesses);
    return out;
  }

  FunctionCallee runtime(const Twine& name, Type* result, ArrayRef<Type*> parameters) {
    FunctionCallee c = f.getParent()->getOrInsertFunction(name.str(), FunctionType::get(result, parameters, false));
    cast<Function>(c.getCallee())->setDoesNotThrow();
    return c;
  }

  void announce(IRBuilder<>& b, const counted_loop& c, ArrayRef<Value*> addresses) {
    for (std::size_t i = 0; i < c.accesses.size(); ++i) {
      const moving_access& a = c.accesses[i];
      b.SetCurrentDebugLocation(a.instruction->getDebugLoc());
      const char* const kind = a.reads_too                     ? "__tsan_read_write"
                               : isa<StoreInst>(a.instruction) ? "__tsan_write"
                                                               : "__tsan_read";
      b.CreateCall(runtime(Twine(kind) + Twine(a.size), b.getVoidTy(), {b.getPtrTy()}), {addresses[i]});
    }
  }

  // What is to be told, computed in front. Of all loops before any of them is copied: what is known of the function's
  // blocks must be true for it.
  void compute(counted_loop& c) {
    Instruction* const in_front = c.loop->getLoopPreheader()->getTerminator();
    SCEVExpander expander(evolution, f.getParent()->getDataLayout(), "turns");
    Value* const back = expander.expandCodeFor(c.back, c.back->getType(), in_front);
    IRBuilder<> b(in_front);
    b.SetCurrentDebugLocation(c.marker->getDebugLoc());
    c.turns = b.CreateAdd(b.CreateZExt(back, b.getInt64Ty()), b.getInt64(1));
    Value* const is_one = b.CreateICmpEQ(c.turns, b.getInt64(1));
    for (const moving_access& a : c.accesses) {
      Type* const type = getLoadStorePointerOperand(a.instruction)->getType();
      c.first.push_back(expander.expandCodeFor(a.first, type, in_front));
      Value* const next = expander.expandCodeFor(a.second, type, in_front);
      b.SetInsertPoint(in_front);
      c.second.push_back(b.CreateSelect(is_one, c.first.back(), next));  // there may be nothing at the second
    }
  }

  void tell(const counted_loop& c) {
    CallInst& marker = *c.marker;
    BasicBlock* const block = c.loop->getHeader();
    BasicBlock* const before = c.loop->getLoopPreheader();
    BasicBlock* const exit = c.loop->getExitBlock();
    Instruction* const in_front = before->getTerminator();
    IRBuilder<> b(in_front);
    b.SetCurrentDebugLocation(marker.getDebugLoc());
    Value* const in_short =
        b.CreateCall(runtime("simt_profile_loop", b.getInt8Ty(), {b.getInt32Ty(), b.getPtrTy(), b.getInt64Ty()}),
                     {marker.getArgOperand(0), marker.getArgOperand(1), c.turns});
    BasicBlock* const told = BasicBlock::Create(f.getContext(), "told", &f, block);
    b.CreateCondBr(b.CreateICmpNE(in_short, b.getInt8(0)), told, block);
    in_front->eraseFromParent();

    ValueToValueMapTy map;
    BasicBlock* const silent = CloneBasicBlock(block, map, ".silent", &f);
    map[block] = silent;
    SmallVector<BasicBlock*> copies{silent};
    remapInstructionsInBlocks(copies, map);
    silent->replacePhiUsesWith(before, told);
    for (PHINode& phi : exit->phis()) {
      Value* const v = phi.getIncomingValueForBlock(block);
      const auto copy = map.find(v);
      phi.addIncoming(copy != map.end() ? static_cast<Value*>(copy->second) : v, silent);
    }
    cast<Instruction>(static_cast<Value*>(map[&marker]))->eraseFromParent();
    for (Instruction& i : *silent)
      if (i.mayReadOrWriteMemory()) hide(i);

    IRBuilder<> t(told);
    announce(t, c, c.first);
    t.SetCurrentDebugLocation(marker.getDebugLoc());
    t.CreateCall(runtime("simt_profile_second_turn", t.getVoidTy(), {}));
    announce(t, c, c.second);
    t.SetCurrentDebugLocation(marker.getDebugLoc());
    t.CreateCall(runtime("simt_profile_loop_ends", t.getVoidTy(), {}));
    t.CreateBr(silent);
  }
};

counted_loops::counted_loops(Function& f, DominatorTree& dominators, LoopInfo& loops, bool pairs)
    : s_(std::make_unique<state>(f, dominators, loops, pairs)) {}
counted_loops::~counted_loops() = default;

void counted_loops::tell_in_short(const DenseMap<BasicBlock*, CallInst*>& markers) {
  state& s = *s_;
  for (counted_loop& c : s.found) c.marker = markers.lookup(c.loop->getHeader());
  erase_if(s.found, [](const counted_loop& c) { return c.marker == nullptr || touches_before(*c.marker); });
  for (const counted_loop& c : s.found) formLCSSA(*c.loop, s.dominators, &s.loops, &s.evolution);
  for (counted_loop& c : s.found) s.compute(c);
  for (const counted_loop& c : s.found) s.tell(c);
}

}  // namespace simt::compile
