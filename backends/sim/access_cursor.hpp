// SPDX-License-Identifier: Apache-2.0
// Who runs on this OS thread, as the access hooks see it: one thread-local load away. Check variant only.
//
// Invariants
// - state() is the running device thread's while its code runs, and null whenever the host or the engine's own loop runs.
//   Whoever switches stacks in the check variant calls restore_cursor() right after it was resumed.
// - From one thread of a row to the next, row_of_threads::follow() changes state() only; the fiber's rank and data, the
//   row's thread and the count of those who left follow with catch_up(). A row is open then, so settle_rows() does that,
//   too: one of both comes before these are read.
#pragma once

#include <cstdint>
#include <span>

#include <backends/sim/running_thread.hpp>
#include <sim/check/rows.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

// Calls that are active on a device thread's stack, outermost first; deeper ones are only counted.
struct shadow_stack {
  static constexpr std::uint32_t kDepth = 62;
  std::uintptr_t* top = frames;  // behind the innermost; of the running thread, see running_thread::top
  std::uint32_t deeper = 0;
  std::uintptr_t frames[kDepth];
  std::span<const std::uintptr_t> active() const { return {frames, top}; }
};

struct access_cursor : running_thread {
  constexpr access_cursor() : running_thread{.next = &check::no_row} {}
  fiber* self = nullptr;  // what runs; null on the host
  worker* owner = nullptr;
  std::uintptr_t pc = 0;                          // of the last access, atomic or yield
  std::uint64_t steps = 0;                        // accesses; the logical clock of this worker
  check::row_log* rows = nullptr;                 // this OS thread's
  bool in_row = false;                            // a segment is open in it
  bool every_access_switches = false;             // lockstep, random; until the next switch: asked_to_yield
  volatile bool asked_to_yield = false;           // by a signal, see exec/preempt.cpp
  // Plain and volatile ones: a spin makes none. Not beside `steps`: as one vector, the two would wait for the last narrow
  // store of one of them.
  std::uint64_t writes = 0;

  check::thread_state* state() const { return static_cast<check::thread_state*>(thread); }
  // The running thread's calls, as they are now; null if none runs.
  shadow_stack* calls() {
    if (self == nullptr || self->calls == nullptr) return nullptr;
    auto* const s = static_cast<shadow_stack*>(self->calls);
    if (top != nullptr) s->top = top;
    return s;
  }
  // The same, and from here on `top` is theirs.
  shadow_stack* take_calls() {
    shadow_stack* const s = calls();
    if (s != nullptr) top = s->top, top_end = s->frames + shadow_stack::kDepth;
    return s;
  }
  void give_up_calls() {
    if (top != nullptr) static_cast<shadow_stack*>(self->calls)->top = top;
    top = top_end = nullptr;
  }
  // Is this on the running thread's stack?
  bool is_local(std::uintptr_t address) const {
    const auto low = reinterpret_cast<std::uintptr_t>(self->stack_low);
    return address - low < reinterpret_cast<std::uintptr_t>(self->stack_high) - low;
  }
};

extern constinit thread_local access_cursor cursor [[gnu::tls_model("initial-exec")]];

// Does a device thread run here? One that nobody watches, because the checks are off, has no state.
inline bool on_device_thread() { return cursor.self != nullptr; }

// What else tells of the running thread becomes its own; see above.
inline void catch_up() {
  const access_cursor& c = cursor;
  if (c.self == nullptr) return;
  fiber& f = *c.self;
  const std::ptrdiff_t passed = c.state() - static_cast<check::thread_state*>(f.data);
  if (passed == 0) return;
  f.data = c.state();
  f.rank += static_cast<std::int32_t>(passed);
  *c.leaving += static_cast<std::int32_t>(passed);
  c.rows->passed(passed);
}

// Sets the cursor to fiber f's thread; f is the running one.
void restore_cursor(fiber& f);
// No device thread runs from here on.
void leave_cursor();

// What follows is no plain access: judges those that were only compared, and ends the thread's segment (sim/check/rows.hpp).
void end_rows();
// Adds what was compared only to the cursor's counts.
inline void take_counts() {
  const auto n = cursor.rows->take_counts();
  cursor.steps += n.accesses;
  cursor.writes += n.writes;
}
inline void settle_rows() {
  if (cursor.rows != nullptr && cursor.rows->is_open()) [[unlikely]]
    end_rows();
}
// The running thread of fiber f begins a segment.
void begin_segment(const fiber& f);

// A place where the schedule may let another thread go on. On a device thread.
void schedule_point();

// Slow path of an access outside device and shared memory: own stack and constants are fine, the rest is host-memory.
void foreign_access(std::uintptr_t address, std::size_t bytes, check::thread_state& t, bool write, std::uintptr_t pc);
// True for read-only data of the executable and its modules.
bool is_constant_memory(std::uintptr_t address);
// Host code compiled into the check variant touched `address`; reports device memory.
void host_access(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc);
// Whether host_access and host_atomic have anything to say of `address`.
bool host_is_watched(std::uintptr_t address);
// The same of an atomic operation. swaps: a compare-and-swap, which checks what the host read before.
void host_atomic(std::uintptr_t address, std::uint32_t bytes, check::atomic_op op, bool swaps, check::order o, std::uintptr_t pc);
void host_fence(check::order o);
// The host used an atomic operation on memory that is not watched, or gave up a lock.
void host_unwatched(check::atomic_op op, check::order o);
void host_unlocked();

}  // namespace simt::sim
