// SPDX-License-Identifier: Apache-2.0
// Which threads come to a place in a nest of loops over rows and threads, as far as comparisons of the loops' indices
// with numbers say so.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Dominators.h>

#include "index_lines.hpp"

namespace simt::compile {

inline constexpr std::uint64_t kMostTurnsOfNest = 1 << 20;  // of a loop of which anything is known

class nest_turns {
 public:
  nest_turns(const llvm::Loop& nest, llvm::ScalarEvolution& evolution, const llvm::DominatorTree& dominators)
      : nest_(nest), evolution_(evolution), dominators_(dominators) {}

  // Of the nest or a loop in it: one less than all turns.
  void note_loop(const llvm::Loop& l, const llvm::SCEV* turns) { every_[&l] = {0, -1, turns}; }
  const llvm::SCEV* turns_of(const llvm::Loop& l) const { return every_.lookup(&l).turns; }

  // The turns in which anybody comes to bb.
  turn_ranges at(const llvm::BasicBlock& bb) const;
  // Those of them for which the condition is `holds`.
  turn_ranges with(turn_ranges in, llvm::Value& condition, bool holds) const;
  // The turns in which anything comes of i.
  turn_ranges of_uses(const llvm::Instruction& i, int depth = 0) const;

 private:
  const llvm::Loop& nest_;
  llvm::ScalarEvolution& evolution_;
  const llvm::DominatorTree& dominators_;
  turn_ranges every_;
};

// As for_each_part (guarded_loop.hpp), also where LLVM has frozen what is asked in front of a loop.
void for_each_asked(llvm::Value& condition, bool holds, llvm::function_ref<void(llvm::Value&, bool)> look);

}  // namespace simt::compile
