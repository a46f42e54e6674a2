// SPDX-License-Identifier: Apache-2.0
// Mosaics: cells whose bytes different threads touch one by one, as in arrays of bytes or of half precision.
// Neighbouring cells of such an array have one history but for a constant in the threads' ranks; so a cell names a
// pattern, the least rank in it and a time, and all cells of all launches share the patterns.
//
//   writer word  kExtended | kMosaic | pattern (12 bits) | base (10) | epoch (40)
//   reader word  what the cell said before that: a compact writer word, or a mosaic's 62 bits and kChain; 0: nothing. A
//                number beyond the patterns stands for two of them: the epoch is then a link that holds both, with
//                ranks counted from the base
//
// An epoch is a descriptor without a place in the code: of a block, and as old as threads of it have neither passed a
// barrier nor released since.
//
// Invariants: 1. A pattern never changes. 2. Its accesses are of the mosaic's epoch, and no two of them conflict but
// those of one thread. 3. What the reader word says is ordered before all of them, and what that does not say can race
// with nothing that is still to come. 4. after() makes no step that could report anything: whether two accesses of an
// epoch are ordered all the same, by lanes that met or a flag, is asked in the general form.
#pragma once

#include <compare>
#include <map>

#include "sim/check/descriptors.hpp"

namespace simt::check {

inline constexpr word kMosaic = word{1} << 62;
inline constexpr std::uintptr_t kEpochPc = 1;
inline bool is_mosaic(word w) { return (w & (kExtended | kMosaic)) == (kExtended | kMosaic); }
inline bool is_private(word w) { return (w & (kExtended | kMosaic)) == kExtended; }  // an extended cell of its own
// Of a mosaic's writer word, or of what a reader word keeps of it.
inline std::uint32_t pattern_of(word w) { return static_cast<std::uint32_t>(w >> 50 & 0xfff); }
inline std::uint32_t base_of(word w) { return static_cast<std::uint32_t>(w >> 40 & 0x3ff); }
inline word make_mosaic(std::uint32_t pattern, std::uint32_t base, time_id epoch) {
  return kExtended | kMosaic | word{pattern} << 50 | word{base} << 40 | epoch;
}

inline constexpr std::uint32_t kLink = 4094, kLinkWritten = 4095;  // a link; the same where one of the two wrote
inline bool is_link(word before) { return (before & kChain) && pattern_of(before) >= kLink; }

struct mosaic_pattern {
  struct access {
    std::uint32_t rank;  // from the base on
    std::uint8_t mask;   // bytes of the cell
    bool write;
    std::uintptr_t pc;
    auto operator<=>(const access&) const = default;
  };
  std::uint8_t initialised = 0;
  std::vector<access> accesses;  // sorted
  auto operator<=>(const mosaic_pattern&) const = default;
  // Bytes that one of the accesses wrote, or touched.
  std::uint8_t written() const;
  std::uint8_t touched() const;
};

class mosaic_table {
 public:
  static constexpr std::uint32_t kPatterns = 4094, kNone = kPatterns;
  mosaic_table();
  // 0 to 15: nothing was accessed; the number is the mask of initialised bytes.
  const mosaic_pattern& operator[](std::uint32_t n) const { return *patterns_[n].load(std::memory_order_acquire); }

  struct step {
    std::uint32_t pattern = kNone;  // none: to be judged in the general form
    std::int32_t shift = 0;         // of the base
  };
  // One more access, by the thread at base + rank.
  step after(std::uint32_t pattern, std::int32_t rank, std::uint8_t mask, bool write, std::uintptr_t pc);

 private:
  std::array<std::atomic<const mosaic_pattern*>, kPatterns> patterns_{};
  std::map<mosaic_pattern, std::uint32_t> numbers_;
  std::mutex mutex_;
};

}  // namespace simt::check
