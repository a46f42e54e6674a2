// SPDX-License-Identifier: Apache-2.0
// One round of a loop that waits for another OS thread, for a moment.
#pragma once

#include <atomic>
#include <cstdint>

namespace simt::sim {

// Rounds so far, of all threads. A thread that waits so is not in a loop of its own (exec/preempt.cpp).
inline std::atomic<std::uint64_t> pauses{0};

inline void pause_a_moment() {
  pauses.fetch_add(1, std::memory_order_relaxed);
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace simt::sim
