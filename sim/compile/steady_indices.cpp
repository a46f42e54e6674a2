// SPDX-License-Identifier: Apache-2.0
#include "steady_indices.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "guarded_loop.hpp"
#include "lane_vectors.hpp"
#include "loop_bounds.hpp"
#include "loop_nest.hpp"
#include "range_apart.hpp"
#include "short_rows.hpp"
#include "steady_terms.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr const char* kSteadyMark = "simt.steady";  // how often the loop has been looked at
constexpr int kMostSteadied = 2;
constexpr std::uint64_t kLeastDivisor = 16;  // shorter stretches cost more than they give

class stretches {
 public:
  stretches(Loop& l, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators)
      : l_(l), loops_(loops), evolution_(evolution), dominators_(dominators) {}

  bool make() {
    if (!looks_right()) return false;
    terms_ = find_steady_terms(l_, evolution_, dominators_);
    if (all_of(terms_, [](const steady_term& t) { return t.is_of_row(); })) return make_for_row();
    SCEVExpander expander(evolution_, l_.getHeader()->getModule()->getDataLayout(), "steady");
    Instruction* const front = preheader_->getTerminator();
    const SCEV* const turns = evolution_.getBackedgeTakenCount(&l_);
    if (isa<SCEVCouldNotCompute>(turns) || !turns->getType()->isIntegerTy(64)) return false;
    const SCEV* const count = evolution_.getAddExpr(turns, evolution_.getOne(turns->getType()));
    const auto is_safe = [&](const SCEV* s) { return s == nullptr || expander.isSafeToExpandAt(s, front); };
    if (!is_safe(count) || !all_of(terms_, [&](const steady_term& t) {
          return t.is_of_row() || (is_safe(t.form->getStart()) && is_safe(t.more));
        }))
      return false;
    IRBuilder<> b(front);
    count_ = expander.expandCodeFor(count, count->getType(), front);
    first_ = index_->getIncomingValueForBlock(preheader_);
    for (const steady_term& t : terms_) {
      // What nobody may have asked for yet decides from here on, so it has to be some value.
      Value* const asked = t.is_of_row() ? t.i : t.fixed;
      const auto some = [&](Value* v) { return isa<Constant>(v) ? v : b.CreateFreeze(v); };
      const auto in_front = [&](const SCEV* v) { return some(expander.expandCodeFor(v, v->getType(), front)); };
      fixed_.push_back(some(asked));
      alike_.push_back(static_cast<std::size_t>(find_if(terms_, [&](const steady_term& u) { return are_alike(t, u); }) -
                                                terms_.begin()));
      if (alike_.back() < begins_.size() || t.is_of_row()) {
        begins_.push_back(nullptr), more_.push_back(nullptr);
        divisors_.push_back(t.is_of_row() ? divisor{} : divisors_[alike_.back()]);
        continue;
      }
      begins_.push_back(in_front(t.form->getStart()));
      more_.push_back(t.more == nullptr ? nullptr : in_front(t.more));
      divisors_.push_back(t.divides() ? divisor_of(t, fixed_.back(), b) : divisor{});
    }
    const measured of_first = measure(nullptr, b);
    const auto widest = widest_row(l_, evolution_);
    clone();
    put_together(of_first);
    if (widest) note_widest_row(l_, *widest);  // one stretch for all of the row
    return true;
  }

 private:
  struct divisor {
    Value *number = nullptr, *good = nullptr;  // `number` is not 0 where it is not good, either
  };
  // Of a stretch: its iterations, whether it is steady, and of each term a quotient, and how far what the term is lies
  // from the loop's index, in 64 bits; null where there is no such thing.
  struct measured {
    Value *length, *holds;
    SmallVector<Value*> quotients, apart;
  };

