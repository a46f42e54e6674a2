// SPDX-License-Identifier: Apache-2.0
#include "markers.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "block_arithmetic.hpp"
#include "counted_loops.hpp"
#include "hidden.hpp"
#include "kernel_exits.hpp"
#include "loop_bodies.hpp"
#include "reached_code.hpp"
#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

bool calls(const Value& v, StringRef name) {
  const auto* call = dyn_cast<CallInst>(&v);
  return call != nullptr && call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == name;
}
bool leaves_kernel(const Instruction& i) { return calls(i, kLeavesKernel); }

// Nothing that a processor would do but jump on; or the pass's own.
bool does_nothing(const Instruction& i) {
  if (isa<PHINode>(i) || isa<DbgInfoIntrinsic>(i) || isa<ReturnInst>(i) || isa<UnreachableInst>(i)) return true;
  if (const auto* jump = dyn_cast<BranchInst>(&i)) return jump->isUnconditional();
  return leaves_kernel(i);
}

// Memory that is counted: not the thread's own, nor its parameters.
bool is_counted_access(const Instruction& i) {
  const Value* const at = getLoadStorePointerOperand(&i);
  if (at == nullptr) return false;
  const Value* const object = getUnderlyingObject(at, 0);
  const auto* parameter = dyn_cast<Argument>(object);
  return !isa<AllocaInst>(object) &&
         (parameter == nullptr || !(parameter->hasByValAttr() || is_marked_source(*parameter->getParent())));
}

// The user's part of a block. The loop over a block's threads holds the kernel's code, and blocks of its own.
struct users_part {
  Instruction* first = nullptr;  // null: there is none
  // Its first access, or the branch that it ends in, or what comes first in the source: the order of all else is the
  // optimiser's, and another in loops than on fibers.
  DILocation* place = nullptr;
  bool only_computes = true;  // no access, no call
};
users_part find_users_part(BasicBlock& bb) {
  users_part found;
  DILocation *access = nullptr, *branch = nullptr;
  const DILocation* least = nullptr;
  bool does = false;
  for (Instruction& i : bb) {
    DILocation* const at = i.getDebugLoc();
    if (at == nullptr || at->getLine() == 0 || !is_of_user(at)) continue;
    if (found.first == nullptr) found.first = &i;
    if (does_nothing(i)) continue;
    does = true;
    if (access == nullptr && is_counted_access(i)) access = at;
    if (is_counted_access(i) || (isa<CallBase>(i) && !isa<IntrinsicInst>(i))) found.only_computes = false;
    if (i.isTerminator()) branch = at;
    const DILocation* const shown = innermost_of_user(at);
    const auto order = [](const DILocation* l) { return std::pair(l->getLine(), l->getColumn()); };
    if (least != nullptr && (shown->getFile() != least->getFile() || order(shown) >= order(least))) continue;
    least = shown;
    found.place = at;
  }
  if (!does) return {};
  if (access != nullptr || branch != nullptr) found.place = access != nullptr ? access : branch;
  return found;
}

class marked_order {
 public:
  marked_order(Function& f, const LoopInfo& loops) : loops_(loops) { number(nullptr, f.getEntryBlock()); }
  unsigned of(const BasicBlock* bb) const { return numbers_.lookup(bb); }
  const DenseMap<const BasicBlock*, unsigned>& numbers() const { return numbers_; }

 private:
  // The loop that stands for a block among the blocks of `in`; null: the block itself.
  const Loop* stands_for(const BasicBlock* bb, const Loop* in) const {
    const Loop* l = loops_.getLoopFor(bb);
    if (l == in) return nullptr;
    while (l != nullptr && l->getParentLoop() != in) l = l->getParentLoop();
    return l;
  }
  void visit(const BasicBlock* bb, const Loop* in, SmallPtrSetImpl<const BasicBlock*>& seen,
             SmallVectorImpl<const BasicBlock*>& backwards) {
    const Loop* const inner = stands_for(bb, in);
    const BasicBlock* const node = inner != nullptr ? inner->getHeader() : bb;
    if (!seen.insert(node).second) return;
    const auto go_on = [&](const BasicBlock* next) {
      if (in != nullptr && (!in->contains(next) || next == in->getHeader())) return;
      visit(next, in, seen, backwards);
    };
    if (inner == nullptr) {
      for (const BasicBlock* next : successors(bb)) go_on(next);
    } else {
      SmallVector<BasicBlock*> exits;
      inner->getUniqueExitBlocks(exits);
      for (const BasicBlock* next : exits) go_on(next);
    }
    backwards.push_back(node);
  }
  void number(const Loop* in, const BasicBlock& first) {
    SmallPtrSet<const BasicBlock*, 32> seen;
    SmallVector<const BasicBlock*> backwards;
    visit(&first, in, seen, backwards);
    for (const BasicBlock* node : reverse(backwards)) {
      if (const Loop* inner = stands_for(node, in))
        number(inner, *inner->getHeader());
      else
        numbers_[node] = ++last_;
    }
  }
  const LoopInfo& loops_;
  DenseMap<const BasicBlock*, unsigned> numbers_;
  unsigned last_ = 0;
};

// Parameters that are passed in memory lie on the stack of the thread that has them, and are in no count.
void silence_parameters(Function& f) {
  for (Instruction& i : instructions(f)) {
    const Value* const at = getLoadStorePointerOperand(&i);
    const auto* parameter = at == nullptr ? nullptr : dyn_cast<Argument>(getUnderlyingObject(at, 0));
    if (parameter != nullptr && parameter->hasByValAttr()) hide(i);
  }
}

