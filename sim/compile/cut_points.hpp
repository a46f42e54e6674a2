// SPDX-License-Identifier: Apache-2.0
// Where the regions of a kernel (regions.hpp) begin, and which branches decide over them.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/BasicBlock.h>

#include "dependence.hpp"
#include "regions.hpp"

namespace simt::compile {

// More rounds of growing and of early leaves than any kernel needs: what does not settle is refused.
inline constexpr int kMostRounds = 64;

using block_set = llvm::SmallSetVector<llvm::BasicBlock*, 16>;

struct cut_points {
  block_set heads;                                             // where regions begin
  block_set deciding;                                          // whose branch decides over which head comes next
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> owner;  // head of the region that a block belongs to
};

// more: heads beside the barriers. False: it does not settle.
bool find_cut_points(const kernel_form& k, cut_points& c, llvm::ArrayRef<llvm::BasicBlock*> more = {});

// The first branch that would decide over a head, and does not decide alike.
struct divergence {
  llvm::BasicBlock* deciding = nullptr;
  // The heads that it decides over, if no thread waits at one of them. They are heads because ways of several regions,
  // the owners of their predecessors, meet in them. Empty: it decides over a barrier, which not all reach alike.
  llvm::SmallVector<llvm::BasicBlock*> shared = {};
};
divergence find_divergence(const kernel_form& k, cut_points& c, llvm::ArrayRef<llvm::BasicBlock*> more,
                           llvm::function_ref<bool(const llvm::BasicBlock*)> decides_alike);

}  // namespace simt::compile
