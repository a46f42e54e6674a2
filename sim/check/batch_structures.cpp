// SPDX-License-Identifier: Apache-2.0
// Batches whose threads touch each an element of an array of structures, or parts of it: proved and recorded by rows
// that are laid out (element_layout.hpp). One row of them costs what a row of an array of numbers does.
//
// Invariant: rows in which a layout cannot say it are judged cell by cell, by each entry's positions there. An access
// never reaches from one row into the next (its size divides its address), so each is judged in one of the two ways.
#include <algorithm>

#include "sim/check/batch_checker.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

namespace {

constexpr std::size_t kMostEntries = 64;  // of a batch in which structures are looked for
constexpr std::uintptr_t kLeastRows = 4;  // that a row of threads touches

std::uint32_t positions_before(std::uintptr_t address, std::uintptr_t first, std::uintptr_t stride,
                               std::uint32_t most) {
  if (address <= first) return 0;
  return static_cast<std::uint32_t>(std::min<std::uintptr_t>((address - first + stride - 1) / stride, most));
}

}  // namespace

// Gathers what goes with entry k. False: they are no structure.
bool batch_checker::gather(structure& s, std::size_t k) const {
  const std::intptr_t stride = b_->entries[k].stride;
  const auto bytes = static_cast<std::uintptr_t>(stride);
  std::uintptr_t end = 0;
  s.begin = ~std::uintptr_t{0};
  for (std::size_t n = 0; n < b_->count; ++n) {
    const sim::batch_fact& f = b_->facts[n];
    const std::uintptr_t apart = f.base - b_->facts[k].base + bytes - 1;
    if (apart > 2 * (bytes - 1) || b_->entries[n].stride != stride || f.row_stride != b_->facts[k].row_stride ||
        f.some != 0 || f.size < 4 || proofs_[n].covered != 0 || proofs_[n].deferred)
      continue;
    if (s.count == s.entries.size() || proofs_[n].in_run) return false;
    s.entries[s.count++] = static_cast<std::uint32_t>(n);
    s.begin = std::min(s.begin, f.base);
    end = std::max(end, f.base + f.size);
  }
  s.bytes = end - s.begin;
  return s.bytes <= bytes;
}

// Does no other entry touch what lies between its accesses?
bool batch_checker::is_apart(const structure& s) const {
  std::uintptr_t from = ~std::uintptr_t{0}, to = 0;
  for (std::uint32_t n = 0; n < s.count; ++n) {
    from = std::min(from, proofs_[s.entries[n]].from);
    to = std::max(to, proofs_[s.entries[n]].to);
  }
  if (from - at(0).block->device.base >= at(0).block->device.size) return false;
  for (std::uint32_t k = 0; k < b_->count; ++k) {
    if (proofs_[k].covered != 0 || proofs_[k].to <= from || proofs_[k].from >= to) continue;
    if (std::find(s.entries.begin(), s.entries.begin() + s.count, k) == s.entries.begin() + s.count) return false;
  }
  return true;
}

// Its instructions get epochs one behind the other, so that blocks which do the same leave the same layout. False: they
// have others already.
bool batch_checker::give_epochs(structure& s) {
  block_state& b = *at(0).block;
  std::array<std::uintptr_t, 32> pcs;
  std::uint32_t count = 0, current = 0;
  for (std::uint32_t n = 0; n < s.count; ++n) {
    const std::uintptr_t pc = b_->entries[s.entries[n]].pc;
    if (std::find(pcs.begin(), pcs.begin() + count, pc) == pcs.begin() + count) pcs[count++] = pc;
  }
  for (std::uint32_t i = 0; i < count; ++i) current += is_current(site_of(b, pcs[i]), at(0), pcs[i]);
  s.first_epoch = current == 0 ? b.reserve(count) : site_of(b, pcs[0]).when;
  for (std::uint32_t i = 0; i < count && current == 0; ++i) {
    b.epochs->put(s.first_epoch + i, {pcs[i], 0, b.launch->agent, b.number});
    block_state::access_site& site = site_of(b, pcs[i]);
    site.pc = pcs[i];
    site.when = s.first_epoch + i;
  }
  for (std::uint32_t n = 0; n < s.count; ++n) {
    const std::uint32_t k = s.entries[n];
    const auto i = static_cast<std::uint32_t>(std::find(pcs.begin(), pcs.end(), b_->entries[k].pc) - pcs.begin());
    if (current != 0 && epoch_for(at(0), pcs[i]) != s.first_epoch + i) return false;
    proofs_[k].when = s.first_epoch + i;
  }
  return true;
}

// Entries by which neighbouring threads touch neighbouring elements of an array, of a size that is no power of two, or
// in parts.
void batch_checker::find_structures(std::uint32_t positions) {
  if (b_->count > kMostEntries) return;
  const std::uint32_t width = b_->in_rows ? b_->width : positions;
  std::uint64_t looked_at = 0;
  for (std::size_t k = 0; k < b_->count; ++k) {
    const sim::batch_fact& f = b_->facts[k];
    const std::intptr_t stride = b_->entries[k].stride;
    if ((looked_at >> k & 1) != 0 || f.some != 0 || f.size < 4 || stride <= f.size || stride % 4 != 0 ||
        stride > static_cast<std::intptr_t>(element_layout::kMostCells * 4) || proofs_[k].covered != 0 ||
        proofs_[k].deferred || static_cast<std::uintptr_t>(stride) * width < kLeastRows * kRowBytes ||
        (b_->in_rows && f.row_stride < stride * static_cast<std::intptr_t>(width)))
      continue;
    structure& s = structures_.emplace_back();
    const bool gathered = gather(s, k);
    for (std::uint32_t n = 0; n < s.count; ++n) looked_at |= std::uint64_t{1} << s.entries[n];
    s.cells = static_cast<std::uint32_t>(stride / 4);
    if (!gathered || !is_apart(s) || !give_epochs(s)) structures_.pop_back();
  }
}

