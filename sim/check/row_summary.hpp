// SPDX-License-Identifier: Apache-2.0
// Rows: what a summary says of 64 aligned bytes at once, in place of their 16 shadow cells.
//
// A row is in one of four states:
//   untouched   nobody has touched its cells; they are zero
//   summarised  the summary speaks; the cells are zero
//   laid out    the same for elements of which each thread touches one: the summary names a layout (element_layout.hpp)
//   in cells    the cells speak
//
// Invariants
//  1. A summary means exactly what its cells would say, word by word: cell i's writer word is the summary's with i /
//  2^shift
//     steps added, and so is its reader word, in which a set of threads stands for its number. shadow_memory::look()
//     and settle() are the only two that work it out, by one function.
//  2. Nobody looks at the cells of a row that is not `in cells`, but for the fast path: it decides nothing by a cell
//  whose
//     writer word is zero. Everybody else settles the row first: guard() does, and who needs no guard calls settle().
//     So what is summarised is expanded before anything else looks at the cells.
//  3. Batches alone make and change summaries (batch_rows.cpp, batch_structures.cpp). What a summary cannot say they
//  leave to the cells.
//  4. With several workers, a summary is used by whoever owns the stretch (ownership.hpp), or holds the row's lock. In
//  a
//     stretch that workers share, a row that is `in cells` stays so until the launch ends. Who holds a row's lock may
//     take a group's, never the other way round.
#pragma once

#include <bit>

#include "sim/check/cells.hpp"
#include "sim/instrument/pause.hpp"

namespace simt::check {

inline constexpr std::uintptr_t kRowBytes = 64;
inline constexpr std::uint32_t kRowCells = kRowBytes / 4;

// How a word goes on along the row: what is added after each 2^shift cells.
struct row_step {
  std::uint16_t ranks = 0;
  std::uint8_t epochs = 0, shift = 0;
  bool operator==(const row_step&) const = default;
  shadow_word at(shadow_word first, std::uint32_t cell) const {
    return first + (cell >> shift) * (shadow_word{ranks} << kEpochBits | epochs);
  }
  epoch newest(shadow_word first) const { return epoch_of(first) + ((kRowCells - 1) >> shift) * epochs; }
};

// Of the reader words: `count` threads, `step` ranks apart, of which the word has the first one's rank.
struct row_set {
  std::uint16_t step = 0, count = 1;
  bool operator==(const row_set&) const = default;
};

struct alignas(32) row_summary {
  // 0: untouched; kSlow: in cells; kSlow | kBytePattern | a word: laid out; else cell 0's writer word, never 0. What
  // the other words mean in a row that is laid out: element_layout.hpp.
  shadow_word writer;
  shadow_word readers;  // cell 0's reader word; 0: no readers
  row_step written, read;
  row_set set;
  std::uint16_t expanded;  // how often a summary became cells, counted up to kMostExpanded
  std::uint16_t locked;
};
static_assert(sizeof(row_summary) == 32);

// A row whose summaries did not last stays in cells from then on.
inline constexpr std::uint16_t kMostExpanded = 2;

inline constexpr shadow_word kLaidOut = kSlow | kBytePattern;
inline bool in_cells(shadow_word writer) { return (writer & kLaidOut) == kSlow; }
inline bool is_laid_out(shadow_word writer) { return (writer & kLaidOut) == kLaidOut; }

inline void lock_row(row_summary& r) {
  while (__atomic_exchange_n(&r.locked, 1, __ATOMIC_ACQUIRE) != 0)
    while (__atomic_load_n(&r.locked, __ATOMIC_RELAXED) != 0) sim::pause_a_moment();
}
inline void unlock_row(row_summary& r) { __atomic_store_n(&r.locked, 0, __ATOMIC_RELEASE); }

// What it says at one moment, for who has neither guard nor lock: a proof, which another worker may overtake.
inline row_summary glance_at(const row_summary& r) {
  row_summary now = r;
  now.writer = load(r.writer);
  return now;
}

}  // namespace simt::check
