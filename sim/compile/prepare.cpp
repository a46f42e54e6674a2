// SPDX-License-Identifier: Apache-2.0
#include "prepare.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "engine_calls.hpp"
#include "hidden.hpp"
#include "kernel_exits.hpp"
#include "loop_bodies.hpp"
#include "markers.hpp"
#include "one_thread.hpp"
#include "region_accesses.hpp"
#include "substitutes.hpp"
#include "waiting.hpp"
#include "warp_operations.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::size_t kMostInstructions = 40'000;
constexpr int kMostThreads = 1024;      // of a block
constexpr int kMostPassedOn = 8;        // how often a function's pointer is handed on
constexpr unsigned kEnoughTurns = 100;  // more than clang takes out of any loop

// The engine's calls that a function reaches by calls of known functions.
struct reached {
  bool barrier = false, warp = false, waits = false;
  bool loops = false;    // some function on the way has a loop of its own
  bool more = false;     // it does more than compute, load and store: loop_body::order
  bool updates = false;  // of those, what worker_sums.hpp is about
};
bool does_more(const Instruction& i) {
  if (i.isAtomic() || i.isVolatile()) return true;
  auto* call = dyn_cast<CallBase>(&i);
  if (call == nullptr) return false;
  const Function* const callee = call->getCalledFunction();  // none: inline assembly, a call through a pointer
  if (callee == nullptr) return true;
  const engine_call what = engine_call_of(*callee);
  if (what != engine_call::none) return what != engine_call::place;
  return callee->isDeclaration() && !callee->isIntrinsic() && !is_math(*callee);
}
reached reach(Function& from) {
  reached found;
  SmallPtrSet<Function*, 32> seen;
  SmallVector<Function*> todo{&from};
  while (!todo.empty()) {
    Function* const f = todo.pop_back_val();
    if (!seen.insert(f).second) continue;
    const engine_call what = engine_call_of(*f);
    found.barrier |=
        what == engine_call::barrier || what == engine_call::barrier_count || what == engine_call::grid_barrier;
    found.warp |= what == engine_call::warp || what == engine_call::active;
    found.waits |= what == engine_call::waits;
    if ((what != engine_call::none && what != engine_call::rank) || f->isDeclaration()) continue;
    SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> ways_back;
    FindFunctionBackedges(*f, ways_back);
    found.loops |= !ways_back.empty();
    for (Instruction& i : instructions(*f)) {
      found.more = found.more || does_more(i);
      found.updates |= isa<AtomicRMWInst>(i);
      auto* const call = dyn_cast<CallBase>(&i);
      Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
      if (callee == nullptr) continue;
      todo.push_back(callee);
      if (callee->isDeclaration() || engine_call_of(*callee) != engine_call::none) continue;
      for (Use& argument : call->args())  // a function that is handed on (function_passed_to)
        if (auto* const handed = dyn_cast<Function>(argument->stripPointerCasts())) todo.push_back(handed);
    }
  }
  return found;
}

// What is not to be watched stays so within a function that is.
void keep_unwatched(Function& callee, const Function& caller) {
  if (!caller.hasFnAttribute(Attribute::SanitizeThread) || callee.hasFnAttribute(Attribute::SanitizeThread)) return;
  for (Instruction& i : instructions(callee))
    if (i.mayReadOrWriteMemory()) hide(i);
}

// A call to inline, and through which inlined calls it came here.
struct call_to_inline {
  CallBase* call;
  int came_by;  // index into the functions inlined so far; -1: the kernel's own
};

// The function that a pointer names which was given as an argument, and which nothing changes; null: not known.
// Nothing is simplified yet, so each argument of an inlined call is a variable that is set once.
Function* function_passed_to(const CallBase& call) {
  const Value* v = call.getCalledOperand();
  for (int passed = 0; passed < kMostPassedOn; ++passed) {
    v = v->stripPointerCasts();
    if (auto* f = dyn_cast<Function>(v)) {
      Function* const known = const_cast<Function*>(f);
      return known->getFunctionType() == call.getFunctionType() ? known : nullptr;
    }
    auto* load = dyn_cast<LoadInst>(v);
    auto* variable = load == nullptr ? nullptr : dyn_cast<AllocaInst>(load->getPointerOperand());
    if (variable == nullptr || !load->isSimple()) return nullptr;
    const StoreInst* only = nullptr;
    for (const User* u : variable->users()) {
      auto* store = dyn_cast<StoreInst>(u);
      auto* told = dyn_cast<IntrinsicInst>(u);
      if (store != nullptr && store->getPointerOperand() == variable && only == nullptr)
        only = store;
      else if (!isa<LoadInst>(u) && (told == nullptr || !told->isLifetimeStartOrEnd()))
        return nullptr;
    }
    if (only == nullptr || only->getValueOperand()->getType() != load->getType()) return nullptr;
    v = only->getValueOperand();
  }
  return nullptr;
}

