// SPDX-License-Identifier: Apache-2.0
#include "canonical_form.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Support/ModRef.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "blocks_beside.hpp"
#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "meeting_ways.hpp"
#include "warp_operations.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

// What says something about one thread's run only, and nothing that is needed: where variables live, what does not
// alias within one call, assumptions.
void drop_remarks(Function& f) {
  for (Instruction& i : make_early_inc_range(instructions(f))) {
#if LLVM_VERSION_MAJOR >= 19
    i.dropDbgRecords();
#endif
    i.setMetadata(LLVMContext::MD_noalias, nullptr);
    i.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    auto* call = dyn_cast<IntrinsicInst>(&i);
    if (call == nullptr) continue;
    const bool remark = isa<DbgInfoIntrinsic>(call) || call->isLifetimeStartOrEnd() || call->isAssumeLikeIntrinsic();
    // Neighbours follow each other in the loops, so the processor fetches ahead by itself.
    const bool prefetch = call->getIntrinsicID() == Intrinsic::prefetch;
    if ((remark || prefetch) && call->getType()->isVoidTy()) call->eraseFromParent();
  }
}

// What has been inferred of one thread's body does not hold for all of them.
void drop_inferences(Function& f) {
  f.setMemoryEffects(MemoryEffects::unknown());
  for (const auto inferred :
       {Attribute::NoSync, Attribute::NoFree, Attribute::WillReturn, Attribute::NoUnwind, Attribute::NoRecurse})
    f.removeFnAttr(inferred);
  for (const unsigned p : {parameter::block, parameter::args, parameter::arrays})
    for (const auto inferred : {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::NoCapture,
                                Attribute::NoFree, Attribute::NoUndef, Attribute::Dereferenceable})
      f.removeParamAttr(p, inferred);
}

void one_return(kernel_form& k) {
  k.leave = BasicBlock::Create(k.f.getContext(), "leave", &k.f);
  for (BasicBlock& bb : k.f)
    if (auto* r = dyn_cast_or_null<ReturnInst>(bb.getTerminator())) {
      IRBuilder<>(r).CreateBr(k.leave);
      r->eraseFromParent();
    }
  ReturnInst::Create(k.f.getContext(), k.leave);
}

// A block that ends the launch (a trap) gets an edge that is never taken, to where its thread would have gone without
// it: so it is no way out of the kernel, and decides over no barrier.
maybe_refused join_dead_ends(kernel_form& k) {
  SmallVector<BasicBlock*> dead_ends;
  for (BasicBlock& bb : k.f)
    if (isa<UnreachableInst>(bb.getTerminator())) dead_ends.push_back(&bb);
  for (BasicBlock* end : dead_ends) {
    SmallVector<BasicBlock*> from(predecessors(end));
    const SmallSetVector<BasicBlock*, 4> distinct(from.begin(), from.end());
    if (distinct.empty() || end == &k.f.getEntryBlock())
      return refuse("a kernel that always traps", end->getTerminator());
    for (BasicBlock* p : distinct) {
      BasicBlock* mine = end;
      if (distinct.size() > 1) mine = SplitBlockPredecessors(end, {p}, ".trap");
      BasicBlock* onward = nullptr;
      for (BasicBlock* s : successors(p))
        if (s != mine && !is_contained(dead_ends, s)) onward = s;
      if (onward == nullptr) return refuse("a trap that is reached in several steps", end->getTerminator());
      if (mine != end) {  // a copy of the block for this way
        ValueToValueMapTy map;
        for (PHINode& phi : end->phis()) map[&phi] = phi.getIncomingValueForBlock(mine);
        mine->getTerminator()->eraseFromParent();
        end->removePredecessor(mine, true);
        for (Instruction& i : make_early_inc_range(*end)) {
          if (isa<PHINode>(i) || i.isTerminator()) continue;
          Instruction* copy = i.clone();
          copy->insertInto(mine, mine->end());
          map[&i] = copy;
          RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        }
      } else {
        mine->getTerminator()->eraseFromParent();
      }
      BranchInst::Create(onward, mine);
      for (PHINode& phi : onward->phis()) phi.addIncoming(PoisonValue::get(phi.getType()), mine);
    }
    if (pred_empty(end)) {
      if (end->getTerminator() == nullptr) new UnreachableInst(k.f.getContext(), end);
      DeleteDeadBlock(end);
    }
  }
  return {};
}

maybe_refused find_ways_out(const kernel_form& k) {
  SmallPtrSet<BasicBlock*, 32> seen;
  SmallVector<BasicBlock*> todo{k.leave};
  while (!todo.empty()) {
    BasicBlock* const bb = todo.pop_back_val();
    if (seen.insert(bb).second) todo.append(pred_begin(bb), pred_end(bb));
  }
  for (BasicBlock& bb : k.f)
    if (seen.count(&bb) == 0) return refuse("a loop without an end", bb.getTerminator());
  return {};
}

