// SPDX-License-Identifier: Apache-2.0
// Where ways meet that have all computed the same, it is computed there: no value has to be kept for each thread, and
// what is made of it is still known to be made of the index.
//
// What some ways have may be less than what is computed, as they know by what was asked:
//   of a condition, what it gives
//   behind `threadIdx.x == 0`, what comes of 0 for the index. clang writes it so: `&tile[threadIdx.x]` is the tile's
//   own address there, and where ways meet one of two, which each thread would keep, and nobody would know for
//   neighbours
#pragma once

#include "regions.hpp"

namespace simt::compile {

void compute_where_ways_meet(kernel_form& k);

}  // namespace simt::compile
