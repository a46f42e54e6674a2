// SPDX-License-Identifier: Apache-2.0
// The threads of a batch, run inside the kernel's own code: for the check variant.
#pragma once

#include <cstddef>
#include <cstdint>

#include <backends/sim/thread.hpp>
#include <sim/instrument/checked_thread_loop.hpp>
#include <sim/instrument/unwatched.hpp>

namespace simt::sim {

// The running thread of a loop, and those of its batch (sim/instrument/batch_recorder.hpp) that follow it without an
// event. Watched: in watched code. There its own accesses are hidden from the compiler, which would announce them as
// the kernel's, and nothing that a thread reads is kept for the next one.
template <bool Watched>
class batch_threads {
 public:
  SIMT_INLINE SIMT_REFERS explicit batch_threads(checked_thread_loop& loop)
      : loop_(&static_cast<thread_loop_state&>(loop)),
        here_(get<running_thread*, offsetof(thread_loop_state, here)>(loop_)),
        block_(get<block_context*, offsetof(thread_loop_state, block)>(loop_)),
        position_(get<std::uint64_t, offsetof(thread_loop_state, position)>(loop_)) {}
  SIMT_INLINE SIMT_REFERS thread handle() const { return {*block_, position_}; }
  // The running thread is through. If that ends its part of the batch and no more, its neighbour one further in x runs
  // from here on; else false, and the loop goes on.
  SIMT_INLINE SIMT_REFERS bool follow() {
    using std::uintptr_t;
    const uintptr_t batch = get<uintptr_t, offsetof(running_thread, batch)>(here_);
    if (get<uintptr_t, offsetof(running_thread, leaving)>(here_) == 0 ||
        get<uintptr_t, offsetof(running_thread, next)>(here_) != get<uintptr_t, offsetof(batch_bounds, last)>(batch) ||
        get<uintptr_t, offsetof(thread_loop_state, range) + offsetof(thread_range, x_end)>(loop_) == 0)
      return false;
    const uintptr_t after = get<uintptr_t, offsetof(running_thread, thread)>(here_) + kThreadStateBytes;
    if (after >= get<uintptr_t, offsetof(batch_bounds, stop)>(batch)) return false;
    ++position_;
    set<offsetof(running_thread, next)>(here_, get<uintptr_t, offsetof(batch_bounds, first)>(batch));
    set<offsetof(running_thread, thread)>(here_, after);
    set<offsetof(thread_loop_state, position)>(loop_, position_);
    set<offsetof(thread_loop_state, range) + offsetof(thread_range, x)>(loop_,
                                                                        static_cast<std::uint64_t>(x_of(position_)));
    return true;
  }

 private:
  template <class V, std::size_t Offset, class Object>
  SIMT_INLINE SIMT_REFERS static V get(Object object) {
    if constexpr (!Watched) return *reinterpret_cast<const V*>(reinterpret_cast<std::uintptr_t>(object) + Offset);
    return (V)unwatched_load<Offset>(reinterpret_cast<const void*>(object));  // a number or a pointer
  }
  template <std::size_t Offset>
  SIMT_INLINE SIMT_REFERS static void set(void* object, std::uint64_t value) {
    if constexpr (Watched)
      unwatched_store<Offset>(object, value);
    else
      *reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(object) + Offset) = value;
  }
  thread_loop_state* loop_;
  running_thread* here_;
  block_context* block_;
  std::uint64_t position_;
};

}  // namespace simt::sim
