// SPDX-License-Identifier: Apache-2.0
// From   x: ... ahead -> header ... latch -> header, or behind ... x.next -> x
// to     turn: x: ... ahead -> header, or behind    header ... latch -> behind ... x.next -> x    turned -> turn
// `ahead` asks whether the running thread takes part in this turn. How many turns there are at most, the runtime knows
// (simt_loop_turns): 0 where that is not known, or an index would wrap in the turns that others make. Then the loops
// run as they were.
#include "unwatched_turns.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <optional>

#include "copied_blocks.hpp"
#include "loop_nest.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::int64_t kNear = 4;  // elements from thread to thread

// What a loop's header carries: it goes on by `step`, which each turn adds to what the thread began with.
struct carried_index {
  PHINode* phi;
  Instruction* next;
  Value *first, *step;
};

struct stride_of_threads {
  Loop *threads, *turns;
  SmallVector<carried_index, 2> indices;
  ICmpInst* again;  // asked at the end of a turn
  bool again_if;
  bool holds_at_first = false;  // who enters the loop has been asked the same of the first index
  std::uint64_t limit;          // what the index that is compared may come to
};

bool is_loop_over_threads(const Loop& l) {
  MDNode* const id = l.getLoopID();
  return id != nullptr && any_of(drop_begin(id->operands()), [](const MDOperand& o) {
           auto* const node = dyn_cast_or_null<MDNode>(o.get());
           auto* const name =
               node == nullptr || node->getNumOperands() == 0 ? nullptr : dyn_cast<MDString>(node->getOperand(0));
           return name != nullptr && name->getString() == kParallelMark;
         });
}

// What stands beside the loop is done again in each turn: it must be nothing but arithmetic.
bool is_arithmetic_beside(const Loop& threads, const Loop& turns) {
  for (const BasicBlock* bb : threads.blocks())
    if (!turns.contains(bb))
      for (const Instruction& i : *bb)
        if (i.mayReadOrWriteMemory() || i.mayHaveSideEffects() ||
            (!isa<PHINode>(i) && !i.isTerminator() && !isSafeToSpeculativelyExecute(&i)))
          return false;
  return true;
}
bool is_used_behind(const Loop& l) {
  for (const BasicBlock* bb : l.blocks())
    for (const Instruction& i : *bb)
      for (const User* u : i.users())
        if (!l.contains(cast<Instruction>(u))) return true;
  return false;
}

std::optional<carried_index> index_of(const Loop& l, PHINode& phi) {
  auto* const next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(l.getLoopLatch()));
  if (next == nullptr || next->getOpcode() != Instruction::Add || !phi.getType()->isIntegerTy()) return {};
  const unsigned at = next->getOperand(0) == &phi ? 0 : 1;
  if (next->getOperand(at) != &phi || !l.isLoopInvariant(next->getOperand(1 - at))) return {};
  return carried_index{&phi, next, phi.getIncomingValueForBlock(l.getLoopPreheader()), next->getOperand(1 - at)};
}

// From one thread's number to the next one's, if neither wraps.
std::optional<APInt> distance(const SCEV* s, const Loop& threads, ScalarEvolution& evolution) {
  const unsigned bits = s->getType()->getIntegerBitWidth();
  if (evolution.isLoopInvariant(s, &threads)) return APInt(bits, 0);
  if (auto* const cast = dyn_cast<SCEVIntegralCastExpr>(s); cast != nullptr && !isa<SCEVTruncateExpr>(cast)) {
    const auto of_narrow = distance(cast->getOperand(), threads, evolution);
    return of_narrow ? std::optional(of_narrow->sext(bits)) : std::nullopt;
  }
  if (auto* const on = dyn_cast<SCEVAddRecExpr>(s)) {
    auto* const by = on->getLoop() == &threads && on->isAffine() ? dyn_cast<SCEVConstant>(on->getOperand(1)) : nullptr;
    return by != nullptr ? std::optional(by->getAPInt()) : std::nullopt;
  }
  auto* const sum = dyn_cast<SCEVAddExpr>(s);
  if (sum == nullptr) return {};
  APInt all(bits, 0);
  for (const SCEV* part : sum->operands()) {
    const auto one = distance(part, threads, evolution);
    if (!one) return {};
    all += *one;
  }
  return all;
}