  bool looks_right() {
    preheader_ = l_.getLoopPreheader(), exit_ = l_.getUniqueExitBlock(), latch_ = l_.getLoopLatch();
    if (preheader_ == nullptr || exit_ == nullptr || latch_ == nullptr || l_.getExitingBlock() != latch_) return false;
    if (!isa<BranchInst>(latch_->getTerminator())) return false;
    auto phis = l_.getHeader()->phis();
    if (phis.begin() == phis.end() || std::next(phis.begin()) != phis.end()) return false;
    index_ = &*phis.begin();
    if (!index_->getType()->isIntegerTy(64) ||
        !match(index_->getIncomingValueForBlock(latch_), m_c_Add(m_Specific(index_), m_One())))
      return false;
    return none_of(l_.blocks(), [&](const BasicBlock* bb) {
      return any_of(*bb, [&](const Instruction& i) {
        return any_of(i.users(), [&](const User* u) { return !l_.contains(cast<Instruction>(u)); });
      });
    });
  }

  // Nothing differs along the row: it is asked once, in front of it.
  bool make_for_row() {
    if (terms_.empty()) return false;
    IRBuilder<> b(preheader_->getTerminator());
    Value* holds = b.getTrue();
    for (const steady_term& t : terms_) {
      Value* const asked = b.CreateFreeze(t.i);
      holds = b.CreateAnd(holds, t.holds ? asked : b.CreateNot(asked));
    }
    clone();
    b.SetInsertPoint(asks_->getTerminator());
    b.CreateCondBr(holds, preheader_, copy_->getLoopPreheader());
    asks_->getTerminator()->eraseFromParent();
    auto* const latch_of_copy = cast<BasicBlock>(map_.lookup(latch_));
    for (PHINode& phi : exit_->phis()) phi.addIncoming(phi.getIncomingValueForBlock(latch_), latch_of_copy);
    addStringMetadataToLoop(&l_, kSteadyMark, kMostSteadied),
        addStringMetadataToLoop(copy_, kSteadyMark, kMostSteadied);
    const auto answer = [&](Loop& in, bool all) {
      for (const steady_term& t : terms_) {
        Constant* const known = ConstantInt::getBool(t.i->getContext(), t.holds == all);
        t.i->replaceUsesWithIf(known, [&](Use& u) { return in.contains(cast<Instruction>(u.getUser())); });
      }
      fold_answers(SmallVector<BasicBlock*>(in.blocks()));
    };
    answer(l_, true);
    if (terms_.size() == 1) answer(*copy_, false);
    removeUnreachableBlocks(*asks_->getParent());
    return true;
  }

  // Whoever divides by zero does it in its own place, in the other loop.
  static divisor divisor_of(const steady_term& t, Value* fixed, IRBuilder<>& b) {
    Type* const type = fixed->getType();
    const auto number = [&](std::uint64_t n) { return ConstantInt::get(type, n); };
    Value *n = fixed, *good = b.getTrue();
    switch (t.divisor) {
      case divisor_from::value:
        break;
      case divisor_from::shift:
        good = b.CreateICmpULT(n, number(type->getIntegerBitWidth() - 1));
        n = b.CreateShl(number(1), b.CreateSelect(good, n, number(0)));
        break;
      case divisor_from::mask:
        good = b.CreateICmpEQ(b.CreateAnd(n, b.CreateAdd(n, number(1))), number(0));
        n = b.CreateAdd(n, number(1));
        break;
      case divisor_from::high_mask:
        n = b.CreateNeg(n);
        good = b.CreateICmpEQ(b.CreateAnd(n, b.CreateSub(n, number(1))), number(0));
        break;
    }
    good = b.CreateAnd(
        good, t.is_signed ? b.CreateICmpSGE(n, number(kLeastDivisor)) : b.CreateICmpUGE(n, number(kLeastDivisor)));
    return {b.CreateSelect(good, n, number(kLeastDivisor), "divisor"), good};
  }

