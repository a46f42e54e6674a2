// SPDX-License-Identifier: Apache-2.0
// Fibers: the stacks that device threads wait on, and the pool that keeps them.
//
// Invariants
// - A fiber belongs to one worker (OS thread) for its life and is in exactly one place: running, in the run
//   queue, in one wait list, or idle in the worker's pool.
// - A fiber starts with a range of threads [first, end) of one block and runs them in a loop on one stack. The
//   first of them that has to wait keeps the stack ("detached", device_thread::has_stack): the rest goes to a new
//   fiber, and this one ends when that thread ends, or goes on with the same thread of another block
//   (block_context::team).
// - Stacks have a guard page below, are never cleared and never shrink; tops are staggered by cache lines so
//   that the hot ends of many stacks do not fall into the same cache sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <sim/exec/device_thread.hpp>
#include <sim/exec/fiber_switch.hpp>

namespace simt::sim {

struct loop_room;  // executors/loops.hpp
struct limit;      // never defined: a loop bound of this pointer type cannot alias a kernel's stores

// The loop bounds of the range that a stack runs, where the engine can cut them short.
struct thread_range {
  limit* x_end;
  limit* y_end;
  limit* z_end;
  limit* x;  // thread that runs; kept by the loop where the kernel makes calls
  limit* y;
  limit* z;
  limit* block;  // linear block index that runs
};
inline limit* as_limit(std::int64_t value) { return reinterpret_cast<limit*>(value); }
inline std::int64_t as_number(limit* value) { return reinterpret_cast<std::int64_t>(value); }

// A stack, the device thread that runs on it, and the range of threads that it was started for.
struct alignas(64) fiber {
  // The first cache line is all that a barrier touches: these and the beginning of `thread`.
  stack_context stack;    // while suspended
  fiber* next = nullptr;  // in the queue, list or pool that holds it
  device_thread thread;   // while it has no stack of its own, the stack still owns the rest of the range
  // The rest.
  thread_range* range = nullptr;    // while the block function runs, where the kernel makes calls that may read it
  bool fresh_block = false;         // started with whole blocks, not with the rest of one
  bool as_loops = false;            // and runs them by launch_state::loop
  bool parked = false;              // has been suspended by a signal, see exec/preempt.cpp
  bool in_team = false;             // its thread has waited, and the stack may run the same one of another block
  std::int32_t first = 0, end = 0;  // ranks (in schedule order) that it started with
  std::int32_t alone = -1;          // launch_traits::one_by_one: the one that the loop runs now; -1: it runs all
  std::int64_t block_first = 0, block_end = 0;  // fresh_block: the blocks (in schedule order) that it started with
  // How far the sim variant's loop has come, kept in memory for signal handlers on the same OS thread. The loop stores
  // block_now before it reads block_limit, so a handler may lower the limit to block_now + 1 at any instruction.
  volatile std::int64_t block_now = -1;  // linear index of the block that runs; -1: outside the loop
  volatile std::int64_t block_limit = 0;
  volatile std::int32_t row = 0;   // y + height * z of the thread that runs
  loop_room* room = nullptr;       // of the block that runs as loops
  std::byte* stack_low = nullptr;  // lowest usable byte; the guard page lies below
  std::byte* stack_high = nullptr;
};
static_assert(offsetof(fiber, thread) + offsetof(device_thread, block) <= 64);

// Pool of one worker. Not thread-safe.
class fiber_pool {
 public:
  fiber_pool() = default;
  ~fiber_pool();
  fiber_pool(const fiber_pool&) = delete;
  fiber_pool& operator=(const fiber_pool&) = delete;

  // An idle fiber whose next resumption calls `entry`. Throws std::bad_alloc when the address space is full.
  fiber* take() {
    if (free_ == nullptr) grow();
    fiber* f = free_;
    free_ = f->next;
    f->next = nullptr;
    return f;
  }
  // Takes back a fiber whose device thread has ended or will never go on. It may still run: its stack starts afresh.
  void give(fiber* f) {
    rewind(*f);
    f->next = free_;
    free_ = f;
  }
  // The next resumption of `f` calls `entry`.
  void rewind(fiber& f) { f.stack = prepare_stack(f.stack_low, f.stack_high, entry_); }
  // Every fiber that was ever made, for faults that unwind a whole launch.
  const std::vector<fiber*>& all() const { return all_; }
  void reset_all();

  // Changes the size of stacks made from now on; drops the present ones. Only between launches.
  void set_stack_bytes(std::size_t bytes);
  std::size_t stack_bytes() const { return stack_bytes_; }
  void set_entry(void (*entry)(fcontext::transfer_t)) { entry_ = entry; }
  // True if `address` lies in the guard page of one of this pool's stacks; gives that fiber.
  fiber* guard_hit(const void* address) const;

 private:
  void grow();
  void release_slabs();
  struct slab {
    std::byte* base;
    std::size_t bytes, stacks;
    bool guarded;
  };
  fiber* free_ = nullptr;
  void (*entry_)(fcontext::transfer_t) = nullptr;
  std::size_t stack_bytes_ = kDefaultStackBytes;
  std::vector<fiber*> all_;
  std::vector<slab> slabs_;

 public:
  static constexpr std::size_t kDefaultStackBytes = 64 * 1024;
};

}  // namespace simt::sim
