// SPDX-License-Identifier: Apache-2.0
// A resident block: what its threads share.
//
// Invariants
// - live = threads of the block that have not exited the kernel, once the block is active (first wait).
// - A barrier is open when arrived == live; then arrived is 0 and every waiter has been moved to the run queue.
// - Everything here belongs to one OS thread: no atomics, no locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <sim/exec/named_barrier.hpp>
#include <sim/exec/thread_barrier.hpp>

namespace simt::sim {

struct launch_state;
struct cluster_state;
struct watched_block;  // of sim/instrument

// Where a block's threads gather for a barrier across blocks; sim/exec/grid_barrier.hpp.
struct outer_barrier {
  thread_barrier threads;
  bool complete = false;  // all of the block's threads are here, other blocks are not
};

// Threads that exited the kernel, as the check variant's loop notes them: how many, and the first.
struct thread_exits {
  std::int32_t count = 0;
  std::int32_t rank = -1;
  std::uint32_t phase = 0;  // barriers that the block had passed
  std::uintptr_t pc = 0;
};

struct alignas(64) block_context {
  // Not in the header: clang describes a class for debuggers where its constructors are, which is not in each kernel's
  // object (a tenth of a short one's compilation).
  block_context();

  // The first cache line is what a wait at the block barrier touches.
  run_queue* queue = nullptr;
  thread_barrier barrier;
  std::int32_t live = 0;
  // What sync_count/and/or add up, by parity of the barrier's phase: late readers of one barrier and early arrivers of
  // the next never meet.
  std::int32_t vote[2] = {0, 0};
  // the block
  std::int64_t index = 0;              // linear index of the block in its grid
  std::int64_t at[3] = {0, 0, 0};      // x, y, z of index, once active
  std::int64_t origin[3] = {0, 0, 0};  // of its first thread in the grid, likewise
  std::int32_t threads = 0;
  std::int32_t joined = 1;  // so many blocks in x, from `index` on, run as this one: launch_state::joined
  bool active = false;      // a thread has waited: live is valid
  launch_state* launch = nullptr;
  std::byte* shared = nullptr;  // this block's shared memory: dynamic part first, then static arrays
  std::uint32_t shared_bytes = 0;
  std::int32_t spin_budget = 0;  // counts down with atomics; a yield when it is spent (see spin_cost)
  // rare state
  watched_block* observed = nullptr;          // null: nobody watches the block
  thread_exits early_exits;                   // before the block's first barrier
  thread_exits late_exits;                    // later: in the phase of the last of them
  struct warp_state* warps = nullptr;         // null until the block's first warp operation
  struct warp_state* warp_storage = nullptr;  // kept for the next block; sim/exec/warp.cpp
  std::int32_t warp_capacity = 0;
  std::uint32_t warp_meetings = 0;  // completed
  // Lanes that have exited the kernel or never existed, a word a warp; valid while active.
  static constexpr int kMaxWarps = 32;
  std::uint32_t exited[kMaxWarps] = {};
  // barriers across blocks
  outer_barrier grid_barrier, cluster_barrier;
  std::unique_ptr<named_barriers> named;  // null until the block's first
  cluster_state* cluster = nullptr;       // null in launches without clusters
  std::int32_t cluster_rank = 0;
  std::int32_t cluster_rank_or_zero() const { return cluster == nullptr ? 0 : cluster_rank; }
  // See executors/fibers.hpp, teams.
  std::vector<fiber*> team;  // by rank; valid while team_size > 0
  std::int32_t team_size = 0;
};

}  // namespace simt::sim
