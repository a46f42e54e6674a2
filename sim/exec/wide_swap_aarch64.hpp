// SPDX-License-Identifier: Apache-2.0
// What wide_swap.hpp promises, on 64-bit ARM.
#pragma once

#include <sim/exec/wide_bits.hpp>

namespace simt::sim {

[[gnu::always_inline]] inline bool wide_swap(void* p, wide_bits& seen, wide_bits desired) {
  bool done;
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
  return done;
}

}  // namespace simt::sim
