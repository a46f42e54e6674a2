// SPDX-License-Identifier: Apache-2.0
// Loops over barriers that end for nobody. A loop of C++ without side effects may be taken to end, and one without
// results is then deleted. A barrier is a side effect, but in loops it leaves no call behind: `for (;;) {
// __syncthreads(); if (s[0] < 0) break; }`, a hang on any GPU, would be a kernel that ends.
#pragma once

namespace simt::compile {

struct kernel_form;

// From here on nobody takes the loops of k that pass barriers to end; its other loops stay as they were.
void keep_endless_loops(kernel_form& k);

}  // namespace simt::compile
