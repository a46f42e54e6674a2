// SPDX-License-Identifier: Apache-2.0
#include "loop_bounds.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <vector>

#include "copied_blocks.hpp"
#include "guarded_loop.hpp"
#include "lane_vectors.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

// index `p` limit, where the index is `narrow`, which grows by one in each iteration, or what it is widened to, and
// more that does not change.
struct bound {
  ICmpInst* compare;
  const SCEVAddRecExpr* narrow;
  Instruction::CastOps widens;  // SExt, ZExt, or BitCast for none
  const SCEV* more;             // null: nothing
  const SCEV* limit;
  ICmpInst::Predicate p;
  bool holds;  // what the comparison gives for those that go on

  // Whether the narrow index is taken as a number with a sign.
  bool is_signed() const {
    return widens == Instruction::BitCast ? ICmpInst::isSigned(p) : widens == Instruction::SExt;
  }
};

class bounds_finder {
 public:
  bounds_finder(Loop& l, ScalarEvolution& evolution) : of(l, evolution), l_(l), evolution_(evolution) {}

  bool find() {
    if (!of.find()) return false;
    of.for_each_question([&](Value& condition, bool holds) { take(condition, holds); });
    return !bounds.empty();
  }

  guarded_loop of;
  SmallVector<bound> bounds;

 private:
  void take(Value& condition, bool holds) {
    auto* const compare = dyn_cast<ICmpInst>(&condition);
    if (compare == nullptr || !l_.contains(compare) || !compare->getOperand(0)->getType()->isIntegerTy()) return;
    const auto p = holds ? compare->getPredicate() : compare->getInversePredicate();
    if (p == ICmpInst::ICMP_NE) return;
    const SCEV *const left = evolution_.getSCEV(compare->getOperand(0)), *const right =
                                                                             evolution_.getSCEV(compare->getOperand(1));
    if (!take_comparison(*compare, left, right, p, holds))
      take_comparison(*compare, right, left, ICmpInst::getSwappedPredicate(p), holds);
  }
  bool take_comparison(ICmpInst& compare, const SCEV* grows, const SCEV* limit, ICmpInst::Predicate p, bool holds) {
    if (!evolution_.isLoopInvariant(limit, &l_) || compare.getType()->isVectorTy()) return false;
    bound b{&compare, nullptr, Instruction::BitCast, nullptr, limit, p, holds};
    if (auto* const sum = dyn_cast<SCEVAddExpr>(grows)) {
      const auto rest = [&](const SCEV* s) { return evolution_.isLoopInvariant(s, &l_); };
      SmallVector<const SCEV*> same(make_filter_range(sum->operands(), rest));
      if (same.empty() || same.size() + 1 != sum->getNumOperands()) return false;
      grows = *find_if_not(sum->operands(), rest);
      if (!isa<SCEVSignExtendExpr>(grows) && !isa<SCEVZeroExtendExpr>(grows)) return false;
      b.more = evolution_.getAddExpr(same);
    }
    if (auto* const cast = dyn_cast<SCEVIntegralCastExpr>(grows); cast != nullptr && !isa<SCEVTruncateExpr>(cast)) {
      b.widens = isa<SCEVSignExtendExpr>(cast) ? Instruction::SExt : Instruction::ZExt;
      grows = cast->getOperand();
      if (b.widens == Instruction::SExt && ICmpInst::isUnsigned(p)) return false;  // grows past 0 to the largest
    }
    b.narrow = dyn_cast<SCEVAddRecExpr>(grows);
    if (b.narrow == nullptr || b.narrow->getLoop() != &l_ || !b.narrow->isAffine()) return false;
    if (!b.narrow->getStepRecurrence(evolution_)->isOne()) return false;
    // Low bits are no bound: they come again and again (strided_guards.hpp).
    if (p == ICmpInst::ICMP_EQ && b.narrow->getType()->getIntegerBitWidth() < 32) return false;
    if (evolution_.getTypeSizeInBits(limit->getType()) > 64) return false;
    bounds.push_back(b);
    return true;
  }

