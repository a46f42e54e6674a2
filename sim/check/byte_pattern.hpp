// SPDX-License-Identifier: Apache-2.0
// Byte patterns: cells whose bytes were touched by different threads, as in arrays of bytes or of half precision. The
// history of one such cell is its neighbour's with other ranks, shifted by a constant. So the histories are kept once,
// as patterns, for all launches; a cell only says which pattern, the least rank in it and the epoch.
//
// The reader word of such a cell holds what the cell said before: a plain writer word, or another pattern's 62 bits and
// kChain; 0: nothing. A pattern number beyond the last (kLink, kLinkWritten) stands for two earlier levels: its epoch
// is then a link whose record holds both, with ranks counted from the base.
//
// The epoch of a pattern has no code address (kAnyPc): it is that of a block, and lasts until a thread of the block
// passes a barrier or releases.
//
// Invariants
//  1. A pattern never changes.
//  2. Its accesses are of the cell's epoch, and no two of them conflict but those of one thread.
//  3. What the reader word says is ordered before all of them. What it leaves out can race with nothing to come.
//  4. after() makes no step that could be a finding. Two accesses of an epoch may still be ordered, by a warp sync or a
//     flag: the slow cell decides that.
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <map>
#include <mutex>
#include <vector>

#include "sim/check/shadow_word.hpp"

namespace simt::check {

inline constexpr std::uintptr_t kAnyPc = 1;

struct byte_pattern {
  struct access {
    std::uint32_t rank;  // from the base on
    std::uint8_t mask;   // bytes of the cell
    bool write;
    std::uintptr_t pc;
    auto operator<=>(const access&) const = default;
  };
  std::uint8_t initialised = 0;
  std::vector<access> accesses;  // sorted
  auto operator<=>(const byte_pattern&) const = default;
  // Bytes that one of the accesses wrote, or touched.
  std::uint8_t written() const;
  std::uint8_t touched() const;
};

// All patterns, numbered in the order in which they first came up. Any thread may use it.
class byte_pattern_table {
 public:
  static constexpr std::uint32_t kPatterns = 4094, kNone = kPatterns;
  byte_pattern_table();
  // 0 to 15: nothing was accessed; the number is the mask of initialised bytes.
  const byte_pattern& operator[](std::uint32_t n) const { return *patterns_[n].load(std::memory_order_acquire); }

  struct step {
    std::uint32_t pattern = kNone;  // none: the slow cell is to decide
    std::int32_t shift = 0;         // of the base
  };
  // One more access, by the thread at base + rank.
  step after(std::uint32_t pattern, std::int32_t rank, std::uint8_t mask, bool write, std::uintptr_t pc);

 private:
  std::array<std::atomic<const byte_pattern*>, kPatterns> patterns_{};
  std::map<byte_pattern, std::uint32_t> numbers_;
  std::mutex mutex_;
};

}  // namespace simt::check
