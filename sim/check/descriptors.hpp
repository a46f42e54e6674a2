// SPDX-License-Identifier: Apache-2.0
// The detector's time axis and what its ids stand for; sets of threads.
//
// Ids are drawn from one counter, so an id is a time. An access descriptor is (launch, block, pc) drawn at some time;
// threads of a block share it as long as none of them has synchronised since (a thread only uses descriptors younger
// than its last release). "a happened before x" is then `id of a < what x knows of a's thread`, one compare.
// Ids below a launch's floor are ordered before all of it and need no look-up, so old pages can be freed.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "sim/check/knowledge.hpp"

namespace simt::check {

// A packed (id, who): bits 0..39 id, 40..61 who (below 1024: that thread; else a thread set), 62..63 flags.
using word = std::uint64_t;
inline constexpr int kIdBits = 40;
inline constexpr word kIdMask = (word{1} << kIdBits) - 1;
inline constexpr word kWhoMask = (word{1} << 22) - 1;
inline constexpr word kChain = word{1} << 63;     // reader word: id names a chain link, not a descriptor
inline constexpr word kExtended = word{1} << 63;  // writer word: low 48 bits point to an extended cell
inline constexpr std::uint32_t kSingles = 1024;
inline constexpr time_id kAncient = 1;  // before everything; writer word of "initialised, nobody to race with"
inline constexpr time_id kFirstTime = 2;

inline constexpr word kMixed = kWhoMask;  // who of a chain whose groups are of different threads

inline time_id id_of(word w) { return w & kIdMask; }
inline std::uint32_t who_of(word w) { return static_cast<std::uint32_t>(w >> kIdBits & kWhoMask); }
inline word make_word(time_id id, std::uint32_t who) { return id | word{who} << kIdBits; }

struct descriptor {
  std::uint64_t a;      // pc; of a chain link: the newest group's word
  std::uint64_t b;      // descriptor with a further pc of the same group, 0: none; of a link: the other groups' word
  std::uint32_t agent;  // launch or copy
  std::uint32_t block;
};
static_assert(sizeof(descriptor) == 24);

class descriptor_table {
 public:
  descriptor_table() : top_(new std::atomic<level*>[kTop]()) {}
  ~descriptor_table();
  time_id now() const { return next_.load(std::memory_order_relaxed); }
  time_id add(const descriptor& d);
  const descriptor& operator[](time_id id) const {
    return top_[id >> 26]
        .load(std::memory_order_acquire)
        ->pages[id >> 12 & 0x3fff]
        .load(std::memory_order_acquire)
        ->entries[id & 0xfff];
  }
  void free_below(time_id horizon);  // nobody looks up ids below it any more
  std::size_t bytes() const { return live_pages_.load() * sizeof(page); }

 private:
  struct page {
    descriptor entries[4096];
  };
  struct level {
    std::atomic<page*> pages[1 << 14];
  };
  static constexpr std::size_t kTop = std::size_t{1} << 14;
  std::atomic<time_id> next_{kFirstTime};
  std::unique_ptr<std::atomic<level*>[]> top_;
  std::mutex grow_;
  time_id freed_pages_ = 0;  // pages below this number are gone
  std::atomic<std::size_t> live_pages_{0};
};

// Interned sets of ranks of a block. Numbers below kSingles are the singletons.
class thread_sets {
 public:
  static constexpr std::uint32_t kFull = 0xffffffff;  // no room for another set
  using bits = std::array<std::uint64_t, 16>;
  bool contains(std::uint32_t set, std::uint32_t rank) const {
    if (set < kSingles) return set == rank;
    const bits& s = at(set);
    return s[rank >> 6] >> (rank & 63) & 1;
  }
  std::uint32_t with(std::uint32_t set, std::uint32_t rank);  // kFull: does not fit
  template <class F>                                          // F(rank) -> true to stop; returns whether stopped
  bool any(std::uint32_t set, F f) const {
    if (set < kSingles) return f(set);
    const bits& s = at(set);
    for (std::uint32_t i = 0; i < 16; ++i)
      for (std::uint64_t m = s[i]; m; m &= m - 1)
        if (f(i * 64 + static_cast<std::uint32_t>(std::countr_zero(m)))) return true;
    return false;
  }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * (sizeof(bits) * 2 + 64); }
  void clear();

 private:
  const bits& at(std::uint32_t set) const {
    return pages_[(set - kSingles) >> 10].load(std::memory_order_acquire)[(set - kSingles) & 1023];
  }
  static constexpr std::uint32_t kPages = 256;  // 262,144 sets, 32 MiB
  struct hash {
    std::size_t operator()(const bits& b) const;
  };
  std::array<std::atomic<bits*>, kPages> pages_{};
  std::unordered_map<bits, std::uint32_t, hash> index_;
  std::unordered_map<std::uint64_t, std::uint32_t> next_;  // (set, rank) -> set
  std::uint32_t count_ = 0;
  std::mutex mutex_;

 public:
  ~thread_sets() { clear(); }
};

// ---- chains of readers ------------------------------------------------------------------------------------------
// Groups of readers (id, thread set) of one cell, newest id first. Where they differ in their ids alone, as when each
// block reads the cell by the thread at the same place, the word holds the set and the links hold none: cells that the
// threads of such blocks read side by side share their links.
//   kChain | link, kMixed   the link holds the words as they are
//   kChain | link, who      the link holds them with `who` taken out
// A link is younger than the groups in it, so a chain older than some time holds nothing younger.

// Takes the newest group off `rest`; 0: none is left that is as young as `floor`. Links older than `floor` are not
// looked at: they may be gone.
inline word next_group(const descriptor_table& table, word& rest, time_id floor) {
  if (id_of(rest) >= floor && rest != 0) {
    word group = rest;
    if (rest & kChain) {
      const descriptor& link = table[id_of(rest)];
      const word who = who_of(rest) == kMixed ? 0 : rest & kWhoMask << kIdBits;
      group = link.a | who;
      rest = link.b | who;
    } else {
      rest = 0;
    }
    if (id_of(group) >= floor) return group;
  }
  rest = 0;
  return 0;
}

}  // namespace simt::check
