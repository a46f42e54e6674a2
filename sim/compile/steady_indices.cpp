// SPDX-License-Identifier: Apache-2.0
#include "steady_indices.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "lane_vectors.hpp"
#include "loop_bounds.hpp"
#include "loop_nest.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char* kSteadyMark = "simt.steady";
constexpr std::size_t kMostCopied = 400, kMostSteady = 16;
constexpr std::uint64_t kMostTurns = std::uint64_t{1} << 32;   // iterations of a loop, at most
constexpr std::int64_t kLargestIndex = std::int64_t{1} << 62;  // of an index of 64 bits

// `i` of a line (a value that grows by the same in each iteration) and a limit or divisor that does not change.
struct steady {
  Instruction* i;
  Value* line;                 // of its operands
  const SCEVAddRecExpr* form;  // what the line is
  Value* fixed;
  unsigned operation;  // Intrinsic::smin and its kind, or Instruction::UDiv and its kind
  bool is_intrinsic;

  bool is_signed() const {
    return is_intrinsic ? operation == Intrinsic::smin || operation == Intrinsic::smax
                        : operation == Instruction::SDiv || operation == Instruction::SRem;
  }
};

class steady_copy {
 public:
  steady_copy(Loop& l, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators)
      : l_(l), loops_(loops), evolution_(evolution), dominators_(dominators) {}

  bool make() {
    preheader_ = l_.getLoopPreheader(), exit_ = l_.getUniqueExitBlock();
    if (preheader_ == nullptr || exit_ == nullptr || l_.getExitingBlock() != l_.getLoopLatch() || leaves_something())
      return false;
    turns_ = evolution_.getBackedgeTakenCount(&l_);
    if (isa<SCEVCouldNotCompute>(turns_) || !turns_->getType()->isIntegerTy(64)) return false;
    find();
    if (found_.empty()) return false;
    SCEVExpander expander(evolution_, l_.getHeader()->getModule()->getDataLayout(), "steady");
    Instruction* const front = preheader_->getTerminator();
    if (!expander.isSafeToExpandAt(turns_, front) ||
        any_of(found_, [&](const steady& s) { return !expander.isSafeToExpandAt(s.form->getStart(), front); }))
      return false;
    Value* const turns = expander.expandCodeFor(turns_, turns_->getType(), front);
    SmallVector<Value*> first;
    for (const steady& s : found_)
      first.push_back(expander.expandCodeFor(s.form->getStart(), s.form->getType(), front));
    IRBuilder<> b(front);
    Value* holds = b.CreateICmpULT(turns, b.getInt64(kMostTurns));
    SmallVector<Value*> quotients;
    for (std::size_t n = 0; n < found_.size(); ++n) {
      Value* quotient = nullptr;
      holds = b.CreateAnd(holds, is_steady(found_[n], first[n], turns, quotient, b));
      quotients.push_back(quotient);
    }
    copy_behind(holds);
    for (std::size_t n = 0; n < found_.size(); ++n) replace(found_[n], quotients[n]);
    for (const steady& s : reverse(found_)) s.i->eraseFromParent();  // else the vectoriser counts what they cost
    return true;
  }

 private:
  bool leaves_something() const {
    return any_of(l_.blocks(), [&](const BasicBlock* bb) {
      return any_of(*bb, [&](const Instruction& i) {
        return any_of(i.users(), [&](const User* u) { return !l_.contains(cast<Instruction>(u)); });
      });
    });
  }

