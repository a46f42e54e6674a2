// SPDX-License-Identifier: Apache-2.0
// Loops in which nothing happens: what is left of a stride over rows where the question of the stride within them
// stands in front of both. clang keeps them, because it does not know that a block has at least one thread in each
// direction.
#pragma once

#include "regions.hpp"

namespace simt::compile {

void drop_idle_loops(kernel_form& k);

// Barriers in loops in which nothing else happens: `for (;;) { __syncthreads(); if (s[0] < 0) break; }`. As loops over
// threads nothing is left of such a barrier, and a loop without effects that has no end may be dropped, where a GPU
// hangs.
llvm::SmallPtrSet<const llvm::BasicBlock*, 4> idle_barriers(const kernel_form& k);

}  // namespace simt::compile
