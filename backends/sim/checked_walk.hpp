// SPDX-License-Identifier: Apache-2.0
// The loop over the threads of one stack, check variant: next() with its events in the engine, and inside the kernel's own
// code the threads that begin and end without one.
#pragma once

#include <cstddef>
#include <cstdint>

#include <backends/sim/running_thread.hpp>
#include <backends/sim/thread.hpp>
#include <sim/exec/block.hpp>

namespace simt::sim {

// Of checked_walk, what row_of_threads needs at fixed places.
struct walk_state {
  running_thread* here;        // of this OS thread
  block_context* block;
  std::uint64_t position = 0;  // of the running thread: position_of
  thread_range range;
};

// The walk of one stack through the threads that it runs, with their events. Used as:
// for (checked_walk w(b, self); w.next();) {
//   row_of_threads<false> r(w);
//   do kernel(r.handle(), ...);
//   while (r.follow());
// }
class checked_walk : private walk_state {
 public:
  checked_walk(block_context& b, fiber& self);
  ~checked_walk();
  checked_walk(const checked_walk&) = delete;
  checked_walk& operator=(const checked_walk&) = delete;
  // Ends the thread that ran and begins the next; false when there is none or the rest went to another stack. The switch
  // to other stacks is the caller's own code: see fiber_switch.hpp.
  [[gnu::always_inline]] SIMT_UNWATCHED bool next() {
    if (!running_) return begin_first();
    const stack_context* elsewhere = nullptr;
    const bool goes_on = end_and_begin(elsewhere);
    if (elsewhere == nullptr) return goes_on;
    switch_stacks(&self_.stack, elsewhere);
    begin_again();
    return true;
  }
  // The running thread threw: it is no more.
  void leave();

 private:
  template <bool Watched>
  friend class row_of_threads;
  bool begin_first();
  // The next thread on this stack; or where to go on while this one waits for its thread of another block.
  bool end_and_begin(const stack_context*& elsewhere);
  void begin_again();
  void step();
  void note_departure(std::uintptr_t pc);
  void begin();
  fiber& self_;
  bool running_ = false, backwards_;
};

// The running thread of a walk, and those of its row (sim/check/rows.hpp) that follow it without an event. Watched:
// in watched code. There its own accesses are hidden from the compiler, which would announce them as the kernel's, and
// nothing that a thread reads is kept for the next one.
template <bool Watched>
class row_of_threads {
 public:
  SIMT_INLINE SIMT_REFERS explicit row_of_threads(checked_walk& w)
      : walk_(&static_cast<walk_state&>(w)), here_(get<running_thread*, offsetof(walk_state, here)>(walk_)),
        block_(get<block_context*, offsetof(walk_state, block)>(walk_)),
        position_(get<std::uint64_t, offsetof(walk_state, position)>(walk_)) {}
  SIMT_INLINE SIMT_REFERS thread handle() const { return {*block_, position_}; }
  // The running thread is through. If that ends its row's part and no more, its neighbour one further in x runs from here
  // on; else false, and the walk goes on.
  SIMT_INLINE SIMT_REFERS bool follow() {
    using std::uintptr_t;
    const uintptr_t row = get<uintptr_t, offsetof(running_thread, row)>(here_);
    if (get<uintptr_t, offsetof(running_thread, leaving)>(here_) == 0 ||
        get<uintptr_t, offsetof(running_thread, next)>(here_) != get<uintptr_t, offsetof(row_bounds, last)>(row) ||
        get<uintptr_t, offsetof(walk_state, range) + offsetof(thread_range, x_end)>(walk_) == 0)
      return false;
    const uintptr_t after = get<uintptr_t, offsetof(running_thread, thread)>(here_) + kThreadStateBytes;
    if (after >= get<uintptr_t, offsetof(row_bounds, stop)>(row)) return false;
    ++position_;
    set<offsetof(running_thread, next)>(here_, get<uintptr_t, offsetof(row_bounds, first)>(row));
    set<offsetof(running_thread, thread)>(here_, after);
    set<offsetof(walk_state, position)>(walk_, position_);
    set<offsetof(walk_state, range) + offsetof(thread_range, x)>(walk_, static_cast<std::uint64_t>(x_of(position_)));
    return true;
  }

 private:
  template <class V, std::size_t Offset, class Object>
  SIMT_INLINE SIMT_REFERS static V get(Object object) {
    if constexpr (!Watched) return *reinterpret_cast<const V*>(reinterpret_cast<std::uintptr_t>(object) + Offset);
    V value;
    asm volatile("movq %c2(%1), %0" : "=r"(value) : "r"(object), "i"(Offset) : "memory");
    return value;
  }
  template <std::size_t Offset>
  SIMT_INLINE SIMT_REFERS static void set(void* object, std::uint64_t value) {
    if constexpr (Watched)
      asm volatile("movq %1, %c2(%0)" ::"r"(object), "r"(value), "i"(Offset) : "memory");
    else
      *reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(object) + Offset) = value;
  }
  walk_state* walk_;
  running_thread* here_;
  block_context* block_;
  std::uint64_t position_;
};

}  // namespace simt::sim
