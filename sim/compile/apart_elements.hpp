// SPDX-License-Identifier: Apache-2.0
// Grid-stride loops of which each element is computed by itself, whoever does it and when:
//   for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = b[i] + s * c[i];
// if nothing that is stored for one element is read or stored for another. What is stored are parts of the element
// itself, and arrays either begin at the same place or do not overlap: that is asked when the kernel runs.
//
// A block makes one long turn then instead of several, through a stretch of memory of its own, as a loop by hand does.
#pragma once

#include "regions.hpp"
#include "turn_loop.hpp"

namespace simt::compile {

struct apart_elements {
  llvm::Value* hold = nullptr;  // null: nothing is known. A value of the entry block: elements are apart if it is true
  llvm::Value* end = nullptr;   // of the indices, in signed 64 bits, in the entry block
};

// Of a loop that takes any geometry (any_geometry.hpp). Adds instructions to the entry block.
apart_elements find_apart_elements(const kernel_form& k, const turn_loop& t);

// k is nothing but such a loop, and is cut. Its blocks become so wide that each makes one turn.
void make_one_turn(const kernel_form& k, const apart_elements& elements);

}  // namespace simt::compile