// What the threads of one row of the block do, whose first one is at position `first` and has its accesses `skipped`
// bytes further than the batch's first one.
structure_access batch_checker::access_of(const structure& s, std::uint32_t first, std::uintptr_t skipped) const {
  structure_access a;
  a.cells = s.cells;
  a.first = s.first_epoch;
  a.thread = (shadow_word{at(first).rank} + 1) << kEpochBits;
  const auto each_cell = [&](auto f) {
    for (std::uint32_t n = 0; n < s.count; ++n) {
      const sim::batch_fact& fact = b_->facts[s.entries[n]];
      const std::uintptr_t offset = fact.base + skipped - at(0).block->device.base;
      for (std::uint32_t byte = 0; byte < fact.size; byte += 4) f(s.entries[n], element_place(offset + byte, s.cells));
    }
  };
  each_cell([&](std::uint32_t, element_place at) { a.element = std::max(a.element, at.element); });
  each_cell([&](std::uint32_t k, element_place at) {
    structure_access::touch& t = a.of[at.cell];
    const bool write = b_->facts[k].write;
    t.ranks = static_cast<std::uint8_t>(a.element - at.element);
    if (write || !t.writes) t.epochs = static_cast<std::uint16_t>(proofs_[k].when - s.first_epoch);
    (write ? t.writes : t.reads) = true;
    if (write) t.fresh = may_be_first(k);
  });
  return a;
}

// Calls rows(its rows, address, count) for rows of memory that threads of one row of the block make up whole, and which
// lie on one page; and rest(entry, from, to) for the positions by which entries touch other rows. Where rows() gives a
// smaller number than count, the next row is of the rest. False: rest() gave false.
template <class Rows, class Rest>
bool batch_checker::each_part_of(const structure& s, std::uint32_t positions, Rows rows, Rest rest) const {
  const sim::batch_fact& f = b_->facts[s.entries[0]];
  quiet_rule q(*at(0).block, s.begin);
  const std::uintptr_t stride = std::uintptr_t{s.cells} * 4;
  const bool one_piece = !b_->in_rows || f.row_stride == static_cast<std::intptr_t>(stride * b_->width);
  const std::uint32_t width = one_piece ? positions : b_->width;
  for (std::uint32_t first = 0, row = 0; first < positions; first += width, ++row) {
    const std::uint32_t count = std::min(width, positions - first);
    const std::uintptr_t skipped = static_cast<std::uintptr_t>(f.row_stride) * row, begin = s.begin + skipped;
    const auto touch_rest = [&](std::uintptr_t from, std::uintptr_t to) {
      for (std::uint32_t n = 0; n < s.count && from < to; ++n) {
        const std::uint32_t k = s.entries[n];
        const std::uintptr_t base = b_->facts[k].base + skipped;
        const std::uint32_t i = positions_before(from, base, stride, count),
                            end = positions_before(to, base, stride, count);
        if (i < end && !rest(k, first + i, first + end)) return false;
      }
      return true;
    };
    const structure_access access = access_of(s, first, skipped);
    structure_rows all(*at(0).block, q, access, newest_);
    // What lies between two elements' accesses is nobody's: the first and the last row may reach into it.
    const std::uintptr_t from = (begin + s.bytes - stride + kRowBytes - 1) / kRowBytes * kRowBytes,
                         to = (begin + count * stride) / kRowBytes * kRowBytes;
    std::uintptr_t rest_from = begin, address = std::max(from, at(0).block->device.base);
    while (address < to) {
      const std::uintptr_t end = std::min(to, (address / kPage + 1) * kPage);
      const std::uintptr_t done = rows(all, address, (end - address) / kRowBytes) * kRowBytes;
      if (done != 0) {
        if (!touch_rest(rest_from, address)) return false;
        rest_from = address + done;
      }
      address += done;
      if (address < end) address += kRowBytes;
    }
    if (!touch_rest(rest_from, begin + count * stride)) return false;
  }
  return true;
}

// May the accesses of positions 0 to `positions` be made, as far as structures go? Marks the entries of which that is
// known.
void batch_checker::ask_structures(std::uint32_t positions) {
  std::erase_if(structures_, [&](structure& s) {
    const bool quiet = each_part_of(
        s, positions,
        [&](structure_rows& all, std::uintptr_t address, std::uintptr_t count) {
          const std::uintptr_t done = all.pass(address, count, row_use::ask);
          if (s.first.address == 0) s.first = all.first();
          return done;
        },
        [&](std::uint32_t k, std::uint32_t from, std::uint32_t to) { return quiet_positions(k, from, to) == to; });
    for (std::uint32_t n = 0; n < s.count; ++n) proofs_[s.entries[n]].in_rows = quiet;
    return !quiet;
  });
}

void batch_checker::record_structures(std::uint32_t positions) {
  block_state& b = *at(0).block;
  for (const structure& s : structures_)
    each_part_of(
        s, positions,
        [&](structure_rows& all, std::uintptr_t address, std::uintptr_t count) {
          if (address == s.first.address) all.knows(s.first);
          return guarded(b, true, address, [&](auto locked) {
            return all.pass(address, count, decltype(locked)::value ? row_use::record_locked : row_use::record);
          });
        },
        [&](std::uint32_t k, std::uint32_t from, std::uint32_t to) {
          judged_calls_ = &b_->calls(k);
          commit_entry(k, from, to);
          return true;
        });
}

}  // namespace simt::check
