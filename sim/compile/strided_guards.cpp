// SPDX-License-Identifier: Apache-2.0
#include "strided_guards.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

#include "guarded_loop.hpp"
#include "lane_vectors.hpp"
#include "loop_bounds.hpp"
#include "turn_stride.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned kSparse = 4;                    // a stride that is worth a copy of the loop
constexpr const char* kDone = "simt.loop.sparse";  // marks a loop that has been looked at

enum class question_kind {
  low_bits,   // grows, in so many bits, == given
  mask,       // (grows & number) == given
  remainder,  // grows % number == given
  multiple    // grows < given, or <=, where it grows by number in each iteration
};

struct question {
  Instruction* asked;
  bool holds;  // its value for those that go on
  question_kind kind;
  const SCEVAddRecExpr* grows;
  const SCEV* number;  // null for low_bits
  const SCEV* given;
  ICmpInst::Predicate p;
  bool is_signed;  // of remainder and multiple
};

// Iterations first, first + stride, ... of the loop, so many. All others are known to do nothing.
struct chosen_iterations {
  Value *first, *stride, *count;  // 64 bits
  Value* known;                   // whether that is so
};

class question_finder {
 public:
  question_finder(Loop& l, ScalarEvolution& evolution) : of(l, evolution), l_(l), evolution_(evolution) {}

  bool find() {
    if (!of.find()) return false;
    of.for_each_question([&](Value& condition, bool holds) {
      if (!found)
        if (auto* const asked = dyn_cast<Instruction>(&condition); asked != nullptr && l_.contains(asked))
          take(*asked, holds);
    });
    return found.has_value();
  }

  guarded_loop of;
  std::optional<question> found;

 private:
  void take(Instruction& asked, bool holds) {
    Value* v;
    if (match(&asked, m_Trunc(m_Value(v)))) {
      if (const SCEVAddRecExpr* const bit = by_one(evolution_.getSCEV(&asked)))
        found = question{&asked,
                         holds,
                         question_kind::low_bits,
                         bit,
                         nullptr,
                         evolution_.getConstant(asked.getType(), holds ? 1 : 0),
                         ICmpInst::ICMP_EQ,
                         false};
      return;
    }
    auto* const compare = dyn_cast<ICmpInst>(&asked);
    if (compare == nullptr || !compare->getOperand(0)->getType()->isIntegerTy()) return;
    const auto p = holds ? compare->getPredicate() : compare->getInversePredicate();
    Value *const left = compare->getOperand(0), *const right = compare->getOperand(1);
    if (!take(*compare, holds, *left, *right, p))
      take(*compare, holds, *right, *left, ICmpInst::getSwappedPredicate(p));
  }
  bool take(ICmpInst& asked, bool holds, Value& left, Value& right, ICmpInst::Predicate p) {
    const SCEV* const given = evolution_.getSCEV(&right);
    if (!is_same(given) || evolution_.getTypeSizeInBits(given->getType()) > 64) return false;
    if (p == ICmpInst::ICMP_EQ) return take_equality(asked, holds, left, given);
    if (!is_upper_bound(p)) return false;
    auto* const grows = in_loop(evolution_.getSCEV(&left));
    if (grows == nullptr || left.getType()->getIntegerBitWidth() > 32) return false;
    const SCEV* const step = grows->getStepRecurrence(evolution_);
    if (step->isOne() || step->isAllOnesValue()) return false;
    found = question{&asked, holds, question_kind::multiple, grows, step, given, p, ICmpInst::isSigned(p)};
    return true;
  }
  bool take_equality(ICmpInst& asked, bool holds, Value& left, const SCEV* given) {
    const SCEV* whole = evolution_.getSCEV(&left);
    if (auto* const widened = dyn_cast<SCEVZeroExtendExpr>(whole)) {
      auto* const number = dyn_cast<SCEVConstant>(given);
      const SCEV* const narrow = widened->getOperand();
      const unsigned bits = evolution_.getTypeSizeInBits(narrow->getType());
      if (const SCEVAddRecExpr* const low = by_one(narrow);
          low != nullptr && bits < 32 && number != nullptr && number->getAPInt().isIntN(bits)) {
        found = question{&asked,
                         holds,
                         question_kind::low_bits,
                         low,
                         nullptr,
                         evolution_.getTruncateExpr(given, narrow->getType()),
                         ICmpInst::ICMP_EQ,
                         false};
        return true;
      }
    }
    Value *v, *m;
    question_kind kind = question_kind::remainder;
    if (match(&left, m_And(m_Value(v), m_Value(m)))) {
      kind = question_kind::mask;
      if (by_one(evolution_.getSCEV(v)) == nullptr) std::swap(v, m);
    } else if (!match(&left, m_URem(m_Value(v), m_Value(m))) &&
               !(match(&left, m_SRem(m_Value(v), m_Value(m))) && given->isZero())) {
      return false;
    }
    const SCEVAddRecExpr* const grows = by_one(evolution_.getSCEV(v));
    const SCEV* const number = evolution_.getSCEV(m);
    if (grows == nullptr || !is_same(number) || v->getType()->getIntegerBitWidth() > 32) return false;
    found = question{
        &asked, holds, kind, grows, number, given, ICmpInst::ICMP_EQ, match(&left, m_SRem(m_Value(), m_Value()))};
    return true;
  }

