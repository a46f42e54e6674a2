// SPDX-License-Identifier: Apache-2.0
#include "sim/check/element_layout.hpp"

#include <algorithm>

namespace simt::check {

std::size_t layout_table::hash::operator()(const element_layout& l) const {
  std::size_t h = l.cells;
  const auto mix = [&](element_layout::word w) {
    h = (h ^ std::bit_cast<std::uint32_t>(w)) * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 29;
  };
  for (std::uint32_t i = 0; i < l.cells; ++i) mix(l.writer[i]), mix(l.readers[i]);
  return h;
}

std::uint16_t layout_table::number_of(const element_layout& l) {
  const std::lock_guard guard(mutex_);
  if (const auto known = numbers_.find(l); known != numbers_.end()) return known->second;
  const std::uint32_t number = count_.load() + 1;
  if (number > kMost) return 0;
  layouts_[number] = l;
  count_.store(number, std::memory_order_release);
  return numbers_[l] = static_cast<std::uint16_t>(number);
}

cell layout_table::words_of(const row_summary& r, std::uintptr_t offset, std::uint32_t i) const {
  const laid_out_row from = row(r);
  const std::uint32_t cells = from.layout->cells;
  const element_place first(offset, cells), at(offset + i * 4, cells);
  const auto elements = static_cast<std::uint32_t>(at.element - first.element);
  return {from.value(from.layout->writer[at.cell], elements), from.value(from.layout->readers[at.cell], elements)};
}

bool layout_table::is_settled(const row_summary& r, epoch floor, bool readers_count, bool untouched) const {
  const laid_out_row from = row(r);
  if (from.layout == nullptr) return false;
  for (std::uint32_t i = 0; i < from.layout->cells; ++i) {
    const shadow_word w = from.value(from.layout->writer[i], 1);
    if (w == 0 ? !untouched : epoch_of(w) >= floor) return false;
    if (readers_count && epoch_of(from.value(from.layout->readers[i], 1)) >= floor) return false;
  }
  return true;
}

}  // namespace simt::check
