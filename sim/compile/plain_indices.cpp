// SPDX-License-Identifier: Apache-2.0
#include "plain_indices.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "loop_bounds.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class index_maker {
 public:
  index_maker(const Loop& l, ScalarEvolution& evolution, const DominatorTree& dominators)
      : l_(l), evolution_(evolution), dominators_(dominators) {}

  bool run() {
    bool changed = false;
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : make_early_inc_range(*bb)) changed |= ask_by_order(i) || ask_of_index(i) || ask_each(i);
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : make_early_inc_range(*bb)) changed |= take_mask_away(i) || count_down(i);
    return changed;
  }

 private:
  // (v & ~15) == 0, of a v that has no bits above those of the mask.
  bool ask_by_order(Instruction& i) {
    ICmpInst* const asked = dyn_cast<ICmpInst>(&i);
    Value* v;
    const APInt* mask;
    if (asked == nullptr || !asked->isEquality() || !match(asked->getOperand(1), m_Zero()) ||
        !match(asked->getOperand(0), m_And(m_Value(v), m_APInt(mask))) || mask->isZero() || v->getType()->isVectorTy())
      return false;
    const unsigned zeros = (*mask ^ (*mask - 1)).getActiveBits() - 1;  // below the mask's lowest bit
    const APInt bound = APInt::getOneBitSet(mask->getBitWidth(), zeros);
    const APInt most = evolution_.getUnsignedRangeMax(evolution_.getSCEV(v));
    const unsigned bits = std::max(most.getActiveBits(), zeros);
    if (!APInt::getBitsSet(mask->getBitWidth(), zeros, bits).isSubsetOf(*mask)) return false;
    const auto p = asked->getPredicate() == ICmpInst::ICMP_EQ ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGE;
    asked->replaceAllUsesWith(IRBuilder<>(asked).CreateICmp(p, v, ConstantInt::get(v->getType(), bound)));
    RecursivelyDeleteTriviallyDeadInstructions(asked);
    return true;
  }

  // (first | x) == 0, which LLVM makes of first + x == 0: two questions, of which one is the loop's.
  bool ask_each(Instruction& i) {
    auto* const asked = dyn_cast<ICmpInst>(&i);
    Value *a, *b;
    if (asked == nullptr || !asked->isEquality() || !match(asked->getOperand(1), m_Zero()) ||
        !match(asked->getOperand(0), m_Or(m_Value(a), m_Value(b))) || asked->getType()->isVectorTy() ||
        l_.isLoopInvariant(a) == l_.isLoopInvariant(b))
      return false;
    IRBuilder<> at(asked);
    Value *const none = asked->getOperand(1), *const of_a = at.CreateICmp(asked->getPredicate(), a, none),
                 *const of_b = at.CreateICmp(asked->getPredicate(), b, none);
    const bool both = asked->getPredicate() == ICmpInst::ICMP_EQ;
    asked->replaceAllUsesWith(both ? at.CreateAnd(of_a, of_b) : at.CreateOr(of_a, of_b));
    RecursivelyDeleteTriviallyDeadInstructions(asked);
    return true;
  }

  // 4 * x < 256, where x is the loop's index and nothing wraps.
  bool ask_of_index(Instruction& i) {
    auto* const asked = dyn_cast<ICmpInst>(&i);
    const APInt* limit;
    if (asked == nullptr || !match(asked->getOperand(1), m_APInt(limit)) || asked->getType()->isVectorTy())
      return false;
    auto* const grows = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(asked->getOperand(0)));
    if (grows == nullptr || grows->getLoop() != &l_ || !grows->isAffine()) return false;
    auto* const start = dyn_cast<SCEVConstant>(grows->getStart());
    auto* const step = dyn_cast<SCEVConstant>(grows->getStepRecurrence(evolution_));
    auto* const turns = dyn_cast<SCEVConstant>(evolution_.getBackedgeTakenCount(&l_));
    PHINode* const index = index_from_zero();
    if (start == nullptr || step == nullptr || turns == nullptr || index == nullptr) return false;
    constexpr std::uint64_t kLarge = 1U << 30;  // far from where 32 bits end, with a sign, too
    const auto is_small = [](const APInt& n) { return n.ult(kLarge); };
    if (limit->getBitWidth() < 32 || !is_small(*limit) || !is_small(start->getAPInt()) || !is_small(step->getAPInt()) ||
        !is_small(turns->getAPInt()))
      return false;
    const std::uint64_t a = start->getAPInt().getZExtValue(), by = step->getAPInt().getZExtValue();
    if (by < 2 || a + by * turns->getAPInt().getZExtValue() >= kLarge) return false;
    const auto p = asked->getPredicate();
    if (asked->isEquality()) {  // one index, or none
      const std::uint64_t apart = limit->getZExtValue() - a;
      if (limit->ult(a) || apart % by != 0) return false;
      ask_instead(*asked, p, index, apart / by);
      return true;
    }
    const bool below = p == ICmpInst::ICMP_ULT || p == ICmpInst::ICMP_SLT;
    if (!below && p != ICmpInst::ICMP_UGT && p != ICmpInst::ICMP_SGT) return false;
    const std::uint64_t c = limit->getZExtValue() + (below ? 0 : 1);
    if (c < a) return false;
    ask_instead(*asked, below ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGE, index, (c - a + by - 1) / by);
    return true;
  }
  static void ask_instead(ICmpInst& asked, ICmpInst::Predicate p, Value* index, std::uint64_t limit) {
    asked.replaceAllUsesWith(IRBuilder<>(&asked).CreateICmp(p, index, ConstantInt::get(index->getType(), limit)));
    RecursivelyDeleteTriviallyDeadInstructions(&asked);
  }
  PHINode* index_from_zero() const {
    for (PHINode& phi : l_.getHeader()->phis()) {
      auto* const grows = phi.getType()->isIntegerTy(64) ? dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi)) : nullptr;
      if (grows != nullptr && grows->getLoop() == &l_ && grows->getStart()->isZero() && grows->isAffine() &&
          grows->getStepRecurrence(evolution_)->isOne())
        return &phi;
    }
    return nullptr;
  }

  // v & 15, where v is below 16; or where all that v may be has the same bits above, which are taken away by a
  // subtraction: `t - 1` of a widened t above 0 is (t + 0xffffffff) & 0xffffffff.
  bool take_mask_away(Instruction& i) {
    Value* v;
    const APInt *mask, *added;
    if (!match(&i, m_And(m_Value(v), m_APInt(mask))) || !mask->isMask() || i.getType()->isVectorTy()) return false;
    Value* before = v;
    ConstantRange range = match(v, m_Add(m_Value(before), m_APInt(added)))
                              ? range_at(*i.getParent(), before).add(*added)
                              : range_at(*i.getParent(), v);
    const unsigned bits = mask->getActiveBits();
    const APInt above = range.getUnsignedMin() & ~*mask;
    if (range.isEmptySet() || range.getUnsignedMin().ugt(range.getUnsignedMax()) ||
        range.getUnsignedMax().lshr(bits) != range.getUnsignedMin().lshr(bits))
      return false;
    if (!above.isZero()) v = IRBuilder<>(&i).CreateSub(v, ConstantInt::get(v->getType(), above));
    i.replaceAllUsesWith(v);
    i.eraseFromParent();
    return true;
  }

  // v ^ 31, where v is below 32, is 31 - v: a line that goes down.
  bool count_down(Instruction& i) {
    Value* v;
    const APInt* mask;
    if (!match(&i, m_Xor(m_Value(v), m_APInt(mask))) || !mask->isMask() || mask->isOne() || i.getType()->isVectorTy() ||
        range_at(*i.getParent(), v).getUnsignedMax().ugt(*mask))
      return false;
    i.replaceAllUsesWith(IRBuilder<>(&i).CreateSub(ConstantInt::get(v->getType(), *mask), v, "", true, true));
    i.eraseFromParent();
    return true;
  }

  // v in fewer bits is v.
  const Value* whole(const Value* v) const {
    const Value* wide;
    if (!match(v, m_Trunc(m_Value(wide)))) return v;
    const APInt most = evolution_.getUnsignedRangeMax(evolution_.getSCEV(const_cast<Value*>(wide)));
    return most.isIntN(v->getType()->getIntegerBitWidth()) ? wide : v;
  }

  // What v can be in bb, by the loop's number of turns and by the conditions on the way from its header.
  ConstantRange range_at(const BasicBlock& bb, Value* v) const {
    ConstantRange range = evolution_.getUnsignedRange(evolution_.getSCEV(v));
    const Value* const asked = whole(v);
    for (auto* node = dominators_.getNode(&bb); node->getBlock() != l_.getHeader(); node = node->getIDom()) {
      const BasicBlock* const from = node->getIDom()->getBlock();
      auto* const branch = dyn_cast<BranchInst>(from->getTerminator());
      if (branch == nullptr || !branch->isConditional()) continue;
      for (unsigned s = 0; s < 2; ++s)
        if (dominators_.dominates(BasicBlockEdge(from, branch->getSuccessor(s)), node->getBlock()))
          narrow_by(*branch->getCondition(), s == 0, asked, range);
    }
    return range;
  }
  void narrow_by(const Value& condition, bool holds, const Value* asked, ConstantRange& range) const {
    const Value *a, *b;
    if (holds ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
              : match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      narrow_by(*a, holds, asked, range), narrow_by(*b, holds, asked, range);
      return;
    }
    auto* const compare = dyn_cast<ICmpInst>(&condition);
    const APInt* limit;
    if (compare == nullptr || !match(compare->getOperand(1), m_APInt(limit))) return;
    if (whole(compare->getOperand(0)) != asked) return;
    const auto p = holds ? compare->getPredicate() : compare->getInversePredicate();
    range = range.intersectWith(ConstantRange::makeExactICmpRegion(p, *limit).zextOrTrunc(range.getBitWidth()));
  }

  const Loop& l_;
  ScalarEvolution& evolution_;
  const DominatorTree& dominators_;
};