// What stands there is the optimiser's: it may be in one of the bodies of a kernel only.
bool is_in_front_of_loop(const BasicBlock& bb, const LoopInfo& loops) {
  const BasicBlock* const next = bb.getSingleSuccessor();
  return next != nullptr && loops.isLoopHeader(next) && !loops.getLoopFor(next)->contains(&bb);
}

bool mark(Function& f, FunctionCallee marker, bool in_short) {
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  for (Loop* l : loops) simplifyLoop(l, &dominators, &loops, nullptr, nullptr, nullptr, false);  // one jump back each
  const marked_order order(f, loops);
  counted_loops counted(f, dominators, loops, true);
  DenseMap<BasicBlock*, CallInst*> markers;
  for (BasicBlock& bb : f) {
    const users_part part = bb.isEHPad() ? users_part() : find_users_part(bb);
    Instruction* const first = part.first;
    if (first == nullptr || order.of(&bb) == 0) continue;
    Constant* const arithmetic = arithmetic_of(bb, dominators, *f.getParent());
    if (part.only_computes && arithmetic->isNullValue() && is_in_front_of_loop(bb, loops)) continue;
    IRBuilder<> b(first);
    if (isa<PHINode>(first) || isa<AllocaInst>(first))
      b.SetInsertPoint(&bb, bb.isEntryBlock() ? bb.getFirstNonPHIOrDbgOrAlloca() : bb.getFirstInsertionPt());
    b.SetCurrentDebugLocation(part.place);
    CallInst* const call = b.CreateCall(marker, {b.getInt32(order.of(&bb)), arithmetic});
    call->setDoesNotThrow();
    markers[&bb] = call;
  }
  if (in_short) counted.tell_in_short(markers);
  silence_parameters(f);
  return !markers.empty();
}

FunctionCallee marker_of(Module& m) {
  LLVMContext& c = m.getContext();
  return m.getOrInsertFunction(kMarker, Type::getVoidTy(c), Type::getInt32Ty(c), PointerType::get(c, 0));
}

constexpr const char* kMarked = "simt.marked";

// What a kernel can call. The host's calls of headers, which are not counted, are several times as much code.
SmallPtrSet<const Function*, 32> counted_functions(Module& m) {
  SmallVector<const Value*> bodies;
  for (const char* mark : {"simt.kernel_body", "simt.loops"})
    for (Function* f : annotated_functions(m, mark)) bodies.push_back(f);
  // How the engine calls kernels of CUDA source.
  for (Function& f : m)
    if (!f.isDeclaration() && f.hasAddressTaken() && f.getSubprogram() != nullptr &&
        is_of_api(path_of(*f.getSubprogram())))
      bodies.push_back(&f);
  return reached_from(std::move(bodies), true);
}

}  // namespace

bool is_counted(const Module& m) { return m.getNamedGlobal(kMarkersWanted) != nullptr; }

void inline_headers(Module& m) {
  const SmallPtrSet<const Function*, 32> counted = counted_functions(m);
  for (Function& f : m) {
    const DISubprogram* const written = f.getSubprogram();
    // What stands between the engine and the kernel stays in functions of its own, which are not watched.
    if (!counted.contains(&f) || f.isDeclaration() || written == nullptr ||
        !f.hasFnAttribute(Attribute::SanitizeThread) || f.hasFnAttribute(Attribute::NoInline) ||
        f.hasFnAttribute(Attribute::OptimizeNone) || !is_of_api(path_of(*written)))
      continue;
    f.addFnAttr(Attribute::AlwaysInline);
  }
}

bool is_block_marker(const Value& v) { return calls(v, kMarker); }

DenseMap<const BasicBlock*, unsigned> program_order(Function& f, const LoopInfo& loops) {
  return marked_order(f, loops).numbers();
}

void mark_loop_source(Function& f) {
  mark(f, marker_of(*f.getParent()), false);
  f.addFnAttr(kMarked);
}

void forget_exits(Function& f) {
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (leaves_kernel(i)) i.eraseFromParent();
}

void tell_loops_in_short(Function& f) {
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  DenseMap<BasicBlock*, CallInst*> markers;
  for (Instruction& i : instructions(f))
    if (is_block_marker(i)) markers[i.getParent()] = cast<CallInst>(&i);
  counted_loops(f, dominators, loops, false).tell_in_short(markers);
}

void copy_parameters(Module& m) {
  for (Function& f : m) {
    if (f.isDeclaration() || !f.hasFnAttribute(Attribute::SanitizeThread)) continue;
    for (Argument& a : f.args()) {
      if (!a.hasByValAttr() || a.use_empty()) continue;
      const DataLayout& layout = m.getDataLayout();
      Type* const type = a.getParamByValType();
      BasicBlock& entry = f.getEntryBlock();
      AllocaInst* const own = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
      own->setAlignment(a.getParamAlign().value_or(layout.getABITypeAlign(type)));
      a.replaceAllUsesWith(own);
      IRBuilder<> b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
      b.CreateMemCpy(own, own->getAlign(), &a, own->getAlign(), layout.getTypeAllocSize(type));
    }
  }
}

bool mark_blocks(Module& m) {
  if (!is_counted(m)) return false;
  bool changed = false;
  for (Function& f : m)
    if (!f.isDeclaration() && f.hasFnAttribute(Attribute::SanitizeThread) && !f.hasFnAttribute(kMarked))
      changed |= mark(f, marker_of(m), true);
  return changed;
}

}  // namespace simt::compile