  Loop& l_;
  ScalarEvolution& evolution_;
};

class bounds_maker {
 public:
  bounds_maker(Loop& l, ScalarEvolution& evolution, bounds_finder& found)
      : l_(l), evolution_(evolution), found_(found), expander_(evolution, layout_of(l), "bound") {}

  bool make() {
    Instruction* const front = found_.of.preheader->getTerminator();
    const auto is_safe = [&](const SCEV* s) { return expander_.isSafeToExpandAt(s, front); };
    erase_if(found_.bounds, [&](const bound& b) {
      return !is_safe(b.narrow->getStart()) || !is_safe(b.limit) || (b.more != nullptr && !is_safe(b.more));
    });
    if (found_.bounds.empty() || !is_safe(found_.of.count)) return false;

    std::vector<SmallVector<Instruction*>> wide;  // of each bound; to be found before the loop is changed
    for (const bound& each : found_.bounds) wide.push_back(extensions(each));

    for (const bound& each : found_.bounds) {
      const auto in_front = [&](const SCEV* v) { return expander_.expandCodeFor(v, v->getType(), front); };
      Value* const begin = in_front(each.narrow->getStart());
      terms_.push_back({begin, each.more == nullptr ? nullptr : in_front(each.more), in_front(each.limit)});
    }
    count_ = expander_.expandCodeFor(found_.of.count, found_.of.count->getType(), front);
    first_ = found_.of.index->getIncomingValueForBlock(found_.of.preheader);

    // The first piece is nearly always all, so it stands by itself: nothing in front of it changes from row to row of a
    // block. The others are made by a copy of the loop.
    Function& f = *front->getFunction();
    BasicBlock* const header = l_.getHeader();
    const auto block = [&](const char* name) { return BasicBlock::Create(f.getContext(), name, &f, header); };
    BasicBlock *const rows = block("piece.rows"), *const end = block("piece.end"), *const again = block("piece.next");
    BasicBlock *const rows_again = block("piece.rows.next"), *const end_again = block("piece.end.next");
    IRBuilder<> b(front);
    const piece_numbers of_first = measure(nullptr, b);
    const row_numbers row = begin_rows(rows, end, of_first, first_, b);
    front->eraseFromParent();
    b.SetInsertPoint(end);
    b.CreateCondBr(b.CreateICmpULT(of_first.length, count_), again, found_.of.exit);
    b.SetInsertPoint(again);
    PHINode* const gone = b.CreatePHI(b.getInt64Ty(), 2, "gone");
    const piece_numbers of_next = measure(gone, b);
    const row_numbers row_again = begin_rows(rows_again, end_again, of_next, b.CreateAdd(first_, gone), b);
    b.SetInsertPoint(end_again);
    Value* const next = b.CreateAdd(gone, of_next.length);
    b.CreateCondBr(b.CreateICmpULT(next, count_), again, found_.of.exit);
    gone->addIncoming(of_first.length, end), gone->addIncoming(next, end_again);
    found_.of.exit->replacePhiUsesWith(found_.of.latch, end);
    for (PHINode& phi : found_.of.exit->phis()) phi.addIncoming(phi.getIncomingValueForBlock(end), end_again);

    // The loop itself.
    IRBuilder<>(rows).CreateBr(header);
    found_.of.index->replaceIncomingBlockWith(found_.of.preheader, rows);
    found_.of.index->setIncomingValueForBlock(rows, row.first);
    auto* const back = cast<BranchInst>(found_.of.latch->getTerminator());
    IRBuilder<> at_back(back);
    Value* const goes_on = at_back.CreateICmpNE(found_.of.index->getIncomingValueForBlock(found_.of.latch), row.end);
    BranchInst* const made = at_back.CreateCondBr(goes_on, header, end);
    made->setMetadata(LLVMContext::MD_loop, back->getMetadata(LLVMContext::MD_loop));
    back->eraseFromParent();
    for (std::size_t k = 0; k < found_.bounds.size(); ++k)
      if (row.apart[k] != nullptr) replace_wide(wide[k], row.apart[k]);

    ValueToValueMapTy to_copy;
    to_copy[rows] = rows_again, to_copy[end] = end_again;
    to_copy[row.first] = row_again.first, to_copy[row.end] = row_again.end;
    for (std::size_t k = 0; k < row.apart.size(); ++k)
      if (row.apart[k] != nullptr) to_copy[row.apart[k]] = row_again.apart[k];
    SmallVector<BasicBlock*> blocks(l_.blocks());
    const SmallVector<BasicBlock*> copies = copy_blocks(blocks, to_copy, ".next", f);
    IRBuilder<>(rows_again).CreateBr(cast<BasicBlock>(to_copy.lookup(header)));
    describe_copy(*cast<BranchInst>(
        copies[static_cast<std::size_t>(find(blocks, found_.of.latch) - blocks.begin())]->getTerminator()));
    for (const bound& each : found_.bounds) {
      auto* const again_asked = cast<Instruction>(to_copy.lookup(each.compare));
      answer_question(*each.compare, each.holds), answer_question(*again_asked, each.holds);
    }
    append_range(blocks, copies);
    fold_answers(blocks);
    return true;
  }

