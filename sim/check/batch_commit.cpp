// SPDX-License-Identifier: Apache-2.0
// What a batch makes of the shadow cells.
#include <algorithm>

#include "sim/check/batch_checker.hpp"
#include "sim/check/cell_vector.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

namespace {

// What the positions of one row touch on one page.
struct stretch {
  block_state& b;
  quiet_rule& q;
  block_state::access_site& site;
  cell* c;
  std::intptr_t step;  // cells from position to position
  std::uintptr_t address;
  shadow_word self;  // of the first
  epoch newest;
};

// Commits positions until one cannot be decided; how many were.
template <bool Write, bool Locked, std::uint32_t Cells>
std::uint32_t commit_positions(stretch s, std::uint32_t count) {
  const quiet_rule& q = s.q;
  for (std::uint32_t i = 0; i < count;
       ++i, s.c += s.step, s.address += static_cast<std::uintptr_t>(s.step * 4), s.self += kNextThread) {
    if (!Locked && cell_vector::usable && s.step == Cells) {
      const auto go_on = [&]<bool Untouched>(quiet_rule::neighbours n, std::bool_constant<Untouched>) {
        const std::uint32_t more = cell_vector::record<Write, Cells, Untouched>(s.c, n.count, n.oldest, q.floor, s.self,
                                                                                kNextThread, n.untouched);
        i += more, s.c += more * Cells, s.address += std::uintptr_t{more} * Cells * 4, s.self += more * kNextThread;
      };
      go_on({q.oldest, 0, count - i}, std::false_type());
      if (i < count && (q.uniform != nullptr || q.array.size != 0))
        go_on(q.old_neighbours(s.address, Cells * 4, count - i, Write), std::true_type());
      if (i == count) break;
    }
    if (Locked) lock_group(s.c);
    bool done = true;
    for (std::uint32_t j = 0; j < Cells; ++j) {
      cell& c = s.c[j];
      const shadow_word w = load(c.writer), r = Locked ? readers_of(c) : load(c.readers);
      if (!q.is_old(w)) [[unlikely]] {
        const bool own = is_own(s.b, w, s.self, s.newest);
        if (!Write && r == 0 && own) continue;  // a read after its own write adds nothing
        if (!q.is_past(w)) {
          const shadow_word as = q.old_writer(w, r, s.address + j * 4, Write);
          if (as == 0 && !(Write && own)) {
            done = false;
            break;
          }
          if (!Write) store(c.writer, as);
        }
      }
      if constexpr (Write) {
        if ((r & kEpochMask) >= q.floor && !is_own(s.b, r, s.self, s.newest) && !q.is_past(r)) [[unlikely]] {
          done = false;
          break;
        }
        if (r != 0) Locked ? set_readers(c, 0) : store(c.readers, 0);
        store(c.writer, s.self);
      } else {
        shadow_word readers = s.self;
        if ((r & kEpochMask) >= q.floor && r != s.self && !q.stands_for(r, s.self) &&
            !known_step(s.b, s.site, r, s.self, readers)) [[unlikely]] {
          done = false;
          break;
        }
        Locked ? set_readers(c, readers) : store(c.readers, readers);
      }
    }
    if (Locked) unlock_group(s.c);
    if (!done) return i;
  }
  return count;
}

}  // namespace

