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
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "block_arithmetic.hpp"
#include "counted_loops.hpp"
#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// Where the user's part of a block begins; null: it has none. The loop over a block's threads holds the kernel's code,
// and blocks of its own.
Instruction* first_of_user(BasicBlock& bb) {
  for (Instruction& i : bb)
    if (const DILocation* at = i.getDebugLoc(); at != nullptr && at->getLine() != 0 && is_of_user(at)) return &i;
  return nullptr;
}

class marked_order {
 public:
  marked_order(Function& f, const LoopInfo& loops) : loops_(loops) { number(nullptr, f.getEntryBlock()); }
  unsigned of(const BasicBlock* bb) const { return numbers_.lookup(bb); }

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
    if (parameter != nullptr && parameter->hasByValAttr())
      i.setMetadata(LLVMContext::MD_nosanitize, MDNode::get(f.getContext(), {}));
  }
}

bool mark(Function& f, FunctionCallee marker) {
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  for (Loop* l : loops) simplifyLoop(l, &dominators, &loops, nullptr, nullptr, nullptr, false);  // one jump back each
  const marked_order order(f, loops);
  counted_loops counted(f, dominators, loops);
  DenseMap<BasicBlock*, CallInst*> markers;
  for (BasicBlock& bb : f) {
    Instruction* const first = bb.isEHPad() ? nullptr : first_of_user(bb);
    if (first == nullptr || order.of(&bb) == 0) continue;
    IRBuilder<> b(first);
    if (isa<PHINode>(first) || isa<AllocaInst>(first))
      b.SetInsertPoint(&bb, bb.isEntryBlock() ? bb.getFirstNonPHIOrDbgOrAlloca() : bb.getFirstInsertionPt());
    b.SetCurrentDebugLocation(first->getDebugLoc());
    CallInst* const call =
        b.CreateCall(marker, {b.getInt32(order.of(&bb)), arithmetic_of(bb, dominators, *f.getParent())});
    call->setDoesNotThrow();
    markers[&bb] = call;
  }
  counted.tell_in_short(markers);
  silence_parameters(f);
  return !markers.empty();
}

bool wants_markers(const Module& m) { return m.getNamedGlobal(kMarkersWanted) != nullptr; }

}  // namespace

bool inline_headers(Module& m) {
  if (!wants_markers(m)) return false;
  bool changed = false;
  for (Function& f : m) {
    const DISubprogram* const written = f.getSubprogram();
    // What stands between the engine and the kernel stays in functions of its own, which are not watched.
    if (f.isDeclaration() || written == nullptr || !f.hasFnAttribute(Attribute::SanitizeThread) ||
        f.hasFnAttribute(Attribute::NoInline) || f.hasFnAttribute(Attribute::OptimizeNone) ||
        !is_of_api(path_of(*written)))
      continue;
    f.addFnAttr(Attribute::AlwaysInline);
    changed = true;
  }
  return changed;
}

bool mark_blocks(Module& m) {
  if (!wants_markers(m)) return false;
  LLVMContext& c = m.getContext();
  const FunctionCallee marker =
      m.getOrInsertFunction(kMarker, Type::getVoidTy(c), Type::getInt32Ty(c), PointerType::get(c, 0));
  bool changed = false;
  for (Function& f : m)
    if (!f.isDeclaration() && f.hasFnAttribute(Attribute::SanitizeThread)) changed |= mark(f, marker);
  return changed;
}

}  // namespace simt::compile