  void find() {
    std::size_t instructions = 0;
    for (BasicBlock* bb : l_.blocks()) instructions += bb->size();
    if (instructions > kMostCopied) return;
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : *bb) {
        if (!i.getType()->isIntegerTy(32) && !i.getType()->isIntegerTy(64)) continue;
        if (auto* const of_two = dyn_cast<MinMaxIntrinsic>(&i)) {
          const unsigned kind = of_two->getIntrinsicID();
          add(i, of_two->getLHS(), of_two->getRHS(), kind, true) ||
              add(i, of_two->getRHS(), of_two->getLHS(), kind, true);
        } else if (i.isIntDivRem()) {
          add(i, i.getOperand(0), i.getOperand(1), i.getOpcode(), false);
        }
        if (found_.size() == kMostSteady) return;
      }
  }
  bool add(Instruction& i, Value* line, Value* fixed, unsigned operation, bool is_intrinsic) {
    const auto as_line = lines_.find(line);
    auto* const form = as_line != lines_.end() ? as_line->second : dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(line));
    if (form == nullptr || form->getLoop() != &l_ || !form->isAffine() || !l_.isLoopInvariant(fixed)) return false;
    if (!form->getStepRecurrence(evolution_)->isOne()) return false;
    found_.push_back({&i, line, form, fixed, operation, is_intrinsic});
    if (is_intrinsic) lines_[&i] = form;
    return true;
  }

  // Whether the operation gives the line itself, or of a division the same `quotient`, in all iterations.
  Value* is_steady(const steady& s, Value* first, Value* turns, Value*& quotient, IRBuilder<>& b) const {
    Type* const wide = b.getInt64Ty();
    const unsigned bits = first->getType()->getIntegerBitWidth();
    const auto widened = [&](Value* v) {
      return bits == 64 ? v : s.is_signed() ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide);
    };
    Value *const from = widened(first), *const to = b.CreateAdd(from, turns), *const fixed = widened(s.fixed);
    const APInt largest = s.is_signed() ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    Value* holds = bits == 64 ? b.CreateICmpSLT(to, b.getInt64(static_cast<std::uint64_t>(kLargestIndex)))
                              : b.CreateICmpSLE(to, ConstantInt::get(wide, largest.getZExtValue()));
    if (bits == 64)  // between the ends of the range, or of its half without a sign
      holds = b.CreateAnd(
          holds, b.CreateICmpSGT(from, b.getInt64(static_cast<std::uint64_t>(s.is_signed() ? -kLargestIndex : -1))));
    switch (s.is_intrinsic ? s.operation : 0U) {
      case Intrinsic::smin:
        return b.CreateAnd(holds, b.CreateICmpSLE(to, fixed));
      case Intrinsic::umin:
        return b.CreateAnd(holds, b.CreateICmpULE(to, fixed));
      case Intrinsic::smax:
        return b.CreateAnd(holds, b.CreateICmpSGE(from, fixed));
      case Intrinsic::umax:
        return b.CreateAnd(holds, b.CreateICmpUGE(from, fixed));
      default:
        break;
    }
    if (s.is_signed()) {
      holds = b.CreateAnd(holds, b.CreateICmpSGE(from, b.getInt64(0)));
      holds = b.CreateAnd(holds, b.CreateICmpSGT(fixed, b.getInt64(0)));
    } else {
      holds = b.CreateAnd(holds, b.CreateICmpNE(fixed, b.getInt64(0)));
    }
    // Whoever divides by zero does it in its own place, in the other loop.
    Value* const divisor = b.CreateSelect(holds, s.fixed, ConstantInt::get(s.fixed->getType(), 1));
    quotient = b.CreateUDiv(first, divisor, "quotient");
    Value* const above = b.CreateAdd(b.CreateMul(b.CreateZExt(quotient, wide), fixed), fixed);  // the next multiple
    return b.CreateAnd(holds, b.CreateICmpULT(to, above));
  }

  // l_ runs if `holds`, else a copy of it.
  void copy_behind(Value* holds) {
    BasicBlock* const asks = preheader_;
    BasicBlock* const own = SplitBlock(asks, asks->getTerminator(), &dominators_, &loops_, nullptr, "steady");
    ValueToValueMapTy map;
    SmallVector<BasicBlock*> blocks;
    Loop* const copy = cloneLoopWithPreheader(own, asks, &l_, map, ".unsteady", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, map);
    Instruction* const end = asks->getTerminator();
    IRBuilder<>(end).CreateCondBr(holds, own, copy->getLoopPreheader());
    end->eraseFromParent();
    for (PHINode& phi : exit_->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(l_.getLoopLatch()), copy->getLoopLatch());
    for (Loop* each : {&l_, copy}) addStringMetadataToLoop(each, kSteadyMark, 1);
  }

  void replace(const steady& s, Value* quotient) {
    IRBuilder<> b(s.i);
    Value* const steadier = replaced_.lookup(s.line);
    Value* const line = steadier != nullptr ? steadier : s.line;
    Value* v = line;
    if (!s.is_intrinsic) {
      const bool rest = s.operation == Instruction::URem || s.operation == Instruction::SRem;
      v = rest ? b.CreateSub(line, b.CreateMul(quotient, s.fixed), "", true, s.is_signed()) : quotient;
    }
    s.i->replaceAllUsesWith(v);
    replaced_[s.i] = v;
  }

  Loop& l_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  DominatorTree& dominators_;
  BasicBlock *preheader_ = nullptr, *exit_ = nullptr;
  const SCEV* turns_ = nullptr;
  SmallVector<steady> found_;
  DenseMap<const Value*, const SCEVAddRecExpr*> lines_;  // of what is steady itself
  DenseMap<const Value*, Value*> replaced_;
};

}  // namespace

bool copy_for_steady_indices(Function& f, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators) {
  if (is_told_step_by_step(f)) return false;
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!l->isInnermost() || findOptionMDForLoop(l, kParallelMark) == nullptr ||
        findOptionMDForLoop(l, kSteadyMark) != nullptr)
      continue;
    if (!takes_lanes_at_once(*l) && steady_copy(*l, loops, evolution, dominators).make()) return true;
  }
  return false;
}

}  // namespace simt::compile
