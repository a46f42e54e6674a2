// SPDX-License-Identifier: Apache-2.0
// What the detector keeps of a device thread: its clocks, and what its last event left open.
//
// thread_state holds what every access asks for, thread_clocks what only synchronisation does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/check/detector.hpp"
#include "sim/check/shadow_word.hpp"
#include "sim/check/told_clock.hpp"
#include "sim/check/vector_clock.hpp"
#include "sim/instrument/events.hpp"
#include "sim/instrument/batch_bounds.hpp"

namespace simt::check {

// Both clocks of a moment: at the scopes as written, and as if every scope were system.
struct clock_pair {
  vector_clock scoped, unscoped;
  void join_with(const clock_pair& o) {
    const bool same = scoped == unscoped && o.scoped == o.unscoped;
    scoped = join(scoped, o.scoped);
    unscoped = same ? scoped : join(unscoped, o.unscoped);
  }
  explicit operator bool() const { return scoped || unscoped; }
};

inline constexpr int kWarp = 32;

// A write that raced. Did it change the bytes? That can be seen at the thread's next event, for accesses are announced
// before they happen. A read is passed over once: the copy of a structure announces its write, then its read, and only
// then happens.
struct pending_write {
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
  std::array<unsigned char, 16> before{};
  bool may_be_copy = false;  // no event since
  std::vector<std::size_t> findings;
};

// How far a fence or an atomic operation reaches: its scope.
inline constexpr std::size_t kReaches = static_cast<std::size_t>(scope::system) + 1;

// What a thread knows, and what its last event left open.
struct thread_clocks {
  clock_pair known;
  std::array<clock_pair, kReaches> fenced;  // by the scope of a release fence: clock at the last one
  // Clocks that loads have read, for a fence to acquire: by the scope that the fence must have at least.
  std::array<vector_clock, kReaches> acquirable;  // [0]: the unscoped clock
  clock_pair by_barrier;       // read by relaxed read-modify-writes at device scope: the next barrier acquires it
  told_clock told;             // by the flags that it has read, fence or not: unfenced.hpp
  std::uintptr_t told_at = 0;  // where it read the last of them
  std::unique_ptr<pending_write> unjudged_write;  // of which a finding waits to know whether it changes memory
  struct {
    std::uintptr_t address = 0;
    std::uint32_t size = 0;
    std::uintptr_t pc = 0;
  } volatile_read;  // its acquire is repeated at the next event, for the load happens after it was announced
};

struct thread_state : sim::watched_thread {
  // watched_thread::pending: its last event left something open: detector_core::flush()
  bool has_acquirable = false;
  bool has_fenced = false;  // a release fence, since the last barrier
  block_state* block = nullptr;
  epoch released = 0;   // when it last published its clock; also before the block began
  shadow_word who = 0;  // its rank, at its place in a shadow word
  thread_clocks* clocks = nullptr;
};
static_assert(sizeof(thread_state) == sim::kThreadStateBytes);

}  // namespace simt::check
