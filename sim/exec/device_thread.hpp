// SPDX-License-Identifier: Apache-2.0
// A device thread: which one it is, why it waits, and what others keep for it. It is no stack: an executor decides what
// it runs on (sim/exec/executors). Threads that run to their end one after another share one record; a thread that has
// to wait keeps the record that it has.
#pragma once

#include <cstdint>

namespace simt::sim {

struct block_context;
struct async_copies;
// Of sim/instrument: what is kept of threads and blocks that somebody watches.
struct watched_thread;
struct shadow_stack;

// What a waiting thread waits for; for reports.
enum class wait_kind : std::uint8_t { none, block_barrier, cluster_barrier, grid_barrier, named_barrier, warp, spin };

struct device_thread {
  // What a barrier touches; the fiber that runs the thread has it in its first cache line.
  watched_thread* observed = nullptr;  // null: nobody watches it
  std::uintptr_t wait_pc = 0;          // check variant: call site of the wait
  std::int32_t rank = 0;               // linear index in its block
  wait_kind waits = wait_kind::none;
  bool has_stack = false;  // it has waited: the stack that it runs on is its own
  // The rest.
  block_context* block = nullptr;
  std::uint32_t lane_mask = 0;    // waits == warp: the lanes it waits for
  std::int32_t spins = 0;         // what it has spent since it last gave way, where threads are kept in step
  async_copies* async = nullptr;  // its copies that are under way; sim/exec/async_copy.hpp. Kept for the next thread
  shadow_stack* calls = nullptr;  // its active calls, where they are followed. Kept for the next thread
};

}  // namespace simt::sim
