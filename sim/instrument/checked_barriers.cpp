// SPDX-License-Identifier: Apache-2.0
// Where device threads of the check variant wait for others or let them run: barriers, schedule points, spins.
#include <utility>

#include <sim/exec/grid_barrier.hpp>
#include <sim/exec/scheduler/scheduler.hpp>
#include <sim/instrument/checked_calls.hpp>
#include <sim/instrument/cursor_switch.hpp>
#include <sim/instrument/dispatcher.hpp>

namespace simt::sim {

namespace {

// The running thread `f` keeps its stack: it is about to wait.
[[gnu::always_inline]] inline void keep_stack(block_context& b, fiber& f) {
  if (f.thread.has_stack) return;
  catch_up();
  detach(b, f.thread.rank, b.index);
}

// All threads of b are at its barrier, and a tick has asked whether they come back for ever.
[[gnu::noinline]] void look_for_loop(block_context& b, fiber& f) {
  __builtin_unwind_init();  // the caller's registers are in this frame
  worker& w = *b.queue->owner;
  switch (w.loops_over_barriers.look(b)) {
    case barrier_loops::result::goes_on:
      return;
    case barrier_loops::result::endless:
      end_as_hang(w);
      return switch_to_worker(*b.queue);  // never comes back
    case barrier_loops::result::start_others:
      f.thread.waits = wait_kind::none;
      w.hangs.idle_yields += kParkWeight;
      yield_thread(b, f.thread.rank, b.index);
      restore_cursor(f);
  }
}

// The running thread `f` arrives, called from `pc`, and goes on when the barrier has opened.
[[gnu::always_inline]] inline void wait_at_barrier(block_context& b, fiber& f, std::uintptr_t pc) {
  keep_stack(b, f);
  f.thread.wait_pc = pc;
  f.thread.waits = wait_kind::block_barrier;
  if (b.barrier.arrive(b.live)) {
    if (observer* const o = current_observer()) o->barrier_opens(b, f.thread);
    open_block_barrier(b);
    begin_segment(f);
    if (b.queue->owner->loops_over_barriers.wanted > 0) [[unlikely]]
      look_for_loop(b, f);
    if (cursor.switches() && b.launch->scheduler->keeps_step()) [[unlikely]]
      schedule_point();
  } else {
    fetch_followers<3>(*b.queue);
    b.barrier.wait(*b.queue);
    come_back(f);
  }
  f.thread.waits = wait_kind::none;
}

}  // namespace

void checked_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  fiber& f = *b.queue->current;
  if (cursor.switches()) [[unlikely]] {
    f.thread.wait_pc = pc;
    schedule_point();
  }
  wait_at_barrier(b, f, pc);
}

std::int32_t checked_barrier_vote(block_context& b, std::int32_t mine) {
  fiber& f = *b.queue->current;
  keep_stack(b, f);  // makes the block resident, whose votes these are
  std::int32_t& votes = b.vote[b.barrier.phase & 1];
  votes += mine;
  wait_at_barrier(b, f, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  return votes;
}

void schedule_point(const pending_access& what) {
  catch_up();
  fiber& f = *cursor.self;
  const std::uintptr_t pc = cursor.pc;  // of the access that is to come
  const bool out_of_time = cursor.asked_to_yield;
  cursor.asked_to_yield = false;
  if (!cursor.owner->fibers.schedule_point(out_of_time, pc, what)) {
    follow_schedule(f);
    if (cursor.may_wake) tell_scheduler();  // where its rest begins
    return;
  }
  restore_cursor(f);
  cursor.pc = pc;
}

void dispatcher::pause() {
  flush_accesses();
  if (cursor.switches()) schedule_point();
}

[[gnu::noinline]] void checked_grid_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  dispatcher::pause();
  fiber& f = *b.queue->current;
  grid_barrier(b, f.thread.rank, b.index, pc);
  restore_cursor(f);
}

[[gnu::noinline]] void checked_cluster_barrier(block_context& b) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  dispatcher::pause();
  fiber& f = *b.queue->current;
  cluster_barrier(b, f.thread.rank, b.index, pc);
  restore_cursor(f);
}

[[gnu::noinline]] void checked_named_barrier(block_context& b, std::int32_t number, std::int32_t threads, bool waits) {
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  dispatcher::pause();
  fiber& f = *b.queue->current;
  named_barrier(b, f.thread.rank, b.index, number, threads, waits, pc);
  restore_cursor(f);
}

void spend_checked(std::int32_t cost) {
  dispatcher::flush_accesses();
  fiber& f = *cursor.self;
  block_context& b = *f.thread.block;
  if (f.as_loops) return;  // what might wait for others does not run as loops
  if (cursor.switches() && b.launch->scheduler->keeps_step()) [[unlikely]] {
    if ((f.thread.spins += cost) < kSpinBudget) return;
    b.spin_budget = kSpinBudget - std::exchange(f.thread.spins, 0);
  } else if ((b.spin_budget -= cost) >= 0) {
    return;
  }
  f.thread.wait_pc = cursor.pc;  // where a hang is
  yield_thread(b, f.thread.rank, b.index);
  restore_cursor(f);
}

// A multiple of a load: a yield changes no memory (sim/exec/kernel_calls.hpp).
void checked_yield() {
  cursor.pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  spend_checked(kSpinBudget + kSpinCostLoad);
}
void checked_clock_read() {
  ++cursor.writes;  // a reading differs from the last, as memory does after an update
  spend_checked(kSpinCostRmw);
}

}  // namespace simt::sim
