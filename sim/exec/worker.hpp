// SPDX-License-Identifier: Apache-2.0
// A worker: one OS thread's stacks, resident blocks and loop. Used by exec only.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include <array>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <vector>

#include <sim/exec/block.hpp>
#include <sim/exec/launch.hpp>

namespace simt::sim {

class worker {
 public:
  explicit worker(int index);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Takes blocks of `l` until none are left. One OS thread at a time.
  void run(launch_state& l);

  run_queue queue;
  fiber_pool pool;
  launch_state* launch = nullptr;
  int index;

  // Yields in a row without a barrier passed or a thread ended on this worker.
  std::int64_t idle_yields = 0;
  std::int64_t spinning = 0;       // stacks between yield_thread and their next turn
  std::int64_t active_fibers = 0;  // taken from the pool and not given back
  bool stuck = false;              // counted in launch_state::stuck_workers
  std::vector<block_context*> grid_waiting;  // blocks of this worker at the grid barrier
  bool wants_block = false;  // everything resident spins: start another block

  // While set, a signal handler must neither suspend nor leave the running stack: the engine is in the middle of
  // something. Code that cannot be left halfway anyway (the inline hot paths) is recognised by its data instead.
  volatile bool busy = false;
  std::uint64_t updates = 0;  // yields since which an atomic had changed memory
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
  int ticks_alike = 0;  // instrumented code: in a row, with nothing else run in between

  // Drops every stack and resident block: the launch is lost.
  void abandon();
  [[noreturn]] void finish_fiber(fiber& f);  // on f's stack, after its range
  const stack_context* end_turn(fiber& f);   // likewise; see there
  // The same where others of the block are ready, and nothing else comes of f's leaving; null: something does.
  const stack_context* leave_to_others(fiber& f) {
    block_context& b = *f.block;
    fiber* const to = queue.ready.head;
    const std::int32_t left = b.live - 1;
    if (to == nullptr || left == 0 || left == b.arrived || b.warps != nullptr || f.async != nullptr || stuck || wants_block ||
        b.grid_gate.arrived != 0 || b.cluster_gate.arrived != 0)
      return nullptr;
    b.live = left;
    b.gone[f.rank / 32] |= 1u << f.rank % 32;
    idle_yields = 0;
    --active_fibers;
    f.parked = false;
    queue.ready.head = to->next;
    queue.current = to;
    return &to->stack;
  }
  void join_team(block_context& b, fiber& f);
  // Counts stores of this worker's threads where somebody does; a spin makes none.
  const std::uint64_t* progress_counter = nullptr;
  std::vector<block_context*> resident_blocks() const;
  void note_waiters(fault_record& fault) const;
  // After many yields without progress: true if the launch cannot end.
  bool is_hung();
  void made_progress();

  // The fiber f, which runs block_index of b, is about to be suspended: the block becomes resident, and the blocks that
  // f had not begun go back to this worker.
  void make_resident(block_context& b, fiber& f, std::int64_t block_index);

  // The OS thread that runs this worker, while it does.
  std::atomic<pthread_t> os_thread{};

  std::uint64_t random_state = 0;
  std::uint64_t random();

 private:
  friend void detach(block_context&, std::int32_t, std::int64_t);
  bool take_chunk();
  void start_blocks();
  void resume(fiber* f);
  block_context* take_block();
  void reset(block_context& b);                            // for a block that has not begun
  void activate(block_context& b, std::int64_t block_index);  // all of its threads live
  bool threads_left(block_context& b, fiber& f, std::int32_t leaving);
  bool next_turn(block_context& b);
  void dissolve_team(block_context& b);
  void retire(fiber& f);
  void give_up_block(block_context& b);
  [[noreturn]] void leave_stack();
  void release_block(block_context* b);
  void form_cluster();  // contexts for all blocks of the cluster that starts
  void end_block(block_context& b);
  void give_up();  // no stack can run, none will
  bool all_have_been_here();
  struct seen_states {
    std::array<std::uint64_t, 16> marks{};
    std::size_t next = 0;
  };
  std::unordered_map<const fiber*, seen_states> seen_;  // while memory and barriers stay as they are
  std::uint64_t seen_world_ = 0;

  std::int64_t chunk_first_ = 0, chunk_end_ = 0;
  std::int64_t resident_ = 0;
  block_context* fresh_ = nullptr;  // block context of the running fresh fiber
  std::vector<std::unique_ptr<block_context>> blocks_;
  std::vector<block_context*> free_blocks_;
  cluster_state* cluster_ = nullptr;  // whose blocks are being started
  std::vector<std::unique_ptr<cluster_state>> clusters_;
  std::vector<cluster_state*> free_clusters_;
};

// The worker whose fibers run on this OS thread; null elsewhere. Out of line: see fiber_switch.hpp on thread-locals.
worker* current_worker();

// exec/fault.cpp
void install_fault_handlers();            // once per process
void prepare_thread_for_faults();         // alternate signal stack of this OS thread
void set_current_worker(worker* w);       // null when it leaves a launch
// Writes down what the running thread of `w` is, for a fault at `pc`.
void note_thread(fault_record& fault, const worker& w);
// Set by whoever follows the calls of device threads (check variant): writes up to `room` code addresses of the thread
// that runs on this OS thread, innermost first, and gives their number; before them where its last access was, if
// `last_access`. Called in signal handlers.
extern std::size_t (*active_calls)(std::uintptr_t* out, std::size_t room, bool last_access);
// Set by the check variant: asks the thread that runs on this OS thread to yield at its next access. Called in signal handlers.
extern void (*ask_for_yield)();
// Set by the check variant: called when a worker gives a launch up, before its threads are forgotten.
extern void (*launch_given_up)();
// Makes the interrupted context go on in the worker's loop, never to return to the kernel; see switch_stacks.
void leave_kernel(ucontext_t& context, worker& w);

// exec/watchdog.cpp: calls from the launching thread around a launch.
void watch_launch(launch_state& l, const std::vector<std::unique_ptr<worker>>& workers, double timeout_seconds);
void unwatch_launch();
inline constexpr int kTickSignal = SIGURG;  // ignored by default, so a late one does no harm

// exec/preempt.cpp: handler of kTickSignal, on the stack that it interrupts.
void on_tick(int, siginfo_t*, void* context);

}  // namespace simt::sim
