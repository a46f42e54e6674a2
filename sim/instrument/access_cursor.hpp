// SPDX-License-Identifier: Apache-2.0
// Who runs on this OS thread, as the access hooks see it: one thread-local load away. Check variant only.
//
// Invariants
// - `thread` is the running device thread's while its code runs, and null whenever the host or the engine's own loop
//   runs. Whoever switches stacks in the check variant calls restore_cursor() right after it was resumed.
// - From one thread of a batch to the next, batch_threads::follow() changes `thread` only. The device thread's rank and
//   state, the recorder's thread and the count of exits are stale then. catch_up() brings them up to date, and so does
//   a flush; whoever reads them calls one of the two before.
#pragma once

#include <cstdint>
#include <span>

#include <sim/exec/scheduler/pending_access.hpp>
#include <sim/exec/worker.hpp>
#include <sim/instrument/batch_recorder.hpp>
#include <sim/instrument/events.hpp>
#include <sim/instrument/running_thread.hpp>
#include <sim/instrument/shadow_stack.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

struct access_cursor : running_thread {
  constexpr access_cursor() : running_thread{.next = &no_batch} {}
  fiber* self = nullptr;  // what runs; null on the host
  worker* owner = nullptr;
  std::uintptr_t pc = 0;              // of the last access, atomic or yield
  std::uint64_t steps = 0;            // accesses; the logical clock of this worker
  batch_recorder* batches = nullptr;  // this OS thread's
  bool in_batch = false;              // the running thread's segment is open in it
  // Why a plain access may not take the fast path; 0: it may.
  static constexpr std::uint8_t kSwitches = 1;  // other threads may run: lockstep, random; or asked_to_yield, once
  static constexpr std::uint8_t kTold = 2;      // consumers beside the judge listen
  static constexpr std::uint8_t kUnjudged = 4;  // nothing is checked: they alone, or nobody, hears of plain accesses
  volatile std::uint8_t every_access = 0;
  volatile bool asked_to_yield = false;  // by a signal, see exec/preempt.cpp
  bool may_wake = false;                 // the scheduler rests, and is told of accesses until it has to be asked again
  // Plain and volatile ones: a spin makes none. Not beside `steps`: as one vector, the two would wait for the last
  // narrow store of one of them.
  std::uint64_t writes = 0;

  bool switches() const { return (every_access & kSwitches) != 0; }
  bool told() const { return (every_access & kTold) != 0; }
  bool unjudged() const { return (every_access & kUnjudged) != 0; }
  // The running thread's calls, as they are now; null if none runs.
  shadow_stack* calls() {
    if (self == nullptr || self->thread.calls == nullptr) return nullptr;
    shadow_stack* const s = self->thread.calls;
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
    if (top != nullptr) self->thread.calls->top = top;
    top = top_end = nullptr;
  }
  // Is this on the running thread's stack?
  bool is_local(std::uintptr_t address) const {
    const auto low = reinterpret_cast<std::uintptr_t>(self->stack_low);
    return address - low < reinterpret_cast<std::uintptr_t>(self->stack_high) - low;
  }
};

extern constinit thread_local access_cursor cursor [[gnu::tls_model("initial-exec")]];

// Device memory whose addresses stand for basic blocks, while a run is counted (sim/profile); 0: none.
inline constexpr unsigned kProfileMarkers = 1U << 16;
extern constinit std::uintptr_t profile_markers;
extern constinit bool code_has_markers;  // the kernels of this process say where blocks begin

// Does a device thread run here? One that nobody watches, because the checks are off, has no state.
inline bool on_device_thread() { return cursor.self != nullptr; }

// What else tells of the running thread becomes its own; see above.
inline void catch_up() {
  const access_cursor& c = cursor;
  if (c.self == nullptr) return;
  device_thread& t = c.self->thread;
  if (c.thread == t.observed) return;
  const std::ptrdiff_t passed = threads_between(t.observed, c.thread);
  t.observed = c.thread;
  t.rank += static_cast<std::int32_t>(passed);
  *c.leaving += static_cast<std::int32_t>(passed);
  c.batches->passed(passed);
}

// Sets the cursor to fiber f's thread; f is the running one.
void restore_cursor(fiber& f);
// Of those, whether others may run: the schedule decides that anew.
void follow_schedule(const fiber& f);
// The same for a thread whose stack gave way to others of its launch and worker only.
void come_back(fiber& f);
// No device thread runs from here on.
void leave_cursor();
// The running thread of fiber f begins a segment.
void begin_segment(const fiber& f);
// The running thread's calls, outermost first.
std::span<const std::uintptr_t> calls_of_access();

// ---- Parts of the recorder's life; see dispatcher::flush_accesses for who calls them ----
// What follows is no plain access: hands over those that were only compared, and ends the thread's segment.
void end_batch();
// Adds what was compared only to the cursor's counts.
inline void take_counts() {
  const auto n = cursor.batches->take_counts();
  cursor.steps += n.accesses;
  cursor.writes += n.writes;
}

// Instrumented steps of this OS thread become its worker's.
void add_steps();

// All accesses so far are counted: a scheduler that rests may wake.
void tell_scheduler();

// A place where the schedule may let another thread go on, before `what`. On a device thread.
void schedule_point(const pending_access& what = {});
// Takes from the running thread's spin budget; others run when it is spent.
void spend_checked(std::int32_t cost);

// An access outside device and shared memory: own stack and constants are fine, the rest is an event.
void foreign_access(std::uintptr_t address, std::size_t bytes, watched_thread& t, bool write, std::uintptr_t pc);
// True for read-only data of the executable and its modules.
bool is_constant_memory(std::uintptr_t address);
// References to device variables in a module of CUDA source: they are never written again.
void add_references(const void* first, const void* last);

// ---- Host code that is compiled for check ----
// Of which host_access and host_atomic have something to say: device memory, while a dispatcher listens.
extern constinit address_range watched_of_host;
// It touched `address`, which is one of those; or did an atomic operation at any (swaps: a compare-and-swap), or a
// fence.
void host_access(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc);
void host_atomic(std::uintptr_t address, std::uint32_t bytes, event::atomic_op op, bool swaps, event::order o,
                 std::uintptr_t pc);
void host_fence(event::order o);
// It used an atomic operation on memory that is not watched, or gave up a lock.
void host_unwatched(event::atomic_op op, event::order o);
void host_unlocked();

}  // namespace simt::sim
