// SPDX-License-Identifier: Apache-2.0
// The host cannot know a block's shared memory: what lies behind a kernel's parameters is not in it. The optimiser,
// which cannot know that, would store a sum in shared memory in each turn of
//   for (i = first; i < n; i += step) part[threadIdx.x] += a[i] * b[i];
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// Says so of the accesses of f, the body of one thread. Returns whether there are any of both kinds.
bool keep_shared_memory_apart(llvm::Function& f);

}  // namespace simt::compile
