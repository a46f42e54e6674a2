// SPDX-License-Identifier: Apache-2.0
// Which values of a function depend on some of them: by data; because a branch that depends decides which way a phi is
// reached; or because it decides in which turn a loop is left. With the thread's index as the source, these are the
// values that may differ between threads of a block; all others are uniform.
//
// Memory passes nothing on: whoever asks adds the loads that may read something that depends.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

class dependence {
 public:
  // Of the phis `skip_none`, ways that bring no value (poison) do not count.
  using phis = llvm::SmallPtrSet<const llvm::PHINode*, 16>;
  explicit dependence(llvm::Function& f, phis skip_none = {});

  void add(llvm::Value* v) { mark(v); }
  // Nothing depends on v, whatever its operands are.
  void exclude(llvm::Value* v) { excluded_.insert(v); }
  // Spreads what was added. Every branch of the function has to have a way to its return.
  void propagate();

  bool has(const llvm::Value* v) const { return marked_.count(v) != 0; }
  // The branch at the end of bb goes the same way whatever the sources are.
  bool decides_alike(const llvm::BasicBlock* bb) const;

  const llvm::LoopInfo& loops() const { return loops_; }

 private:
  void mark(llvm::Value* v);
  void spread_from_branch(llvm::BasicBlock* bb);
  void mark_joins(llvm::BasicBlock* bb, llvm::BasicBlock* join);

  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  llvm::LoopInfo loops_;
  phis skip_none_;
  llvm::DenseSet<const llvm::Value*> marked_, excluded_;
  llvm::DenseSet<llvm::BasicBlock*> branches_seen_;
  llvm::SmallVector<llvm::Value*> work_;
};

}  // namespace simt::compile
