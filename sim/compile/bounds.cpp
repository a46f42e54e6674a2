// SPDX-License-Identifier: Apache-2.0
// Conditions on the thread's x become bounds of the loop over x.
//
// A condition counts if it is the first thing that threads do and those for which it is false do nothing else. What is
// compared has to be x and something that is the same along the row, without wrapping; bounds that would not fit into
// 64 bits are cut off at the ends of the range, far outside of any block.
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "loop_nest.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class trimmer {
 public:
  trimmer(const kernel_form& k, const region& r, loop_nest& n) : k_(k), r_(r), n_(n), b_(n.y->getTerminator()) {}

  void trim() {
    for (BasicBlock* at = n_.x; at != nullptr;) {
      for (Instruction& i : *at)
        if (i.mayHaveSideEffects()) return finish();
      auto* branch = dyn_cast<BranchInst>(at->getTerminator());
      if (branch == nullptr) return finish();
      BasicBlock* onward = branch->getSuccessor(0);
      if (branch->isConditional()) {
        const bool first_ends = ends_thread(branch->getSuccessor(0)),
                   second_ends = ends_thread(branch->getSuccessor(1));
        if (first_ends == second_ends) return finish();
        onward = branch->getSuccessor(first_ends ? 1 : 0);
        if (take(branch->getCondition(), !first_ends)) {
          IRBuilder<>(branch).CreateBr(onward);
          branch->eraseFromParent();
        }
      }
      at = onward != n_.x_next && onward->getSinglePredecessor() != nullptr && !isa<PHINode>(onward->front()) ? onward
                                                                                                              : nullptr;
    }
    finish();
  }

 private:
  bool ends_thread(BasicBlock* bb) const {
    while (bb != n_.x_next) {
      auto* jump = dyn_cast<BranchInst>(&bb->front());
      if (jump == nullptr || jump->isConditional()) return false;
      bb = jump->getSuccessor(0);
    }
    return true;
  }
  bool in_loop(const Value* v) const {
    auto* i = dyn_cast<Instruction>(v);
    return i != nullptr && (i->getParent() == n_.x || r_.blocks.count(const_cast<BasicBlock*>(i->getParent())) != 0);
  }

  // Only threads for which `condition` is `holds` go on. True if the bounds say all of it.
  bool take(Value* condition, bool holds) {
    Value *p, *q;
    const bool both = holds ? match(condition, m_LogicalAnd(m_Value(p), m_Value(q)))
                            : match(condition, m_LogicalOr(m_Value(p), m_Value(q)));
    if (both) {
      const bool first = take(p, holds), second = take(q, holds);
      return first && second;
    }
    if (match(condition, m_Not(m_Value(p)))) return take(p, !holds);
    auto* compare = dyn_cast<ICmpInst>(condition);
    return compare != nullptr && take_comparison(*compare, holds);
  }

  // x, also cut to fewer bits and widened again: no block has more than 1024 threads.
  bool is_x(Value* v) const {
    Value* narrow;
    const APInt* mask;
    if (match(v, m_ZExt(m_Value(narrow))) || match(v, m_SExt(m_Value(narrow))))
      return narrow->getType()->isIntegerTy(32) && is_x(narrow);
    if (match(v, m_And(m_Value(narrow), m_APInt(mask))))
      return (mask->getLimitedValue() & 1023) == 1023 && is_x(narrow);
    return v == n_.index[0] || (match(v, m_Trunc(m_Specific(n_.index[0]))) && v->getType()->isIntegerTy(32));
  }

  Value* widened(Value* v, bool is_signed) {
    if (v->getType()->isIntegerTy(64)) return v;
    return is_signed ? b_.CreateSExt(v, b_.getInt64Ty()) : b_.CreateZExt(v, b_.getInt64Ty());
  }

  bool take_comparison(ICmpInst& compare, bool holds) {
    auto predicate = holds ? compare.getPredicate() : compare.getInversePredicate();
    Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    if (in_loop(right)) {
      std::swap(left, right);
      predicate = ICmpInst::getSwappedPredicate(predicate);
    }
    if (in_loop(right) || !(left->getType()->isIntegerTy(64) || left->getType()->isIntegerTy(32))) return false;
    // left = x + offset
    SmallVector<Value*> offsets;
    while (!is_x(left)) {
      auto* sum = dyn_cast<BinaryOperator>(left);
      if (sum == nullptr || sum->getOpcode() != Instruction::Add || !sum->hasNoSignedWrap()) return false;
      Value *p = sum->getOperand(0), *q = sum->getOperand(1);
      if (in_loop(p)) std::swap(p, q);
      if (in_loop(p)) return false;
      offsets.push_back(p);
      left = q;
    }
    const bool is_unsigned = ICmpInst::isUnsigned(predicate);
    if (is_unsigned && !offsets.empty()) return false;
    Value* bound = widened(right, !is_unsigned);
    for (Value* o : offsets) bound = b_.CreateBinaryIntrinsic(Intrinsic::ssub_sat, bound, widened(o, true));
    Value* const past =
        b_.CreateBinaryIntrinsic(is_unsigned ? Intrinsic::uadd_sat : Intrinsic::sadd_sat, bound, b_.getInt64(1));
    switch (predicate) {
      case ICmpInst::ICMP_SLT:
        below(bound);
        return true;
      case ICmpInst::ICMP_SLE:
        below(past);
        return true;
      case ICmpInst::ICMP_SGT:
        from(past);
        return true;
      case ICmpInst::ICMP_SGE:
        from(bound);
        return true;
      case ICmpInst::ICMP_EQ:
        from(bound);
        below(past);
        return true;
      case ICmpInst::ICMP_ULT:
        below(b_.CreateBinaryIntrinsic(Intrinsic::umin, bound, n_.width));
        return true;
      case ICmpInst::ICMP_ULE:
        below(b_.CreateBinaryIntrinsic(Intrinsic::umin, past, n_.width));
        return true;
      default:
        return false;
    }
  }
  void below(Value* v) { end_ = b_.CreateBinaryIntrinsic(Intrinsic::smin, end_ != nullptr ? end_ : n_.width, v); }
  void from(Value* v) {
    first_ = b_.CreateBinaryIntrinsic(Intrinsic::smax, first_ != nullptr ? first_ : b_.getInt64(0), v);
  }

  void finish() {
    if (first_ == nullptr && end_ == nullptr) return;
    if (first_ == nullptr) first_ = b_.getInt64(0);
    if (end_ == nullptr) end_ = n_.width;
    cast<PHINode>(n_.index[0])->setIncomingValueForBlock(n_.y, first_);
    auto* back = cast<BranchInst>(n_.x_next->getTerminator());
    auto* again = cast<ICmpInst>(back->getCondition());
    again->setPredicate(ICmpInst::ICMP_SLT);
    again->setOperand(1, end_);
    Instruction* const enter = n_.y->getTerminator();
    b_.CreateCondBr(b_.CreateICmpSLT(first_, end_), n_.x, n_.y_next);
    enter->eraseFromParent();
  }

  const kernel_form& k_;
  const region& r_;
  loop_nest& n_;
  IRBuilder<> b_;
  Value *first_ = nullptr, *end_ = nullptr;
};

}  // namespace

void trim_bounds(const kernel_form& k, const region& r, loop_nest& nest) { trimmer(k, r, nest).trim(); }

}  // namespace simt::compile
