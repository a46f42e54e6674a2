// SPDX-License-Identifier: Apache-2.0
#include "short_rows.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <bit>

#include "lane_vectors.hpp"
#include "loop_bodies.hpp"
#include "loop_bounds.hpp"
#include "loop_nest.hpp"
#include "memory_objects.hpp"
#include "next_rows.hpp"

namespace simt::compile {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr const char* kSeenMark = "simt.short_row";
constexpr const char* kFirstMark = "simt.first_piece";
constexpr const char* kWidestMark = "simt.widest_row";
constexpr std::int64_t kFewestTurns = 4, kMostTurns = 64;
constexpr unsigned kMostOfRow = 200;  // of a body that there are copies of
constexpr std::int64_t kLeastPiece = 4;

// Its index, and what this is compared with at the end of each turn.
struct row_loop {
  PHINode* index = nullptr;
  Value *first = nullptr, *end = nullptr;
  BasicBlock *preheader = nullptr, *latch = nullptr, *exit = nullptr;
};

std::optional<row_loop> row_of(const Loop& l) {
  row_loop r;
  r.preheader = l.getLoopPreheader(), r.exit = l.getUniqueExitBlock(), r.latch = l.getLoopLatch();
  if (r.preheader == nullptr || r.exit == nullptr || r.latch == nullptr || l.getExitingBlock() != r.latch) return {};
  auto phis = l.getHeader()->phis();
  if (phis.begin() == phis.end() || std::next(phis.begin()) != phis.end()) return {};
  r.index = &*phis.begin();
  Value* const next = r.index->getIncomingValueForBlock(r.latch);
  if (!r.index->getType()->isIntegerTy(64) || !match(next, m_c_Add(m_Specific(r.index), m_One()))) return {};
  auto* const branch = dyn_cast<BranchInst>(r.latch->getTerminator());
  auto* const asked = branch == nullptr ? nullptr : dyn_cast<ICmpInst>(branch->getCondition());
  if (asked == nullptr || asked->getOperand(0) != next || !l.isLoopInvariant(asked->getOperand(1))) return {};
  const auto p = l.contains(branch->getSuccessor(0)) ? asked->getPredicate() : asked->getInversePredicate();
  if (p != ICmpInst::ICMP_NE && p != ICmpInst::ICMP_ULT && p != ICmpInst::ICMP_SLT) return {};
  r.first = r.index->getIncomingValueForBlock(r.preheader), r.end = asked->getOperand(1);
  return r;
}

std::optional<row_bounds> noted(const Loop& l) {
  MDNode* const word = findOptionMDForLoop(&l, kWidestMark);
  if (word == nullptr) return {};
  const auto number = [&](unsigned k) { return mdconst::extract<ConstantInt>(word->getOperand(k))->getSExtValue(); };
  return row_bounds{number(1), number(2)};
}

class row_maker {
 public:
  row_maker(Loop& l, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators, AAResults& aliases,
            const TargetTransformInfo& target)
      : l_(l), loops_(loops), evolution_(evolution), dominators_(dominators), aliases_(aliases), target_(target) {}

  bool make() {
    const auto row = row_of(l_);
    if (!row || !looks_right()) return false;
    row_ = *row;
    const auto widest = widest_row(l_, evolution_);
    if (!widest) return false;
    row_bounds_ = *widest;
    if (turns() < kFewestTurns || turns() > kMostTurns) return false;
    const std::int64_t width = vector_width();
    if (width < 2) return false;
    find_widened();
    const bool known = isa<ConstantInt>(row_.first) && isa<ConstantInt>(row_.end);
    if (known && widened_.empty() && (turns() % width == 0 || turns() < width)) {
      addStringMetadataToLoop(&l_, kSeenMark, 1);
      return fetch_next_row(l_, turns(), evolution_);
    }
    put_pieces_beside(pieces_of(width), known && widened_.empty());
    return true;
  }

 private:
  bool looks_right() const {
    unsigned instructions = 0;
    for (const BasicBlock* bb : l_.blocks())
      for (const Instruction& i : *bb) {
        if (any_of(i.users(), [&](const User* u) { return !l_.contains(cast<Instruction>(u)); })) return false;
        ++instructions;
      }
    return instructions <= kMostOfRow;
  }

