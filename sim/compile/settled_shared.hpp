// SPDX-License-Identifier: Apache-2.0
// Arrays of shared memory into which nobody writes while threads of the block may be in a loop: the writes stand in
// front of a barrier that all pass before it, or behind one that all pass after it.
//
// What such a loop reads there is not what it waits for.
#pragma once

#include <llvm/Analysis/LoopInfo.h>

#include "regions.hpp"

namespace simt::compile {

class settled_shared {
 public:
  settled_shared(const kernel_form& k, const llvm::Loop& l) : k_(k), l_(l) {}
  // i is a load of such an array.
  bool is_read_by(const llvm::Instruction& i);

 private:
  void find_phase();
  void find_writes();

  const kernel_form& k_;
  const llvm::Loop& l_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> at_the_same_time_;  // as the loop: no barrier lies between
  llvm::SmallVector<const llvm::Value*> writes_;  // objects that may be written then, or that may be any array
};

}  // namespace simt::compile
