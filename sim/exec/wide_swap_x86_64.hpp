// SPDX-License-Identifier: Apache-2.0
// What wide_swap.hpp promises, on x86-64.
#pragma once

#include <sim/exec/wide_bits.hpp>

namespace simt::sim {

[[gnu::always_inline]] inline bool wide_swap(void* p, wide_bits& seen, wide_bits desired) {
  bool done = false;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(done), "+m"(*static_cast<wide_bits*>(p)), "+a"(seen.low), "+d"(seen.high)
               : "b"(desired.low), "c"(desired.high)
               : "memory");
  return done;
}

}  // namespace simt::sim
