// SPDX-License-Identifier: Apache-2.0
// Which memory an address leads to, as far as the address itself tells: in the body of one thread, where arrays of
// shared memory are markers, and in a block's loops, where they are results of the engine's calls.
//
// Kernels have no pointers to shared memory from elsewhere.
#pragma once

#include <llvm/IR/Value.h>

namespace simt::compile {

// An array of shared memory, static or dynamic.
bool is_in_shared_memory(const llvm::Value* address);
// What a kernel's parameters point to: neither shared memory nor what threads keep.
bool is_behind_parameter(const llvm::Value* address);
// Shared memory and what the parameters point to, or the parameters themselves; or two arrays of shared memory.
bool are_different_memory(const llvm::Value* address, const llvm::Value* other);

}  // namespace simt::compile