  // As the vectoriser takes it: as many of the widest element as a register holds.
  std::int64_t vector_width() const {
    std::uint64_t widest = 0;
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : *bb)
        if (getLoadStorePointerOperand(&i) != nullptr)
          widest = std::max(widest, layout().getTypeSizeInBits(getLoadStoreType(&i)).getFixedValue());
    const std::uint64_t bits = target_.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    return widest == 0 ? 0 : static_cast<std::int64_t>(std::bit_floor(bits / widest));
  }

  // What it reads it does not write, and nobody else does: all its accesses depend on no other thread's.
  bool may_make_turns_twice() const {
    if (findOptionMDForLoop(&l_, kParallelMark) == nullptr) return false;
    SmallVector<Instruction*> loads, stores;
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : *bb) {
        if (!i.mayReadOrWriteMemory()) continue;
        auto* const load = dyn_cast<LoadInst>(&i);
        auto* const store = dyn_cast<StoreInst>(&i);
        const bool plain = (load != nullptr && load->isSimple()) || (store != nullptr && store->isSimple());
        if (!plain || !i.hasMetadata(LLVMContext::MD_access_group)) return false;
        (load != nullptr ? loads : stores).push_back(&i);
      }
    return all_of(stores, [&](Instruction* s) {
      return all_of(loads, [&](Instruction* l) {
        return are_different_memory(getLoadStorePointerOperand(s), getLoadStorePointerOperand(l)) ||
               aliases_.isNoAlias(MemoryLocation::get(s), MemoryLocation::get(l));
      });
    });
  }

  // What is made of the index in fewer bits and widened: nobody has said that it does not wrap, and the vectoriser
  // would ask in each row.
  struct widened {
    CastInst* cast;
    const SCEV* begin;  // of what is widened
    std::int64_t step;
  };
  void find_widened() {
    SCEVExpander expander(evolution_, layout(), "widened");
    for (BasicBlock* bb : l_.blocks())
      for (Instruction& i : *bb) {
        auto* const cast = dyn_cast<CastInst>(&i);
        if (cast == nullptr || !(isa<SExtInst>(cast) || isa<ZExtInst>(cast)) || !cast->getType()->isIntegerTy(64))
          continue;
        if (isa<SCEVAddRecExpr>(evolution_.getSCEV(cast))) continue;
        auto* const line = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(cast->getOperand(0)));
        if (line == nullptr || line->getLoop() != &l_ || !line->isAffine()) continue;
        if (line->getType()->getIntegerBitWidth() < 32) continue;
        auto* const step = dyn_cast<SCEVConstant>(line->getStepRecurrence(evolution_));
        if (step == nullptr || !step->getAPInt().isStrictlyPositive() || step->getAPInt().ugt(kMostTurns)) continue;
        if (!expander.isSafeToExpandAt(line->getStart(), row_.preheader->getTerminator())) continue;
        widened_.push_back({cast, line->getStart(), step->getAPInt().getSExtValue()});
      }
  }
  // In front, of each of them: how far it is from its multiple of the loop's index, where nothing wraps.
  Value* measure_widened(IRBuilder<>& b) {
    SCEVExpander expander(evolution_, layout(), "widened");
    Value* good = b.getTrue();
    for (const widened& w : widened_) {
      Instruction* const front = &*b.GetInsertPoint();
      Value* const begin = b.CreateFreeze(expander.expandCodeFor(w.begin, w.begin->getType(), front));
      const unsigned bits = begin->getType()->getIntegerBitWidth();
      const bool is_signed = isa<SExtInst>(w.cast);
      const APInt largest = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
      Value* const last =
          ConstantInt::get(begin->getType(), largest - static_cast<std::uint64_t>((turns() - 1) * w.step));
      good = b.CreateAnd(good, is_signed ? b.CreateICmpSLE(begin, last) : b.CreateICmpULE(begin, last));
      apart_.push_back(b.CreateSub(b.CreateCast(w.cast->getOpcode(), begin, b.getInt64Ty()),
                                   b.getInt64(static_cast<std::uint64_t>(row_bounds_.first * w.step))));
    }
    return good;
  }
  void replace_widened(const ValueToValueMapTy& map, PHINode& index) const {
    IRBuilder<> b(&*index.getParent()->getFirstInsertionPt());
    for (std::size_t n = 0; n < widened_.size(); ++n) {
      const auto step = static_cast<std::uint64_t>(widened_[n].step);
      Value* const multiple = step == 1 ? &index : b.CreateMul(&index, b.getInt64(step));
      auto* const cast_there = dyn_cast_or_null<Instruction>(map.lookup(widened_[n].cast));
      if (cast_there == nullptr) continue;  // it was a part of the last one
      cast_there->replaceAllUsesWith(b.CreateAdd(multiple, apart_[n], "wide"));
      RecursivelyDeleteTriviallyDeadInstructions(cast_there);
    }
  }

  std::int64_t turns() const { return row_bounds_.end - row_bounds_.first; }
  const DataLayout& layout() const { return l_.getHeader()->getModule()->getDataLayout(); }

  SmallVector<row_bounds> pieces_of(std::int64_t width) const {
    const row_bounds& row = row_bounds_;
    width = std::min(width, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(turns()))));
    std::int64_t at = row.first + turns() / width * width;
    SmallVector<row_bounds> pieces{{row.first, at}};
    const std::int64_t rest = row.end - at;
    if (rest == 0) return pieces;
    const auto whole =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(rest, kLeastPiece))));
    if (whole <= turns() && may_make_turns_twice()) {
      pieces.push_back({row.end - whole, row.end});
      return pieces;
    }
    while (at < row.end) {
      auto size = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(row.end - at)));
      if (size < kLeastPiece) size = row.end - at;
      pieces.push_back({at, at + size});
      at += size;
    }
    return pieces;
  }

  // known: they take the place of the loop.
  void put_pieces_beside(ArrayRef<row_bounds> pieces, bool known) {
    BasicBlock* const asks = row_.preheader;
    BasicBlock* const slow = SplitBlock(asks, asks->getTerminator(), &dominators_, &loops_, nullptr, "row");
    Type* const number = row_.index->getType();
    IRBuilder<> b(asks->getTerminator());
    Value* whole = measure_widened(b);
    const auto is = [&](Value* v, std::int64_t n) {
      return b.CreateICmpEQ(v, ConstantInt::get(number, static_cast<std::uint64_t>(n)));
    };
    whole = b.CreateAnd(whole, b.CreateAnd(is(row_.first, row_bounds_.first), is(row_.end, row_bounds_.end)), "whole");
    BasicBlock* entered = nullptr;  // the first piece
    BranchInst* before = nullptr;   // of the piece before it, whose exit is to be the next
    for (const row_bounds& piece : pieces) {
      ValueToValueMapTy map;
      SmallVector<BasicBlock*> blocks;
      Loop* const copy = cloneLoopWithPreheader(slow, asks, &l_, map, ".whole", &loops_, &dominators_, blocks);
      remapInstructionsInBlocks(blocks, map);
      auto* const index = cast<PHINode>(map.lookup(row_.index));
      auto* const latch = cast<BasicBlock>(map.lookup(row_.latch));
      BasicBlock* const begin = copy->getLoopPreheader();
      index->setIncomingValueForBlock(begin, ConstantInt::get(number, static_cast<std::uint64_t>(piece.first)));
      auto* const back = cast<BranchInst>(latch->getTerminator());
      IRBuilder<> at_back(back);
      Value* const end = ConstantInt::get(number, static_cast<std::uint64_t>(piece.end));
      Value* const goes_on = at_back.CreateICmpNE(index->getIncomingValueForBlock(latch), end);
      BranchInst* const made = at_back.CreateCondBr(goes_on, copy->getHeader(), row_.exit);
      made->setMetadata(LLVMContext::MD_loop, back->getMetadata(LLVMContext::MD_loop));
      Value* const asked = back->getCondition();
      back->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructions(asked);
      replace_widened(map, *index);
      if (entered == nullptr)
        addStringMetadataToLoop(copy, kFirstMark, static_cast<unsigned>(turns()));
      else
        addStringMetadataToLoop(copy, kSeenMark, 1);
      if (before != nullptr) before->setSuccessor(1, begin);
      if (entered == nullptr) entered = begin;
      before = made;
    }
    for (PHINode& phi : row_.exit->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(row_.latch), before->getParent());
    Instruction* const jump = asks->getTerminator();
    b.SetInsertPoint(jump);
    b.CreateCondBr(whole, entered, slow);
    jump->eraseFromParent();
    addStringMetadataToLoop(&l_, kSeenMark, 1);
    if (!known) return;
    ConstantFoldTerminator(asks);
    removeUnreachableBlocks(*asks->getParent());
  }

  Loop& l_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  DominatorTree& dominators_;
  AAResults& aliases_;
  const TargetTransformInfo& target_;
  row_loop row_;
  row_bounds row_bounds_{};
  SmallVector<widened> widened_;
  SmallVector<Value*> apart_;  // of each of them
};