  bool is_same(const SCEV* s) const { return evolution_.isLoopInvariant(s, &l_); }
  const SCEVAddRecExpr* in_loop(const SCEV* s) const {
    auto* const grows = dyn_cast<SCEVAddRecExpr>(s);
    return grows != nullptr && grows->getLoop() == &l_ && grows->isAffine() ? grows : nullptr;
  }
  const SCEVAddRecExpr* by_one(const SCEV* s) const {
    auto* const grows = in_loop(s);
    return grows != nullptr && grows->getStepRecurrence(evolution_)->isOne() ? grows : nullptr;
  }

  Loop& l_;
  ScalarEvolution& evolution_;
};

// Which iterations go on, as instructions in front of the loop.
class iteration_chooser {
 public:
  iteration_chooser(const question_finder& finder, ScalarEvolution& evolution, SCEVExpander& expander)
      : of_(finder.of), q_(*finder.found), expander_(expander), b_(of_.preheader->getTerminator()) {
    const auto is_safe = [&](const SCEV* s) {
      return s == nullptr || expander_.isSafeToExpandAt(s, of_.preheader->getTerminator());
    };
    possible_ = is_safe(of_.count) && is_safe(q_.grows->getStart()) && is_safe(q_.number) && is_safe(q_.given);
  }

  std::optional<chosen_iterations> choose() {
    if (!possible_) return {};
    whole_ = expanded(of_.count);
    begin_ = expanded(q_.grows->getStart()), given_ = expanded(q_.given);
    if (q_.number != nullptr) number_ = expanded(q_.number);
    switch (q_.kind) {
      case question_kind::low_bits:
        return low_bits();
      case question_kind::mask:
        return mask();
      case question_kind::remainder:
        return remainder();
      case question_kind::multiple:
        return multiple();
    }
    return {};
  }

 private:
  Value* expanded(const SCEV* s) { return expander_.expandCodeFor(s, s->getType(), of_.preheader->getTerminator()); }
  Value* wide(Value* v) { return b_.CreateZExt(v, b_.getInt64Ty()); }

  // How many of first, first + stride, ... are below the loop's end.
  Value* count_of(Value* first, Value* stride, bool is_power) {
    Value* const left = b_.CreateSub(b_.CreateSub(whole_, first), b_.getInt64(1));
    Value* const more = is_power ? b_.CreateLShr(left, logarithm(stride)) : b_.CreateUDiv(left, stride);
    return b_.CreateSelect(b_.CreateICmpULT(first, whole_), b_.CreateAdd(more, b_.getInt64(1)), b_.getInt64(0));
  }
  Value* logarithm(Value* power) {
    if (auto* const known = dyn_cast<ConstantInt>(power)) return b_.getInt64(known->getValue().logBase2());
    return b_.CreateBinaryIntrinsic(Intrinsic::cttz, power, b_.getTrue());
  }
  Value* at_least_one(Value* v) { return b_.CreateSelect(b_.CreateICmpEQ(v, b_.getInt64(0)), b_.getInt64(1), v); }
  Value* least_of(Value* v, Value* w) { return b_.CreateSelect(b_.CreateICmpULT(v, w), v, w); }
  chosen_iterations every(Value* first, Value* stride, bool is_power, Value* known) {
    return {first, stride, count_of(first, stride, is_power), known};
  }

