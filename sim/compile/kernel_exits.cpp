// SPDX-License-Identifier: Apache-2.0
// A function as clang first writes it has one block that returns. A `return` jumps there, directly or through the ends
// of scopes: blocks that end the lifetimes of variables and then branch on a number that says where to go on. These and
// the returning block are "the way out" here. Every edge that leads into the way out from elsewhere gets the call. A
// thread may pass several such edges (a `continue` goes through ends of scopes, too); the last one before it returns is
// the one by which it left.
#include "kernel_exits.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

SetVector<Function*> kernels_of(Module& m) {
  SetVector<Function*> kernels;
  for (Function* body : annotated_functions(m, "simt.kernel_body"))
    for (Instruction& i : instructions(*body))
      if (auto* store = dyn_cast<StoreInst>(&i))
        if (auto* f = dyn_cast<Function>(store->getValueOperand()->stripPointerCasts()); f && !f->isDeclaration())
          kernels.insert(f);
  return kernels;
}

bool loads_a_variable(const Value* v) {
  if (auto* compare = dyn_cast<ICmpInst>(v)) v = compare->getOperand(0);
  auto* load = dyn_cast<LoadInst>(v);
  return load != nullptr && isa<AllocaInst>(load->getPointerOperand());
}

// The end of a scope: nothing but lifetimes ends, and, where several ways lead through it, the choice between them.
bool ends_scope(const BasicBlock& bb) {
  const Instruction* const last = bb.getTerminator();
  bool ends = false;
  if (auto* choice = dyn_cast<SwitchInst>(last)) {
    if (!loads_a_variable(choice->getCondition())) return false;
    ends = true;
  } else if (auto* branch = dyn_cast<BranchInst>(last); branch == nullptr || branch->isConditional()) {
    return false;
  }
  for (const Instruction& i : bb) {
    if (&i == last || isa<DbgInfoIntrinsic>(i) || isa<LoadInst>(i) || isa<ICmpInst>(i)) continue;
    auto* intrinsic = dyn_cast<IntrinsicInst>(&i);
    if (intrinsic == nullptr || intrinsic->getIntrinsicID() != Intrinsic::lifetime_end) return false;
    ends = true;
  }
  return ends;
}

// Empty: the function has one way out only, or none that this knows.
SetVector<BasicBlock*> way_out(Function& f) {
  SetVector<BasicBlock*> found;
  for (BasicBlock& bb : f)
    if (isa<ReturnInst>(bb.getTerminator())) found.insert(&bb);
  if (found.size() != 1) return {};
  for (unsigned k = 0; k < found.size(); ++k)
    for (BasicBlock* before : predecessors(found[k]))
      if (ends_scope(*before)) found.insert(before);
  return found;
}

bool name_exits(Function& f) {
  const SetVector<BasicBlock*> out = way_out(f);
  SetVector<std::pair<BasicBlock*, BasicBlock*>> edges;
  for (BasicBlock* to : out)
    for (BasicBlock* from : predecessors(to))
      if (!out.contains(from)) edges.insert({from, to});
  if (edges.size() < 2) return false;
  const DebugLoc end = out[0]->getTerminator()->getDebugLoc();
  LLVMContext& c = f.getContext();
  const FunctionCallee leaves = f.getParent()->getOrInsertFunction(kLeavesKernel, Type::getVoidTy(c));
  for (const auto& [from, to] : edges) {
    Instruction* const jump = from->getTerminator();
    const bool alone = jump->getNumSuccessors() == 1;
    Instruction* const before = alone ? jump : SplitEdge(from, to)->getTerminator();
    CallInst* const call = IRBuilder<>(before).CreateCall(leaves);
    call->setDebugLoc(alone && jump->getDebugLoc() ? jump->getDebugLoc() : end);
    call->addFnAttr(Attribute::NoMerge);  // each is a place of its own
    call->setDoesNotThrow();
  }
  return true;
}

}  // namespace

bool name_kernel_exits(Module& m) {
  bool changed = false;
  for (Function* f : kernels_of(m))
    if (f->hasFnAttribute(Attribute::SanitizeThread) && f->getReturnType()->isVoidTy()) changed |= name_exits(*f);
  return changed;
}

}  // namespace simt::compile