 private:
  static const DataLayout& layout_of(Loop& l) { return l.getHeader()->getModule()->getDataLayout(); }

  // Of a bound, in front of the loop; `more` may be null.
  struct bound_terms {
    Value *begin, *more, *limit;
  };
  // Of a piece: its iterations, those of them that do anything, [from, stop), and how far the wide index of each bound
  // is from the loop's index; null where it has none.
  struct piece_numbers {
    Value *length, *from, *stop;
    SmallVector<Value*> apart;
  };

  // The same where the piece's loop begins: the index of the loop there, and the one it ends in front of.
  struct row_numbers {
    PHINode *first, *end;
    SmallVector<PHINode*> apart;
  };
  static row_numbers begin_rows(BasicBlock* rows, BasicBlock* end, const piece_numbers& of, Value* piece_first,
                                IRBuilder<>& b) {
    BasicBlock* const here = b.GetInsertBlock();
    Value *const first = b.CreateAdd(piece_first, of.from), *const last = b.CreateAdd(piece_first, of.stop);
    b.CreateCondBr(b.CreateICmpULT(of.from, of.stop), rows, end);
    b.SetInsertPoint(rows);
    const auto there = [&](Value* v) {
      PHINode* const phi = v == nullptr ? nullptr : b.CreatePHI(v->getType(), 1);
      if (phi != nullptr) phi->addIncoming(v, here);
      return phi;
    };
    row_numbers made{there(first), there(last), {}};
    for (Value* v : of.apart) made.apart.push_back(there(v));
    return made;
  }
  // Few turns, if any: nothing is worth doing for them.
  static void describe_copy(BranchInst& back) {
    LLVMContext& c = back.getContext();
    const auto word = [&](const char* name, bool value) -> Metadata* {
      auto* const said = ConstantAsMetadata::get(ConstantInt::getBool(c, value));
      return MDNode::get(c, {MDString::get(c, name), said});
    };
    MDNode* const id = MDNode::getDistinct(c, {nullptr, MDNode::get(c, {MDString::get(c, "llvm.loop.unroll.disable")}),
                                               word("llvm.loop.vectorize.enable", false)});
    id->replaceOperandWith(0, id);
    back.setMetadata(LLVMContext::MD_loop, id);
  }

