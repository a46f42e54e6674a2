// SPDX-License-Identifier: Apache-2.0
// `if (i >= n) return;` in front of a barrier: some threads leave the kernel, the others go on to wait.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <memory>

#include "regions.hpp"

namespace simt::compile {

// If one side of bb's branch leads out of the kernel past all of `heads` and the other to one of them: lets both sides
// meet in a new block, and gives that block as a guard. Not where bb can be reached again: its condition would have to
// be remembered. Null: it is no such branch.
std::unique_ptr<guard> leave_early(kernel_form& k, llvm::BasicBlock* bb, llvm::ArrayRef<llvm::BasicBlock*> heads);

}  // namespace simt::compile
