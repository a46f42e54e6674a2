// SPDX-License-Identifier: Apache-2.0
#include "loop_nest.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>

namespace simt::compile {

using namespace llvm;

namespace {

MDNode* word(LLVMContext& c, const char* name) { return MDNode::get(c, {MDString::get(c, name)}); }
MDNode* word(LLVMContext& c, const char* name, Metadata* value) {
  return MDNode::get(c, {MDString::get(c, name), value});
}

// innermost: the loop over x. Its threads may run together.
void describe_loop(BranchInst* back, MDNode* accesses, bool innermost) {
  LLVMContext& c = back->getContext();
  SmallVector<Metadata*> words{nullptr, word(c, "llvm.loop.mustprogress"), word(c, "llvm.loop.unroll.disable")};
  if (innermost) {
    words.push_back(word(c, "llvm.loop.parallel_accesses", accesses));
    auto* one = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), 1));
    words.push_back(word(c, "llvm.loop.interleave.count", one));
  }
  MDNode* const id = MDNode::getDistinct(c, words);
  id->replaceOperandWith(0, id);
  back->setMetadata(LLVMContext::MD_loop, id);
}

}  // namespace

loop_nest make_loop_nest(const kernel_form& k) {
  LLVMContext& c = k.f.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(c, name, &k.f); };
  loop_nest n{};
  n.before = block("before"), n.z = block("z"), n.y = block("y"), n.x = block("x"), n.x_next = block("x.next");
  n.y_next = block("y.next"), n.z_next = block("z.next"), n.after = block("after");
  n.accesses = MDNode::getDistinct(c, {});
  IRBuilder<> b(n.before);
  b.CreateBr(n.z);
  BasicBlock* const body[3] = {n.x, n.y, n.z};
  BasicBlock* const next[3] = {n.x_next, n.y_next, n.z_next};
  BasicBlock* const from[3] = {n.y, n.z, n.before};
  BasicBlock* const to[3] = {n.y_next, n.z_next, n.after};
  for (int d = 0; d < 3; ++d) {
    b.SetInsertPoint(body[d]);
    n.index[d] = b.CreatePHI(b.getInt64Ty(), 2);
    n.index[d]->addIncoming(b.getInt64(0), from[d]);
    b.SetInsertPoint(next[d]);
    Value* const following = b.CreateAdd(n.index[d], b.getInt64(1), "", true, true);
    n.index[d]->addIncoming(following, next[d]);
    describe_loop(b.CreateCondBr(b.CreateICmpULT(following, k.extent[d]), body[d], to[d]), n.accesses, d == 0);
  }
  b.SetInsertPoint(n.z);
  Value* const plane = b.CreateMul(n.index[2], k.extent[1], "", true, true);
  b.CreateBr(n.y);
  b.SetInsertPoint(n.y);
  Value* const row = b.CreateMul(b.CreateAdd(plane, n.index[1], "", true, true), k.extent[0], "", true, true);
  b.CreateBr(n.x);
  b.SetInsertPoint(n.x);
  n.rank = b.CreateAdd(row, n.index[0], "rank", true, true);
  return n;
}

void mark_independent(const region& r, const loop_nest& nest, const DenseSet<const Value*>& shared_by_threads) {
  SmallVector<Instruction*> accesses;
  const auto look_at = [&](BasicBlock* bb) {
    for (Instruction& i : *bb) {
      if (!i.mayReadOrWriteMemory()) continue;
      if (i.isAtomic() || i.isVolatile()) return false;
      if (auto* call = dyn_cast<CallBase>(&i); call != nullptr && !isa<IntrinsicInst>(call)) return false;
      const Value* at = getLoadStorePointerOperand(&i);
      if (at == nullptr) continue;
      const Value* object = getUnderlyingObject(at, 0);
      if (shared_by_threads.count(object) != 0) continue;
      if (!shared_by_threads.empty() && (isa<PHINode>(object) || isa<SelectInst>(object))) continue;  // one of several
      accesses.push_back(&i);
    }
    return true;
  };
  bool independent = look_at(nest.x);
  for (BasicBlock* bb : r.blocks) independent = independent && look_at(bb);
  if (!independent) return;
  for (Instruction* i : accesses) i->setMetadata(LLVMContext::MD_access_group, nest.accesses);
}

}  // namespace simt::compile
