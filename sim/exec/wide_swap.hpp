// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes compared and swapped in one step. The compilers' own builtins call a library for that, which kernels
// are not linked with.
#pragma once

#include <cstdint>

namespace simt::sim {

struct alignas(16) wide_bits {
  std::uint64_t low, high;
  bool operator==(const wide_bits&) const = default;
};

// Stores `desired` at p, a multiple of 16, where `seen` stands; `seen` becomes what was found. True: it is stored.
[[gnu::always_inline]] inline bool wide_swap(void* p, wide_bits& seen, wide_bits desired) {
  bool done;
#if defined(__x86_64__)
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(done), "+m"(*static_cast<wide_bits*>(p)), "+a"(seen.low), "+d"(seen.high)
               : "b"(desired.low), "c"(desired.high)
               : "memory");
#else
  std::uint64_t low, high;
  std::uint32_t lost;
  do {
    asm volatile("ldaxp %0, %1, %2" : "=&r"(low), "=&r"(high) : "Q"(*static_cast<wide_bits*>(p)) : "memory");
    done = low == seen.low && high == seen.high;
    // What was read is stored back where it is not what was asked for: only then was it read in one step.
    asm volatile("stlxp %w0, %2, %3, %1"
                 : "=&r"(lost), "=Q"(*static_cast<wide_bits*>(p))
                 : "r"(done ? desired.low : low), "r"(done ? desired.high : high)
                 : "memory");
  } while (lost != 0);
  seen = {low, high};
#endif
  return done;
}

}  // namespace simt::sim
