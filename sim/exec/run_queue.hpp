// SPDX-License-Identifier: Apache-2.0
// The stacks that a worker can run, and the switch to the next of them: the hot path of waiting.
//
// Everything here belongs to one OS thread: no atomics, no locks.
#pragma once

#include <atomic>

#include <sim/exec/fiber.hpp>
#include <sim/exec/fiber_switch.hpp>

namespace simt::sim {

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
  stack_context main;  // the worker's own loop, suspended while a fiber runs; null while nobody has written it down
  stack_context gone;  // of a stack that nobody continues
  worker* owner = nullptr;
  // Set while a thread is between two steps that belong together, from before it arrives somewhere until the stack that
  // is continued has written down where the one before was left. A signal handler suspends nobody meanwhile
  // (sim/exec/preempt.cpp).
  volatile bool between = false;
};

// A signal handler sees the stores before it done and those after it not yet. Costs no instruction.
[[gnu::always_inline]] inline void handler_fence() { std::atomic_signal_fence(std::memory_order_seq_cst); }

[[gnu::always_inline]] inline void begin_step(run_queue& q) {
  q.between = true;
  handler_fence();
}
[[gnu::always_inline]] inline void end_step(run_queue& q) {
  handler_fence();
  q.between = false;
}

// The first that a stack does when it is continued.
[[gnu::always_inline]] inline void arrive_on_stack(run_queue& q, const fcontext::transfer_t& from) {
  static_cast<stack_context*>(from.data)->sp = from.fctx;
  end_step(q);
}

// Continues the stack in *load, another one than the present, which is *save from then on.
[[gnu::always_inline]] inline void switch_stacks(run_queue& q, stack_context* save, const stack_context* load) {
  begin_step(q);
  arrive_on_stack(q, fcontext::jump_fcontext(load->sp, save));
}

// Continues the stack in *load and forgets the present one.
[[noreturn, gnu::always_inline]] inline void leave_stack_for(run_queue& q, const stack_context* load) {
  begin_step(q);
  fcontext::jump_fcontext(load->sp, &q.gone);
  __builtin_unreachable();
}

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
  switch_stacks(q, &self->stack, &to->stack);
}

// The same for a fiber that is in the ready list, be it the next one itself.
inline void run_next_ready(run_queue& q) {
  if (q.ready.head == q.current) {
    q.ready.pop_front();
    end_step(q);
  } else {
    run_next(q);
  }
}

}  // namespace simt::sim
