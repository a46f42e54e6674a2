// SPDX-License-Identifier: Apache-2.0
#include "next_rows.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <cstdlib>
#include <optional>

#include "loop_nest.hpp"
#include "memory_objects.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::int64_t kLine = 64, kMostLines = 1;  // of a row: what goes on for longer is guessed
// Rows that follow each other at such a distance or less are guessed by the processor.
constexpr std::int64_t kGuessed = 1024;
constexpr std::int64_t kMostLinesBeside = 2;
constexpr std::size_t kMostRows = 8;  // of different arrays, or of one array that a thread takes several elements of

// Of a row: where it begins, and the bytes from one thread's element to the next.
struct memory_row {
  const SCEV* begin;
  std::int64_t bytes;
  bool written;
};

// The bytes from row to row; none: that is not known.
std::optional<std::int64_t> step_of_rows(const SCEV* begin, const Loop& rows, ScalarEvolution& evolution) {
  auto* const from_row_to_row = dyn_cast<SCEVAddRecExpr>(begin);
  if (from_row_to_row == nullptr || from_row_to_row->getLoop() != &rows) return {};
  auto* const step = dyn_cast<SCEVConstant>(from_row_to_row->getStepRecurrence(evolution));
  return step == nullptr ? std::nullopt : std::optional(step->getAPInt().getSExtValue());
}

// Whether the processor finds the row behind this one without being told. Of blocks side by side, it takes their
// stretch of the row to guess how it goes on.
bool is_guessed(const SCEV* begin, const Loop& rows, ScalarEvolution& evolution) {
  if (evolution.isLoopInvariant(begin, &rows)) return true;
  const auto step = step_of_rows(begin, rows, evolution);
  if (is_over_blocks(rows)) return !step || *step <= 0 || *step > kLine * kMostLinesBeside;
  return step && std::abs(*step) <= kGuessed;
}

// The rows that the blocks behind these begin with, in the second cache: the first has no room for them where rows of a
// matrix share its sets.
void fetch_blocks_behind(ArrayRef<memory_row> found, const Loop& rows, ScalarEvolution& evolution,
                         SCEVExpander& expander, Instruction* front) {
  const unsigned blocks = evolution.getSmallConstantTripCount(&rows);
  IRBuilder<> b(front);
  for (const memory_row& row : found) {
    const std::int64_t step = *step_of_rows(row.begin, rows, evolution);
    Value* const begin = expander.expandCodeFor(row.begin, row.begin->getType(), front);
    for (std::int64_t last = kLine; last < step + kLine; last += kLine) {
      Value* const there = b.CreateGEP(
          b.getInt8Ty(), begin, b.getInt64(static_cast<std::uint64_t>(blocks * step + std::min(last, step) - 1)));
      b.CreateIntrinsic(Intrinsic::prefetch, {there->getType()}, {there, b.getInt32(0), b.getInt32(2), b.getInt32(1)});
    }
  }
}

SmallVector<memory_row> rows_of(const Loop& l, const Loop& rows, ScalarEvolution& evolution) {
  SmallVector<memory_row> found;
  for (BasicBlock* bb : l.blocks())
    for (Instruction& i : *bb) {
      Value* const address = getLoadStorePointerOperand(&i);
      if (address == nullptr || !is_behind_parameter(address)) continue;
      auto* const place = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address));
      if (place == nullptr || place->getLoop() != &l || !place->isAffine()) continue;
      auto* const step = dyn_cast<SCEVConstant>(place->getStepRecurrence(evolution));
      if (step == nullptr || step->getAPInt().isNonPositive() || step->getAPInt().ugt(kLine)) continue;
      const memory_row row{place->getStart(), step->getAPInt().getSExtValue(), isa<StoreInst>(i)};
      if (is_guessed(row.begin, rows, evolution)) continue;
      // Neighbours of an element lie in the same lines.
      const bool has_it = any_of(found, [&](memory_row& other) {
        auto* const apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(other.begin, row.begin));
        if (apart == nullptr || apart->getAPInt().abs().ugt(kLine)) return false;
        other.written |= row.written;
        return true;
      });
      if (!has_it) found.push_back(row);
    }
  return found;
}

}  // namespace

bool fetch_next_row(Loop& l, std::int64_t threads, ScalarEvolution& evolution) {
  const Loop* const rows = l.getParentLoop();
  BasicBlock* const preheader = l.getLoopPreheader();
  if (rows == nullptr || preheader == nullptr) return false;
  Instruction* const front = preheader->getTerminator();
  Module& m = *preheader->getModule();
  SCEVExpander expander(evolution, m.getDataLayout(), "next");
  SmallVector<memory_row> found = rows_of(l, *rows, evolution);
  erase_if(found, [&](const memory_row& row) {
    const std::int64_t lines = is_over_blocks(*rows) ? kMostLinesBeside : kMostLines;
    return row.bytes * threads > kLine * lines || !expander.isSafeToExpandAt(row.begin, front);
  });
  if (found.empty() || found.size() > kMostRows) return false;
  if (is_over_blocks(*rows)) {
    fetch_blocks_behind(found, *rows, evolution, expander, front);
    return true;
  }
  IRBuilder<> b(front);
  for (const memory_row& row : found) {
    Value* const begin = expander.expandCodeFor(row.begin, row.begin->getType(), front);
    const std::int64_t bytes = row.bytes * threads;
    for (std::int64_t line = 0; line * kLine < bytes; ++line) {
      Value* const there =
          b.CreateGEP(b.getInt8Ty(), begin, b.getInt64(static_cast<std::uint64_t>(2 * bytes - 1 - line * kLine)));
      b.CreateIntrinsic(Intrinsic::prefetch, {there->getType()},
                        {there, b.getInt32(row.written ? 1 : 0), b.getInt32(3), b.getInt32(1)});
    }
  }
  return true;
}

}  // namespace simt::compile