// The loop that all of `threads` is about; none: it stays.
std::optional<stride_of_threads> find_stride_of_threads(Loop& threads, ScalarEvolution& evolution) {
  if (threads.getSubLoops().size() != 1 || threads.getLoopLatch() == nullptr) return {};
  if (threads.getExitingBlock() != threads.getLoopLatch() || threads.getLoopPreheader() == nullptr) return {};
  stride_of_threads s{&threads, threads.getSubLoops()[0], {}, nullptr, false, false, 0};
  Loop& l = *s.turns;
  BasicBlock *const latch = l.getLoopLatch(), *const behind = l.getExitBlock(), *const after = threads.getExitBlock();
  if (latch == nullptr || behind == nullptr || after == nullptr || l.getExitingBlock() != latch ||
      l.getLoopPreheader() == nullptr || !behind->phis().empty() || !after->phis().empty() ||
      threads.getHeader() == l.getHeader())
    return {};
  for (PHINode& phi : threads.getHeader()->phis())
    if (!phi.getType()->isIntegerTy() || !evolution.isSCEVable(phi.getType())) return {};
  if (!is_arithmetic_beside(threads, l) || is_used_behind(l) || is_used_behind(threads)) return {};
  auto* const branch = dyn_cast<BranchInst>(latch->getTerminator());
  s.again = branch == nullptr || !branch->isConditional() ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
  if (s.again == nullptr || s.again->getParent() != latch || !s.again->isRelational()) return {};
  s.again_if = branch->getSuccessor(0) == l.getHeader();
  for (PHINode& phi : l.getHeader()->phis()) {
    const auto one = index_of(l, phi);
    if (!one) return {};
    s.indices.push_back(*one);
  }
  const carried_index* counted = nullptr;
  for (const carried_index& i : s.indices)
    for (const unsigned side : {0U, 1U}) {
      Value* asked = s.again->getOperand(side);
      Value* const other = s.again->getOperand(1 - side);
      if (auto* cut = dyn_cast<TruncInst>(asked)) asked = cut->getOperand(0);
      if ((asked != i.next && asked != i.phi) || !l.isLoopInvariant(other) || counted != nullptr) continue;
      const CmpInst::Predicate p = s.again_if ? s.again->getPredicate() : s.again->getInversePredicate(),
                               below = side == 0 ? p : ICmpInst::getSwappedPredicate(p);
      if (below != ICmpInst::ICMP_SLT && below != ICmpInst::ICMP_SLE && below != ICmpInst::ICMP_ULT &&
          below != ICmpInst::ICMP_ULE)
        return {};
      const unsigned bits = other->getType()->getIntegerBitWidth();
      if (bits > 64 || bits > i.phi->getType()->getIntegerBitWidth()) return {};
      counted = &i;
      const bool whole = ICmpInst::isSigned(below) || bits == 64;
      s.limit = (whole ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)).getZExtValue();
      s.holds_at_first =
          asked == i.next && s.again->getOperand(side) == i.next &&
          evolution.isLoopEntryGuardedByCond(&l, below, evolution.getSCEV(i.first), evolution.getSCEV(other));
    }
  if (counted == nullptr) return {};
  // Neighbours begin side by side, and a turn steps over them.
  const SCEV* const step = evolution.getSCEV(counted->step);
  const std::optional<APInt> apart = distance(evolution.getSCEV(counted->first), threads, evolution);
  if (!apart || apart->isZero() || apart->abs().ugt(kNear)) return {};
  if (!evolution.isLoopInvariant(step, &threads)) return {};
  if (auto* const c = dyn_cast<SCEVConstant>(step); c != nullptr && c->getAPInt().abs().ule(2 * kNear)) return {};
  return s;
}

class inside_putter {
 public:
  inside_putter(Function& f, stride_of_threads& s) : f_(f), c_(f.getContext()), s_(s) {}

  void turn() {
    BasicBlock *const in_front = s_.threads->getLoopPreheader(), *const row = s_.threads->getHeader(),
                      *const end_of_row = s_.threads->getLoopLatch(), *const after = s_.threads->getExitBlock();
    BasicBlock* const as_they_were = copy_of_loops();
    Value* const most = most_turns();
    BasicBlock *const turn = BasicBlock::Create(c_, "turn", &f_, row), *const turned =
                                                                           BasicBlock::Create(c_, "turned", &f_, after);
    IRBuilder<> b(in_front->getTerminator());
    b.CreateCondBr(b.CreateICmpNE(most, b.getInt64(0)), turn, as_they_were);
    in_front->getTerminator()->eraseFromParent();
    b.SetInsertPoint(turn);
    number_ = b.CreatePHI(b.getInt64Ty(), 2, "turn");
    b.CreateBr(row);
    row->replacePhiUsesWith(in_front, turn);
    end_of_row->getTerminator()->replaceSuccessorWith(after, turned);
    b.SetInsertPoint(turned);
    Value* const next = b.CreateAdd(number_, b.getInt64(1), "", true, true);
    b.CreateCondBr(b.CreateICmpULT(next, most), turn, after);
    number_->addIncoming(b.getInt64(0), in_front);
    number_->addIncoming(next, turned);
    take_part();
  }

