// SPDX-License-Identifier: Apache-2.0
// Loops of code that is counted, told in short: one block that turns as often as is known in front, and whose addresses
// move by the same distance in each turn. In front of it the runtime is asked (simt_profile_loop, with the marker's
// number and how often it turns). If it says so, the accesses of the first turn and of the second are announced there,
// and a copy of the loop runs that announces nothing; sim/profile/warp_trace.hpp knows the other turns from these two.
// Else the loop runs as it is.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <memory>

namespace simt::compile {

class counted_loops {
 public:
  // Looks at the loops of f. All of them have a preheader and exits of their own. pairs: a read is announced with the
  // write at its place that follows it, as ThreadSanitizer's pass does.
  counted_loops(llvm::Function& f, llvm::DominatorTree& dominators, llvm::LoopInfo& loops, bool pairs);
  ~counted_loops();
  // `markers`: of the blocks that have one.
  void tell_in_short(const llvm::DenseMap<llvm::BasicBlock*, llvm::CallInst*>& markers);

 private:
  struct state;
  std::unique_ptr<state> s_;
};

}  // namespace simt::compile