// What is in front of everything: allocas, then what can be computed once a block. Parameters, the block's place and
// such references do not change while the kernel runs.
bool reads_parameters(const kernel_form& k, const LoadInst& load) {
  if (!load.isSimple()) return false;
  const Value* base = getUnderlyingObject(load.getPointerOperand(), 0);
  return base == k.f.getArg(parameter::args) || base == k.f.getArg(parameter::block) || is_device_reference(base);
}
}  // namespace

bool is_device_reference(const Value* v) {
  auto* const variable = dyn_cast<GlobalVariable>(v);
  return variable != nullptr && variable->getSection() == "simt_refs";
}

bool is_computable(const Instruction& i) {
  if (isa<PHINode>(i) || isa<AllocaInst>(i) || i.isTerminator() || i.mayReadOrWriteMemory()) return false;
  if (is_shared_array(&i)) return true;
  return !isa<CallInst>(i) || isa<IntrinsicInst>(i) ? isSafeToSpeculativelyExecute(&i) : false;
}

namespace {

void move_to_entry(kernel_form& k) {
  BasicBlock& first = k.f.getEntryBlock();
  BasicBlock::iterator at = first.begin();
  k.entry = BasicBlock::Create(k.f.getContext(), "block", &k.f, &first);
  BranchInst* const end = BranchInst::Create(&first, k.entry);
  for (Instruction& i : make_early_inc_range(first))
    if (isa<AllocaInst>(i)) i.moveBefore(end);
  (void)at;
  bool moved = true;
  while (moved) {
    moved = false;
    ReversePostOrderTraversal<Function*> order(&k.f);
    for (BasicBlock* bb : order) {
      if (bb == k.entry) continue;
      for (Instruction& i : make_early_inc_range(*bb)) {
        auto* load = dyn_cast<LoadInst>(&i);
        if (!is_computable(i) && !(load != nullptr && reads_parameters(k, *load))) continue;
        bool known = true;
        for (const Use& o : i.operands()) known &= is_known_at_entry(k, o.get());
        if (!known) continue;
        i.moveBefore(end);
        i.dropUnknownNonDebugMetadata();
        moved = true;
      }
    }
  }
}

void split_at_warp_operations(kernel_form& k) {
  SmallVector<CallInst*> calls;
  for (Instruction& i : instructions(k.f))
    if (is_marker(&i, marker::warp)) calls.push_back(cast<CallInst>(&i));
  for (CallInst* call : calls) {
    const bool shuffles = is_shuffle(*call);
    if (shuffles) SplitBlock(call->getParent(), call);
    k.warp_operations.push_back({call, SplitBlock(call->getParent(), call->getNextNode()), shuffles});
  }
}

void split_at_barriers(kernel_form& k) {
  SmallVector<Instruction*> calls;
  for (Instruction& i : instructions(k.f))
    if (is_marker(&i, marker::barrier) || is_marker(&i, marker::grid_barrier)) calls.push_back(&i);
  for (Instruction* call : calls) {
    Instruction* const behind = call->getNextNode();
    const bool of_grid = is_marker(call, marker::grid_barrier);
    k.barriers.push_back(SplitBlock(call->getParent(), behind));
    k.places[k.barriers.back()] = call->getDebugLoc();
    if (of_grid) k.grid_barriers.insert(k.barriers.back());
    call->eraseFromParent();
  }
}

}  // namespace

kernel_form form_of(Function& f, const std::int64_t* extent, row_kind rows) {
  kernel_form k{f, {}, {}, nullptr, nullptr, {}};
  k.rows = extent != nullptr && extent[0] % kLanes == 0 ? row_kind::whole : rows;
  for (unsigned d = 0; d < 3; ++d) {
    k.index[d] = f.getArg(parameter::thread + d);
    k.extent[d] = f.getArg(parameter::extent + d);
    if (extent == nullptr) continue;
    auto* constant = ConstantInt::get(Type::getInt64Ty(f.getContext()), extent[d]);
    if (!runs_blocks_beside(f)) k.extent[d]->replaceAllUsesWith(constant);
    k.extent[d] = constant;
  }
  return k;
}

bool is_known_at_entry(const kernel_form& k, const Value* v) {
  if (auto* i = dyn_cast<Instruction>(v)) return i->getParent() == k.entry && !isa<AllocaInst>(i);
  return !is_contained(k.index, v);
}

maybe_refused make_canonical(kernel_form& k) {
  EliminateUnreachableBlocks(k.f);
  drop_remarks(k.f);
  drop_inferences(k.f);
  one_return(k);
  if (maybe_refused no = join_dead_ends(k)) return no;
  if (maybe_refused no = find_ways_out(k)) return no;
  move_to_entry(k);
  compute_where_ways_meet(k);
  split_at_barriers(k);
  split_at_warp_operations(k);
  return {};
}

}  // namespace simt::compile
