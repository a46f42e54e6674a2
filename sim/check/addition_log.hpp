// SPDX-License-Identifier: Apache-2.0
// The additions that no record stands for yet, in the order in which each worker made them, chained by cell.
//
// A slow cell is *open for additions* while its reader word is not 0 (shadow_word.hpp): that names the launch, what the
// additions are like, and the last one here, which names the one before it. How many there are stands in the writer
// word. So an addition looks at one cache line of cells, and writes behind the one before it.
//
// Invariants
//  1. An entry is written by one worker, and read by who guards its cell. It does not change while a chain has it.
//  2. The entries of a launch are its generation. They are free once the horizon has passed them (their chains are
//  dead,
//     nobody follows them) or once all its chains are closed. Both are asked when a launch begins. The running launch
//     uses entries of chains that were gathered again at once.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "sim/check/ownership.hpp"
#include "sim/check/shadow_word.hpp"
#include "sim/check/zeroed_array.hpp"

namespace simt::check {

// The reader word of a slow cell that is open for additions.
//   bit 63        set: so it is no access
//   bits 35..61   the launch's ticket
//   bits 32..34   what they are like: at system scope (1), of 8 bytes (2), the cell is the second half of these (4)
//   bits 0..31    the last entry, 0: none
inline constexpr int kTicketBits = 27;
inline constexpr std::uint32_t kTickets = std::uint32_t{1} << kTicketBits;
inline constexpr std::uint32_t kSystemWide = 1, kEightBytes = 2, kSecondHalf = 4;
inline shadow_word open_word(std::uint32_t ticket, std::uint32_t like) {
  return kChain | shadow_word{ticket} << 35 | shadow_word{like} << 32;
}
// That of a busy counter that is open (busy_counters.hpp).
inline constexpr shadow_word kCounterWord = kChain | shadow_word{kTickets - 1} << 35;
inline std::uint32_t ticket_of(shadow_word r) { return static_cast<std::uint32_t>(r >> 35) & (kTickets - 1); }
inline std::uint32_t like_of(shadow_word r) { return static_cast<std::uint32_t>(r >> 32) & 7; }
inline std::uint32_t last_of(shadow_word r) { return static_cast<std::uint32_t>(r); }
// In the writer word of a slow cell: the length of the chain.
inline constexpr int kCountAt = 48;
inline constexpr std::uint32_t kLongest = 8191;
// Of a word that is added to again and again, the newest entries lie close together: they become records while they are
// in the cache. Others have to be fetched one by one, so they wait, and mostly the next launch covers them.
inline constexpr std::uint32_t kLookedAt = 128, kClose = 32768;
inline std::uint32_t chain_length(shadow_word w) { return static_cast<std::uint32_t>(w >> kCountAt) & kLongest; }

class addition_log {
 public:
  struct entry {
    shadow_word access;
    std::uint32_t before;  // the next of its chain; 0: none
  };

  explicit addition_log(bool several_workers);
  // A launch begins, and no device thread runs. Its ticket; 0: its cells stay closed.
  std::uint32_t begin(epoch horizon, std::uint32_t agent);
  // All launches whose tickets are no less are ones for which is_before(agent) holds, have no entries, or run.
  template <class F>
  std::uint32_t first_ordered(F is_before) const {
    for (auto g = generations_.rbegin(); g != generations_.rend(); ++g)
      if (g->ticket != ticket_ && !is_before(g->agent)) return g->ticket + 1;
    return 1;
  }
  bool is_dead(std::uint32_t ticket) const { return find(generations_, ticket) == nullptr; }

  // The number of a new entry; 0: there is no room.
  std::uint32_t add(shadow_word access, std::uint32_t before) {
    const std::uint32_t number = several_ ? owner_number() : 0;
    if (number == 0 && several_) return 0;
    worker& w = workers_[number];
    std::uint32_t i;
    if (w.free != 0) {
      i = w.free;
      w.free = at(i).before;
    } else {
      if (w.next == w.end && !take_chunk(w)) return 0;
      i = w.next++;
    }
    at(i) = {access, before};
    if (epoch_of(access) > w.newest) w.newest = epoch_of(access);
    ++w.made;
    return i;
  }
  // How many the calling thread has made in this launch. Those that a worker makes one behind the other lie close
  // together, but for borders of chunks.
  std::uint32_t made() const { return static_cast<std::uint32_t>(workers_[several_ ? owner_number() : 0].made); }
  const entry& operator[](std::uint32_t i) const {
    return chunks_[i >> kChunkBits].load(std::memory_order_relaxed)[i & (kChunk - 1)];
  }
  // The chain that begins with `first` goes on from the one that ends with `before`; 0: from none.
  void append(std::uint32_t first, std::uint32_t before) { at(first).before = before; }
  // The cell whose words these are is closed: a chain ends.
  void close(shadow_word writer, shadow_word readers);
  // Likewise, of a chain that was followed from its last entry to its first one.
  void close(shadow_word writer, shadow_word readers, std::uint32_t first);
  std::size_t bytes() const { return used_.load(std::memory_order_relaxed) * kChunk * sizeof(entry); }
  std::size_t limit = ~std::size_t{0};  // bytes

 private:
  static constexpr int kChunkBits = 12;
  static constexpr std::uint32_t kChunk = std::uint32_t{1} << kChunkBits, kMostChunks = std::uint32_t{1} << 20;
  static constexpr std::size_t kMostGenerations = 4096;
  struct generation {
    std::uint32_t ticket = 0, agent = 0;
    epoch newest = 0;
    std::uint64_t in_chains = 0;  // entries; while the launch runs, the workers know
    std::vector<std::uint32_t> chunks;
  };
  struct alignas(64) worker {
    std::uint32_t next = 0, end = 0, free = 0;
    epoch newest = 0;
    std::uint64_t made = 0;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> closed;  // by ticket: entries of chains that have ended
  };
  entry& at(std::uint32_t i) { return chunks_[i >> kChunkBits].load(std::memory_order_relaxed)[i & (kChunk - 1)]; }
  bool take_chunk(worker& w);
  template <class Generations>  // const or not
  static auto find(Generations& all, std::uint32_t ticket) -> decltype(all.data()) {
    const auto it = std::ranges::lower_bound(all, ticket, {}, &generation::ticket);
    return it == all.end() || it->ticket != ticket ? nullptr : &*it;
  }

  const bool several_;
  std::array<worker, 256> workers_;  // by owner_number()
  std::mutex mutex_;
  zeroed_array<std::atomic<entry*>> chunks_;
  std::vector<std::unique_ptr<entry[]>> made_;
  std::vector<std::uint32_t> free_chunks_;
  std::atomic<std::uint32_t> used_{0};
  std::uint32_t ticket_ = 0;             // of the running launch, the last one
  std::vector<generation> generations_;  // by ticket
};

}  // namespace simt::check