  // Of the piece in front of which `gone` iterations are; null: none.
  piece_numbers measure(Value* gone, IRBuilder<>& b) {
    const auto behind_gone = [&](Value* v) {
      return gone == nullptr ? v : b.CreateAdd(v, b.CreateZExtOrTrunc(gone, v->getType()));
    };
    length_ = gone == nullptr ? count_ : b.CreateSub(count_, gone, "left");
    from_ = b.getInt64(0), to_ = nullptr;
    SmallVector<Value*> at_piece, compared;  // each bound's narrow index, and its index, in the piece's first iteration
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const bound& each = found_.bounds[k];
      Value* v = behind_gone(terms_[k].begin);
      at_piece.push_back(v);
      if (!goes_round(each)) end_at_wrap(v, each.is_signed(), b);
      if (each.widens != Instruction::BitCast) v = b.CreateCast(each.widens, v, each.limit->getType());
      if (each.more != nullptr) {
        v = b.CreateAdd(v, terms_[k].more);
        end_at_wrap(v, ICmpInst::isSigned(each.p), b);
      }
      compared.push_back(v);
    }
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (goes_round(found_.bounds[k]))
        cut_round(found_.bounds[k].p, compared[k], terms_[k].limit, b);
      else
        cut(found_.bounds[k].p, compared[k], terms_[k].limit, b);
    piece_numbers made{length_, from_, length_, {}};
    if (to_ != nullptr) made.stop = b.CreateBinaryIntrinsic(Intrinsic::umin, length_, to_);
    // As they are where the piece begins to do something.
    Value* const index = b.CreateAdd(behind_gone(first_), from_);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      if (!widens_to_64(found_.bounds[k])) {
        made.apart.push_back(nullptr);
        continue;
      }
      Value* const narrow = b.CreateAdd(at_piece[k], b.CreateTrunc(from_, at_piece[k]->getType()));
      made.apart.push_back(b.CreateSub(widened(found_.bounds[k], narrow, b), index));
    }
    return made;
  }

  // The piece ends where what is `begin` in its first iteration would wrap.
  void end_at_wrap(Value* begin, bool is_signed, IRBuilder<>& b) {
    const unsigned bits = begin->getType()->getIntegerBitWidth();
    const APInt largest = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    Value* const before = b.CreateZExt(b.CreateSub(ConstantInt::get(begin->getType(), largest), begin), b.getInt64Ty());
    Value* const whole = b.CreateBinaryIntrinsic(Intrinsic::uadd_sat, before, b.getInt64(1));
    length_ = b.CreateBinaryIntrinsic(Intrinsic::umin, length_, whole);
  }
  Value* widened(const bound& each, Value* begin, IRBuilder<>& b) {
    return each.is_signed() ? b.CreateSExt(begin, b.getInt64Ty()) : b.CreateZExt(begin, b.getInt64Ty());
  }
  static bool widens_to_64(const bound& each) { return each.narrow->getType()->getIntegerBitWidth() < 64; }

  // `t - 1u < n`: in a row that begins below 0 it holds behind the wrap, so a piece goes on there.
  static bool goes_round(const bound& each) {
    return each.widens == Instruction::BitCast && each.more == nullptr &&
           (each.p == ICmpInst::ICMP_ULT || each.p == ICmpInst::ICMP_ULE);
  }
  void cut_round(ICmpInst::Predicate p, Value* index, Value* limit, IRBuilder<>& b) {
    const auto wide = [&](Value* v) { return b.CreateZExt(v, b.getInt64Ty()); };
    const auto sum = [&](Value* v, Value* w) { return b.CreateBinaryIntrinsic(Intrinsic::uadd_sat, v, w); };
    const unsigned bits = index->getType()->getIntegerBitWidth();
    Value* const holds = b.CreateICmp(p, index, limit);
    Value* const wrap = sum(wide(b.CreateNot(index)), b.getInt64(1));
    Value* const round =
        bits == 64 ? b.getInt64(~std::uint64_t{0}) : b.CreateAdd(wrap, b.getInt64(std::uint64_t{1} << bits));
    length_ = b.CreateBinaryIntrinsic(Intrinsic::umin, length_, b.CreateSelect(holds, wrap, round));
    const auto past = [&](Value* v) { return p == ICmpInst::ICMP_ULE ? sum(v, b.getInt64(1)) : v; };
    from(b.CreateSelect(holds, b.getInt64(0), wrap), b);
    below(b.CreateSelect(holds, past(wide(b.CreateSub(limit, index))), past(sum(wrap, wide(limit)))), b);
  }

  // The iterations of the piece for which it holds, [from_, to_).
  void cut(ICmpInst::Predicate p, Value* index, Value* limit, IRBuilder<>& b) {
    Value* const distance = b.CreateZExt(b.CreateSub(limit, index), b.getInt64Ty());
    Value* const past = b.CreateBinaryIntrinsic(Intrinsic::uadd_sat, distance, b.getInt64(1));
    Value* const none = b.getInt64(0);
    switch (p) {
      case ICmpInst::ICMP_SLT:
      case ICmpInst::ICMP_ULT:
        return below(b.CreateSelect(b.CreateICmp(p, index, limit), distance, none), b);
      case ICmpInst::ICMP_SLE:
      case ICmpInst::ICMP_ULE:
        return below(b.CreateSelect(b.CreateICmp(p, index, limit), past, none), b);
      case ICmpInst::ICMP_SGT:
      case ICmpInst::ICMP_UGT:
        return from(b.CreateSelect(b.CreateICmp(p, index, limit), none, past), b);
      case ICmpInst::ICMP_SGE:
      case ICmpInst::ICMP_UGE:
        return from(b.CreateSelect(b.CreateICmp(p, index, limit), none, distance), b);
      default:  // equal
        from(distance, b);
        below(past, b);
    }
  }
  void below(Value* v, IRBuilder<>& b) { to_ = to_ == nullptr ? v : b.CreateBinaryIntrinsic(Intrinsic::umin, to_, v); }
  void from(Value* v, IRBuilder<>& b) { from_ = b.CreateBinaryIntrinsic(Intrinsic::umax, from_, v); }

  // What is the narrow index, extended by its kind to 64 bits.
  SmallVector<Instruction*> extensions(const bound& each) {
    SmallVector<Instruction*> found;
    Type* const type = found_.of.index->getType();
    if (!widens_to_64(each)) return found;
    const SCEV* const extended = each.is_signed() ? evolution_.getSignExtendExpr(each.narrow, type)
                                                  : evolution_.getZeroExtendExpr(each.narrow, type);
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : *bb)
        if ((isa<CastInst>(i) || isa<BinaryOperator>(i)) && i.getType() == type && evolution_.getSCEV(&i) == extended)
          found.push_back(&i);
    return found;
  }
  // They are the loop's own index from here on, which is `apart` from them.
  void replace_wide(ArrayRef<Instruction*> extensions, Value* apart) {
    if (extensions.empty()) return;
    IRBuilder<> b(&*l_.getHeader()->getFirstInsertionPt());
    Value* const wide = b.CreateAdd(found_.of.index, apart, "wide");
    for (Instruction* i : extensions) i->replaceAllUsesWith(wide);
  }

  Loop& l_;
  ScalarEvolution& evolution_;
  bounds_finder& found_;
  SCEVExpander expander_;
  SmallVector<bound_terms> terms_;
  Value *count_ = nullptr, *first_ = nullptr;                  // the loop's iterations, and its first index
  Value *length_ = nullptr, *from_ = nullptr, *to_ = nullptr;  // of the piece that is measured
};

}  // namespace

bool is_told_step_by_step(const Function& f) {
  return f.hasFnAttribute(Attribute::SanitizeThread) || f.getParent()->getNamedValue("simt_profile_wanted") != nullptr;
}

bool take_conditions_as_bounds(Function& f, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators) {
  if (is_told_step_by_step(f)) return false;
  bool simplified = false;
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!l->isInnermost() || takes_lanes_at_once(*l)) continue;
    simplified |= simplifyLoop(l, &dominators, &loops, &evolution, nullptr, nullptr, false);
    bounds_finder finder(*l, evolution);
    if ((finder.find() && bounds_maker(*l, evolution, finder).make()) || finder.of.changed) return true;
  }
  return simplified;
}

}  // namespace simt::compile
