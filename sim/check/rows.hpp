// SPDX-License-Identifier: Apache-2.0
// Rows: accesses that neighbouring threads of a block make by the same instructions at evenly spaced addresses, judged
// together when the threads have made them. Internal to sim/check; of one OS thread.
//
// A segment is what a thread does between two events other than plain accesses: from its start or a wait to the next wait,
// or its end. The first thread's segment is judged access by access and noted; so is the second's, which gives the
// strides. Then all that is to come is known, and if it would leave no finding, the threads that follow only compare:
// instruction and address of the next entry. What they did is written to the cells when something else happens, whatever
// it is (settle()).
//
// Invariants
//  1. While a row is open, no event of this OS thread but the accesses in it: who has another one settles first. So the
//     threads' clocks, the descriptors' ids and all cells that no other worker touches are the same when the row is
//     judged as when its accesses were made.
//  2. arm() promises `limit` lanes: with each lane's accesses in any order no cell would get a finding, whatever a part of
//     the lanes does not do. So with one worker settle() reports nothing, and cells tell of the same threads as if it had
//     gone through the lanes, not the entries, one by one. (Of several instructions by which threads of a block have read a
//     cell in one interval, either way keeps any: a later race may name another.) What does not promise enough is judged
//     access by access.
//  3. Another worker may touch a cell between access and settle(). Either side's record is in the cell when the other is
//     judged, and no clock of this OS thread's threads has changed meanwhile: a race is found, from the other side. Its
//     report shows the call stack that the first thread had there, and the write counts as one that changed the value.
#pragma once

#include <vector>

#include "sim/check/row_bounds.hpp"
#include "sim/check/state.hpp"

namespace simt::check {

using sim::row_bounds;
using sim::row_entry;
extern row_entry no_row;  // none

class row_log {
 public:
  // Thread t begins a segment. What its next access is compared with; &no_row: it is to be judged, and then note()d if
  // notes(). `width`: threads of a line of the block, which have consecutive ranks.
  row_entry* begin(thread_state& t, std::uint32_t width) {
    if (open_ && armed_ && &t == thread_ && thread_ < bounds_.stop) [[likely]] {
      running_ = role::follows;
      return entries_.data();
    }
    return begin_other(t, width);
  }
  // The segment is over; `at`: the entry that its next access would have been compared with.
  void end(const row_entry* at) {
    if (running_ == role::follows && at == bounds_.last) [[likely]] {
      ++thread_;
      running_ = role::none;
      return;
    }
    end_other(at);
  }
  // end() and begin(t) where t is the row's next thread and nothing else is to be done. A thread that is to come to
  // bounds().last follows.
  bool passes_on(const row_entry* at, const thread_state* t) {
    if (at != bounds_.last || t != thread_ + 1 || t >= bounds_.stop) return false;
    ++thread_;
    return true;
  }
  // Of the row that was armed last. A thread that has come to `last` may be followed by the one before `stop`; whoever lets
  // one follow says so later, of all in between.
  const row_bounds& bounds() const { return bounds_; }
  void passed(std::ptrdiff_t threads) { thread_ += threads; }
  // The running thread's access is not the one expected at `at`: it is to be judged, and what it did so far begins a new
  // row.
  void deviate(const row_entry* at);
  bool follows() const { return running_ == role::follows; }
  bool notes() const { return running_ == role::first || running_ == role::second; }
  // An access of the running thread that was judged. `size`: 4, 8 or 16, and a divisor of the address. `calls`: see
  // options::call_stack.
  void note(std::uintptr_t pc, std::uintptr_t address, std::uint32_t size, bool write, std::span<const std::uintptr_t> calls);
  // Judges what is outstanding. The running thread's accesses from here on are in no row.
  void settle(const row_entry* at);
  bool is_open() const { return open_; }
  // Accesses, and writes among them, that were compared only, since the last call.
  struct counts {
    std::uint64_t accesses = 0, writes = 0;
  };
  counts take_counts();
  // The call stack at the access that settle() judges; null: none is judged.
  const std::vector<std::uintptr_t>* judged_calls() const { return judged_calls_; }

