// SPDX-License-Identifier: Apache-2.0
// Rows of few threads: what each row of the block touches of device memory is a few words, apart from the next row's,
// as where 4x4x4 threads have a cube of an array, or 16x16 a tile of a matrix. What the general way asks about each
// stretch of memory is asked here once for all rows, or is one comparison a row.
//
// Invariant: a row is taken only where nothing that its cells say can race with any thread of the block. Everything
// else is left to the general way, which would do the same to these. Cells that nobody has touched are left to it, too,
// and so are those for which a summary speaks (row_summary.hpp), because they are zero.
#include <algorithm>
#include <cstring>

#include "sim/check/batch_checker.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

namespace {

constexpr std::uintptr_t kMostShort = 128;  // bytes

// Is all that these cells say over for every thread of the block? readers_count: whether readers' age matters. As one
// comparison a cell: epochs have 40 bits, so a difference below zero has the highest bit, as the word of a slow cell.
bool are_over(const cell* c, std::uint32_t cells, const quiet_rule& q, bool readers_count) {
  using words [[gnu::vector_size(16)]] = shadow_word;  // the writer's, the readers'
  const words mask{kAge, readers_count ? kEpochMask : 0}, oldest{q.oldest, 0}, newest{q.floor - 1, q.floor - 1};
  words different{};
  for (const cell* const end = c + cells; c != end; ++c) {
    words says;
    std::memcpy(&says, c, sizeof says);
    says &= mask;
    different |= (says - oldest) | (newest - says);
  }
  return ((different[0] | different[1]) >> 63) == 0;
}

// What one row touches: `cells` for each of `count` threads, of which the first one's word would be `self`.
struct short_row {
  std::uintptr_t address;
  cell* c;
  std::uint32_t position, count;
};

}  // namespace

bool batch_checker::has_short_rows(std::size_t k) const {
  const sim::batch_fact& f = b_->facts[k];
  const address_range& device = at(0).block->device;
  const std::uintptr_t bytes = std::uintptr_t{b_->width} * f.size;
  return use_rows && b_->in_rows && f.base - device.base < device.size && bytes <= kMostShort && f.size >= 4 &&
         b_->entries[k].stride == f.size && f.row_stride != 0 && f.row_stride != static_cast<std::intptr_t>(bytes);
}

// Calls f with what the rows of positions `from` to `to` touch, until it gives false; the position where it did.
template <class F>
std::uint32_t batch_checker::each_short_row(std::size_t k, std::uint32_t from, std::uint32_t to, F f) const {
  const block_state& b = *at(0).block;
  const std::uint32_t size = b_->facts[k].size;
  const std::intptr_t row_stride = b_->facts[k].row_stride;
  std::uint32_t end = (from / b_->width + 1) * b_->width;
  std::uintptr_t address = b_->address_of(k, from),
                 next = b_->address_of(k, end - b_->width) + static_cast<std::uintptr_t>(row_stride);
  for (std::uint32_t i = from; i < to; i = end, end += b_->width) {
    const std::uint32_t count = std::min(to, end) - i;
    const std::uintptr_t offset = address - b.device.base, bytes = std::uintptr_t{count} * size;
    if (offset >= b.device.size || bytes > b.device.size - offset || address % kPage + bytes > kPage) return i;
    const short_row row{address, cell_at(b.device_cells, offset), i, count};
    if (!f(row)) return i;
    address = next, next += static_cast<std::uintptr_t>(row_stride);
  }
  return to;
}

// Positions from `from` on whose rows are quiet: up to the first one that is not taken here.
std::uint32_t batch_checker::quiet_short_rows(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  if (!has_short_rows(k)) return from;
  const std::uint32_t cells = b_->facts[k].size / 4;
  const bool write = b_->facts[k].write;
  const quiet_rule q(*at(0).block, b_->facts[k].base);
  return each_short_row(k, from, to,
                        [&](const short_row& row) { return are_over(row.c, row.count * cells, q, write); });
}

template <bool Write, std::uint32_t Size>
std::uint32_t batch_checker::record_short_rows_of(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  constexpr std::uint32_t kCells = Size / 4;
  block_state& b = *at(0).block;
  const shadow_word when = proofs_[k].when;
  const quiet_rule q(b, b_->facts[k].base);
  return each_short_row(k, from, to, [&](const short_row& row) {
    return guarded(b, true, row.address, [&](auto locked) {
      if (decltype(locked)::value || !are_over(row.c, row.count * kCells, q, true)) return false;
      shadow_word self = when | at(row.position).who;
      cell* c = row.c;
      for (std::uint32_t i = 0; i < row.count; ++i, self += kNextThread)
        for (std::uint32_t j = 0; j < kCells; ++j, ++c) {
          store(c->readers, Write ? 0 : self);
          if (Write) store(c->writer, self);
        }
      return true;
    });
  });
}

// Records them; the position up to which it has.
std::uint32_t batch_checker::record_short_rows(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  if (!has_short_rows(k)) return from;
  const sim::batch_fact& f = b_->facts[k];
  const auto as = [&]<std::uint32_t Size>(std::integral_constant<std::uint32_t, Size>) {
    return f.write ? record_short_rows_of<true, Size>(k, from, to) : record_short_rows_of<false, Size>(k, from, to);
  };
  if (f.size == 4) return as(std::integral_constant<std::uint32_t, 4>{});
  return f.size == 8 ? as(std::integral_constant<std::uint32_t, 8>{}) : as(std::integral_constant<std::uint32_t, 16>{});
}

}  // namespace simt::check
