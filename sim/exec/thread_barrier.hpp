// SPDX-License-Identifier: Apache-2.0
// Where the threads of one block gather: for the block barrier, or for a barrier across blocks. All three barriers
// arrive, wait and open by these steps.
//
// Whoever arrives has said begin_step() before, and says end_step() where it does not wait.
#pragma once

#include <cstdint>

#include <sim/exec/run_queue.hpp>

namespace simt::sim {

struct thread_barrier {
  std::int32_t arrived = 0;
  std::uint32_t phase = 0;  // of the block barrier: times it has opened; of the grid's: the grid's, once all are here
  fiber_list waiters;

  // The running thread arrives; true: as the last of `expected`.
  [[gnu::always_inline]] bool arrive(std::int32_t expected) { return ++arrived == expected; }
  // It was not the last: others run until the barrier has opened.
  [[gnu::always_inline]] void wait(run_queue& q) {
    waiters.push_back(q.current);
    run_next(q);
  }
  // Everybody who waits may run.
  [[gnu::always_inline]] void open(run_queue& q) {
    q.ready.splice_back(waiters);
    arrived = 0;
  }
};

}  // namespace simt::sim