 private:
  enum class role : std::uint8_t { none, first, second, follows };
  // What is known of an entry besides.
  struct fact {
    std::uintptr_t base = 0;    // lane 0's address
    std::intptr_t line = 0;     // to the address of the thread one line on
    time_id id = 0;             // descriptor
    std::uint32_t calls = 0;    // in stacks_
    std::uint32_t covered = 0;  // a read: 1 + the entry that writes the same bytes by the same lanes; 0: none
    std::uint8_t size = 0;
    bool write = false;
    bool covers = false;  // a write: see `covered`
  };
  // Lanes first, first + step, ...
  struct lane_set {
    std::uint32_t first, step, count;
  };
  // What was learned of other ways through kernels: by the first access's pc.
  struct shape {
    std::vector<row_entry> entries = std::vector<row_entry>(1);
    std::vector<fact> facts = std::vector<fact>(1);
    std::size_t count = 0;
    bool strides_known = false, lines_known = false;
  };
  static constexpr std::size_t kShapes = 64;
  // What a cell's readers become when the lanes of a set read it.
  struct cached_step {
    word before = 0;
    std::uint64_t set = 0;
    time_id id = 0, quiet_from = 0;
    word after = 0;
  };
  static constexpr std::size_t kMost = 4096;  // accesses of a segment
  static constexpr std::uint32_t kLeast = 3;  // lanes that are worth a row
  std::uint32_t lanes() const { return static_cast<std::uint32_t>(thread_ - first_); }  // that are through
  row_entry* begin_other(thread_state& t, std::uint32_t width);
  void end_other(const row_entry* at);
  void begin_first(thread_state& t);
  void exchange_shape(std::uintptr_t pc);
  shape& shape_of(std::uintptr_t pc) { return shapes_[(pc * 0x9e3779b97f4a7c15ULL >> 32) % kShapes]; }
  void set_base(std::size_t k, std::uintptr_t address);
  void make_first(thread_state& t, std::size_t known);
  void rest();
  bool arm();
  bool arm(bool lines);
  void aim();  // entries at the line that *thread_ begins or is in
  std::uintptr_t address_of(std::size_t k, std::uint32_t lane) const;
  std::uintptr_t address_of(std::size_t k, std::uint32_t lane, std::uint32_t line) const;  // 0: of a row of one line
  bool meet_in_lines(std::size_t write, std::size_t other, std::uint32_t lanes) const;
  std::uint32_t until_conflict(std::size_t write, std::size_t other, std::uint32_t lanes) const;
  std::uint32_t quiet_lanes(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  void judge_all(std::size_t partial);
  template <bool Write, std::uint32_t Size>
  void judge(std::size_t k, std::uint32_t from, std::uint32_t to);
  template <std::uint32_t Size>
  void judge_readers(std::size_t k, std::uintptr_t address, lane_set lanes);
  std::uint32_t call_stack(std::span<const std::uintptr_t> calls);

  std::vector<shape> shapes_ = std::vector<shape>(kShapes);
  std::vector<row_entry> entries_ = std::vector<row_entry>(1);
  std::vector<fact> facts_ = std::vector<fact>(1);
  row_bounds bounds_;
  thread_state* first_ = nullptr;  // lane 0, while the row is open
  thread_state* thread_ = nullptr;  // the one that follows; the next one, if none does
  std::uint32_t limit_ = 0;        // lanes of the row
  std::uint32_t judged_ = 0;       // lanes that were judged access by access: the first ones
  std::uint32_t width_ = 1;
  bool open_ = false;
  bool armed_ = false;
  bool in_lines_ = false;  // lane i is in line i / width_ of the row; else all lanes are of one line
  role running_ = role::none;
  std::size_t count_ = 0;       // entries that are known; of the last row, while a first thread is noted
  std::size_t noted_ = 0;       // of the running thread
  bool strides_known_ = false;  // of all entries; a first thread's differ until that is seen
  bool lines_known_ = false;    // fact::line, likewise
  bool learns_lines_ = false;   // the first thread of the last row is one line before
  time_id newest_ = 0;          // the youngest min_id of the lanes
  // The first thread of the last row: block, rank, min_id. Only compared; the block may be gone.
  struct {
    const block_state* block = nullptr;
    std::uint32_t rank = 0;
    time_id since = 0;
  } last_first_;
  std::uint32_t failures_ = 0, pause_ = 0, next_pause_ = 0;
  counts counts_;
  std::uint64_t writes_ = 0;  // entries that write
  std::uint64_t detector_ = 0;  // serial of the one whose ids steps_ has
  std::vector<cached_step> steps_ = std::vector<cached_step>(1024);
  std::vector<std::vector<std::uintptr_t>> stacks_;
  const std::vector<std::uintptr_t>* judged_calls_ = nullptr;
};

}  // namespace simt::check
