// SPDX-License-Identifier: Apache-2.0
// The shapes of blocks that a module's launches of CUDA source ask for, as far as its code shows them.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include <array>

#include "loop_bodies.hpp"

namespace simt::compile {

using block_shape = std::array<std::int64_t, 3>;

struct launched_shapes {
  llvm::SmallVector<block_shape> known;  // constants, each once
  bool all_known = false;                // there are launches, and all of them have constants
  // Those of `known` that are seen to be for one kernel, by its loop_body.
  llvm::DenseMap<const llvm::GlobalVariable*, llvm::SmallVector<block_shape>> of_kernel;
};
launched_shapes find_launched_shapes(const llvm::Module& m, llvm::ArrayRef<loop_source> kernels);

}  // namespace simt::compile
