// SPDX-License-Identifier: Apache-2.0
// Busy counters: words that several workers add to by atomic operations, as the bins of a histogram. Each worker keeps
// what it would record of them apart, so that workers wait neither for each other at the cell's lock nor for its cache
// line.
//
// A slow cell is a *counter* while its reader word says so (is_counter), with the counter's number. Invariants:
//  1. It was open for additions (quick_additions.hpp) by the running launch when it became one, and has been left alone
//     since: one more addition that is like them conflicts with nothing that is there.
//  2. What goes on there without the cell's guard is one more such addition, by a thread of the launch that passes on
//     nothing with it: no fence, nothing told. It is an entry of the worker's own chain in the log of additions, made
//     between busy.counting = counter and = null, after the worker has seen that the cell still is one (ownership.hpp
//     has the same rule for stretches).
//  3. Everybody else closes it first, with the guard: no new addition begins, those under way end, and the workers'
//     chains become one chain of the cell, which is open for additions again. So each addition is compared with all
//     that comes later, as if it had been there.
//  4. When a launch ends, none is left. The next launch finds cells that are open.
//
// Which addition was the last one: the only one whose result is in memory. (Of several with the same result, the
// closer's own.)
//
// Sums. Where the word was made a counter by an addition of integers whose old value nobody reads, and host code has no
// access to it, each worker keeps a sum of its own instead of adding to the word, which the others would have to fetch
// from its cache. Memory gets the sums when the counter closes, before whoever closes it goes on. So any other look at
// the word, also an addition whose old value is used, closes it first (3.), and then it becomes one without sums.
// Nobody has added last: a thread that reads no value cannot know that it has.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "sim/check/addition_log.hpp"
#include "sim/check/cells.hpp"
#include "sim/check/slow_cells.hpp"

namespace simt::check {

struct block_state;
struct thread_state;

// What one worker has recorded of one counter.
struct counter_share {
  std::uint32_t last, first, length;    // its chain in the log; 0: there is none, for want of room
  std::uint32_t left;                   // what the last addition left in memory
  std::uint32_t some;                   // how many the worker had made in all, some time ago
  std::uint32_t sum;                    // not in memory yet
  std::vector<access_record>* records;  // of entries that have left the chain; null: none
};

struct busy_counter {
  cell* at;
  std::uintptr_t address;  // of four aligned bytes
  std::uint32_t agent;     // the launch
  scope reach;
  bool sums;                    // workers keep sums
  shadow_word writer, readers;  // of the cell, when it became a counter: the chain until then
};

inline bool is_counter(shadow_word readers) { return (readers & ~shadow_word{0xffffffff}) == kCounterWord; }

// Those of a detector. Any thread may open and close.
class busy_counters {
 public:
  busy_counters(bool several_workers, addition_log& log, slow_cell_pool& cells);
  ~busy_counters();
  // The cell is open for additions of four bytes by t's launch, and guarded. It becomes a counter, if there is room.
  // is_sum: the one that was just made is such that workers may keep sums.
  void open(const thread_state& t, cell& c, std::uintptr_t address, scope s, bool is_sum);
  // The cell is one, and guarded: it is open for additions again. `launch_ends`: that alone is the reason.
  void close(cell& c, bool launch_ends = false);
  bool any_open() const { return open_count_.load(std::memory_order_relaxed) != 0; }
  std::vector<std::uintptr_t> addresses();  // of those that are open

 private:
  friend class counting;
  static constexpr std::uint32_t kMost = 1 << 16;  // open at a time
  static constexpr std::size_t kWorkers = 256;     // by their numbers: ownership.hpp

  busy_counter& at(std::uint32_t number) const { return counters_[number]; }
  counter_share& share(std::uint32_t worker, std::uint32_t number);
  void fold(counter_share& s, const busy_counter& k, epoch horizon, bool last_too);

  addition_log& log_;
  slow_cell_pool& cells_;
  zeroed_array<busy_counter> counters_;  // by number, 1 to kMost; null: one worker
  std::array<std::atomic<counter_share*>, kWorkers> shares_{};
  std::mutex mutex_;
  std::vector<zeroed_array<counter_share>> tables_;
  std::vector<std::uint32_t> free_;  // numbers
  std::uint32_t used_ = 0;           // numbers that were ever taken
  std::atomic<std::size_t> open_count_{0};
};

// One addition to a busy counter; false: not possible, take an atomic_section. is_sum: of integers, and nobody reads
// the old value.
//   if (counting c(t, address, s, is_sum); c)
//     if (c.sums()) c.add(pc, what is added);
//     else { old = ...; c.done(pc, what is in memory now); }
class counting {
 public:
  counting(thread_state& t, std::uintptr_t address, scope s, bool is_sum = false);
  ~counting();
  counting(const counting&) = delete;
  counting& operator=(const counting&) = delete;
  explicit operator bool() const { return share_ != nullptr; }
  bool sums() const { return counter_->sums; }
  void done(std::uintptr_t pc, std::uint32_t left) {
    share_->left = left;
    record(pc);
  }
  void add(std::uintptr_t pc, std::uint32_t more) {
    share_->sum += more;
    record(pc);
  }

 private:
  void record(std::uintptr_t pc);
  void drop_covered();

  thread_state& t_;
  const busy_counter* counter_ = nullptr;
  counter_share* share_ = nullptr;
};

}  // namespace simt::check
