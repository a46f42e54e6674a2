// SPDX-License-Identifier: Apache-2.0
// A kernel that is one grid-stride loop, and nothing else, does the same however its threads are grouped into blocks:
// an element belongs to one thread of the grid, and the body asks for nothing but the element. The engine runs
// neighbouring blocks of such a kernel as one wide block then, so that each turn goes through a long stretch of memory
// (loop_body::order).
#pragma once

#include "turn_loop.hpp"

namespace simt::compile {

// k before its loop t, of stride, is turned. Indices are the block's place times its extent and the thread's index, the
// step is the whole grid, and neither index, extents nor places are used for anything else.
bool takes_any_geometry(const kernel_form& k, const turn_loop& t);

}  // namespace simt::compile
