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
    const std::uint32_t done = guarded(b, q.device, address, [&]([[maybe_unused]] auto locked) {
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

void batch_checker::commit_entry(std::size_t k, std::uint32_t from, std::uint32_t to) {
  if ((from = record_short_rows(k, from, to)) == to) return;
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
  forget_other_detectors();
  proofs_.assign(1, {});
  proofs_[0].when = epoch_for(at(0), batch.entries[0].pc);
  newest_ = interval_start(at(0));
  if (!commit_lines(0, 0, positions)) commit_entry(0, 0, positions);
}

void batch_checker::take_copies(std::uint32_t positions) {
  deferred_shared& deferred = *at(0).block->deferred;
  for (const sim::copy_step& s : b_->copies) {
    if (s.act == sim::copy_act::commit) deferred.commit_copies();
    if (s.act == sim::copy_act::wait) deferred.wait_for_copies(s.keep);
    for (std::uint32_t k = s.from; k < s.to; ++k) deferred.issue(*b_, k, positions, {proofs_[k].from, proofs_[k].to});
  }
}

void batch_checker::commit(const sim::gathered_batch& batch, std::uint32_t through, std::size_t partial) {
  b_ = &batch;
  if (repeats_ && whole_) return at(0).block->deferred->repeat();
  if (!b_->copies.empty() && !repeats_) take_copies(through);  // before anything could close
  const bool whole = through == promised_ && partial == 0 && b_->judged == 0;
  if (whole) record_runs(through), record_structures(through);
  for (std::size_t k = 0; k < b_->count; ++k) {
    const std::uint32_t to = through + (k < partial);
    std::uint32_t from = b_->judged;
    if (proofs_[k].deferred) {
      if (!repeats_ && proofs_[k].covered == 0 && !b_->facts[k].copy)
        at(0).block->deferred->take(*b_, k, to, {proofs_[k].from, proofs_[k].to});
      continue;
    }
    if (whole && proofs_[k].in_rows && (!is_by_columns(k, 0, to) || record_columns(k, to))) continue;
    const std::uint32_t covered = proofs_[k].covered;
    if (covered != 0) from = covered <= partial ? to : through;  // the writes say it all
    if (from >= to) continue;
    judged_calls_ = &b_->calls(k);
    if (commit_lines(k, from, to)) continue;
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