  // The stretch in front of which `gone` iterations are; null: none.
  measured measure(Value* gone, IRBuilder<>& b) {
    const auto behind_gone = [&](Value* v) {
      return gone == nullptr ? v : b.CreateAdd(v, b.CreateZExtOrTrunc(gone, v->getType()));
    };
    const auto least = [&](Value* v, Value* w) { return b.CreateBinaryIntrinsic(Intrinsic::umin, v, w); };
    const auto wide = [&](Value* v) { return b.CreateZExt(v, b.getInt64Ty()); };
    Value* whole = gone == nullptr ? count_ : b.CreateSub(count_, gone, "left");
    Value *const never = b.getInt64(~std::uint64_t{0}), *const now = b.getInt64(0);
    Value *steady = never, *rest = now, *holds = b.getTrue();
    Value* const index = behind_gone(first_);
    measured made{};
    for (std::size_t n = 0; n < terms_.size(); ++n) {
      const steady_term& t = terms_[n];
      if (t.is_of_row()) {
        Value* const good = t.holds ? fixed_[n] : b.CreateNot(fixed_[n]);
        holds = b.CreateAnd(holds, good);
        rest = b.CreateSelect(good, rest, never);
      }
      if (begins_[n] == nullptr) {
        const std::size_t first = alike_[n];
        made.quotients.push_back(t.is_of_row() ? nullptr : made.quotients[first]);
        made.apart.push_back(t.is_of_row() ? nullptr : made.apart[first]);
        continue;
      }
      Value *line = behind_gone(begins_[n]), *quotient = nullptr;
      if (t.widens != Instruction::BitCast) {
        whole = least(whole, iterations_to_wrap(line, t.widens == Instruction::SExt, b));
        line = b.CreateCast(t.widens, line, fixed_[n]->getType());
        if (more_[n] != nullptr) line = b.CreateAdd(line, more_[n]);
      }
      whole = least(whole, iterations_to_wrap(line, t.is_signed, b));
      Value* is = line;
      Value *good = nullptr, *lasts = never, *begins = now;
      if (t.divides()) {
        Value* const number = divisors_[n].number;
        quotient = b.CreateUDiv(line, number, "quotient");
        Value* const below = b.CreateMul(quotient, number);
        is = b.CreateSub(line, below);
        good = divisors_[n].good;
        if (t.is_signed) good = b.CreateAnd(good, b.CreateICmpSGE(line, Constant::getNullValue(line->getType())));
        lasts = wide(b.CreateSub(number, is));
        begins = never;
        if (t.what == steady_value::multiple) quotient = below;
      } else {
        good = b.CreateICmp(t.p, line, fixed_[n]);
        Value *const distance = wide(b.CreateSub(fixed_[n], line)), *const past = b.CreateBinaryIntrinsic(
                                                                        Intrinsic::uadd_sat, distance, b.getInt64(1));
        switch (t.p) {
          case ICmpInst::ICMP_SLT:
          case ICmpInst::ICMP_ULT:
            lasts = distance, begins = never;
            break;
          case ICmpInst::ICMP_SLE:
          case ICmpInst::ICMP_ULE:
            lasts = past, begins = never;
            break;
          case ICmpInst::ICMP_SGT:
          case ICmpInst::ICMP_UGT:
            begins = past;
            break;
          case ICmpInst::ICMP_SGE:
          case ICmpInst::ICMP_UGE:
            begins = distance;
            break;
          default:  // not equal
            lasts = distance, begins = b.getInt64(1);
        }
      }
      holds = b.CreateAnd(holds, good);
      steady = least(steady, lasts);
      rest = b.CreateBinaryIntrinsic(Intrinsic::umax, rest, b.CreateSelect(good, now, begins));
      made.quotients.push_back(quotient);
      const bool extended = line->getType()->getIntegerBitWidth() < 64 && (t.moves() || t.divides());
      Value* const is_wide = !extended ? nullptr : t.is_signed ? b.CreateSExt(is, b.getInt64Ty()) : wide(is);
      made.apart.push_back(extended ? b.CreateSub(is_wide, index) : nullptr);
    }
    made.holds = holds;
    made.length = least(whole, b.CreateSelect(holds, steady, rest));
    return made;
  }
  static Value* iterations_to_wrap(Value* line, bool is_signed, IRBuilder<>& b) {
    const unsigned bits = line->getType()->getIntegerBitWidth();
    const APInt largest = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    Value* const before = b.CreateZExt(b.CreateSub(ConstantInt::get(line->getType(), largest), line), b.getInt64Ty());
    return b.CreateBinaryIntrinsic(Intrinsic::uadd_sat, before, b.getInt64(1));
  }