  // Where the index wraps, its low bits go on as if it did not.
  chosen_iterations low_bits() {
    const unsigned bits = begin_->getType()->getIntegerBitWidth();
    return every(wide(b_.CreateSub(given_, begin_)), b_.getInt64(1ull << bits), true, b_.getTrue());
  }
  // The bits of the mask up to its lowest gap are the same in all that go on.
  chosen_iterations mask() {
    Value* const bits = wide(number_);
    Value* const stride = b_.CreateAnd(b_.CreateAdd(bits, b_.getInt64(1)), b_.CreateNot(bits));
    Value* const first = b_.CreateAnd(wide(b_.CreateSub(given_, begin_)), b_.CreateSub(stride, b_.getInt64(1)));
    return every(first, stride, true, b_.CreateICmpUGE(stride, b_.getInt64(least(stride))));
  }
  chosen_iterations remainder() {
    Value *const from = wide(begin_), *const by = wide(number_), *const rest = wide(given_);
    Value *const stride = at_least_one(by), *const done = b_.CreateURem(from, stride);
    Value* const before = b_.CreateSelect(b_.CreateICmpULT(rest, done), by, b_.getInt64(0));
    Value* const first = b_.CreateAdd(b_.CreateSub(rest, done), before);
    Value* known = b_.CreateAnd(b_.CreateICmpUGE(by, b_.getInt64(least(by))), b_.CreateICmpULT(rest, by));
    known = b_.CreateAnd(known, stays_below(from, b_.getInt64(1), q_.is_signed));
    if (q_.is_signed) known = b_.CreateAnd(known, is_natural(number_));
    return every(first, stride, false, known);
  }
  chosen_iterations multiple() {
    Value *const from = wide(begin_), *const by = wide(number_);
    Value* end = wide(given_);
    if (q_.p == ICmpInst::ICMP_ULE || q_.p == ICmpInst::ICMP_SLE) end = b_.CreateAdd(end, b_.getInt64(1));
    Value* some = b_.CreateICmpULT(from, end);
    if (q_.is_signed) some = b_.CreateAnd(some, is_natural(given_));
    Value* const last = b_.CreateUDiv(b_.CreateSub(b_.CreateSub(end, from), b_.getInt64(1)), at_least_one(by));
    Value* const count = least_of(b_.CreateAdd(last, b_.getInt64(1)), whole_);
    Value* const known = b_.CreateAnd(b_.CreateICmpUGE(by, b_.getInt64(2)), stays_below(from, by, q_.is_signed));
    return {b_.getInt64(0), b_.getInt64(1), b_.CreateSelect(some, count, b_.getInt64(0)), known};
  }
  Value* is_natural(Value* v) { return b_.CreateICmpSGE(v, ConstantInt::get(v->getType(), 0)); }
  static unsigned least(const Value* stride) { return isa<ConstantInt>(stride) ? 2 : kSparse; }
  // from, from + by, ... of all iterations are numbers of their type that do not wrap, nor are negative.
  Value* stays_below(Value* from, Value* by, bool is_signed) {
    const unsigned bits = begin_->getType()->getIntegerBitWidth();  // 32 at most, so the product fits into 64
    Value* const few = b_.CreateICmpULE(whole_, b_.getInt64(1ull << 31));
    Value* const grown = b_.CreateMul(b_.CreateSub(whole_, b_.getInt64(1)), by);
    const APInt largest = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    Value* const fits = b_.CreateICmpULE(b_.CreateAdd(from, grown), b_.getInt64(largest.getZExtValue()));
    return b_.CreateAnd(few, fits);
  }

  const guarded_loop& of_;
  const question& q_;
  SCEVExpander& expander_;
  IRBuilder<> b_;
  bool possible_ = false;
  Value *whole_ = nullptr, *begin_ = nullptr, *given_ = nullptr, *number_ = nullptr;
};

