// SPDX-License-Identifier: Apache-2.0
// Rows of arrays of structures: what the summary of a row says where each thread touches some cells of one element.
//
// Elements have the same number of cells, and begin at the multiples of it that are counted from the beginning of
// device memory: so all who touch the array mean the same elements, which need not be the program's. A layout says of
// each cell of an element what its words are, as sums with one of three base words, which the row has itself. From
// element to element the thread in a base word goes on by one, or stays.
//
// Invariants
//  1. A layout means exactly what its cells would say: words_of() alone works that out.
//  2. A layout never changes once it has a number, and lasts as long as the detector.
//  3. The thread in a base word that goes on is one more than the one for which no `ranks` are added, which may be -1.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "sim/check/row_summary.hpp"
#include "sim/check/zeroed_array.hpp"

namespace simt::check {

inline constexpr shadow_word kNextThread = shadow_word{1} << kEpochBits;  // from a thread's word to the next one's

struct element_layout {
  static constexpr std::uint32_t kMostCells = 32, kBases = 3;
  struct word {
    std::uint8_t base = 0;  // 1 + the number of the base word; 0: the word is zero
    std::uint8_t ranks = 0;
    std::uint16_t epochs = 0;
    bool operator==(const word&) const = default;
  };
  std::uint8_t cells = 0;              // of an element
  std::array<bool, kBases> goes_on{};  // of base words: their threads
  std::array<word, kMostCells> writer{}, readers{};
  bool operator==(const element_layout& o) const {
    return cells == o.cells && goes_on == o.goes_on && std::memcmp(&writer, &o.writer, cells * sizeof(word)) == 0 &&
           std::memcmp(&readers, &o.readers, cells * sizeof(word)) == 0;
  }
};

// A row as a layout has it. `elements` are counted from the one that holds the row's first cell.
struct laid_out_row {
  const element_layout* layout = nullptr;
  std::array<shadow_word, element_layout::kBases> bases{};

  shadow_word value(element_layout::word w, std::uint32_t elements) const {
    if (w.base == 0) return 0;
    const std::uint32_t base = w.base - 1U;
    const shadow_word threads = layout->goes_on[base] ? (shadow_word{elements} + w.ranks - 1) * kNextThread : 0;
    return bases[base] + threads + w.epochs;
  }
};

// The element, and the cell in it, that lies `offset` bytes behind the beginning of device memory.
struct element_place {
  std::uintptr_t element;
  std::uint32_t cell;
  element_place(std::uintptr_t offset, std::uint32_t cells)
      : element(offset / 4 / cells), cell(static_cast<std::uint32_t>(offset / 4 % cells)) {}
};

// All layouts, numbered from 1 on in the order in which they first came up. Any thread may use it.
class layout_table {
 public:
  layout_table() : layouts_(make_zeroed<element_layout>(kMost + 1)) {}
  // 0: there is no room for another one.
  std::uint16_t number_of(const element_layout& l);
  // The layout of a row that is laid out. `layout` is null where another worker changes the row meanwhile.
  laid_out_row row(const row_summary& r) const {
    const std::uint32_t number = r.set.step;
    if (number == 0 || number > count_.load(std::memory_order_acquire)) return {};
    return {&layouts_[number],
            {r.writer & ~kLaidOut, r.readers, std::bit_cast<shadow_word>(std::array{r.written, r.read})}};
  }
  // The words of the i-th cell of the row that begins `offset` bytes behind the beginning of device memory.
  cell words_of(const row_summary& r, std::uintptr_t offset, std::uint32_t i) const;
  // Was all that the row says before `floor`? `readers_count`: what was read, too; `untouched`: what it says where
  // nobody has touched it.
  bool is_settled(const row_summary& r, epoch floor, bool readers_count, bool untouched) const;

 private:
  static constexpr std::uint32_t kMost = 1023;
  struct hash {
    std::size_t operator()(const element_layout& l) const;
  };
  zeroed_array<element_layout> layouts_;
  std::atomic<std::uint32_t> count_{0};
  std::unordered_map<element_layout, std::uint16_t, hash> numbers_;
  std::mutex mutex_;
};

// Lays the row out; `expanded` and `locked` stay.
inline void lay_out(row_summary& r, std::uint16_t layout,
                    const std::array<shadow_word, element_layout::kBases>& bases) {
  const auto steps = std::bit_cast<std::array<row_step, 2>>(bases[2]);
  r.readers = bases[1];
  r.written = steps[0], r.read = steps[1];
  r.set = {layout, 1};
  store(r.writer, bases[0] | kLaidOut);
}

}  // namespace simt::check