  void clone() {
    asks_ = preheader_;
    preheader_ = SplitBlock(asks_, asks_->getTerminator(), &dominators_, &loops_, nullptr, "steady");
    SmallVector<BasicBlock*> blocks;
    copy_ = cloneLoopWithPreheader(preheader_, asks_, &l_, map_, ".unsteady", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, map_);
  }

  void put_together(const measured& of_first) {
    Function& f = *asks_->getParent();
    const auto block = [&](const char* name) { return BasicBlock::Create(f.getContext(), name, &f, preheader_); };
    BasicBlock *const stretch = block("stretch"), *const end = block("stretch.end"),
                      *const again = block("stretch.next");
    IRBuilder<> b(stretch);
    const auto meet = [&](Value* v, const char* name = "") {
      PHINode* const phi = v == nullptr ? nullptr : b.CreatePHI(v->getType(), 2, name);
      if (phi != nullptr) phi->addIncoming(v, asks_);
      return phi;
    };
    PHINode *const gone = meet(b.getInt64(0), "gone"), *const length = meet(of_first.length, "length");
    PHINode* const holds = meet(of_first.holds, "holds");
    SmallVector<PHINode*> quotients, apart;
    for (std::size_t n = 0; n < terms_.size(); ++n) {
      const std::size_t first = alike_[n];
      quotients.push_back(first < n ? quotients[first] : meet(of_first.quotients[n], "quotient"));
      apart.push_back(first < n ? apart[first] : meet(of_first.apart[n], "apart"));
    }
    Value *const begin = b.CreateAdd(first_, gone), *const stop = b.CreateAdd(begin, length);
    b.CreateCondBr(holds, preheader_, copy_->getLoopPreheader());
    asks_->getTerminator()->eraseFromParent();
    BranchInst::Create(stretch, asks_);

    b.SetInsertPoint(end);
    Value* const next = b.CreateAdd(gone, length);
    b.CreateCondBr(b.CreateICmpULT(next, count_), again, exit_);
    b.SetInsertPoint(again);
    const measured of_next = measure(next, b);
    b.CreateBr(stretch);
    const auto go_on = [&](PHINode* phi, Value* v) {
      if (phi != nullptr) phi->addIncoming(v, again);
    };
    go_on(gone, next), go_on(length, of_next.length), go_on(holds, of_next.holds);
    for (std::size_t n = 0; n < terms_.size(); ++n)
      if (alike_[n] >= n) go_on(quotients[n], of_next.quotients[n]), go_on(apart[n], of_next.apart[n]);

    exit_->replacePhiUsesWith(latch_, end);
    const auto index_of_copy = cast<PHINode>(map_.lookup(index_));
    bound(l_, *index_, begin, stop, end), bound(*copy_, *index_of_copy, begin, stop, end);
    // What is made of a remainder may be compared again: `if (i % width > 0)`.
    const bool rests = any_of(terms_, [](const steady_term& t) { return t.what == steady_value::remainder; });
    const int seen = getOptionalIntLoopAttribute(&l_, kSteadyMark).value_or(0);
    addStringMetadataToLoop(&l_, kSteadyMark, rests ? static_cast<unsigned>(seen) + 1 : kMostSteadied);
    addStringMetadataToLoop(copy_, kSteadyMark, kMostSteadied);
    const bool one_question = terms_.size() == 1 && terms_[0].what == steady_value::answer;
    SmallVector<BasicBlock*> changed(l_.blocks());
    if (one_question) {
      answer_question(*cast<Instruction>(map_.lookup(terms_[0].i)), !terms_[0].holds);
      append_range(changed, copy_->blocks());
    }
    for (std::size_t n = 0; n < terms_.size(); ++n) replace(terms_[n], quotients[n], apart[n], divisors_[n].number);
    for (const steady_term& t : reverse(terms_))
      if (!t.is_of_row()) RecursivelyDeleteTriviallyDeadInstructions(t.i);
    fold_answers(changed);
    removeUnreachableBlocks(f);
  }
  // The loop makes the iterations from `begin` to `stop`, and goes to `end`.
  static void bound(Loop& l, PHINode& index, Value* begin, Value* stop, BasicBlock* end) {
    BasicBlock *const header = l.getHeader(), *const latch = l.getLoopLatch();
    index.setIncomingValueForBlock(l.getLoopPreheader(), begin);
    auto* const back = cast<BranchInst>(latch->getTerminator());
    IRBuilder<> b(back);
    BranchInst* const made = b.CreateCondBr(b.CreateICmpNE(index.getIncomingValueForBlock(latch), stop), header, end);
    made->setMetadata(LLVMContext::MD_loop, back->getMetadata(LLVMContext::MD_loop));
    Value* const asked = back->getCondition();
    back->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(asked);
  }