// The loop makes the chosen iterations only: 0 to count - 1, and its index is made of that.
void make_chosen(PHINode& index, BasicBlock& latch, BasicBlock& preheader, BasicBlock& exit,
                 const chosen_iterations& c) {
  BasicBlock* const header = index.getParent();
  LLVMContext& context = header->getContext();
  BasicBlock* const enter = BasicBlock::Create(context, "chosen", header->getParent(), header);
  IRBuilder<>(enter).CreateBr(header);
  for (PHINode& phi : exit.phis()) phi.addIncoming(phi.getIncomingValueForBlock(&latch), &preheader);
  Instruction* const front = preheader.getTerminator();
  IRBuilder<> b(front);
  auto* const step = cast<OverflowingBinaryOperator>(index.getIncomingValueForBlock(&latch));
  const bool keeps_low = step->hasNoUnsignedWrap(), keeps_sign = step->hasNoSignedWrap(), few = keeps_low && keeps_sign;
  Value* const begin = b.CreateAdd(index.getIncomingValueForBlock(&preheader), c.first, "", keeps_low, keeps_sign);
  b.CreateCondBr(b.CreateICmpNE(c.count, b.getInt64(0)), enter, &exit);
  front->eraseFromParent();

  b.SetInsertPoint(header, header->begin());
  PHINode* const turn = b.CreatePHI(b.getInt64Ty(), 2, "turn");
  b.SetInsertPoint(header, header->getFirstInsertionPt());
  Value* const gone = b.CreateMul(turn, c.stride, "", true, few);
  Value* const x = b.CreateAdd(begin, gone, "x", keeps_low, keeps_sign);
  auto* const back = cast<BranchInst>(latch.getTerminator());
  MDNode* const described = back->getMetadata(LLVMContext::MD_loop);
  b.SetInsertPoint(back);
  Value* const next = b.CreateAdd(turn, b.getInt64(1), "turn.next", true, few);
  turn->addIncoming(b.getInt64(0), enter);
  turn->addIncoming(next, &latch);
  BranchInst* const made = b.CreateCondBr(b.CreateICmpNE(next, c.count), header, &exit);
  made->setMetadata(LLVMContext::MD_loop, described);
  back->eraseFromParent();
  index.replaceAllUsesWith(x);
  index.eraseFromParent();
}

bool change(Loop& l, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators, question_finder& finder) {
  guarded_loop& of = finder.of;
  const question& q = *finder.found;
  SCEVExpander expander(evolution, l.getHeader()->getModule()->getDataLayout(), "chosen");
  const auto chosen = iteration_chooser(finder, evolution, expander).choose();
  if (!chosen) return false;
  auto* const always = dyn_cast<ConstantInt>(chosen->known);
  if (always != nullptr && always->isZero()) return false;
  PHINode* index = of.index;
  BasicBlock *latch = of.latch, *preheader = of.preheader;
  Instruction* asked = q.asked;
  SmallVector<BasicBlock*> blocks(l.blocks());
  if (always == nullptr) {
    BasicBlock* const entry = preheader;
    BasicBlock* const others = SplitBlock(entry, entry->getTerminator(), &dominators, &loops);
    ValueToValueMapTy copy;
    blocks.clear();
    cloneLoopWithPreheader(others, entry, &l, copy, ".sparse", &loops, &dominators, blocks);
    remapInstructionsInBlocks(blocks, copy);
    preheader = cast<BasicBlock>(copy[others]), latch = cast<BasicBlock>(copy[of.latch]);
    index = cast<PHINode>(copy[of.index]), asked = cast<Instruction>(copy[q.asked]);
    for (PHINode& phi : of.exit->phis()) phi.addIncoming(phi.getIncomingValueForBlock(of.latch), latch);
    Instruction* const end = entry->getTerminator();
    IRBuilder<>(end).CreateCondBr(chosen->known, preheader, others);
    end->eraseFromParent();
    addStringMetadataToLoop(&l, kDone);
  }
  make_chosen(*index, *latch, *preheader, *of.exit, *chosen);
  if (q.kind == question_kind::mask) return true;  // the mask may have more bits: the question stays
  answer_question(*asked, q.holds);
  fold_answers(blocks);
  return true;
}

}  // namespace

bool take_conditions_as_steps(Function& f, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators) {
  if (is_told_step_by_step(f)) return false;
  bool simplified = false;
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!l->isInnermost() || takes_lanes_at_once(*l) || findStringMetadataForLoop(l, kDone)) continue;
    simplified |= simplifyLoop(l, &dominators, &loops, &evolution, nullptr, nullptr, false);
    question_finder finder(*l, evolution);
    if ((finder.find() && change(*l, loops, evolution, dominators, finder)) || finder.of.changed) return true;
  }
  return simplified;
}

}  // namespace simt::compile
