// SPDX-License-Identifier: Apache-2.0
// The proof that a batch leaves no finding.
#include <algorithm>
#include <utility>

#include "sim/check/batch_checker.hpp"
#include "sim/check/cell_vector.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

namespace {

constexpr std::size_t kMostPairs = 65536;  // of entries that are compared with each other

std::intptr_t floor_of(std::intptr_t a, std::intptr_t b) { return a / b - (a % b != 0 && a < 0); }  // b > 0

// Is there a multiple of s > 0, other than 0 itself, by a factor of at most `most`, in [low, high]? Its least factor,
// without sign; 0: none.
std::intptr_t least_factor(std::intptr_t s, std::intptr_t low, std::intptr_t high, std::intptr_t most) {
  const std::intptr_t least = -floor_of(-low, s), last = floor_of(high, s);
  if (least > last) return 0;
  std::intptr_t m = most + 1;
  if (last >= 1) m = std::min(m, std::max<std::intptr_t>(least, 1));
  if (least <= -1) m = std::min(m, -std::min<std::intptr_t>(last, -1));
  return m <= most ? m : 0;
}

}  // namespace

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
  for (std::size_t k = 0; k < b_->count; ++k)  // cells of shared memory are asked for whole blocks only
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

// Up to which position no two touch one byte, or both only read it; below `least` the answer is any smaller number.
// Fills the shapes of entries.
std::uint32_t batch_checker::positions_apart(std::uint32_t positions, std::uint32_t least) {
  const bool rows = b_->in_rows;
  const auto enough = [&] { return positions >= least; };
  std::uintptr_t from[2] = {~std::uintptr_t{0}, ~std::uintptr_t{0}}, to[2] = {0, 0};  // of reads, of writes
  std::size_t writes = 0;
  const std::uint32_t last_row = rows ? (positions - 1) / b_->width : 0;
  const std::pair<std::uint32_t, std::uint32_t> corners[] = {
      {0, 0}, {rows ? b_->width - 1 : 0, 0}, {rows ? last_row * b_->width : 0, last_row}, {positions - 1, last_row}};
  for (std::size_t k = 0; k < b_->count; ++k) {
    const sim::batch_fact& f = b_->facts[k];
    entry_proof& p = proofs_[k];
    p.from = ~std::uintptr_t{0};
    const auto reach = [&](std::uint32_t position, std::uint32_t row) {
      const std::uintptr_t address = b_->address_of(k, position, row);
      p.from = std::min(p.from, address);
      p.to = std::max(p.to, address + f.size);
    };
    if (f.some == 0)
      for (const auto& [position, row] : corners) reach(position, row);
    else
      b_->each_part(k, positions, [&](std::uint32_t first, std::uint32_t end) {
        for (const std::uint32_t i : {first, end - 1}) reach(i, rows ? i / b_->width : 0);
        return true;
      });
    writes += f.write;
    from[f.write] = std::min(from[f.write], p.from);
    to[f.write] = std::max(to[f.write], p.to);
  }
  if (writes == 0) return positions;
  if (writes * b_->count > kMostPairs) return 0;
  const bool apart = to[0] <= from[1] || to[1] <= from[0];
  for (std::size_t w = 0; w < b_->count && enough(); ++w) {
    if (!b_->facts[w].write) continue;
    for (std::size_t k = 0; k < b_->count && enough(); ++k) {
      if ((apart && !b_->facts[k].write) || are_parts_apart(w, k, positions)) continue;
      if (!rows)
        positions = std::min(positions, until_conflict(w, k, positions));
      else if (meet_in_rows(w, k, positions))
        return 0;
    }
  }
  find_covered();
  return positions;
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
bool batch_checker::has_read(sim::watched_thread& first, std::uintptr_t from, std::uintptr_t to) {
  return static_cast<thread_state&>(first).block->core->reads.has_read(from, to);
}

// Finds the entries of which shared memory's cells need not know; all of them, or none. True: there are no others.
bool batch_checker::defer_shared(std::uint32_t positions) {
  deferred_shared& deferred = *at(0).block->deferred;
  std::size_t there = 0;
  stays_ = true;
  for (std::size_t k = 0; k < b_->count; ++k) {
    proofs_[k].deferred = deferred.has(proofs_[k].from);
    there += proofs_[k].deferred;
    stays_ = stays_ && !(proofs_[k].deferred && b_->facts[k].moved);
  }
  repeats_ = repeats_ && stays_;
  defers_ = there > 0;
  whole_ = there == b_->count;
  if (there == 0 || repeats_) return whole_;
  deferred.begin_piece();
  for (std::size_t k = 0; k < b_->count; ++k) {
    const entry_proof& p = proofs_[k];
    if (!p.deferred || deferred.may_take(*b_, k, positions, {p.from, p.to})) continue;
    deferred.close();
    for (entry_proof& other : proofs_) other.deferred = false;
    return defers_ = whole_ = false;
  }
  return whole_;
}

// Entries of which a write of the same bytes by the same positions says it all: whatever comes before it, and reads
// that come after it. Where a write stands for a read that comes before it, its bytes must have been written.
void batch_checker::find_covered() {
  for (std::size_t w = 0; w < b_->count; ++w) {
    const sim::batch_fact& write = b_->facts[w];
    if (!write.write) continue;
    for (std::size_t k = 0; k < b_->count; ++k) {
      const sim::batch_fact& f = b_->facts[k];
      if (k == w || proofs_[k].covered != 0 || (k > w && f.write)) continue;
      if (f.base - write.base > write.size - f.size || f.size > write.size || f.some != write.some ||
          b_->entries[k].stride != b_->entries[w].stride || (b_->in_rows && f.row_stride != write.row_stride))
        continue;
      proofs_[k].covered = static_cast<std::uint32_t>(w) + 1;
      proofs_[w].covers |= k < w && (!f.write || proofs_[k].covers);
    }
  }
}

// Entries that some positions make: are their bytes apart, or is it one position that makes both?
bool batch_checker::are_parts_apart(std::size_t a, std::size_t b, std::uint32_t positions) const {
  if (b_->facts[a].some == 0 && b_->facts[b].some == 0) return false;
  const entry_proof &p = proofs_[a], &q = proofs_[b];
  if (p.to <= q.from || q.to <= p.from) return true;
  const std::uint32_t one = b_->only_position(a, positions);
  return one < positions && one == b_->only_position(b, positions);
}

// Do two positions touch one byte, as far as the stretches go in which rows of the block touch memory? For entries that
// go on differently, as a row and a column of one matrix.
bool batch_checker::stretches_meet(std::size_t write, std::size_t other, std::uint32_t positions) const {
  constexpr std::size_t kMost = 1024;
  static thread_local std::vector<std::pair<std::uintptr_t, std::uintptr_t>> spans[2];
  const std::size_t entries[] = {write, other};
  for (const int e : {0, 1}) {
    const std::size_t k = entries[e];
    spans[e].clear();
    const bool all = b_->each_part(k, positions, [&](std::uint32_t from, std::uint32_t to) {
      const std::uintptr_t first = b_->address_of(k, from), last = b_->address_of(k, to - 1);
      spans[e].emplace_back(std::min(first, last), std::max(first, last) + b_->facts[k].size);
      return spans[e].size() <= kMost;
    });
    if (!all) return true;
    std::sort(spans[e].begin(), spans[e].end());
  }
  for (auto a = spans[0].begin(), c = spans[1].begin(); a != spans[0].end() && c != spans[1].end();) {
    if (a->first < c->second && c->first < a->second) return true;
    a->second <= c->first ? ++a : ++c;
  }
  return false;
}

// Do two positions touch one byte by these two entries? Where the answer is not simple, it is yes.
bool batch_checker::meet_in_rows(std::size_t write, std::size_t other, std::uint32_t positions) const {
  const sim::batch_fact &w = b_->facts[write], &o = b_->facts[other];
  const auto height = static_cast<std::intptr_t>((positions + b_->width - 1) / b_->width),
             across = static_cast<std::intptr_t>(b_->width);
  const std::intptr_t step = b_->entries[write].stride;
  if (step != b_->entries[other].stride || w.row_stride != o.row_stride) {
    const auto span = [&](std::size_t k) {
      const sim::batch_fact& f = b_->facts[k];
      const std::uintptr_t x = f.base + static_cast<std::uintptr_t>(b_->entries[k].stride * (across - 1));
      const auto y = static_cast<std::uintptr_t>(f.row_stride * (height - 1));
      return std::pair{std::min({f.base, x, f.base + y, x + y}), std::max({f.base, x, f.base + y, x + y}) + f.size};
    };
    const auto a = span(write), c = span(other);
    return a.first < c.second && c.first < a.second && stretches_meet(write, other, positions);
  }
  // Of some positions the sum below knows nothing: it may be others that meet.
  const auto yes = [&] {
    return write == other || (w.some == 0 && o.some == 0) || stretches_meet(write, other, positions);
  };
  // Position (x, y) of the one and (x - m, y - n) of the other overlap where -size_w < step * m + row * n - d < size_o.
  const auto d = static_cast<std::intptr_t>(o.base - w.base);
  for (std::intptr_t n = 1 - height; n < height; ++n) {
    const std::intptr_t low = d - w.row_stride * n - w.size + 1, high = d - w.row_stride * n + o.size - 1;
    if (n != 0 && low <= 0 && high >= 0) return yes();
    if (step == 0) {
      if (n == 0 && low <= 0 && high >= 0 && across > 1) return yes();
      continue;
    }
    const bool meets =
        step > 0 ? least_factor(step, low, high, across - 1) : least_factor(-step, -high, -low, across - 1);
    if (meets) return yes();
  }
  return false;
}

// Positions of one row of which no two touch one byte by these two entries: fewer than the smallest distance of two
// that do.
std::uint32_t batch_checker::until_conflict(std::size_t write, std::size_t other, std::uint32_t positions) const {
  const sim::batch_fact &w = b_->facts[write], &o = b_->facts[other];
  const std::intptr_t step = b_->entries[write].stride;
  if (step == b_->entries[other].stride) {
    // Position i of the one and position i - m of the other overlap where -size_w < step * m - d < size_o.
    const auto d = static_cast<std::intptr_t>(o.base - w.base);
    const std::intptr_t low = d - w.size + 1, high = d + o.size - 1;
    if (step == 0) return low <= 0 && high >= 0 ? 1 : positions;
    const std::intptr_t m =
        step > 0 ? least_factor(step, low, high, positions) : least_factor(-step, -high, -low, positions);
    return m != 0 ? static_cast<std::uint32_t>(m) : positions;
  }
  const auto meet = [&](std::uint32_t n) {
    const auto span = [&](const sim::batch_fact& f, std::intptr_t stride) {
      const std::uintptr_t last = f.base + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(n - 1));
      return std::pair{std::min(f.base, last), std::max(f.base, last) + f.size};
    };
    const auto a = span(w, step), c = span(o, b_->entries[other].stride);
    return a.first < c.second && c.first < a.second;
  };
  while (positions > 1 && meet(positions)) positions /= 2;
  return positions;
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
        if (!is_quiet(c, address, i)) return i;
        ++i, c += step, address += static_cast<std::uintptr_t>(stride);
      }
    }
  }
  return to;
}

}  // namespace simt::check
