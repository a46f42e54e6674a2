// SPDX-License-Identifier: Apache-2.0
#include "loop_nest.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "blocks_beside.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

MDNode* word(LLVMContext& c, const char* name) { return MDNode::get(c, {MDString::get(c, name)}); }
MDNode* word(LLVMContext& c, const char* name, Metadata* value) {
  return MDNode::get(c, {MDString::get(c, name), value});
}

// innermost: the loop over x. Its threads may run together.
void describe_loop(BranchInst* back, MDNode* accesses, bool innermost, bool over_blocks = false) {
  LLVMContext& c = back->getContext();
  SmallVector<Metadata*> words{nullptr, word(c, "llvm.loop.mustprogress"), word(c, "llvm.loop.unroll.disable")};
  if (innermost) {
    words.push_back(word(c, kParallelMark, accesses));
    auto* one = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), 1));
    words.push_back(word(c, "llvm.loop.interleave.count", one));
  }
  if (over_blocks) words.push_back(word(c, kBlocksMark));
  MDNode* const id = MDNode::getDistinct(c, words);
  id->replaceOperandWith(0, id);
  back->setMetadata(LLVMContext::MD_loop, id);
}

}  // namespace

bool is_over_blocks(const Loop& l) { return findOptionMDForLoop(&l, kBlocksMark) != nullptr; }

loop_nest make_loop_nest(const kernel_form& k, bool by_ranks) {
  LLVMContext& c = k.f.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(c, name, &k.f); };
  loop_nest n{};
  n.before = block("before"), n.z = block("z"), n.y = block("y"), n.x = block("x"), n.x_next = block("x.next");
  n.y_next = block("y.next"), n.z_next = block("z.next"), n.after = block("after");
  n.accesses = MDNode::getDistinct(c, {});
  IRBuilder<> b(n.before);
  Value* extent[3] = {k.extent[0], k.extent[1], k.extent[2]};
  if (by_ranks) {
    extent[0] = b.CreateMul(extent[0], b.CreateMul(extent[1], extent[2]));
    extent[1] = extent[2] = b.getInt64(1);
  }
  n.width = extent[0];
  b.CreateBr(n.z);
  BasicBlock* const body[3] = {n.x, n.y, n.z};
  BasicBlock* const next[3] = {n.x_next, n.y_next, n.z_next};
  BasicBlock* const from[3] = {n.y, n.z, n.before};
  BasicBlock* const to[3] = {n.y_next, n.z_next, n.after};
  for (int d = 0; d < 3; ++d) {
    b.SetInsertPoint(body[d]);
    PHINode* const index = b.CreatePHI(b.getInt64Ty(), 2);
    n.index[d] = index;
    index->addIncoming(b.getInt64(0), from[d]);
    b.SetInsertPoint(next[d]);
    Value* const following = b.CreateAdd(n.index[d], b.getInt64(1), "", true, true);
    index->addIncoming(following, next[d]);
    describe_loop(b.CreateCondBr(b.CreateICmpULT(following, extent[d]), body[d], to[d]), n.accesses, d == 0,
                  d == 1 && runs_blocks_beside(k.f));
  }
  b.SetInsertPoint(n.z);
  Value* const plane = b.CreateMul(n.index[2], extent[1], "", true, true);
  b.CreateBr(n.y);
  b.SetInsertPoint(n.y);
  n.row = b.CreateMul(b.CreateAdd(plane, n.index[1], "", true, true), extent[0], "", true, true);
  b.CreateBr(n.x);
  b.SetInsertPoint(n.x);
  n.rank = b.CreateAdd(n.row, n.index[0], "rank", true, true);
  return n;
}

namespace {
// The extent if it is known when the loops are made.
std::optional<std::uint64_t> known_extent(const kernel_form& k, unsigned d) {
  auto* const c = dyn_cast<ConstantInt>(k.extent[d]);
  return c != nullptr ? std::optional(c->getZExtValue()) : std::nullopt;
}
bool is_one_row(const kernel_form& k) { return known_extent(k, 1) == 1u && known_extent(k, 2) == 1u; }
}  // namespace

bool has_whole_rows(const kernel_form& k) {
  return k.rows == row_kind::whole || known_extent(k, 0).value_or(1) % kLanes == 0;
}

void make_warp_loop(const kernel_form& k, group& g) {
  LLVMContext& c = k.f.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(c, name, &k.f); };
  g.before = block("warps.before"), g.warp = block("warp"), g.next = block("warp.next"), g.after = block("warps.after");
  IRBuilder<> b(g.before);
  Value* const plane = b.CreateMul(k.extent[0], k.extent[1], "", true, true);
  Value* const threads = b.CreateMul(plane, k.extent[2], "", true, true);
  b.CreateBr(g.warp);
  b.SetInsertPoint(g.warp);
  PHINode* const first = b.CreatePHI(b.getInt64Ty(), 2, "first");
  first->addIncoming(b.getInt64(0), g.before);
  Value* const following = b.CreateAdd(first, b.getInt64(kLanes), "", true, true);
  Value* end = following;
  if (!has_whole_rows(k)) end = b.CreateBinaryIntrinsic(Intrinsic::umin, following, threads);
  g.first_rank = first;
  g.end_rank = end;
  // Where nobody has left, all who are there.
  Value* const absent = b.CreateTrunc(b.CreateSub(following, end), b.getInt32Ty());
  g.live = b.CreateLShr(b.getInt32(~0u), absent, "live");
  g.first_index[0] = first;
  g.first_index[1] = g.first_index[2] = b.getInt64(0);
  if (!is_one_row(k)) {
    Value* const row = b.CreateUDiv(first, k.extent[0]);
    g.first_index[0] = b.CreateURem(first, k.extent[0]);
    g.first_index[1] = b.CreateURem(row, k.extent[1]);
    g.first_index[2] = b.CreateUDiv(row, k.extent[1]);
  }
  b.SetInsertPoint(g.next);
  first->addIncoming(following, g.next);
  describe_loop(b.CreateCondBr(b.CreateICmpULT(following, threads), g.warp, g.after), nullptr, false);
}

