// SPDX-License-Identifier: Apache-2.0
// The sixteen barriers that a block has by number (PTX ISA, "bar, barrier"). Each opens when as many threads have
// arrived as its callers say; some of them wait for that, others only arrive.
//
// Invariants
// - While `arrived` is 0, the barrier is as new: nobody waits, and the next call says how many it is for.
// - Whoever exits counts as arrived where a barrier is for all threads (expected == 0), and nowhere else.
// - Threads are counted one by one. A GPU counts warps, so there one lane may stand for its warp; here all must call.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <sim/exec/run_queue.hpp>

namespace simt::sim {

struct block_context;

struct named_barrier_state {
  std::int32_t arrived = 0;
  std::int32_t expected = 0;         // 0: all threads of the block that have not exited
  fiber_list waiters;                // of those that have arrived
  std::vector<std::int32_t> passed;  // the ranks of the others
};

inline constexpr std::int32_t kNamedBarriers = 16;

struct named_barriers {
  std::array<named_barrier_state, kNamedBarriers> all;
};

// A thread of the block has exited: it may have been the last that a barrier for all waited for.
void named_barriers_after_exit(block_context& b);

}  // namespace simt::sim
