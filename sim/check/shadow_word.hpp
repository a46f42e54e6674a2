// SPDX-License-Identifier: Apache-2.0
// The encoding of shadow words: what the two words of a shadow cell can say. Nothing but packing; who may read or
// change a cell: cells.hpp.
//
// An access in a word is (epoch, who): bits 0..39 hold the epoch, bits 40..61 who made it (below kSingles: the thread
// of that rank; else the number of a thread set), bits 62 and 63 are flags.
//
//   writer word  0                    nobody wrote here through the cell: what the memory holds is looked up
//                kAncient             written before everything that can still race
//                (epoch, rank)        the last plain write, of all 4 bytes
//                kSlow | pointer      a slow cell: slow_cells.hpp
//                kSlow | kBytePattern | pattern (12 bits) | base (10) | epoch (40): byte_pattern.hpp
//                kByteCells | pointer byte cells: byte_cells.hpp
//   reader word  0                    nobody read since that write who could still race
//                (epoch, thread set)  one group of readers
//                kChain | (link, who) several groups: readers.hpp
//                of a byte pattern: what the cell said before it, see byte_pattern.hpp
//                kLocked besides      the lock of a group of four cells: cells.hpp
#pragma once

#include <cstdint>

#include "sim/check/vector_clock.hpp"

namespace simt::check {

using shadow_word = std::uint64_t;
inline constexpr int kEpochBits = 40;
inline constexpr shadow_word kEpochMask = (shadow_word{1} << kEpochBits) - 1;
inline constexpr shadow_word kWhoMask = (shadow_word{1} << 22) - 1;
inline constexpr shadow_word kSlow = shadow_word{1} << 63;         // of a writer word
inline constexpr shadow_word kBytePattern = shadow_word{1} << 62;  // of a writer word, beside kSlow
inline constexpr shadow_word kChain = shadow_word{1} << 63;        // of a reader word: the epoch names a chain link
inline constexpr shadow_word kLocked = shadow_word{1} << 62;       // of a reader word
inline constexpr shadow_word kMixed = kWhoMask;  // who of a chain whose groups are of different threads
inline constexpr std::uint32_t kSingles = 1024;  // thread sets below are single threads
inline constexpr epoch kAncient = 1;             // before everything
inline constexpr epoch kFirstEpoch = 2;

inline epoch epoch_of(shadow_word w) { return w & kEpochMask; }
inline std::uint32_t who_of(shadow_word w) { return static_cast<std::uint32_t>(w >> kEpochBits & kWhoMask); }
inline shadow_word make_shadow_word(epoch when, std::uint32_t who) { return when | shadow_word{who} << kEpochBits; }

// In place of a byte pattern and its flags: a number beyond all of them.
inline constexpr shadow_word kByteCells = kSlow | kBytePattern | shadow_word{0xfff} << 50;

// Is it the writer word of a cell that has byte cells, or a byte pattern, or of one that is slow?
inline bool is_byte_cells(shadow_word w) { return (w & kByteCells) == kByteCells; }
inline bool is_byte_pattern(shadow_word w) {
  return (w & (kSlow | kBytePattern)) == (kSlow | kBytePattern) && (w & kByteCells) != kByteCells;
}
inline bool is_slow(shadow_word w) { return (w & (kSlow | kBytePattern)) == kSlow; }
inline bool is_pointer(shadow_word w) { return is_slow(w) || is_byte_cells(w); }  // to what the cell owns

// Of a byte pattern's writer word, or of what a reader word keeps of it: the pattern's number, the rank that the ranks
// in the pattern are counted from.
inline std::uint32_t pattern_of(shadow_word w) { return static_cast<std::uint32_t>(w >> 50 & 0xfff); }
inline std::uint32_t base_of(shadow_word w) { return static_cast<std::uint32_t>(w >> 40 & 0x3ff); }
inline shadow_word make_byte_pattern(std::uint32_t pattern, std::uint32_t base, epoch when) {
  return kSlow | kBytePattern | shadow_word{pattern} << 50 | shadow_word{base} << 40 | when;
}
// Numbers beyond the patterns, in a reader word: a link to two levels; the same where one of the two wrote.
inline constexpr std::uint32_t kLink = 4094, kLinkWritten = 4095;
inline bool is_link(shadow_word before) { return (before & kChain) && pattern_of(before) >= kLink; }

}  // namespace simt::check
