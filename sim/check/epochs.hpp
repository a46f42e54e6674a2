// SPDX-License-Identifier: Apache-2.0
// The detector's one time axis, and what each epoch stands for.
//
// Epochs are drawn from one counter, so an epoch is a time. Its record says whose accesses carry it: (agent, block,
// code address). The threads of a block share an epoch for one code address until one of them synchronises: a thread
// uses only epochs that are younger than its last release. So "access a happened before b" is one comparison: the epoch
// of a is below what b's thread knows of a's thread.
//
// With several workers a block draws a few epochs at once (epochs_ahead), so that workers do not meet at the counter
// for each access and barrier. Then an epoch is a time among those of its own block, and to what all blocks have in
// common: where a launch begins, and where a barrier of the grid opens, nobody has any drawn ahead. Of two epochs of
// different blocks in between, the greater one may be the older one; nobody asks.
//
// Invariant: epochs below the horizon (agents.hpp) are ordered before all that is still to come. Nobody looks up their
// records, so their pages are freed. Some are kept for the next launch: pages that are new to the process come from the
// system 4 KiB at a time, for which workers wait in turn.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/check/shadow_word.hpp"
#include "sim/check/zeroed_array.hpp"

namespace simt::check {

// A link of a chain of readers (readers.hpp) or of byte patterns (byte_pattern_cells.cpp) is a record as well: it holds
// two shadow words.
struct epoch_record {
  std::uint64_t pc;     // the code address; of a link: the newer word
  std::uint64_t next;   // an epoch with a further code address of the same readers, 0: none; of a link: the older word
  std::uint32_t agent;  // launch, copy or host
  std::uint32_t block;  // of the launch; kAsyncBlock | n: its n-th asynchronous copy
};
static_assert(sizeof(epoch_record) == 24);

// Any thread may add and look up; free_below() is for when no device thread runs.
class epoch_table {
 public:
  epoch_table() : top_(make_zeroed<std::atomic<level*>>(kTop)) {}
  ~epoch_table();
  epoch now() const { return next_.load(std::memory_order_relaxed); }
  epoch add(const epoch_record& d) {
    const epoch when = reserve(1);
    put(when, d);
    return when;
  }
  // `count` epochs one behind the other, each of which is to be put() before anybody looks it up.
  epoch reserve(std::uint32_t count);
  void put(epoch when, const epoch_record& d);
  const epoch_record& operator[](epoch when) const {
    return top_[when >> 26]
        .load(std::memory_order_acquire)
        ->pages[when >> 12 & 0x3fff]
        .load(std::memory_order_acquire)
        ->entries[when & 0xfff];
  }
  void free_below(epoch horizon);
  bool has(epoch when) const { return when >> 12 >= freed_pages_; }  // it has not been freed
  std::size_t bytes() const { return live_pages_.load() * sizeof(page); }

 private:
  struct page {
    epoch_record entries[4096];
  };
  struct level {
    std::atomic<page*> pages[1 << 14];
  };
  static constexpr std::size_t kTop = std::size_t{1} << 14;
  // Workers write it, and read what stands around it: it has a cache line of its own.
  alignas(64) std::atomic<epoch> next_{kFirstEpoch};
  alignas(64) zeroed_array<std::atomic<level*>> top_;
  page* page_of(epoch when);
  static constexpr std::size_t kMostKept = 256;  // 25 MB
  std::mutex grow_;
  std::vector<std::unique_ptr<page>> kept_;  // not in use, and in the memory of this process
  epoch freed_pages_ = 0;                    // pages below this number are gone
  std::atomic<std::size_t> live_pages_{0};
};

// The epochs that a block has drawn and not used. Of one OS thread, but for a barrier of the grid.
class epochs_ahead {
 public:
  // Nothing is drawn. From here on `at_once` are, at least.
  void begin(std::uint32_t at_once) { *this = {}, at_once_ = at_once; }
  void drop() { next_ = end_ = 0; }
  bool draws_ahead() const { return at_once_ > 1; }
  // The block's epochs so far are below it, those to come are not.
  epoch now(const epoch_table& all) const { return next_ < end_ ? next_ : all.now(); }
  // The same for a block that begins, which draws its first ones: they are above all that were ever drawn.
  epoch first(epoch_table& all) {
    if (at_once_ > 1) draw(all, at_once_);
    return now(all);
  }
  epoch reserve(epoch_table& all, std::uint32_t count) {
    if (end_ - next_ < count) draw(all, (count + at_once_ - 1) / at_once_ * at_once_);
    next_ += count;
    return next_ - count;
  }

 private:
  void draw(epoch_table& all, std::uint32_t count) {
    next_ = all.reserve(count);
    end_ = next_ + count;
  }
  epoch next_ = 0, end_ = 0;
  std::uint32_t at_once_ = 1;
};

}  // namespace simt::check
