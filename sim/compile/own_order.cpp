// SPDX-License-Identifier: Apache-2.0
#include "own_order.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "loop_nest.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

struct memory_access {
  Instruction* instruction;
  const Value* object;
  std::int64_t step;  // bytes from one iteration to the next; 0: not known, or none
  bool joins;         // farther apart than it is wide
  bool writes() const { return instruction->mayWriteToMemory(); }
};

std::int64_t step_of(Value* address, const Loop& l, ScalarEvolution& evolution) {
  const auto* const place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address));
  if (place == nullptr || place->getLoop() != &l) return 0;
  const auto* const step = dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
  return step == nullptr ? 0 : step->getAPInt().getSExtValue();
}

// Of an iteration, in its order.
SmallVector<memory_access> accesses_of(Loop& l, LoopInfo& loops, ScalarEvolution& evolution) {
  SmallVector<memory_access> all;
  LoopBlocksRPO blocks(&l);
  blocks.perform(&loops);
  for (BasicBlock* const bb : blocks)
    for (Instruction& i : *bb) {
      if (!i.mayReadOrWriteMemory()) continue;
      memory_access a{&i, nullptr, 0, false};
      if (Value* const address = getLoadStorePointerOperand(&i)) {
        a.object = getUnderlyingObject(address);
        a.step = step_of(address, l, evolution);
        const auto bytes =
            static_cast<std::int64_t>(i.getModule()->getDataLayout().getTypeStoreSize(getLoadStoreType(&i)));
        a.joins = a.step > bytes || -a.step > bytes;
      }
      all.push_back(a);
    }
  return all;
}

bool may_meet(const memory_access& a, const memory_access& b, AAResults& aliases) {
  const auto place = MemoryLocation::getOrNone(a.instruction);
  return !place || isModOrRefSet(aliases.getModRefInfo(b.instruction, place));
}

// What an iteration does between two accesses, of which one is moved to the other.
class order_within {
 public:
  order_within(ArrayRef<memory_access> all, AAResults& aliases) : all_(all), aliases_(aliases) {}

  bool matters() {
    for (std::size_t first = 0; first < all_.size(); ++first) {
      if (!all_[first].joins) continue;
      bool written = false;  // between the two
      for (std::size_t second = first + 1; second < all_.size(); ++second) {
        const memory_access &a = all_[first], &b = all_[second];
        const bool joined = b.joins && a.object == b.object && a.step == b.step && a.writes() == b.writes();
        if (joined && (written || a.writes()) && passes_another(first, second)) return true;
        written |= b.writes();
      }
    }
    return false;
  }

 private:
  static constexpr int kMostQuestions = 20000;  // a body that has more is taken for one whose order matters

  // The first of two joined stores moves to the second, the second of two joined loads to the first.
  bool passes_another(std::size_t first, std::size_t second) {
    const bool stores = all_[first].writes();
    const memory_access& moved = all_[stores ? first : second];
    for (std::size_t i = first + 1; i < second; ++i)
      if ((stores || all_[i].writes()) && (++questions_ > kMostQuestions || may_meet(moved, all_[i], aliases_)))
        return true;
    return false;
  }

  ArrayRef<memory_access> all_;
  AAResults& aliases_;
  int questions_ = 0;
};

}  // namespace

void keep_own_order(LoopInfo& loops, AAResults& aliases, ScalarEvolution& evolution) {
  for (Loop* const l : loops.getLoopsInPreorder())
    if (l->isInnermost() && l->getLoopID() != nullptr && l->isAnnotatedParallel() &&
        order_within(accesses_of(*l, loops, evolution), aliases).matters())
      l->setLoopID(makePostTransformationMetadata(l->getHeader()->getContext(), l->getLoopID(), {kParallelMark}, {}));
}

}  // namespace simt::compile
