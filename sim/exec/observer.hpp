// SPDX-License-Identifier: Apache-2.0
// Every event that a tool may want to see, in one interface. The engine announces and knows no listener; the sim
// variant has none installed. Memory accesses are too frequent for a virtual call and take the direct way of the
// check runtime (sim/instrument/tsan_abi.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include <sim/exec/copy_end.hpp>
#include <sim/exec/warp_op_kind.hpp>

namespace simt::sim {

struct launch_state;
struct block_context;
struct device_thread;
struct shared_key;
struct async_copy;
struct allocation;
struct fault_record;

class observer {
 public:
  virtual ~observer() = default;

  // host side; agent: 0 = host, n > 0 = stream n
  virtual void allocated(const allocation&) {}
  virtual void freed(const allocation&) {}
  virtual void bad_free(const void* /*address*/, const allocation* /*it lies in, freed or not, or null*/,
                        std::uintptr_t /*pc*/) {}
  // The host copies from or to (or fills) memory that was freed, or bytes past the end of `owner`. Nothing is copied.
  virtual void bad_copy(const void* /*address*/, std::size_t, const allocation& /*owner*/, bool /*freed*/,
                        bool /*write*/, std::uintptr_t /*pc*/) {}
  virtual void copied(void* /*to*/, const void* /*from*/, std::size_t, int /*stream*/, bool /*to_device*/,
                      bool /*from_device*/, bool /*host waits*/, std::uintptr_t /*pc*/) {}
  virtual void filled(void*, std::size_t, int /*stream*/, std::uintptr_t /*pc*/) {}
  virtual void stream_created(int /*stream*/, bool /*blocking: ordered with the default stream*/) {}
  virtual void event_recorded(int /*event*/, int /*stream*/) {}
  virtual void stream_waits(int /*stream*/, int /*event*/) {}
  virtual void host_waits_event(int) {}
  virtual void host_waits_stream(int) {}
  virtual void host_waits_device() {}

  // May neighbouring blocks of a launch of so many be announced as one (block_context::joined), where their threads
  // cannot tell?
  virtual bool may_join_blocks(std::int64_t /*blocks*/) const { return false; }
  // launches; on the launching thread
  virtual void launch_begins(launch_state&) {}
  virtual void launch_ends(launch_state&, const fault_record&) {}

  // blocks and threads; on the worker that runs the block
  virtual void block_begins(block_context&) {}
  virtual void block_ends(block_context&) {}
  // The running block uses a static array of shared memory, at its address; every use of it announces it.
  virtual void shared_array_used(block_context&, const shared_key&, std::byte*) {}
  // The running block uses its dynamic shared memory by this name; the key has no id and no size.
  virtual void dynamic_shared_used(block_context&, const shared_key&) {}
  virtual void barrier_opens(block_context&, device_thread& /*last*/) {}  // waiters still in block.waiters
  // All live threads of the block wait at the grid's barrier.
  virtual void block_at_grid(block_context&) {}
  // every lane of `mask` that still lives has arrived
  virtual void warp_synced(block_context&, std::int32_t /*warp*/, std::uint32_t /*mask*/) {}
  // `left` of the lanes in `mask` had left the kernel when `operation` (speaker: a thread that took part) completed.
  virtual void warp_lanes_left(block_context&, std::int32_t /*speaker*/, std::uint32_t /*mask*/, std::uint32_t /*left*/,
                               warp_op_kind /*operation*/, std::uintptr_t /*pc*/) {}
  // Thread `rank` read the value of a lane that takes no part in the shuffle: undefined.
  virtual void shuffle_from_absent_lane(block_context&, std::int32_t /*rank*/, std::uint32_t /*mask*/, int /*lane*/,
                                        std::uintptr_t /*pc*/) {}
  // At a named barrier a thread arrives that does not wait for it; it opens, and threads that waited (ranks, `passed`
  // those that did not) go on.
  virtual void named_barrier_arrival(block_context&, std::int32_t /*rank*/, std::int32_t /*number*/) {}
  virtual void named_barrier_opens(block_context&, std::int32_t /*number*/, std::span<const std::int32_t> /*ranks*/,
                                   std::span<const std::int32_t> /*passed*/) {}
  virtual void grid_synced(launch_state&) {}
  virtual void blocks_synced(std::span<block_context* const>) {}  // cluster barrier: all live threads of these blocks
  // Asynchronous copies: when they are issued, and right before the data moves. The thread has waited for a barrier
  // object of its block, which may have been told of some.
  virtual void async_issued(device_thread&, async_copy&) {}
  virtual void async_performed(device_thread&, async_copy&, copy_end) {}
  virtual void async_object_waited(device_thread&) {}
};

// The listener of this process, or null.
observer* current_observer();
// A lock for calling the observer from the host. While the launch of one host thread runs, the others wait for it: an
// observer is told of one thing at a time, and what it knows of the host does not change under device threads.
// Taken before any lock that device threads take. May be nested. Does nothing on device threads, or without an
// observer.
class host_turn {
 public:
  host_turn();
  explicit host_turn(std::try_to_lock_t);  // false while the launch of another host thread runs
  explicit operator bool() const { return !missed_; }
  ~host_turn();
  host_turn(const host_turn&) = delete;
  host_turn& operator=(const host_turn&) = delete;

 private:
  bool held_, missed_ = false;
};
void set_observer(observer* o);

}  // namespace simt::sim
