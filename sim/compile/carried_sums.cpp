// SPDX-License-Identifier: Apache-2.0
#include "carried_sums.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class sum_parter {
 public:
  sum_parter(kernel_form& k, const Loop& l, const dependence& varying)
      : k_(k), l_(l), varying_(varying), preheader_(l.getLoopPredecessor()), latch_(l.getLoopLatch()) {}

  void run() {
    if (preheader_ == nullptr || latch_ == nullptr) return;
    for (PHINode& phi : make_early_inc_range(l_.getHeader()->phis()))
      if (varying_.has(&phi)) part(phi);
  }

 private:
  bool grows_alike(const Value* step) const { return l_.isLoopInvariant(step) && !varying_.has(step); }

  // How far phi goes in a turn, as a number of type `number`; null: not the same for all.
  Value* step_of(const PHINode& phi, Type* number, IRBuilder<>& b) const {
    Value* const next = phi.getIncomingValueForBlock(latch_);
    Value* step;
    if (match(next, m_c_Add(m_Specific(&phi), m_Value(step)))) return grows_alike(step) ? step : nullptr;
    auto* const address = dyn_cast<GetElementPtrInst>(next);
    if (address == nullptr || address->getPointerOperand() != &phi || address->getNumIndices() != 1) return nullptr;
    Value* const index = address->getOperand(1);
    if (!grows_alike(index) || !index->getType()->isIntegerTy()) return nullptr;
    const std::uint64_t bytes = k_.f.getParent()->getDataLayout().getTypeAllocSize(address->getSourceElementType());
    return b.CreateMul(b.CreateSExtOrTrunc(index, number), ConstantInt::get(number, bytes));
  }

  void part(PHINode& phi) {
    const bool points = phi.getType()->isPointerTy();
    if (!points && !phi.getType()->isIntegerTy()) return;
    Type* const number = points ? Type::getInt64Ty(phi.getContext()) : phi.getType();
    IRBuilder<> at_latch(latch_->getTerminator());
    Value* const step = step_of(phi, number, at_latch);
    if (step == nullptr) return;
    auto* const grown = PHINode::Create(number, 2, "grown", &phi);
    grown->addIncoming(ConstantInt::get(number, 0), preheader_);
    grown->addIncoming(at_latch.CreateAdd(grown, step), latch_);
    Value* const start = phi.getIncomingValueForBlock(preheader_);
    IRBuilder<> b(&*l_.getHeader()->getFirstInsertionPt());
    Value* const now = points ? b.CreateGEP(b.getInt8Ty(), start, grown) : b.CreateAdd(start, grown);
    phi.replaceAllUsesWith(now);
    phi.eraseFromParent();
  }

  kernel_form& k_;
  const Loop& l_;
  const dependence& varying_;
  BasicBlock *const preheader_, *const latch_;
};

}  // namespace

void part_carried_sums(kernel_form& k) {
  const DominatorTree dominators(k.f);
  const LoopInfo loops(dominators);
  const auto varying = find_varying(k);
  for (const Loop* l : loops.getLoopsInPreorder())
    if (any_of(k.barriers, [&](const BasicBlock* head) { return l->contains(head); }))
      sum_parter(k, *l, *varying).run();
}

}  // namespace simt::compile
