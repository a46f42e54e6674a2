// SPDX-License-Identifier: Apache-2.0
#include "sim/check/structure_rows.hpp"

#include <array>
#include <memory>

#include "sim/check/fast_path.hpp"

namespace simt::check {

// Fills `was_` with what the row says. False: it says what could be found, or cannot be said by elements of this size.
bool structure_rows::see(std::uintptr_t address, const row_summary& r, row_change& c) {
  keeps_writers_ = keeps_readers_ = true;
  if (in_cells(r.writer)) return see_cells(address);
  if (is_laid_out(r.writer)) {
    was_ = b_.shadow->layouts.row(r);
    if (was_.layout == nullptr) return false;
    c.before_is(*was_.layout);
    return was_.layout->cells == a_.cells;
  }
  seen_ = {};
  was_ = {&seen_, {}};
  if (r.writer == 0) return true;
  c.before_is_summary(r);
  // The words of one kind; true: a layout can say them.
  const auto all = [&](shadow_word first, row_step step, bool one_thread, std::uint32_t base,
                       std::array<element_layout::word, element_layout::kMostCells>& words) {
    const bool by_elements = step.ranks == 1 && std::uint32_t{1} << step.shift == a_.cells;
    const bool said = step.epochs == 0 && one_thread && (step.ranks == 0 || by_elements);
    seen_.goes_on[base] = said && by_elements;
    was_.bases[base] = said && by_elements ? first + kNextThread : first;
    std::fill_n(words.begin(), a_.cells, element_layout::word{static_cast<std::uint8_t>(base + 1), 0, 0});
    return said;
  };
  keeps_writers_ = all(r.writer, r.written, true, 0, seen_.writer);
  if (!keeps_writers_ && r.written.newest(r.writer) >= q_.floor) return false;
  if (r.readers == 0) return true;
  keeps_readers_ = all(r.readers, r.read, r.set.count == 1, 1, seen_.readers);
  return keeps_readers_ || r.read.newest(r.readers) < q_.floor;
}

// The same of a row in cells: what is kept of it must be over. Cells of which the row has none are as its others.
bool structure_rows::see_cells(std::uintptr_t address) {
  enum : std::uint8_t { kNothing, kUntouched, kWritten };
  std::array<std::uint8_t, element_layout::kMostCells> says{};
  bool all_written = true;
  const cell* const cells = cell_for(b_, true, address);
  const std::uintptr_t first = address - b_.device.base;
  for (std::uint32_t i = 0; i < kRowCells; ++i) {
    const std::uint32_t at = element_place(first + i * 4, a_.cells).cell;
    const structure_access::touch& t = a_.of[at];
    const shadow_word w = load(cells[i].writer), r = readers_of(cells[i]);
    const bool kept = !t.writes;
    if (w != 0 && (kept ? !is_over(w) : !q_.is_old(w))) return false;
    if ((r & kEpochMask) >= (t.reads || t.writes ? q_.floor : b_.agents->horizon)) return false;
    const std::uint8_t is = w == 0 ? kUntouched : kWritten;
    if (says[at] != kNothing && says[at] != is) return false;
    says[at] = is;
    all_written = all_written && w != 0;
  }
  seen_ = {};
  was_ = {&seen_, {kAncient, 0, 0}};
  for (std::uint32_t i = 0; i < a_.cells; ++i)
    if (says[i] == kWritten || (says[i] == kNothing && all_written)) seen_.writer[i] = {1, 0, 0};
  return true;
}

// Words of the new layout that are `as` from `base` on.
bool structure_rows::take(element_layout::word& to, shadow_word base, bool goes_on, element_layout::word as) {
  std::uint32_t n = 0;
  while (n < bases_ && !(becomes_.bases[n] == base && now_.goes_on[n] == goes_on)) ++n;
  if (n == element_layout::kBases) return false;
  if (n == bases_) ++bases_;
  becomes_.bases[n] = base, now_.goes_on[n] = goes_on;
  to = {static_cast<std::uint8_t>(n + 1), as.ranks, as.epochs};
  return true;
}

// Keeps what one cell of each element says. What is over for all that is still to come is said in short.
bool structure_rows::keep(std::uint32_t cell, bool writer) {
  const element_layout::word w = (writer ? was_.layout->writer : was_.layout->readers)[cell];
  element_layout::word& to = (writer ? now_.writer : now_.readers)[cell];
  if (w.base == 0) return true;
  if (is_over(was_.value(w, 1) & kEpochMask)) return !writer || take(to, kAncient, false, {});
  if (!(writer ? keeps_writers_ : keeps_readers_)) return false;
  return take(to, was_.bases[w.base - 1U], was_.layout->goes_on[w.base - 1U], w);
}

// One cell of each element is touched.
bool structure_rows::touch(std::uint32_t cell, std::uintptr_t address, row_change& c) {
  const structure_access::touch& t = a_.of[cell];
  const element_layout::word writer = was_.layout->writer[cell], readers = was_.layout->readers[cell],
                             mine{1, t.ranks, t.epochs};
  // What the second element says: the first one's thread may be none of the block's.
  const shadow_word w = was_.value(writer, 1), r = was_.value(readers, 1), self = becomes_.value(mine, 1);
  const auto is_mine = [&](element_layout::word word, shadow_word x) {
    return word.base != 0 && was_.layout->goes_on[word.base - 1U] && is_own(b_, x, self, newest_);
  };
  const bool own = is_mine(writer, w), ordered = q_.is_old(w) || q_.is_past(w);
  shadow_word untouched = 0;
  if (writer.base == 0) {
    if (!know_untouched(q_, b_, address) || q_.uniform->writer >= q_.floor) return false;
    untouched = q_.uniform->writer != 0 ? q_.uniform->writer : t.fresh && !t.reads ? kAncient : 0;
    if (untouched == 0) return false;
    c.until = q_.uniform->from + q_.uniform->size;
  } else if (!own && !ordered) {
    return false;
  }
  const bool read_before = readers.base != 0 && (r & kEpochMask) >= q_.floor && !q_.is_past(r);
  if (t.writes) {
    now_.writer[cell] = mine;
    return !read_before || is_mine(readers, r);
  }
  if (own && !ordered) return readers.base == 0 && keep(cell, true);  // a read after its own write adds nothing
  if (read_before && !(r == self && was_.layout->goes_on[readers.base - 1U])) return false;
  now_.readers[cell] = mine;
  return untouched != 0 ? take(now_.writer[cell], untouched, false, {}) : keep(cell, true);
}

// A block asks for few layouts again and again.
std::uint16_t structure_rows::number_of(const element_layout& l) const {
  struct known {
    std::uint64_t detector = 0;
    std::uint16_t number = 0;
    element_layout layout;
  };
  struct recent {
    std::array<known, 8> all;
    std::size_t oldest = 0;
  };
  // Modules that are opened late have little room for what is of each thread itself.
  static thread_local const auto recently = std::make_unique<recent>();
  auto& [all, oldest] = *recently;
  const std::uint64_t detector = b_.core->serial;
  for (const known& k : all)
    if (k.detector == detector && k.layout == l) return k.number;
  known& k = all[oldest++ % all.size()];
  k = {detector, b_.shadow->layouts.number_of(l), l};
  return k.number;
}

bool structure_rows::change(std::uintptr_t address, const row_summary& before, bool from_cells, row_change& c) {
  if (in_cells(before.writer) && (!from_cells || before.expanded >= kMostExpanded)) return false;
  c = before;
  if (!see(address, before, c)) return false;
  now_ = {};
  now_.cells = static_cast<std::uint8_t>(a_.cells);
  now_.goes_on[0] = true;
  becomes_ = {&now_, {a_.base_in(element_place(address - b_.device.base, a_.cells).element)}};
  bases_ = 1;
  for (std::uint32_t cell = 0; cell < a_.cells; ++cell) {
    const bool touched = a_.of[cell].reads || a_.of[cell].writes;
    if (!(touched ? touch(cell, address, c) : keep(cell, true) && keep(cell, false))) return false;
  }
  const std::uint16_t number = number_of(now_);
  if (number == 0) return false;
  c.after_is(number, becomes_);
  return true;
}

std::uintptr_t structure_rows::pass(std::uintptr_t address, std::uintptr_t count, row_use use) {
  const bool locked = use == row_use::record_locked;
  const std::uint32_t part = kRowCells % a_.cells;
  std::uint32_t cell = element_place(address - b_.device.base, a_.cells).cell;
  row_summary* r = b_.shadow->row_of(address);
  bool known = next_.address == address;
  row_change c = next_.change;
  for (std::uintptr_t n = 0; n < count; ++n, ++r, address += kRowBytes) {
    if (locked) lock_row(*r);
    const row_summary before = use == row_use::ask ? glance_at(*r) : *r;
    if (!known || !c.is_from(before) || c.until - address < kRowBytes) {
      known = change(address, before, !locked, c);
      if (known && first_.address == 0) first_ = {address, c};
    }
    if (known && use != row_use::ask) {
      if (in_cells(before.writer)) clear_to_zero(cell_for(b_, true, address), cell_for(b_, true, address) + kRowCells);
      c.make(*r);
    }
    if (locked) unlock_row(*r);
    if (!known) return n;
    cell += part;
    c.go_on(cell >= a_.cells);
    if (cell >= a_.cells) cell -= a_.cells;
  }
  next_ = {address, c};
  return count;
}

}  // namespace simt::check
