// SPDX-License-Identifier: Apache-2.0
// How threads on stacks do what sim/exec/kernel_calls.hpp declares: the part that is inlined into kernels.
#pragma once

#include <sim/exec/kernel_calls.hpp>

namespace simt::sim {

// First wait on this stack: the running thread `rank` of block `block_index` keeps the stack, the rest of its range
// goes to a fresh fiber at the head of the queue. Activates the block if this is its first wait. On a fiber.
void detach(block_context& b, std::int32_t rank, std::int64_t block_index);

// The last to arrive opens the block barrier.
[[gnu::always_inline]] inline void open_block_barrier(block_context& b) {
  ++b.barrier.phase;
  b.vote[b.barrier.phase & 1] = 0;  // everybody has read the votes of the barrier before this one
  b.barrier.open(*b.queue);
}

SIMT_WAIT inline void block_barrier(block_context& b, std::int32_t rank, std::int64_t block_index) {
  run_queue& q = *b.queue;
  if (!q.current->thread.has_stack) [[unlikely]]
    detach(b, rank, block_index);
  begin_step(q);
  if (b.barrier.arrive(b.live)) {
    open_block_barrier(b);
    end_step(q);
  } else {
    b.barrier.wait(q);
  }
}

SIMT_WAIT inline std::int32_t block_barrier_count(block_context& b, bool mine, std::int32_t rank,
                                                  std::int64_t block_index) {
  if (!b.queue->current->thread.has_stack) [[unlikely]]
    detach(b, rank, block_index);  // makes the block resident, whose votes these are
  begin_step(*b.queue);
  std::int32_t& votes = b.vote[b.barrier.phase & 1];
  votes += mine ? 1 : 0;
  block_barrier(b, rank, block_index);
  return votes;
}

[[gnu::always_inline]] inline void spend(block_context& b, std::int32_t cost, std::int32_t rank,
                                         std::int64_t block_index) {
  if ((b.spin_budget -= cost) < 0) [[unlikely]]
    yield_thread(b, rank, block_index);
}

}  // namespace simt::sim
