// SPDX-License-Identifier: Apache-2.0
// A worker: one OS thread's stacks, resident blocks and loop. Used by exec only.
#pragma once

#include <pthread.h>

#include <atomic>
#include <memory>
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
  std::int64_t active_fibers = 0;  // taken from the pool and not given back
  bool stuck = false;              // counted in launch_state::stuck_workers
  std::vector<block_context*> grid_waiting;  // blocks of this worker at the grid barrier
  bool wants_block = false;  // everything resident spins: start another block

  // Drops every stack and resident block: the launch is lost.
  void abandon();
  void finish_fiber(fiber& f);  // on f's stack, after its range; never returns to the caller's frame
  // Counts stores of this worker's threads where somebody does; a spin makes none.
  const std::uint64_t* progress_counter = nullptr;
  std::vector<block_context*> resident_blocks() const;
  void note_waiters(fault_record& fault) const;
  // After many yields without progress: true if the launch cannot end.
  bool is_hung();
  void made_progress();

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
  void release_block(block_context* b);
  void form_cluster();  // contexts for all blocks of the cluster that starts
  void end_block(block_context& b);
  void give_up();  // no stack can run, none will
  std::uint64_t progress_mark() const;
  std::uint64_t last_mark_ = 0;

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
void watch_launch(launch_state* l, std::vector<std::unique_ptr<worker>>& workers, double timeout_seconds);
void unwatch_launch();

}  // namespace simt::sim
