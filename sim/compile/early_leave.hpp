// SPDX-License-Identifier: Apache-2.0
// `if (i >= n) return;` in front of a barrier: some threads leave the kernel, the others go on to wait.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include <memory>

#include "regions.hpp"

namespace simt::compile {

// If ways from bb lead out of the kernel past all of `heads`, and all others meet in one block before they come to a
// head: lets those who leave come there too, by a new block which is the guard. Not where bb can be reached again: who
// has left would have to be remembered. Null: it is no such branch.
std::unique_ptr<guard> leave_early(kernel_form& k, llvm::BasicBlock* bb, llvm::ArrayRef<llvm::BasicBlock*> heads);

}  // namespace simt::compile
