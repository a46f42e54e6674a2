// SPDX-License-Identifier: Apache-2.0
#include "wrapping_indices.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr unsigned kWholeIndex = 32;  // bits: no array is as large as what wraps in these

// Does it hold an index of few bits that grows in `loop` and may wrap?
bool goes_round(const SCEV* s, const Loop& loop) {
  return SCEVExprContains(s, [&](const SCEV* part) {
    const auto* widened = dyn_cast<SCEVIntegralCastExpr>(part);
    const auto* index = widened != nullptr ? dyn_cast<SCEVAddRecExpr>(widened->getOperand()) : nullptr;
    return index != nullptr && index->getLoop() == &loop && index->getType()->getIntegerBitWidth() < kWholeIndex;
  });
}

// What of the loop's instructions make the address of v go round, innermost.
void add_sources(Value* v, const Loop& loop, ScalarEvolution& evolution, SmallSetVector<Instruction*, 4>& sources) {
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr || isa<PHINode>(i) || !loop.contains(i) || !evolution.isSCEVable(i->getType()) ||
      !goes_round(evolution.getSCEV(i), loop))
    return;
  const std::size_t before = sources.size();
  for (Value* const o : i->operand_values()) add_sources(o, loop, evolution, sources);
  if (sources.size() == before) sources.insert(i);
}

std::uint64_t size_of(Instruction& access) {
  return access.getModule()->getDataLayout().getTypeAllocSize(getLoadStoreType(&access)).getFixedValue();
}

void hide_in(Loop& loop, ScalarEvolution& evolution) {
  PredicatedScalarEvolution assumed(evolution, loop);
  SmallSetVector<Instruction*, 4> sources;
  for (BasicBlock* const b : loop.blocks())
    for (Instruction& i : *b) {
      Value* const at = getLoadStorePointerOperand(&i);
      if (at == nullptr || !goes_round(evolution.getSCEV(at), loop)) continue;
      const SCEVAddRecExpr* const moves = assumed.getAsAddRec(at);
      const auto* step = moves != nullptr ? dyn_cast<SCEVConstant>(moves->getStepRecurrence(evolution)) : nullptr;
      if (step != nullptr && step->getAPInt().abs() != size_of(i)) add_sources(at, loop, evolution, sources);
    }
  for (Instruction* const i : sources) {
    auto* const hidden = cast<FreezeInst>(IRBuilder<>(i->getNextNode()).CreateFreeze(i));
    i->replaceUsesWithIf(hidden, [&](Use& u) { return u.getUser() != hidden; });
  }
  if (!sources.empty()) evolution.forgetLoop(&loop);
}

}  // namespace

void hide_wrapping_indices(LoopInfo& loops, ScalarEvolution& evolution) {
  for (Loop* const loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) hide_in(*loop, evolution);
}

}  // namespace simt::compile