// ranks: calls that ask for a thread's rank stay.
maybe_refused inline_everything(Function& f, bool ranks) {
  struct inlined {
    Function* what;
    int came_by;
  };
  std::vector<inlined> history;
  SmallVector<call_to_inline> todo;
  const substitutes in_loops(*f.getParent());
  // Counted as they come, not anew behind each: some kernels inline thousands of calls.
  DenseMap<const Function*, std::size_t> sizes;
  const auto size_of = [&](const Function& callee) {
    const auto [known, fresh] = sizes.try_emplace(&callee, 0);
    if (fresh) known->second = callee.getInstructionCount();
    return known->second;
  };
  std::size_t size = f.getInstructionCount();  // at most: inlining drops what arguments decide
  const auto consider = [&](CallBase* call, int came_by) {
    Function* callee = call->getCalledFunction();
    if (callee == nullptr) {
      callee = function_passed_to(*call);
      if (callee != nullptr && !ranks && reach(*callee).warp) callee = nullptr;  // ranks would have to stay
      if (callee != nullptr) call->setCalledFunction(callee);
    }
    if (callee == nullptr) return;
    if (Function* const other = in_loops.of(*callee)) {
      call = call_substitute(*call, *other);
      callee = other;
    }
    if (callee->isDeclaration()) return;
    const engine_call what = engine_call_of(*callee);
    if (what != engine_call::none && (what != engine_call::rank || ranks)) return;
    if (is_cold_report(*callee) && !may_wait(*callee)) return;
    todo.push_back({call, came_by});
  };
  SmallVector<CallBase*> own;
  for (Instruction& i : instructions(f))
    if (auto* call = dyn_cast<CallBase>(&i)) own.push_back(call);
  for (CallBase* call : own) consider(call, -1);
  while (!todo.empty()) {
    const call_to_inline next = todo.pop_back_val();
    Function* const callee = next.call->getCalledFunction();
    bool recursive = callee == &f;
    for (int h = next.came_by; h >= 0; h = history[h].came_by) recursive |= history[h].what == callee;
    if (recursive) return refuse("recursion: " + callee->getName().str() + " calls itself", next.call);
    const std::string name = callee->getName().str();
    const DebugLoc place = next.call->getDebugLoc();
    keep_unwatched(*callee, f);
    size += size_of(*callee);
    InlineFunctionInfo info;
    const InlineResult result = InlineFunction(*next.call, info);
    if (!result.isSuccess())
      return refuse(name + " cannot be inlined: " + std::string(result.getFailureReason()), next.call);
    history.push_back({callee, next.came_by});
    for (CallBase* call : info.InlinedCallSites) consider(call, static_cast<int>(history.size()) - 1);
    if (size > kMostInstructions) size = f.getInstructionCount();
    if (size > kMostInstructions) return refuse("the kernel is too large with all that it calls");
  }
  return {};
}

maybe_refused refuse_waits(Function& f) {
  for (Instruction& i : instructions(f))
    if (auto* call = dyn_cast<CallBase>(&i); call != nullptr && call->getCalledFunction() != nullptr) {
      const engine_call what = engine_call_of(*call->getCalledFunction());
      // Counted code runs on fibers by the same markers, and there a vote would wait for lanes that do not come.
      if (what == engine_call::waits || (what == engine_call::active && is_counted(*f.getParent())))
        return refuse_call_that_waits(*call);
    }
  return {};
}

