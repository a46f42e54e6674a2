// SPDX-License-Identifier: Apache-2.0
// Who may listen to a watched run. A consumer overrides what it wants; the dispatcher (dispatcher.hpp) hands it events.
//
// Invariants
// - Every access that a thread made before an event that orders (a barrier, an atomic operation, the end of a block,
//   ...) reaches a consumer before that event does, in batches or one by one.
// - Events of a block come from one OS thread at a time; those of different blocks from several at once. Events of the
//   host come one after the other, and never while a launch runs, but for allocations and frees by device code.
#pragma once

#include <span>

#include "sim/instrument/events.hpp"

namespace simt::sim {

class batch_judge;  // batch_judge.hpp

class consumer {
 public:
  virtual ~consumer() = default;

  // ---- Launches and blocks ----
  virtual void launch_begins(const event::launch&) {}
  virtual void launch_ends() {}
  // A device thread launches a kernel, which runs when its own has ended.
  virtual void kernel_launched(const event::kernel_launch&) {}
  // A device thread lets one of its block's streams wait for another.
  virtual void kernel_streams_meet(watched_thread&) {}
  // The blocks of a cluster are about to begin, with this shared memory.
  virtual void cluster_begins(std::span<const event::bytes> /*shared*/) {}
  // The consumer that judges accesses where they are made (dispatcher::add_judge) sets `states`.
  virtual void block_begins(event::block&) {}
  virtual void block_ends(const event::block&) {}
  virtual void shared_array_used(const event::block&, const event::shared_array&) {}
  virtual void dynamic_shared_named(const event::block&, const event::shared_array&) {}

  // Asked of the judge when a thread goes on after others: who judges the batches of the calling OS thread.
  virtual batch_judge* judge_of_batches() { return nullptr; }

  // ---- Accesses of device threads. Not for the judge, which has them already. ----
  virtual void accessed(const event::access&) {}
  virtual void accessed_in_batch(const event::access_batch&) {}
  virtual void did_atomic(const event::atomic&) {}
  virtual void fenced(const event::fence&) {}
  // Asynchronous copies: when they are issued, and right before the data moves.
  virtual void copy_issued(const event::async_copy&) {}
  virtual void copy_performed(const event::async_copy&) {}
  // The thread has waited for a barrier object of its block, which may have been told of copies.
  virtual void copies_object_waited(watched_thread&) {}

  // A thread with watched_thread::pending leaves the kernel.
  virtual void thread_exits(watched_thread&) {}

  // ---- Uses of memory that no address of it explains ----
  virtual void accessed_foreign(const event::foreign_access&) {}
  virtual void used_index_outside(const event::index_outside&) {}
  virtual void left_own_array(const event::own_array_outside&) {}
  virtual void used_misplaced_object(const event::misplaced_object&) {}
  virtual void issued_misplaced_copy(const event::misplaced_copy&) {}

  // ---- Order inside a launch ----
  virtual void barrier_opens(const event::barrier&) {}
  // A block has arrived at the grid's barrier, of which threads have left or come by another call.
  virtual void left_before_grid_barrier(const event::barrier&) {}
  virtual void warp_synced(const event::warp_sync&) {}
  // A thread arrives at a named barrier of its block, for which it does not wait; those that waited (ranks) go on.
  virtual void named_barrier_arrival(const event::block&, std::int32_t /*rank*/, std::int32_t /*number*/) {}
  virtual void named_barrier_opens(const event::block&, std::int32_t /*number*/,
                                   std::span<const std::int32_t> /*ranks*/) {}
  virtual void blocks_synced(std::span<const event::block* const>) {}  // a cluster's, or the grid's that are resident
  virtual void lanes_absent(const event::absent_lanes&) {}
  virtual void source_absent(const event::absent_source&) {}

  // ---- Memory, streams and the host ----
  virtual void allocated(const allocation&, std::span<const event::code_address> /*callers, innermost first*/) {}
  virtual void freed(const allocation&) {}
  virtual void freed_badly(const event::bad_free&) {}
  virtual void copied_badly(const event::bad_copy&) {}
  virtual void copied(const event::copy&) {}
  virtual void filled(const event::fill&) {}
  virtual void memory_begins(const event::stream_memory&) {}
  virtual void memory_ends(const event::stream_memory&) {}
  virtual void stream_created(int /*stream*/, bool /*blocking: ordered with the default stream*/) {}
  virtual void event_recorded(int /*event*/, int /*stream*/) {}
  virtual void stream_waits(int /*stream*/, int /*event*/) {}
  virtual void host_waits_event(int) {}
  virtual void host_waits_stream(int) {}
  virtual void host_waits_device() {}
  virtual void callback_begins(int /*stream*/) {}
  virtual void host_accessed(const event::host_access&) {}
  virtual void host_did_atomic(const event::host_atomic&) {}
  virtual void host_fenced(int /*stream, or kHostItself*/, event::order) {}
  virtual void host_touched_device(const event::host_touch_of_device&) {}
  // A callback stored with release order into ordinary host memory, whose addresses nobody follows. So what it did so
  // far is ordered before the next acquire of the host, whatever address that reads. `lock`: it unlocked a mutex; the
  // order holds from now on, without an acquire of the host's.
  virtual void callback_released(int /*stream*/, bool /*lock*/) {}
  virtual void host_acquired() {}
};

}  // namespace simt::sim
