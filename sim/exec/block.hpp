// SPDX-License-Identifier: Apache-2.0
// A resident block and the queue of stacks that a worker runs: the hot path of waiting.
//
// Optimistic start. A block's threads run as one loop on one stack. The first thread that waits keeps that stack
// (its fiber is "detached"), and the threads behind it start on a fresh fiber. No thread is ever run twice, and
// a block whose threads never wait touches nothing in this file.
//
// Invariants
// - live = threads of the block that have not left the kernel, once the block is active (first wait).
// - A barrier is open when arrived == live; then arrived is 0 and every waiter has been moved to the run queue.
// - Teams (launch_state::teams). A thread that ends on a stack of its own leaves that stack suspended in `team`, at its
//   rank. When the block's last thread has ended and every thread had such a stack, all of them start again with the
//   next block that the worker takes: no stack is set up, no first wait is special. Else they go back to the pool. In the
//   check variant they do not start again but go on in the loop over threads (launch_state::stacks_stay).
// - Everything here belongs to one OS thread: no atomics, no locks.
#pragma once

#include <cstdint>
#include <vector>

#include <sim/exec/fiber.hpp>
#include <sim/exec/fiber_switch.hpp>

namespace simt::sim {

struct launch_state;
struct cluster_state;
class worker;

// First in, first out list of fibers.
struct fiber_list {
  fiber* head = nullptr;
  fiber* tail = nullptr;