template <bool Write, std::uint32_t Size>
void batch_checker::commit_entry(std::size_t k, std::uint32_t from, std::uint32_t to) {
  block_state& b = *at(0).block;
  const sim::batch_fact& f = b_->facts[k];
  const std::uintptr_t pc = b_->entries[k].pc;
  const std::intptr_t stride = b_->entries[k].stride;
  if constexpr (!Write) {
    const bool one_row_of_cells = b_->in_rows && f.row_stride == 0;
    if (stride == 0 && (!b_->in_rows || one_row_of_cells)) return commit_readers<Size>(k, f.base, {from, 1, to - from});
    if (stride == 0) {
      std::uint32_t row = from / b_->width;
      std::uintptr_t address = f.base + static_cast<std::uintptr_t>(f.row_stride * static_cast<std::intptr_t>(row));
      for (std::uint32_t i = from; i < to; ++row, address += static_cast<std::uintptr_t>(f.row_stride)) {
        const std::uint32_t until = std::min(to, (row + 1) * b_->width);
        commit_readers<Size>(k, address, {i, 1, until - i});
        i = until;
      }
      return;
    }
    if (one_row_of_cells && to - from > b_->width) {
      // Column by column; the first ones may begin a row further down, the last ones end a row further up.
      const std::uint32_t above = from % b_->width, below = to % b_->width, rows = to / b_->width - from / b_->width;
      for (std::uint32_t x = 0; x < b_->width; ++x) {
        const std::uint32_t skipped = x < above;
        commit_readers<Size>(k, f.base + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(x)),
                             {from - above + skipped * b_->width + x, b_->width, rows - skipped + (x < below)});
      }
      return;
    }
  }
  quiet_rule q(b, f.base);
  auto& site = site_of(b, pc);
  bool looked = false;
  // Rows of the block that lie one behind the other are one.
  const bool one_piece = b_->in_rows && stride == Size && f.row_stride == stride * std::int64_t{b_->width};
  for (std::uint32_t i = from; i < to;) {
    const std::uintptr_t address = b_->address_of(k, i);
    const std::uint32_t group_end = b_->in_rows && !one_piece ? std::min(to, (i / b_->width + 1) * b_->width) : to;
    std::uint32_t count = on_page(address, stride, group_end - i);
    if (stride == Size) {
      if (use_rows && address % kRowBytes == 0)
        if (const std::uint32_t done = record_rows(k, address, i, i + count, q)) {
          i += done;
          continue;
        }
      count = in_cells_from(address, Size, count);
    }
    const stretch positions{
        b, q, site, cell_for(b, q.device, address), stride / 4, address, proofs_[k].when | at(i).who, newest_};
    const std::uint32_t done = guarded(b, q.device, address, [&](auto locked) {
      const std::uintptr_t apart = stride == Size ? kRowBytes : static_cast<std::uintptr_t>(stride);
      const std::uint32_t rows = stride == Size ? (address % kRowBytes + count * Size - 1) / kRowBytes + 1 : count;
      for (std::uint32_t n = 0; n < rows; ++n) b.core->shadow.settle(address + n * apart, decltype(locked)::value);
      return commit_positions<Write, decltype(locked)::value, Size / 4>(positions, count);
    });
    i += done;
    if (done == count) continue;
    if (!looked) {
      looked = true;
      look_up(q, b, b_->address_of(k, i));
      if (q.uniform != nullptr || q.array.size != 0) continue;
    }
    slow_path<Write, Size>(at(i), b_->address_of(k, i), pc, true);
    ++i;
  }
}

// reader_groups::add() of what the threads of a set read, remembered.
shadow_word batch_checker::joined_set(thread_state& t, shadow_word before, epoch when, std::uint32_t step,
                                      std::uint32_t count) {
  const block_state& b = *t.block;
  const std::uint64_t set = t.rank | std::uint64_t{step} << 16 | std::uint64_t{count} << 32;
  cached_step& known = steps_[((before ^ set * 0x9e3779b97f4a7c15ULL ^ when << 7) * 0x9e3779b97f4a7c15ULL) >> 54];
  if (known.before != before || known.set != set || known.when != when || known.quiet_from != b.quiet_from || b.knows) {
    const shadow_word after = b.core->readers.add(t, before, when, step, count);
    if (after == 0) return 0;
    known = {before, set, when, b.quiet_from, after};
  }
  return known.after;
}

