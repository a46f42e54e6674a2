// SPDX-License-Identifier: Apache-2.0
// What some threads of a block do beside the others, told by their place in it:
//   tile[t + 1] = in[i];
//   if (threadIdx.x == 0) tile[0] = in[i - 1];
// In one loop over threads this is a masked load and store for each vector. As a region of its own, as if a barrier
// stood in front of it and behind it, it is a loop over these threads alone, and the others' loop has no condition: any
// order of the threads between two barriers is one that CUDA allows.
#pragma once

#include "regions.hpp"

namespace simt::compile {

// Changes k, whose barriers are known, and adds to them where such steps begin and end.
void part_side_steps(kernel_form& k);

}  // namespace simt::compile
