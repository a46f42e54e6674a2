// SPDX-License-Identifier: Apache-2.0
// A worker: one OS thread that takes blocks and hands them to an executor. Used by exec, and by who watches its
// threads.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include <atomic>
#include <memory>
#include <vector>

#include <sim/exec/barrier_loops.hpp>
#include <sim/exec/executors/fibers.hpp>
#include <sim/exec/executors/loops.hpp>
#include <sim/exec/hangs.hpp>
#include <sim/exec/lone_loop.hpp>
#include <sim/exec/launch.hpp>
#include <sim/exec/resident_blocks.hpp>
#include <sim/exec/warp.hpp>
#include <sim/exec/worker_sums.hpp>

namespace simt::sim {

// Blocks that a worker has taken and not begun, by their place in the schedule.
struct block_chunk {
  std::int64_t first = 0, end = 0;
  bool empty() const { return first >= end; }
};

class worker {
 public:
  explicit worker(int index);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Takes blocks of `l` until none are left. One OS thread at a time.
  void run(launch_state& l);
  // Takes the next blocks of the launch into `chunk`, which must be empty; false: there are none.
  bool take_chunk();
  // Blocks that it might still begin.
  std::int64_t blocks_left() const;

  int index;
  launch_state* launch = nullptr;
  block_chunk chunk;
  run_queue queue;
  fiber_pool pool;
  resident_blocks residents{*this};
  fiber_executor fibers{*this};
  loop_executor loops{*this};
  hang_watch hangs{*this};
  barrier_loops loops_over_barriers{*this};
  worker_sums sums;
  std::uint64_t steps = 0;  // instrumented code: logical time of the launch, as far as this worker went

  std::vector<block_context*> grid_waiting;  // blocks of this worker at the grid barrier
  bool wants_block = false;                  // everything resident spins: start another block
  bool crowded = false;  // it has none that can end without another one: as many begin as a device holds

  // While set, a signal handler must neither suspend nor leave the running stack: the engine is in the middle of
  // something. Code that cannot be left halfway anyway (the inline hot paths) is recognised by its data instead.
  volatile bool busy = false;
  // What ran at the last tick of the watchdog; exec/preempt.cpp.
  struct tick_record {
    const fiber* running = nullptr;
    std::int64_t block = -1;
    std::int32_t rank = 0, row = 0;
    std::int64_t x = -1;  // in the row, where it is kept
    std::uint32_t phase = 0;
    bool operator==(const tick_record&) const = default;
  };
  tick_record tick;
  int ticks = 0;        // instrumented code: of this launch
  int ticks_alike = 0;  // instrumented code: in a row, with nothing else run in between
  lone_loop alone;
  int ticks_lost = 0;  // instrumented code: since the launch was lost

  // The OS thread that runs this worker, while it does.
  std::atomic<pthread_t> os_thread{};

 private:
  bool step(launch_state& l);  // of the loop in run(); false: there is nothing left to do
  bool has_room() const;
  void abandon();  // the launch is lost: drops every stack and resident block
};

[[gnu::always_inline]] inline const stack_context* fiber_executor::end_team_thread_fast(fiber& f) {
  worker& w = worker_;
  block_context& b = *f.thread.block;
  fiber* const to = w.queue.ready.head;
  const std::int32_t left = b.live - 1;
  if (to == nullptr || left == 0 || left == b.barrier.arrived || b.warps != nullptr || f.thread.async != nullptr ||
      w.hangs.watching || w.wants_block || b.grid_barrier.threads.arrived != 0 ||
      b.cluster_barrier.threads.arrived != 0)
    return nullptr;
  b.live = left;
  mark_exited(b, f.thread.rank);
  w.hangs.made_progress();
  --active_;
  f.parked = false;
  w.queue.ready.head = to->next;
  w.queue.current = to;
  return &to->stack;
}

// The worker whose threads run on this OS thread; null elsewhere. Out of line: see fiber_switch.hpp on thread-locals.
worker* current_worker();

// exec/fault.cpp
void install_fault_handlers();       // once per process
void prepare_thread_for_faults();    // alternate signal stack of this OS thread
void set_current_worker(worker* w);  // null when it leaves a launch
// Writes down what the running thread of `w` is, where that is certain. `shown`: the loop over threads has called a
// function that may read it; elsewhere plain code keeps the thread in registers, and what it stored last is of any
// other.
void note_thread(fault_record& fault, const worker& w, bool shown);
// In a signal handler: goes on in the worker's loop, never to return to what was interrupted.
[[noreturn]] void leave_kernel(const ucontext_t& context, worker& w);

// exec/watchdog.cpp: calls from the launching thread around a launch.
void watch_launch(launch_state& l, const std::vector<std::unique_ptr<worker>>& workers, double timeout_seconds);
void unwatch_launch();
inline constexpr int kTickSignal = SIGURG;  // ignored by default, so a late one does no harm

// exec/preempt.cpp: handler of kTickSignal, on the stack that it interrupts.
void on_tick(int, siginfo_t*, void* context);

}  // namespace simt::sim
