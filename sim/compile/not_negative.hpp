// SPDX-License-Identifier: Apache-2.0
// Whoever writes `const int t = threadIdx.x; if (t / 32 == 0)` divides a number with a sign, and to LLVM that is a
// question about -32 < t < 32: places, extents and indices are parameters, of which it knows no range. They are never
// negative. So in kernels with operations of warps, quotients and remainders of such sums by powers of two become
// shifts and masks, and `t + 31 < 63` becomes `t < 32`: forms in which one sees what is the same for a warp
// (lane_dependence.hpp).
#pragma once

#include "regions.hpp"

namespace simt::compile {

// blockIdx.x * blockDim.x + threadIdx.x is an int that is not negative only in launches of at most 2^31 threads in that
// axis. True: f relies on it.
bool use_that_places_are_not_negative(const kernel_form& k);

}  // namespace simt::compile