  void replace(const steady_term& t, Value* quotient, Value* apart, Value* number) {
    if (t.what == steady_value::answer) {
      Constant* const answer = ConstantInt::getBool(t.i->getContext(), t.holds);
      t.i->replaceUsesWithIf(answer, [&](Use& u) { return l_.contains(cast<Instruction>(u.getUser())); });
      return;
    }
    IRBuilder<> b(t.i);
    Value* const steadier = replaced_.lookup(t.line);
    Value* is = steadier != nullptr ? steadier : t.line;
    if (t.what == steady_value::remainder)
      is = b.CreateSub(is, b.CreateMul(quotient, number), "", true, t.is_signed);
    else if (t.what != steady_value::line)
      is = quotient;
    if (apart != nullptr && t.moves()) replace_extensions(t, apart);
    t.i->replaceAllUsesWith(is);
    replaced_[t.i] = is;
  }
  // What is widened of the term is the loop's own index, which does not wrap.
  void replace_extensions(const steady_term& t, Value* apart) {
    Value* wide = nullptr;
    for (User* u : make_early_inc_range(t.i->users())) {
      auto* const cast = dyn_cast<CastInst>(u);
      if (cast == nullptr || cast->getType() != index_->getType()) continue;
      const bool same = cast->getOpcode() == (t.is_signed ? Instruction::SExt : Instruction::ZExt);
      if (!same && (t.what != steady_value::remainder || cast->getOpcode() == Instruction::Trunc)) continue;
      if (wide == nullptr) wide = IRBuilder<>(&*l_.getHeader()->getFirstInsertionPt()).CreateAdd(index_, apart, "wide");
      cast->replaceAllUsesWith(wide);
    }
  }

  Loop& l_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  DominatorTree& dominators_;
  BasicBlock *preheader_ = nullptr, *exit_ = nullptr, *latch_ = nullptr, *asks_ = nullptr;
  PHINode* index_ = nullptr;
  Loop* copy_ = nullptr;
  ValueToValueMapTy map_;
  SmallVector<steady_term> terms_;
  SmallVector<Value*> begins_, more_;  // of each line, in the loop's first iteration, and what is added to it
  SmallVector<Value*> fixed_;          // of each term the operand that does not change, or what is asked of the row
  SmallVector<divisor> divisors_;
  SmallVector<std::size_t> alike_;  // of each term: the first one that is measured alike; none: more than there are
  Value *count_ = nullptr, *first_ = nullptr;  // the loop's iterations, and its first index
  DenseMap<const Value*, Value*> replaced_;
};

}  // namespace

bool run_in_steady_stretches(Function& f, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators) {
  if (is_told_step_by_step(f)) return false;
  const bool of_threads = range_of(f) != nullptr;
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!l->isInnermost() || (!of_threads && findOptionMDForLoop(l, kParallelMark) == nullptr) ||
        getOptionalIntLoopAttribute(l, kSteadyMark).value_or(0) >= kMostSteadied)
      continue;
    if (!takes_lanes_at_once(*l) && stretches(*l, loops, evolution, dominators).make()) return true;
  }
  return false;
}

}  // namespace simt::compile