constexpr unsigned kFewCases = 4;

// A choice between a few values becomes questions: up to LLVM 19 the vectoriser takes no loop with a switch, which the
// simplifier makes of `n == 3 || (n == 2 && s)`.
bool ask_case_by_case(const Loop& l) {
  SmallVector<SwitchInst*> few;
  for (BasicBlock* bb : l.blocks())
    if (auto* const choice = dyn_cast<SwitchInst>(bb->getTerminator());
        choice != nullptr && choice->getNumCases() > 0 && choice->getNumCases() <= kFewCases)
      few.push_back(choice);
  for (SwitchInst* choice : few) {
    BasicBlock* const from = choice->getParent();
    SmallSetVector<BasicBlock*, 4> next(succ_begin(from), succ_end(from));
    DenseMap<PHINode*, Value*> incoming;
    for (BasicBlock* bb : next)
      for (PHINode& phi : bb->phis()) {
        incoming[&phi] = phi.getIncomingValueForBlock(from);
        while (phi.getBasicBlockIndex(from) >= 0) phi.removeIncomingValue(from, false);
      }
    const auto enter = [&](BasicBlock* to, BasicBlock* by) {
      for (PHINode& phi : to->phis()) phi.addIncoming(incoming[&phi], by);
    };
    IRBuilder<> b(choice);
    for (unsigned n = choice->getNumCases(); const auto& one : choice->cases()) {
      BasicBlock *const to = one.getCaseSuccessor(), *const by = b.GetInsertBlock();
      const bool last = --n == 0;
      BasicBlock* const other =
          last ? choice->getDefaultDest() : BasicBlock::Create(from->getContext(), "case", from->getParent(), to);
      Value* const is = b.CreateICmpEQ(choice->getCondition(), one.getCaseValue());
      b.CreateCondBr(is, to, other);
      enter(to, by);
      if (last) enter(other, by);
      if (!last) b.SetInsertPoint(other);
    }
    choice->eraseFromParent();
  }
  return !few.empty();
}