// What comes there by one way only.
Value* behind_phis(Value* v) {
  for (auto* phi = dyn_cast<PHINode>(v); phi != nullptr && phi->getNumIncomingValues() == 1; phi = dyn_cast<PHINode>(v))
    v = phi->getIncomingValue(0);
  return v;
}

// What v is in the first turn of the loops around, as far as that is a number: `width - x0` in a tile that is larger
// than the block.
const SCEV* in_first_turn(const SCEV* v, ScalarEvolution& evolution) {
  ValueToSCEVMapTy first;
  const auto note = [&](const SCEV* s) {
    auto* const unknown = dyn_cast<SCEVUnknown>(s);
    auto* const phi = unknown == nullptr ? nullptr : dyn_cast<PHINode>(unknown->getValue());
    if (phi == nullptr) return false;
    for (Value* incoming : phi->incoming_values())
      if (isa<ConstantInt>(incoming)) first[phi] = evolution.getSCEV(incoming);
    return false;
  };
  SCEVExprContains(v, note);
  return first.empty() ? v : SCEVParameterRewriter::rewrite(v, evolution, first);
}

}  // namespace

std::optional<row_bounds> widest_row(const Loop& l, ScalarEvolution& evolution) {
  if (const auto known = noted(l)) return known;
  const auto row = row_of(l);
  if (!row) return {};
  const SCEV* const first = in_first_turn(evolution.getSCEV(behind_phis(row->first)), evolution);
  const SCEV* const end = in_first_turn(evolution.getSCEV(behind_phis(row->end)), evolution);
  const APInt least = evolution.getUnsignedRangeMin(first);
  const APInt of_signed = evolution.getSignedRangeMax(end), of_unsigned = evolution.getUnsignedRangeMax(end);
  APInt largest = of_signed.isNegative() ? of_unsigned : APIntOps::umin(of_signed, of_unsigned);
  constexpr std::uint64_t kFar = 1u << 30;
  if (least.ugt(kFar) || largest.ugt(kFar) || largest.ule(least)) return {};
  const APInt most = evolution.getUnsignedRangeMax(evolution.getMinusSCEV(end, first));  // turns
  if (most.ult(largest - least)) largest = least + most;
  return row_bounds{least.getSExtValue(), largest.getSExtValue()};
}

