// SPDX-License-Identifier: Apache-2.0
// Busy counters: words that many blocks add to by atomic operations, as the bins of a histogram. Each worker keeps what
// it would record of them apart, so that workers do not wait for each other at the cell's lock.
//
// A slow cell is *open* while `slow_cell::counter` is set; its reader word is kCounterWord then. Invariants of an open
// cell:
//  1. All that its records say of the running launch is alike: relaxed read-modify-writes of the whole word, at one
//     scope that holds every thread of the device. Such operations conflict neither with each other nor with older
//     records, which are ordered before the launch. No sync variable or mark of a flag is there.
//  2. What goes on there without the cell's guard is one more such operation, by a thread of the launch that passes on
//     nothing with it: no fence, nothing told. It is recorded in the worker's share, between busy.counting = cell and
//     = null, after the worker has seen that the cell is still open (ownership.hpp has the same rule for stretches).
//  3. Everybody else closes it first, with the guard: no new operation begins, those under way end, and the shares
//     become records of the cell. So each of them is compared with all that comes later, as if it had been there.
//  4. When a launch ends, none is open.
//
// Which operation was the last one: the only one whose result is in memory. (Of several with the same result, the
// closer's own.)
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "sim/check/cells.hpp"
#include "sim/check/slow_cells.hpp"

namespace simt::check {

struct block_state;
struct thread_state;

// What one worker has recorded of one counter.
struct alignas(64) counter_share {
  std::vector<access_record> records;
  std::uint64_t last_block = 0;  // as slow_cell::updated
  std::uint32_t last_rank = 0;
  std::uint32_t left = 0;  // what the last operation left in memory
  epoch newest = 0;        // of `records`, also of those that have gone
};

struct busy_counter {
  std::uintptr_t address = 0;  // of four aligned bytes
  cell* at = nullptr;
  std::uint32_t agent = 0;  // the launch
  scope reach{};
  static constexpr std::size_t kShares = 256;  // by the worker's number: ownership.hpp
  std::array<counter_share*, kShares> shares{};
};

// Those of a detector. Any thread may open and close.
class busy_counters {
 public:
  explicit busy_counters(bool several_workers) : usable_(several_workers) {}
  ~busy_counters();
  // t has recorded such an operation in the slow cell, which it guards. Opens it where it is time.
  void consider(thread_state& t, slow_cell& e, cell& c, std::uintptr_t address, scope s);
  // It is, soon.
  bool expects(const block_state& b, const slow_cell& e) const;
  // The cell's guard is held. `launch_ends`: that alone is the reason, so the next launch may open it sooner.
  void close(slow_cell& e, bool launch_ends = false) {
    if (e.counter != nullptr) [[unlikely]]
      close_open(e, launch_ends);
  }
  // A launch has ended and closes those that are open: the next one opens them at their first addition, also where the
  // host has set the words to zero meanwhile, and their cells know nothing.
  void remember();
  bool any_open() const { return open_count_.load(std::memory_order_relaxed) != 0; }
  std::vector<std::uintptr_t> addresses();  // of those that are open

 private:
  static constexpr std::size_t kMost = 4096;  // open at a time: each takes 2 KiB
  void close_open(slow_cell& e, bool launch_ends);
  bool was_busy(std::uintptr_t address) const { return std::ranges::binary_search(busy_, address); }

  const bool usable_;
  std::mutex mutex_;
  std::vector<slow_cell*> open_;
  std::atomic<std::size_t> open_count_{0};
  std::vector<std::uintptr_t> busy_;  // sorted: counters of the last launch that had some; changed between launches
};

// One operation on a busy counter; false: not possible, take an atomic_section.
//   if (counting c(t, address, s); c) { old = ...; c.done(pc, what is in memory now); }
class counting {
 public:
  counting(thread_state& t, std::uintptr_t address, scope s);
  ~counting();
  counting(const counting&) = delete;
  counting& operator=(const counting&) = delete;
  explicit operator bool() const { return share_ != nullptr; }
  void done(std::uintptr_t pc, std::uint32_t left);

 private:
  thread_state& t_;
  const busy_counter* counter_ = nullptr;
  counter_share* share_ = nullptr;
};

}  // namespace simt::check