Value* value_of_place(Function& f, unsigned what, IRBuilder<>& b) {
  const auto argument = [&](unsigned p, unsigned axis) -> Value* { return f.getArg(p + axis); };
  if (what < kFirstOfBlock) return f.getArg(what);
  if (what < kBlockNumber) {
    const unsigned axis = what - kFirstOfBlock;
    return b.CreateMul(argument(parameter::place, axis), argument(parameter::extent, axis), "", true, true);
  }
  Value* const plane = b.CreateMul(argument(parameter::grid, 1), argument(parameter::place, 2), "", true, true);
  Value* const row = b.CreateAdd(argument(parameter::place, 1), plane, "", true, true);
  return b.CreateAdd(argument(parameter::place, 0), b.CreateMul(argument(parameter::grid, 0), row, "", true, true), "",
                     true, true);
}

Value* rank_of(Module& m, IRBuilder<>& b) {
  CallInst* const rank = b.CreateCall(declare_marker(m, marker::rank));
  rank->setMetadata(LLVMContext::MD_range,
                    MDBuilder(m.getContext()).createRange(APInt(32, 0), APInt(32, kMostThreads)));
  return rank;
}

// Where a variable has a destructor, calls end their block: an exception would go elsewhere.
void erase(CallBase& call) {
  if (auto* invoke = dyn_cast<InvokeInst>(&call)) {
    IRBuilder<>(invoke).CreateBr(invoke->getNormalDest());
    invoke->getUnwindDest()->removePredecessor(invoke->getParent());
  }
  call.eraseFromParent();
}

void replace_engine_calls(Function& f) {
  Module& m = *f.getParent();
  SmallVector<CallBase*> calls;
  for (Instruction& i : instructions(f))
    if (auto* call = dyn_cast<CallBase>(&i); call != nullptr && call->getCalledFunction() != nullptr)
      calls.push_back(call);
  for (CallBase* call : calls) {
    if (call->getCalledFunction()->getName() == kLeavesKernel) {  // for fibers: loops know who leaves
      if (!is_counted(*f.getParent())) erase(*call);              // else mark_loop_source does
      continue;
    }
    IRBuilder<> b(call);
    Function& engine = *call->getCalledFunction();
    const auto mark = [&](marker which, ArrayRef<Value*> values = {}) -> CallInst* {
      Function* const f = declare_marker(m, which);
      if (is_counted(m)) note_engine_call(m, *f, engine);
      return b.CreateCall(f, values);
    };
    Value* result = nullptr;
    switch (engine_call_of(engine)) {
      case engine_call::barrier:
        mark(marker::barrier);
        break;
      case engine_call::grid_barrier:
        mark(marker::grid_barrier);
        break;
      case engine_call::barrier_count:
        mark(marker::vote, {b.CreateTrunc(call->getArgOperand(1), b.getInt1Ty())});
        b.CreateCall(declare_marker(m, marker::barrier));
        result = b.CreateCall(declare_marker(m, marker::votes));
        break;
      case engine_call::shared:
        result = mark(marker::shared, {call->getArgOperand(0), call->getArgOperand(1)});
        break;
      case engine_call::dynamic_shared:
        result = mark(marker::dynamic_shared, {call->getArgOperand(0), call->getArgOperand(1)});
        break;
      case engine_call::place:
        result = value_of_place(f, place_of_call(engine), b);
        break;
      case engine_call::rank:
        result = rank_of(m, b);
        break;
      case engine_call::warp: {
        // mask, op, type, value and param come last: the check variant's call does not say who the thread is.
        const auto last = [&](unsigned k) { return call->getArgOperand(call->arg_size() - 5 + k); };
        const auto number = [&](unsigned k) { return b.CreateZExt(last(k), b.getInt32Ty()); };
        result = mark(marker::warp, {number(1), number(2), last(0), last(3), last(4)});
        break;
      }
      case engine_call::active: {  // who has not left: all others come there together, or there are no loops
        Value* const said = mark(marker::warp, {b.getInt32(kBallotOperation), b.getInt32(0), b.getInt32(~0u),
                                                b.getInt64(1), b.getInt32(kAsksOnly)});
        result = b.CreateTrunc(said, b.getInt32Ty());
        break;
      }
      case engine_call::spend:
        break;
      default:
        continue;
    }
    if (result != nullptr) call->replaceAllUsesWith(result);
    erase(*call);
  }
}

}  // namespace

