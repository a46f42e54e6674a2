// SPDX-License-Identifier: Apache-2.0
// A kernel's loops for blocks of any shape, and copies for the shapes that people use.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "launched_shapes.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

struct shape_copies {
  llvm::SmallVector<llvm::Function*> functions;  // all that have been made; none if the kernel was refused
};

// Which shapes of blocks a kernel gets copies for: those of its own launches, of the module's launches if it is not
// seen which are its own, and usual ones where a launch does not say its block by constants. A module with many kernels
// has fewer for each, because each takes time to compile.
class shape_choice {
 public:
  shape_choice(const llvm::Module& m, llvm::ArrayRef<loop_source> kernels);
  llvm::SmallVector<block_shape> for_kernel(const loop_source& kernel) const;
  // All launches are seen, with the kernel's own among them, and each of those has one of `copies`.
  bool has_no_others(const loop_source& kernel, llvm::ArrayRef<shape_copy> copies) const;

 private:
  launched_shapes launched_;
  std::size_t guesses_ = 0;  // copies of one kernel, of shapes that no launch names
};

// Cuts s.thread and copies of it, and sets s.body. one: null, or what fibers are to run (one_thread.hpp).
shape_copies make_loops(const loop_source& s, const shape_choice& shapes, llvm::Function* one);

}  // namespace simt::compile
