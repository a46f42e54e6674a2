// SPDX-License-Identifier: Apache-2.0
// What threads compute of their place, as numbers that do not wrap.
//
// The indices of a program have 32 bits, mostly, and may wrap as far as a compiler knows. Over a nest of loops, rows
// and the threads in them, such an index is a line: a number that is known in front of the nest, and a step for each
// loop. Its least and its largest value are found in front, in 64 bits. If both fit, nothing wraps in the nest, and the
// line is what the index is.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

namespace simt::compile {

// Turns of a loop, `first` to `last`, counted from 0; last < 0: known at run time only. None is behind `turns`.
struct turn_range {
  std::int64_t first = 0, last = -1;
  const llvm::SCEV* turns = nullptr;
};
using turn_ranges = llvm::SmallDenseMap<const llvm::Loop*, turn_range, 4>;

struct line_step {
  const llvm::Loop* loop;
  const llvm::SCEV* value;
};
// All that is known in front of the nest is taken with its sign.
struct line_sum {
  llvm::SmallVector<const llvm::SCEV*, 2> begin;
  llvm::SmallVector<line_step, 2> steps;
};
struct index_line {
  // A sum on the way to the line, which is to fit into so many bits.
  struct fit {
    line_sum of;
    unsigned bits;
    bool is_signed;
  };
  line_sum sum;
  llvm::SmallVector<fit, 2> fits;

  bool moves() const { return !sum.steps.empty(); }
};

// Finds lines over `nest` and the loops in it.
class line_finder {
 public:
  line_finder(const llvm::Loop& nest, llvm::ScalarEvolution& evolution) : nest_(nest), evolution_(evolution) {}

  // v as a number with a sign or without one; none: it is no line.
  std::optional<index_line> find(const llvm::SCEV* v, bool is_signed) const;
  // From here on, v counts as what the line is.
  void note(const llvm::SCEV* v, const index_line& line) { known_[v] = line; }

 private:
  bool gather(const llvm::SCEV* v, index_line& to) const;

  const llvm::Loop& nest_;
  llvm::ScalarEvolution& evolution_;
  llvm::DenseMap<const llvm::SCEV*, index_line> known_;
};

// Computes, in front of a nest, what lines are there.
class line_maker {
 public:
  line_maker(llvm::ScalarEvolution& evolution, llvm::Instruction* front);

  bool can_make(const index_line& line) const;
  llvm::Value* begin(const line_sum& of);
  llvm::Value* step(const line_step& s);
  // The least or the largest value of a sum.
  llvm::Value* extreme(const line_sum& of, const turn_ranges& in, bool largest);
  // Nothing on the way to the line wraps.
  llvm::Value* fits(const index_line& line, const turn_ranges& in);
  // Some value, also where nobody may have asked for it.
  llvm::Value* in_front(const llvm::SCEV* v);
  llvm::IRBuilder<>& builder() { return b_; }

 private:
  llvm::Value* last_turn(const turn_range& r);

  llvm::Instruction* const front_;
  llvm::SCEVExpander expander_;
  llvm::IRBuilder<> b_;
  llvm::DenseMap<const llvm::SCEV*, llvm::Value*> made_;
};

}  // namespace simt::compile
