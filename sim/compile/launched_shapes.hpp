// SPDX-License-Identifier: Apache-2.0
// The shapes of blocks that a module's launches ask for, as far as its code shows them.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include "loop_bodies.hpp"
#include "stored_shapes.hpp"

namespace simt::compile {

struct launched_shapes {
  llvm::SmallVector<block_shape> known;  // each once
  bool all_known = false;                // there are launches, and of all of them is known which they ask for
  // Those of `known` that are seen to be for one kernel, by its loop_body.
  llvm::DenseMap<const llvm::GlobalVariable*, llvm::SmallVector<block_shape>> of_kernel;
};
launched_shapes find_launched_shapes(const llvm::Module& m, llvm::ArrayRef<loop_source> kernels);

}  // namespace simt::compile
