// SPDX-License-Identifier: Apache-2.0
// The shapes of blocks that a module's launches of CUDA source ask for, as far as its code shows them.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

#include <array>

namespace simt::compile {

using block_shape = std::array<std::int64_t, 3>;

struct launched_shapes {
  llvm::SmallVector<block_shape> known;  // constants, each once
  bool all_known = false;                // there are launches, and all of them have constants
};
launched_shapes find_launched_shapes(const llvm::Module& m);

}  // namespace simt::compile