namespace {
// A variable begins as zero. One that has no value may be taken for any, a different one in each thread, and then a
// branch by it is taken to differ between threads: `bool done; for (...) { done = false; ... __syncthreads(); }`.
void begin_variables_at_zero(Function& f) {
  SmallVector<AllocaInst*> variables;
  for (Instruction& i : f.getEntryBlock())
    if (auto* a = dyn_cast<AllocaInst>(&i); a != nullptr && !a->isArrayAllocation())
      if (Type* const type = a->getAllocatedType(); type->isIntegerTy() || type->isFloatingPointTy())
        variables.push_back(a);
  const auto store_zero = [&](AllocaInst& a, BasicBlock::iterator at) {
    IRBuilder<> b(at->getParent(), at);
    hide(*b.CreateStore(Constant::getNullValue(a.getAllocatedType()), &a));
  };
  for (AllocaInst* a : variables) {
    SmallVector<IntrinsicInst*> begins;
    for (User* u : a->users())
      if (auto* i = dyn_cast<IntrinsicInst>(u); i != nullptr && i->getIntrinsicID() == Intrinsic::lifetime_start)
        begins.push_back(i);
    for (IntrinsicInst* i : begins) store_zero(*a, std::next(i->getIterator()));
    if (begins.empty()) store_zero(*a, variables.back()->getParent()->getFirstNonPHIOrDbgOrAlloca());
  }
}

// clang takes the first turns out of a loop where that answers a question (`if (y > 0)`), and the rest is no loop any
// more that all threads come to under one guard (turn_loop.hpp). It does not where it believes to have done so enough.
void keep_first_turns(Function& f) {
  const DominatorTree dominators(f);
  const LoopInfo loops(dominators);
  for (Loop* l : loops.getLoopsInPreorder())
    if (l->getLoopLatch() != nullptr) addStringMetadataToLoop(l, "llvm.loop.peeled.count", kEnoughTurns);
}

// In watched code a copy is a call, which nobody sees through; fibers make it. `memcpy(&bits, &x, sizeof x)` is how
// numbers are taken for others: as an instruction it goes away where both are variables, and else it is announced as
// what `*p = *q` copies is. So it is only where such a copy can be told (is_copy_in_pieces).
void make_copies_instructions(Function& f) {
  SmallVector<CallInst*> calls;
  for (Instruction& i : instructions(f))
    if (auto* call = dyn_cast<CallInst>(&i); call != nullptr && call->getCalledFunction() != nullptr)
      if (call->getCalledFunction()->getName() == "memcpy" && call->arg_size() == 3 &&
          isa<ConstantInt>(call->getArgOperand(2)))
        calls.push_back(call);
  const DataLayout& layout = f.getParent()->getDataLayout();
  for (CallInst* call : calls) {
    IRBuilder<> b(call);
    Value *const to = call->getArgOperand(0), *const from = call->getArgOperand(1);
    CallInst* const copy = b.CreateMemCpy(to, getKnownAlignment(to, layout), from, getKnownAlignment(from, layout),
                                          call->getArgOperand(2));
    if (!is_copy_in_pieces(*copy)) {
      copy->eraseFromParent();
      continue;
    }
    call->replaceAllUsesWith(to);
    call->eraseFromParent();
  }
}

maybe_refused prepare_waiting(Function& f, bool ranks) {
  if (f.hasFnAttribute(Attribute::OptimizeNone)) return refuse("the kernels were compiled without optimisation");
  if (maybe_refused no = inline_everything(f, ranks)) return no;
  if (is_watched(f)) make_copies_instructions(f);
  if (maybe_refused no = refuse_waits(f)) return no;
  replace_engine_calls(f);
  begin_variables_at_zero(f);
  if (!is_watched(f)) keep_first_turns(f);
  f.removeFnAttr(Attribute::NoInline);
  return {};
}
}  // namespace

bool may_wait(Function& f) {
  const reached what = reach(f);
  return what.barrier || what.warp || what.waits;
}

maybe_refused prepare(Function& f) {
  const reached what = reach(f);
  const bool waits = what.barrier || what.warp || what.waits;
  if (!waits && !what.more) mark_any_order(f);
  if (!waits && !what.loops && what.more && !what.updates && !is_watched(f)) return nothing_waits();
  const maybe_refused no = prepare_waiting(f, what.warp);
  return no && !waits ? nothing_waits() : no;
}

}  // namespace simt::compile
