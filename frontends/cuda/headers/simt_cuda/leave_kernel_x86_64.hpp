// SPDX-License-Identifier: Apache-2.0
// simt::sim::simt_leaves_kernel without the call: what leave_kernel() is with g++ on x86-64.
#pragma once

#include <cstddef>

#include <backends/sim/launch_body.hpp>

namespace simt_cuda {

[[gnu::always_inline]] inline void note_leaving() {
  void *cursor, *here;
  asm volatile("movq _ZN4simt3sim6cursorE@gottpoff(%%rip), %0\n\tleaq 0(%%rip), %1\n\tmovq %1, %%fs:%c2(%0)"
               : "=&r"(cursor), "=&r"(here)
               : "i"(offsetof(simt::sim::running_thread, left_from)));
}

}  // namespace simt_cuda