  bool empty() const { return head == nullptr; }
  void push_back(fiber* f) {
    f->next = nullptr;
    if (head == nullptr)
      head = f;
    else
      tail->next = f;
    tail = f;
  }
  void push_front(fiber* f) {
    f->next = head;
    head = f;
    if (tail == nullptr || f->next == nullptr) tail = f;
  }
  fiber* pop_front() {
    fiber* f = head;
    head = f->next;
    return f;
  }
  // Moves all of `other` behind this list.
  void splice_back(fiber_list& other) {
    if (other.head == nullptr) return;
    if (head == nullptr)
      head = other.head;
    else
      tail->next = other.head;
    tail = other.tail;
    other.head = other.tail = nullptr;
  }
};

// The stacks of one worker that can run, and the one that does.
struct run_queue {
  fiber_list ready;
  fiber* current = nullptr;
  stack_context main;  // the worker's own loop, suspended while a fiber runs
  worker* owner = nullptr;
};

// Where a block's threads gather for a barrier across blocks; sim/exec/gate.hpp.
struct block_gate {
  std::int32_t arrived = 0;
  bool waiting = false;     // all of them are there, other blocks are not
  std::uint32_t phase = 0;  // of the grid, while waiting
  fiber_list waiters;
};

// Threads that left the kernel, as the check variant's loop notes them: how many, and the first.
struct departure {
  std::int32_t count = 0;
  std::int32_t rank = -1;
  std::uint32_t phase = 0;  // barriers that the block had passed
  std::uintptr_t pc = 0;
};

struct block_context {
  run_queue* queue = nullptr;
  // block barrier
  std::int32_t arrived = 0;
  std::int32_t live = 0;
  std::uint32_t phase = 0;  // barriers passed
  fiber_list waiters;
  // What sync_count/and/or add up, by parity of phase: late readers of one barrier and early arrivers of the next
  // never meet.
  std::int32_t vote[2] = {0, 0};
  // the block
  std::int64_t index = 0;  // linear index of the block in its grid
  std::int64_t at[3] = {0, 0, 0};      // x, y, z of index, once active
  std::int64_t origin[3] = {0, 0, 0};  // of its first thread in the grid, likewise
  std::int32_t threads = 0;
  bool active = false;  // a thread has waited: live is valid
  launch_state* launch = nullptr;
  std::byte* shared = nullptr;  // this block's shared memory: dynamic part first, then static arrays
  std::uint32_t shared_bytes = 0;
  std::int32_t spin_budget = 0;  // counts down with atomics; a yield when it is spent (see spin_cost)
  // rare state
  void* observer_state = nullptr;
  void* thread_states = nullptr;  // the observer's array of states by rank; null: none
  departure left_early;           // before the block's first barrier
  departure left_after_barrier;   // later: in the phase of the last of them
  struct warp_state* warps = nullptr;         // null until the block's first warp operation
  struct warp_state* warp_storage = nullptr;  // kept for the next block; sim/exec/warp.cpp
  std::int32_t warp_capacity = 0;
  std::uint32_t warp_turns = 0;  // meetings of lanes completed
  // Lanes that have left the kernel or never existed, a word a warp; valid while active.
  static constexpr int kMaxWarps = 32;
  std::uint32_t gone[kMaxWarps] = {};
  // barriers across blocks
  block_gate grid_gate, cluster_gate;
  cluster_state* cluster = nullptr;  // null in launches without clusters
  std::int32_t cluster_rank = 0;
  std::int32_t cluster_rank_or_zero() const { return cluster == nullptr ? 0 : cluster_rank; }
  std::int32_t exited_after_barrier = 0;
  std::vector<fiber*> team;     // by rank; valid while team_size > 0
  std::int32_t team_size = 0;
};

// First wait on this stack: the running thread `rank` of block `block_index` keeps the stack, the rest of its range
// goes to a fresh fiber at the head of the queue. Activates the block if this is its first wait. Engine, on a fiber.
void detach(block_context& b, std::int32_t rank, std::int64_t block_index);

// Ends `self`, the present fiber, whose threads have left the kernel. The same as returning from the block function, but
// for the return: on a stack that has been away the processor guesses it wrong. Engine, on a fiber; sim/exec/worker.cpp.
[[noreturn]] void finish_fiber(fiber& self);
// The same for a stack in a team where stacks stay: the one to switch to. `self` is switched to again when it is to run its
// thread of another block.
const stack_context* end_turn(fiber& self);

// Nothing is ready on this worker: continue its own loop, which finds work or reports a deadlock.
// The present fiber must already be in a list.
void switch_to_worker(run_queue& q);

// Suspends the present fiber, which the caller has put into a list, and runs the next one.
[[gnu::always_inline]] inline void run_next(run_queue& q) {
  fiber* const self = q.current;
  fiber* const to = q.ready.head;
  if (to == nullptr) [[unlikely]] {
    switch_to_worker(q);
    return;
  }
  fiber* const after = to->next;
  q.ready.head = after;
  q.current = to;
  __builtin_prefetch(after);
  switch_stacks(&self->stack, &to->stack);
}

// The same for a fiber that is in the ready list, be it the next one itself.
inline void run_next_ready(run_queue& q) {
  if (q.ready.head == q.current)
    q.ready.pop_front();
  else
    run_next(q);
}

// A signal handler sees the stores before it done and those after it not yet. Costs no instruction.
[[gnu::always_inline]] inline void handler_fence() { asm volatile("" ::: "memory"); }

// The last to arrive: everybody who waits may run. `arrived` is cleared last: while it differs from the number of
// waiters a signal handler keeps its hands off (exec/preempt.cpp).
[[gnu::always_inline]] inline void open_barrier(block_context& b) {
  ++b.phase;
  b.vote[b.phase & 1] = 0;  // everybody has read the votes of the barrier before this one
  b.queue->ready.splice_back(b.waiters);
  handler_fence();
  b.arrived = 0;
  handler_fence();
}

// Block barrier for the sim variant. `rank` is the thread's linear index in its block.
[[gnu::always_inline]] inline void block_barrier(block_context& b, std::int32_t rank, std::int64_t block_index) {
  run_queue& q = *b.queue;
  if (q.current->open) [[unlikely]]
    detach(b, rank, block_index);
  asm volatile("incl %0" : "+m"(b.arrived)::"cc", "memory");  // one instruction: no handler comes in between
  if (b.arrived == b.live) {
    open_barrier(b);
    return;
  }
  b.waiters.push_back(q.current);
  run_next(q);
}

// Lets everybody else run once before this thread goes on: for loops that wait for what others do.
void yield_thread(block_context& b, std::int32_t rank, std::int64_t block_index);

// Budget of atomics between yields. A load or a failed exchange may be a spin, so it weighs more. An update weighs 1, so
// the remainder of what was spent by kSpinCostLoad tells whether memory was changed (worker::is_hung); the budget is no
// multiple of the sum of small numbers of both, which would hide it from a loop that repeats.
inline constexpr std::int32_t kSpinBudget = 16'000;
inline constexpr std::int32_t kSpinCostLoad = 128;  // a spinning load yields after 125 rounds
inline constexpr std::int32_t kSpinCostRmw = 1;

[[gnu::always_inline]] inline void spend(block_context& b, std::int32_t cost, std::int32_t rank, std::int64_t block_index) {
  if ((b.spin_budget -= cost) < 0) [[unlikely]]
    yield_thread(b, rank, block_index);
}

}  // namespace simt::sim
