// SPDX-License-Identifier: Apache-2.0
// Numbers and pointers that each thread carries through a loop with barriers, and that grow alike for all: `at +=
// plane`. What they have grown by is one number for the block; where a thread's own began is a function of its index.
// So no value is kept for each thread from turn to turn, and what is accessed there is still seen to lie side by side.
#pragma once

#include "regions.hpp"

namespace simt::compile {

// Of loops with cut points in them.
void part_carried_sums(kernel_form& k);

}  // namespace simt::compile