// index + 1 is made once, in the latch, if each way to it has made it.
bool step_in_latch(const Loop& l) {
  BasicBlock* const latch = l.getLoopLatch();
  if (latch == nullptr) return false;
  for (PHINode& phi : l.getHeader()->phis()) {
    auto* const next = dyn_cast<PHINode>(phi.getIncomingValueForBlock(latch));
    const auto is_step = [&](const Value* v) { return match(v, m_c_Add(m_Specific(&phi), m_One())); };
    if (next == nullptr || next->getParent() != latch || latch == l.getHeader() ||
        !all_of(next->incoming_values(), [&](const Use& u) { return is_step(u.get()); }))
      continue;
    const SmallVector<BasicBlock*> ways(next->blocks());
    auto* const step = cast<BinaryOperator>(next->getIncomingValue(0))->clone();
    for (const Use& u : next->incoming_values()) step->andIRFlags(u.get());
    step->insertBefore(&*latch->getFirstInsertionPt());
    SmallVector<Value*> made(next->incoming_values());
    next->replaceAllUsesWith(step);
    next->eraseFromParent();
    for (Value* const v : SmallSetVector<Value*, 4>(made.begin(), made.end()))
      RecursivelyDeleteTriviallyDeadInstructions(v);
    for (BasicBlock* way : ways)
      if (isa<BranchInst>(way->front()) && way->getSingleSuccessor() == latch && way != l.getHeader())
        TryToSimplifyUncondBranchFromEmptyBlock(way);
    return true;
  }
  return false;
}

}  // namespace

bool make_indices_plain(const Function& f, LoopInfo& loops, ScalarEvolution& evolution,
                        const DominatorTree& dominators) {
  if (is_told_step_by_step(f)) return false;
  bool changed = false;
  for (const Loop* l : loops.getLoopsInPreorder()) {
    if (!l->isInnermost()) continue;
    changed |= index_maker(*l, evolution, dominators).run();
    if (step_in_latch(*l) || ask_case_by_case(*l)) return true;
  }
  return changed;
}

}  // namespace simt::compile