loop_nest make_lane_loops(const kernel_form& k, const group& g) {
  LLVMContext& c = k.f.getContext();
  const auto block = [&](const char* name) { return BasicBlock::Create(c, name, &k.f); };
  loop_nest n{};
  n.before = block("before"), n.y = block("y"), n.x = block("x"), n.x_next = block("x.next");
  n.y_next = block("y.next"), n.after = block("after");
  n.accesses = MDNode::getDistinct(c, {});
  IRBuilder<> b(n.before);
  b.CreateBr(n.y);
  // A row's part of the warp: from rank `at`, so many threads.
  b.SetInsertPoint(n.y);
  Value *at = g.first_rank, *count = nullptr, *first_x = nullptr;
  PHINode* part = nullptr;
  if (is_one_row(k)) {
    first_x = at;
    n.index[1] = n.index[2] = b.getInt64(0);
    count = has_whole_rows(k) ? b.getInt64(kLanes) : b.CreateSub(g.end_rank, at, "", true, true);
  } else {
    if (!has_whole_rows(k)) {
      at = part = b.CreatePHI(b.getInt64Ty(), 2);
      part->addIncoming(g.first_rank, n.before);
    }
    const auto narrow = [&](Value* v) { return b.CreateTrunc(v, b.getInt32Ty()); };
    const auto wide = [&](Value* v) { return b.CreateZExt(v, b.getInt64Ty()); };
    Value *const dx = narrow(k.extent[0]), *const dy = narrow(k.extent[1]);
    Value* const row = b.CreateUDiv(narrow(at), dx);
    first_x = wide(b.CreateURem(narrow(at), dx));
    n.index[1] = wide(b.CreateURem(row, dy));
    n.index[2] = wide(b.CreateUDiv(row, dy));
    count = b.getInt64(kLanes);
    if (!has_whole_rows(k)) {
      Value* const in_row = b.CreateSub(k.extent[0], first_x, "", true, true);
      count = b.CreateBinaryIntrinsic(Intrinsic::umin, in_row, b.CreateSub(g.end_rank, at, "", true, true));
    }
  }
  Value* const before_part = b.CreateSub(at, g.first_rank, "", true, true);
  b.CreateBr(n.x);
  b.SetInsertPoint(n.x);
  PHINode* const i = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(b.getInt64(0), n.y);
  n.step = i;
  n.index[0] = b.CreateAdd(first_x, i, "x", true, true);
  n.rank = b.CreateAdd(at, i, "rank", true, true);
  n.lane = b.CreateAdd(before_part, i, "lane", true, true);
  b.SetInsertPoint(n.x_next);
  Value* const following = b.CreateAdd(i, b.getInt64(1), "", true, true);
  i->addIncoming(following, n.x_next);
  describe_loop(b.CreateCondBr(b.CreateICmpULT(following, count), n.x, n.y_next), n.accesses, true);
  b.SetInsertPoint(n.y_next);
  if (part == nullptr) {
    b.CreateBr(n.after);
    return n;
  }
  Value* const next_part = b.CreateAdd(at, count, "", true, true);
  part->addIncoming(next_part, n.y_next);
  describe_loop(b.CreateCondBr(b.CreateICmpULT(next_part, g.end_rank), n.y, n.after), nullptr, false);
  return n;
}

// The arithmetic of the loop over rows once more, for its first turn.
warp_in_front look_ahead(const group& g, const loop_nest& n) {
  IRBuilder<> b(n.before->getTerminator());
  warp_in_front w;
  w.lanes = b.CreateSub(g.end_rank, g.first_rank, "lanes", true, true);
  w.in_a_row = b.getTrue();
  for (PHINode& part : n.y->phis()) w.first[&part] = part.getIncomingValueForBlock(n.before);
  for (Instruction& i : *n.y) {
    if (isa<PHINode>(i) || i.isTerminator()) continue;
    Instruction* const copy = i.clone();
    for (Use& o : copy->operands())
      if (Value* const known = w.first.lookup(o.get())) o.set(known);
    w.first[&i] = b.Insert(copy, i.getName());
  }
  if (n.y->phis().empty()) return w;
  auto* const again = cast<ICmpInst>(cast<BranchInst>(n.x_next->getTerminator())->getCondition());
  Value* const in_row = w.first.lookup(again->getOperand(1));
  w.in_a_row = b.CreateICmpEQ(in_row, w.lanes);
  return w;
}

void mark_independent(ArrayRef<BasicBlock*> blocks, const loop_nest& nest,
                      const DenseSet<const Value*>& shared_by_threads) {
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
  if (!all_of(blocks, look_at)) return;
  for (Instruction* i : accesses) i->setMetadata(LLVMContext::MD_access_group, nest.accesses);
}

}  // namespace simt::compile
