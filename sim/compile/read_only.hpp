// SPDX-License-Identifier: Apache-2.0
// Arrays that a launch only reads, in the check variant. Whatever a kernel writes, it writes through pointers; where
// each of them comes from a parameter, the runtime knows at the launch which allocations are written, and that nobody
// writes the others. A read of one of those cannot race within the launch. It needs no announcement while it stays
// within the allocation: the watched loops compare its address and keep the least and the largest one.
//
// In the kernel's entry, simt_loop_read_only (sim/instrument/checked_loops.hpp) is told the pointers that are written
// through and those that are only read through; its answer is how far silent reads may go. At the end,
// simt_loop_has_read is told what was read.
#pragma once

#include <llvm/IR/ValueHandle.h>

#include <vector>

#include "region_accesses.hpp"
#include "regions.hpp"

namespace simt::compile {

class read_only_arrays {
 public:
  // k: canonical, not yet cut. Finds the pointers; none where some write goes through a pointer of unknown origin.
  explicit read_only_arrays(const kernel_form& k);
  // Some loop reads through a pointer that nothing is written through.
  bool any() const { return known_ && !read_.empty(); }
  // Is it a read that make_silent changes?
  bool may_be_silent(const llvm::Instruction& i) const;
  // Emits the question and the final word. Once, when the kernel's loops are there, before make_silent.
  void ask(kernel_form& k);
  // Reads in these blocks go without announcement where the answer lets them. `listed`: those that a call announces
  // already. in_full: a truth value, under which all are announced; null: never.
  void make_silent(kernel_form& k, llvm::ArrayRef<llvm::BasicBlock*> blocks,
                   const llvm::DenseMap<llvm::Instruction*, llvm::CallInst*>& listed, llvm::Value* in_full);
  // Reads that make_silent has changed.
  std::size_t silent() const { return silent_; }

 private:
  struct array {
    llvm::WeakTrackingVH pointer;
    llvm::Value *from = nullptr, *size = nullptr;      // the answer; size 0: no read may be silent
    llvm::AllocaInst *low = nullptr, *high = nullptr;  // of what was read, counted from `from`
  };
  bool find_written(const kernel_form& k);
  void find_read(const kernel_form& k);
  const array* array_of(const llvm::Instruction& load) const;
  void make_silent(kernel_form& k, const array& a, llvm::LoadInst& load, llvm::CallInst* announced, llvm::Value* limit);

  std::vector<llvm::WeakTrackingVH> written_;
  std::vector<array> read_;
  bool known_ = false;
  llvm::AllocaInst* count_ = nullptr;
  std::size_t silent_ = 0;
};

}  // namespace simt::compile
