// SPDX-License-Identifier: Apache-2.0
// The detector's one time axis, and what each epoch stands for.
//
// Epochs are drawn from one counter, so an epoch is a time. Its record says whose accesses carry it: (agent, block,
// code address). The threads of a block share an epoch for one code address until one of them synchronises: a thread
// uses only epochs that are younger than its last release. So "access a happened before b" is one comparison: the epoch
// of a is below what b's thread knows of a's thread.
//
// Invariant: epochs below the horizon (agents.hpp) are ordered before all that is still to come. Nobody looks up their
// records, so their pages are freed.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

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
  // Each worker writes it for each block, and reads what stands around it: it has a cache line of its own.
  alignas(64) std::atomic<epoch> next_{kFirstEpoch};
  alignas(64) zeroed_array<std::atomic<level*>> top_;
  std::mutex grow_;
  epoch freed_pages_ = 0;  // pages below this number are gone
  std::atomic<std::size_t> live_pages_{0};
};

}  // namespace simt::check