void note_widest_row(Loop& l, const row_bounds& widest) {
  LLVMContext& c = l.getHeader()->getContext();
  const auto number = [&](std::int64_t n) -> Metadata* {
    return ConstantAsMetadata::get(ConstantInt::getSigned(Type::getInt64Ty(c), n));
  };
  MDNode* const word = MDNode::get(c, {MDString::get(c, kWidestMark), number(widest.first), number(widest.end)});
  l.setLoopID(makePostTransformationMetadata(c, l.getLoopID(), {}, {word}));
}

bool make_short_rows_whole(Function& f, LoopInfo& loops, ScalarEvolution& evolution, DominatorTree& dominators,
                           AAResults& aliases, const TargetTransformInfo& target) {
  if (!is_loops_of_block(f) || is_told_step_by_step(f)) return false;
  bool simplified = false;
  for (Loop* l : loops.getLoopsInPreorder()) {
    if (!l->isInnermost() || takes_lanes_at_once(*l) || findOptionMDForLoop(l, kSeenMark) != nullptr) continue;
    if (const int turns = getOptionalIntLoopAttribute(l, kFirstMark).value_or(0); turns > 0) {
      addStringMetadataToLoop(l, kSeenMark, 1);
      if (fetch_next_row(*l, turns, evolution)) return true;
      continue;
    }
    if (getOptionalBoolLoopAttribute(l, "llvm.loop.vectorize.enable").value_or(true) == false) continue;
    simplified |= simplifyLoop(l, &dominators, &loops, &evolution, nullptr, nullptr, false);
    if (row_maker(*l, loops, evolution, dominators, aliases, target).make()) return true;
  }
  return simplified;
}

}  // namespace simt::compile
