// SPDX-License-Identifier: Apache-2.0
// Sums with what a shuffle gives, where the shuffle is. LLVM moves `v += __shfl_down_sync(...)` to where it is used:
// behind a barrier, into `if (lane == 0) sums[warp] = v`. Then both v and what has been given would be kept for each
// thread, and their sum alone is needed.
#pragma once

#include "regions.hpp"

namespace simt::compile {

void lift_sums(const kernel_form& k);

}  // namespace simt::compile
