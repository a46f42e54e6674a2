// SPDX-License-Identifier: Apache-2.0
// The proof that a batch leaves no finding. Whether its positions meet each other is asked in batch_apart.cpp.
#include <algorithm>
#include <utility>

#include "sim/check/batch_checker.hpp"
#include "sim/check/cell_vector.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"
#include "sim/check/slow_cells.hpp"

namespace simt::check {

batch_checker& batch_checker::of_this_thread() {
  static thread_local batch_checker one;
  return one;
}

std::uint64_t batch_checker::interval_of(const sim::watched_thread& t) {
  return interval_start(static_cast<const thread_state&>(t));
}

std::uint32_t batch_checker::prove(const sim::gathered_batch& batch, std::uint32_t through, std::uint32_t most,
                                   std::uint32_t least) {
  b_ = &batch;
  block_state& b = *at(0).block;
  repeats_ = defers_ = false;
  if (b.has_unjudged_write || b.device_floor == 0) return 0;
  if (b.deferred != nullptr && through == 0 && least == most) {
    bool whole = false;
    defers_ = repeats_ = b.deferred->repeats(batch, whole);
    whole_ = repeats_ && whole;
    if (whole_) return most;
  }
  forget_other_detectors();
  std::uint32_t positions = most;
  const auto enough = [&] { return positions >= least; };
  const bool all = through == 0 && least == most, by_rows = use_rows && all;
  runs_.clear(), structures_.clear();
  proofs_.assign(b_->count, {});
  if (b_->comes_again && !b_->shape.empty()) {
    for (std::size_t k = 0; k < b_->count; ++k) static_cast<sim::entry_shape&>(proofs_[k]) = b_->shape[k];
  } else {
    positions = positions_apart(positions, least);
    if (b_->comes_again && positions == most) b_->shape.assign(proofs_.begin(), proofs_.end());
  }
  for (std::size_t k = 0; k < b_->count && b.unwritten.size != 0; ++k)
    if (b_->facts[k].write && b.core->reads.forbids_write(proofs_[k].from, proofs_[k].to)) return 0;
  if (b.deferred != nullptr && enough() && defer_shared(positions)) {
    promised_ = positions;
    return positions;
  }
  if (!b_->copies.empty() && !defers_) return 0;  // cells are not told of copies that are under way
  for (std::size_t k = 0; k < b_->count; ++k)     // cells of shared memory are asked for whole blocks only
    if (const entry_proof& p = proofs_[k]; b_->facts[k].some != 0 && !p.deferred && p.to != 0)
      if (p.from - b.device.base >= b.device.size) return 0;

  epoch oldest_epoch = kEpochMask;
  if (by_rows) find_runs(), find_structures(positions);
  for (std::size_t k = 0; k < b_->count; ++k) {
    if (proofs_[k].deferred || (all && proofs_[k].covered != 0)) continue;  // nothing is recorded of it
    if (proofs_[k].when == 0) proofs_[k].when = epoch_for(at(0), b_->facts[k].size < 4 ? kAnyPc : b_->entries[k].pc);
    oldest_epoch = std::min(oldest_epoch, proofs_[k].when);
  }
  newest_ = interval_start(at(0));
  for (std::uint32_t i = 1; i < positions && b.quiet_from > b.base; ++i) {
    const epoch m = interval_start(at(i));
    if (m > oldest_epoch) {
      positions = i;
      break;
    }
    newest_ = std::max(newest_, m);
  }

  if (by_rows && enough()) ask_runs(positions), ask_structures(positions);
  for (std::size_t k = 0; k < b_->count && enough(); ++k) {
    if (proofs_[k].covered != 0 || proofs_[k].in_rows || proofs_[k].deferred) continue;
    if (by_rows && is_by_columns(k, through, positions) && are_quiet_columns(k, positions))
      proofs_[k].in_rows = true;
    else if (b_->facts[k].some != 0)
      positions *= b_->each_stretch(k, positions, [&](auto from, auto to) { return quiet(k, from, to) == to; });
    else
      positions = quiet(k, through, positions);
  }
  promised_ = positions;
  return enough() ? positions : 0;
}

void batch_checker::loops_begin(sim::watched_thread& first) {
  deferred_shared::of_this_thread().open(*static_cast<thread_state&>(first).block);
}
void batch_checker::loops_wait_at_grid(sim::watched_thread& first) {
  close_deferred(*static_cast<thread_state&>(first).block);
}

void batch_checker::ask_read_only(sim::watched_thread& first, std::span<const std::uintptr_t> written,
                                  std::span<sim::quiet_array> read, bool others_ran) {
  block_state& b = *static_cast<thread_state&>(first).block;
  if (b.core->opt.read_only_arrays) b.core->reads.ask(b, written, read, others_ran);
}
// What orders a copy is then told by barriers alone: invariant 2 of own_copies.cpp.
bool batch_checker::takes_copies(const sim::watched_thread& first) {
  const block_state& b = *static_cast<const thread_state&>(first).block;
  return b.deferred != nullptr && b.core->opt.races && b.owner == &b && !b.foreign_shared && !b.knows &&
         !b.lanes_used && b.quiet_from <= b.base;
}
sim::copy_start batch_checker::copies_began(const sim::watched_thread& first) {
  const block_state& b = *static_cast<const thread_state&>(first).block;
  return {nullptr, b.base, b.base, b.grid_base};
}
void batch_checker::copies_go_on_by_threads(sim::watched_thread& first) {
  close_deferred(*static_cast<thread_state&>(first).block);
}

bool batch_checker::has_read(sim::watched_thread& first, std::uintptr_t from, std::uintptr_t to) {
  return static_cast<thread_state&>(first).block->core->reads.has_read(from, to);
}

// Finds the entries of which shared memory's cells need not know; all of them, or none. True: there are no others.
bool batch_checker::defer_shared(std::uint32_t positions) {
  deferred_shared& deferred = *at(0).block->deferred;
  std::size_t there = 0;
  const bool copies = !b_->copies.empty();
  stays_ = true;
  for (std::size_t k = 0; k < b_->count; ++k) {
    proofs_[k].deferred = deferred.has(proofs_[k].from);
    there += proofs_[k].deferred;
    stays_ = stays_ && !(proofs_[k].deferred && b_->facts[k].moved);
  }
  repeats_ = repeats_ && stays_;
  defers_ = there > 0 || copies;
  whole_ = there == b_->count;
  if (!defers_ || repeats_) return whole_;
  deferred.begin_piece();
  for (std::size_t k = 0; k < b_->count; ++k) {
    const entry_proof& p = proofs_[k];
    const bool may = b_->facts[k].copy
                         ? p.deferred && is_alone(k) && deferred.may_issue(*b_, k, positions, {p.from, p.to})
                         : !p.deferred || deferred.may_take(*b_, k, positions, {p.from, p.to});
    if (may) continue;
    deferred.close();
    for (entry_proof& other : proofs_) other.deferred = false;
    return defers_ = whole_ = false;
  }
  return whole_;
}

// Does no other entry touch what k does, be it by the same thread? Of the stretches that they lie in.
bool batch_checker::is_alone(std::size_t k) const {
  for (std::size_t j = 0; j < b_->count; ++j)
    if (j != k && proofs_[j].from < proofs_[k].to && proofs_[k].from < proofs_[j].to) return false;
  return true;
}

// How many positions from `address` on, side by side, of at most `most`: up to the next row that is not in cells. The
// row of `address` is in cells from here on.
std::uint32_t batch_checker::in_cells_from(std::uintptr_t address, std::uint32_t size, std::uint32_t most) const {
  shadow_memory& shadow = at(0).block->core->shadow;
  shadow.settle_unguarded(address, address + 1);
  auto count = static_cast<std::uint32_t>((kRowBytes - address % kRowBytes) / size);
  const row_summary* r = shadow.row_of(address);
  while (count < most && in_cells(load((++r)->writer))) count += static_cast<std::uint32_t>(kRowBytes / size);
  return std::min(count, most);
}

namespace {
// Does all that a slow cell says come before every thread of the block's launch from here on, so that a read of the
// word finds nothing? Sums that blocks have added up before a barrier of the grid. A wrong yes would lose nothing: what
// the cells' words do not decide, commit_entry() judges one by one.
bool is_slow_and_past(block_state& b, std::uintptr_t granule) {
  detector_core& d = *b.core;
  const cell_guard guard(d.shadow, granule);
  cell* const c = d.shadow.cell_of(granule);
  if (c == nullptr || !is_slow(c->writer)) return false;
  d.forms.gather(*c);
  if (!is_slow(c->writer)) return false;
  const slow_cell& e = slow_cell_of(c->writer);
  const common_past past = past_of(b);
  return e.is_bare() && e.added.is_in(past) && e.others.is_in(past);
}
}  // namespace

// Positions up to the first from `from` on whose access might find something.
std::uint32_t batch_checker::quiet_positions(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  block_state& b = *at(0).block;
  const sim::batch_fact& f = b_->facts[k];
  const std::intptr_t stride = b_->entries[k].stride, step = stride / 4;
  quiet_rule q(b, f.base);
  const address_range where = q.device ? b.device : address_range{b.shared.base, b.quick_shared};
  const std::uint32_t cells = f.size / 4;
  bool looked = false;
  // Each position is looked at for itself, so what it has written itself since the last barrier is in order.
  const bool each = f.write || (stride != 0 && !(b_->in_rows && f.row_stride == 0));
  const auto is_quiet = [&](const cell* c, std::uintptr_t address, std::uint32_t position) {
    for (std::uint32_t j = 0; j < cells; ++j) {
      const shadow_word w = load(c[j].writer);
      if (!q.is_old(w) && !(each && is_own(b, w, at(position).who, newest_)) && !q.is_past(w)) [[unlikely]] {
        if (!looked) look_up(q, b, address + j * 4);
        looked = true;
        if (!f.write && q.device && is_slow(w) && is_slow_and_past(b, address + j * 4)) continue;
        if (q.old_writer(w, readers_of(c[j]), address + j * 4, may_be_first(k)) == 0) return false;
      }
      if (!f.write) continue;
      const shadow_word r = readers_of(c[j]);
      if ((r & kEpochMask) >= q.floor && !is_own(b, r, at(position).who, newest_) && !q.is_past(r)) return false;
    }
    return true;
  };
  const std::uint32_t last =
      b_->in_rows && f.row_stride == 0 ? std::min(to, from + b_->width) : to;  // all rows touch the same
  // Rows of the block that lie one behind the other are one.
  const bool one_piece = b_->in_rows && stride == f.size && f.row_stride == stride * std::int64_t{b_->width};
  std::uint32_t row = b_->in_rows ? from / b_->width : 0;
  for (std::uint32_t i = from; i < last; ++row) {
    const std::uint32_t group_end = b_->in_rows && !one_piece ? std::min(last, (row + 1) * b_->width) : last;
    std::uintptr_t address = b_->address_of(k, i, row);
    if (stride == 0 && !f.write) {  // all of the row read the same
      b.core->shadow.settle_unguarded(address, address + f.size);
      if (address - where.base >= where.size || !is_quiet(cell_for(b, q.device, address), address, i)) return i;
      i = group_end;
      continue;
    }
    while (i < group_end) {
      if (address - where.base >= where.size) return i;
      std::uint32_t until = i + on_page(address, stride, group_end - i);
      if (address + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(until - 1 - i)) - where.base >=
          where.size)
        until = i + 1;
      if (stride == f.size) {
        if (use_rows && address % kRowBytes == 0)
          if (const std::uint32_t done = quiet_rows(k, address, i, until, q)) {
            i += done, address += std::uintptr_t{done} * f.size;
            continue;
          }
        until = i + in_cells_from(address, f.size, until - i);
      } else {
        for (std::uint32_t n = 0; n < until - i; ++n) {
          const std::uintptr_t of = address + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(n));
          if (const row_summary* const r = b.core->shadow.row_of(of); r != nullptr && !in_cells(load(r->writer)))
            b.core->shadow.settle_unguarded(of, of + f.size);
        }
      }
      const cell* c = cell_for(b, q.device, address);
      while (i < until) {
        if (cell_vector::usable && stride == f.size) {
          const auto go_on = [&]<bool Untouched>(quiet_rule::neighbours n, std::bool_constant<Untouched>) {
            const std::uint32_t more =
                f.size == 4   ? cell_vector::quiet<1, Untouched>(c, n.count, n.oldest, q.floor, f.write, n.untouched)
                : f.size == 8 ? cell_vector::quiet<2, Untouched>(c, n.count, n.oldest, q.floor, f.write, n.untouched)
                              : cell_vector::quiet<4, Untouched>(c, n.count, n.oldest, q.floor, f.write, n.untouched);
            i += more, c += more * cells, address += std::uintptr_t{more} * f.size;
          };
          go_on({q.oldest, 0, until - i}, std::false_type());
          if (looked && i < until)
            go_on(q.old_neighbours(address, f.size, until - i, may_be_first(k)), std::true_type());
          if (i == until) break;
        }
        const bool at_once = cell_vector::usable && cells == 4 && stride != f.size &&
                             cell_vector::quiet<4, false>(c, 1, q.oldest, q.floor, f.write, 0) == 1;
        if (!at_once && !is_quiet(c, address, i)) return i;
        ++i, c += step, address += static_cast<std::uintptr_t>(stride);
      }
    }
  }
  return to;
}

}  // namespace simt::check