// The positions read the same cells.
template <std::uint32_t Size>
void batch_checker::commit_readers(std::size_t k, std::uintptr_t address, position_set positions) {
  block_state& b = *at(0).block;
  const std::uintptr_t pc = b_->entries[k].pc;
  quiet_rule q(b, address);
  cell* const cells = cell_for(b, q.device, address);
  const auto all = [&](auto locked) {
    constexpr bool kLocked = decltype(locked)::value;
    bool done = true;
    b.core->shadow.settle(address, kLocked);
    if (kLocked) lock_group(cells);
    for (std::uint32_t j = 0; j < Size / 4 && done; ++j) {
      cell& c = cells[j];
      const shadow_word w = load(c.writer), r = kLocked ? readers_of(c) : load(c.readers);
      shadow_word as = w;
      if (!q.is_old(w)) [[unlikely]] {
        if (q.uniform == nullptr && q.array.size == 0) look_up(q, b, address);
        as = q.is_past(w) ? w : q.old_writer(w, r, address + j * 4, false);
        if (as == 0) {
          done = false;
          break;
        }
      }
      const shadow_word before = (r & kEpochMask) < q.floor ? 0 : r;
      const shadow_word after =
          joined_set(at(positions.first), before, proofs_[k].when, positions.step, positions.count);
      if (after == 0) {
        done = false;
        break;
      }
      if (as != w) store(c.writer, as);
      kLocked ? set_readers(c, after) : store(c.readers, after);
    }
    if (kLocked) unlock_group(cells);
    return done;
  };
  if (guarded(b, q.device, address, all)) return;
  for (std::uint32_t n = 0, i = positions.first; n < positions.count; ++n, i += positions.step)
    slow_path<false, Size>(at(i), address, pc, true);
}

void batch_checker::commit_entry(std::size_t k, std::uint32_t from, std::uint32_t to) {
  const auto as = [&]<std::uint32_t Size>(std::integral_constant<std::uint32_t, Size>) {
    b_->facts[k].write ? commit_entry<true, Size>(k, from, to) : commit_entry<false, Size>(k, from, to);
  };
  const auto in_parts = [&]<std::uint32_t Size>(std::integral_constant<std::uint32_t, Size>) {
    b_->facts[k].write ? commit_bytes<true, Size>(k, from, to) : commit_bytes<false, Size>(k, from, to);
  };
  if (b_->facts[k].size == 1)
    in_parts(std::integral_constant<std::uint32_t, 1>{});
  else if (b_->facts[k].size == 2)
    in_parts(std::integral_constant<std::uint32_t, 2>{});
  else if (b_->facts[k].size == 4)
    as(std::integral_constant<std::uint32_t, 4>{});
  else if (b_->facts[k].size == 8)
    as(std::integral_constant<std::uint32_t, 8>{});
  else
    as(std::integral_constant<std::uint32_t, 16>{});
}

void batch_checker::record_alone(const sim::gathered_batch& batch, std::uint32_t positions) {
  b_ = &batch;
  proofs_.assign(1, {});
  proofs_[0].when = epoch_for(at(0), batch.entries[0].pc);
  newest_ = interval_start(at(0));
  commit_entry(0, 0, positions);
}

void batch_checker::commit(const sim::gathered_batch& batch, std::uint32_t through, std::size_t partial) {
  b_ = &batch;
  if (repeats_ && whole_) return at(0).block->deferred->repeat();
  const bool whole = through == promised_ && partial == 0 && b_->judged == 0;
  if (whole) record_runs(through), record_structures(through);
  for (std::size_t k = 0; k < b_->count; ++k) {
    const std::uint32_t to = through + (k < partial);
    std::uint32_t from = b_->judged;
    if (proofs_[k].deferred) {
      if (!repeats_ && proofs_[k].covered == 0)
        at(0).block->deferred->take(*b_, k, to, {proofs_[k].from, proofs_[k].to});
      continue;
    }
    if (whole && proofs_[k].in_rows && (!is_by_columns(k, 0, to) || record_columns(k, to))) continue;
    const std::uint32_t covered = proofs_[k].covered;
    if (covered != 0) from = covered <= partial ? to : through;  // the writes say it all
    if (from >= to) continue;
    judged_calls_ = &b_->calls(k);
    b_->each_stretch(k, to, [&](std::uint32_t first, std::uint32_t end) {
      if (end > from) commit_entry(k, std::max(first, from), end);
      return true;
    });
  }
  judged_calls_ = nullptr;
  if (deferred_shared* const d = at(0).block->deferred; defers_ && d != nullptr)
    repeats_ ? d->repeat() : d->remember(stays_ ? batch.same : 0, *batch.first, whole_);
}

}  // namespace simt::check
