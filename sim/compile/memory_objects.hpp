// SPDX-License-Identifier: Apache-2.0
// Which memory an address of a block's loops leads to, as far as the address itself tells.
#pragma once

#include <llvm/IR/Value.h>

namespace simt::compile {

// What lies behind a kernel's parameters: neither shared memory nor what threads keep.
bool is_behind_parameter(const llvm::Value* address);
// Shared memory and what lies behind parameters, or two arrays of shared memory.
bool are_different_memory(const llvm::Value* address, const llvm::Value* other);

}  // namespace simt::compile