 private:
  Value* most_turns() {
    IRBuilder<> b(&*f_.getEntryBlock().getFirstInsertionPt());
    b.SetCurrentDebugLocation(place_in_function(f_));
    FunctionCallee asked = f_.getParent()->getOrInsertFunction("simt_loop_turns", b.getInt64Ty(), b.getInt64Ty());
    cast<Function>(asked.getCallee())->setDoesNotThrow();
    return b.CreateCall(asked, {b.getInt64(s_.limit)});
  }

  BasicBlock* copy_of_loops() {
    ValueToValueMapTy map;
    const SmallVector<BasicBlock*> copies = copy_blocks(s_.threads->getBlocks(), map, ".unturned", f_);
    for (BasicBlock* bb : copies)
      if (MDNode* const id = bb->getTerminator()->getMetadata(LLVMContext::MD_loop)) {
        SmallVector<Metadata*> words(id->op_begin(), id->op_end());
        MDNode* const own = MDNode::getDistinct(c_, words);
        own->replaceOperandWith(0, own);
        bb->getTerminator()->setMetadata(LLVMContext::MD_loop, own);
      }
    return cast<BasicBlock>(map[s_.threads->getHeader()]);
  }

  // The condition as it was asked at the end of the turn before.
  Value* asked_before(Value* v, const ValueToValueMapTy& before, IRBuilder<>& b) {
    if (Value* const known = before.lookup(v)) return known;
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr || !s_.turns->contains(i)) return v;
    Instruction* const copy = i->clone();
    copy->dropPoisonGeneratingFlags();
    for (Use& o : copy->operands()) o.set(asked_before(o.get(), before, b));
    return b.Insert(copy);
  }

  void take_part() {
    BasicBlock *const ahead = s_.turns->getLoopPreheader(), *const header = s_.turns->getHeader(),
                      *const latch = s_.turns->getLoopLatch(), *const behind = s_.turns->getExitBlock();
    IRBuilder<> b(ahead->getTerminator());
    ValueToValueMapTy before;
    SmallVector<std::pair<PHINode*, Value*>> now;
    for (const carried_index& i : s_.indices) {
      Value* const passed = b.CreateMul(b.CreateZExtOrTrunc(number_, i.phi->getType()), i.step);
      Value* const here = b.CreateAdd(i.first, passed, "index");
      now.emplace_back(i.phi, here);
      before[i.next] = here;
      before[i.phi] = nullptr;
    }
    for (const carried_index& i : s_.indices) {
      Value* const here = before.lookup(i.next);
      before[i.phi] = s_.holds_at_first ? here : b.CreateSub(here, i.step);
    }
    Value* again = asked_before(s_.again, before, b);
    if (!s_.again_if) again = b.CreateNot(again);
    if (!s_.holds_at_first) again = b.CreateSelect(b.CreateICmpEQ(number_, b.getInt64(0)), b.getTrue(), again);
    b.CreateCondBr(again, header, behind);
    ahead->getTerminator()->eraseFromParent();
    BranchInst::Create(behind, latch->getTerminator());
    latch->getTerminator()->eraseFromParent();
    for (const auto& [phi, value] : now) {
      phi->replaceAllUsesWith(value);
      phi->eraseFromParent();
    }
  }

  Function& f_;
  LLVMContext& c_;
  stride_of_threads& s_;
  PHINode* number_ = nullptr;
};

}  // namespace

void put_threads_inside_unwatched(Function& f) {
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  for (Loop* outer : loops) simplifyLoop(outer, &dominators, &loops, nullptr, nullptr, nullptr, false);
  TargetLibraryInfoImpl known{Triple(f.getParent()->getTargetTriple())};
  TargetLibraryInfo library(known, &f);
  AssumptionCache assumptions(f);
  ScalarEvolution evolution(f, library, assumptions, dominators, loops);
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!is_loop_over_threads(*l)) continue;
    auto s = find_stride_of_threads(*l, evolution);
    if (s) inside_putter(f, *s).turn();
    return;
  }
}

}  // namespace simt::compile
