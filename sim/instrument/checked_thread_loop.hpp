// SPDX-License-Identifier: Apache-2.0
// The loop over the threads of one stack, check variant: next() with its events in the engine. The threads of a batch
// that begin and end without an event are in the kernel's own code: backends/sim/batch_threads.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sim/exec/block.hpp>
#include <sim/instrument/running_thread.hpp>
#include <sim/instrument/thread_position.hpp>

namespace simt::sim {

// Of checked_thread_loop, what batch_threads needs at fixed places.
struct thread_loop_state {
  running_thread* here;  // of this OS thread
  block_context* block;
  std::uint64_t position = 0;  // of the running thread: position_of
  thread_range range;
};

template <bool Watched>
class batch_threads;

// The threads that one stack runs, one after the other, with their events. Used as:
// for (checked_thread_loop loop(b, self); loop.next();) {
//   batch_threads<false> threads(loop);
//   do kernel(threads.handle(), ...);
//   while (threads.follow());
// }
class checked_thread_loop : private thread_loop_state {
 public:
  checked_thread_loop(block_context& b, fiber& self);
  ~checked_thread_loop();
  checked_thread_loop(const checked_thread_loop&) = delete;
  checked_thread_loop& operator=(const checked_thread_loop&) = delete;
  // Ends the thread that ran and begins the next; false when there is none or the rest went to another stack. The
  // switch to other stacks is the caller's own code: see fiber_switch.hpp.
  [[gnu::always_inline]] __attribute__((no_sanitize("thread", "alignment"))) bool next() {
    if (!running_) return begin_first();
    const stack_context* elsewhere = nullptr;
    const bool goes_on = end_and_begin(elsewhere);
    if (elsewhere == nullptr) return goes_on;
    if (elsewhere != &self_.stack) switch_stacks(*block->queue, &self_.stack, elsewhere);
    begin_again();
    return true;
  }
  // The running thread threw: it is no more.
  void leave();

 private:
  template <bool Watched>
  friend class batch_threads;
  bool begin_first();
  // The next thread on this stack; or where to go on while this one waits for its thread of another block.
  bool end_and_begin(const stack_context*& elsewhere);
  void begin_again();
  void step();
  void note_exit(std::uintptr_t pc);
  void begin();
  fiber& self_;
  bool running_ = false, backwards_;
};

}  // namespace simt::sim
