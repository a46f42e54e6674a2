// SPDX-License-Identifier: Apache-2.0
// Batches and rows (row_summary.hpp): accesses that cover whole rows are proved and recorded by their summaries.
//
// Invariant: ask_row() gives `quiet`, and record_row() true, only where judging each cell of the row would have found
// nothing and left the cells as the summary says. Else the caller goes on cell by cell, and the row settles.
//
// Whole rows are covered by an entry whose neighbours stand side by side (one thread a word, or a column of threads
// where all rows of the block read the same), and by a run: entries one behind the other of which each thread, or each
// row of threads, makes them all, as in an unrolled loop.
#include <algorithm>
#include <bit>

#include "sim/check/batch_checker.hpp"
#include "sim/check/fast_path.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

namespace {

std::uint8_t shift_of(std::uint32_t size) { return static_cast<std::uint8_t>(std::countr_zero(size / 4)); }

bool is_old_row(const quiet_rule& q, const row_summary& r) {
  return epoch_of(r.writer) >= q.oldest && r.written.newest(r.writer) < q.floor;
}
// The block's own, before its last barrier.
bool is_past_row(const quiet_rule& q, shadow_word word, row_step step) {
  return q.is_past(word) && step.newest(word) < q.block.base && q.is_past(word + (step.newest(word) - epoch_of(word)));
}
bool is_ordered_row(const quiet_rule& q, const row_summary& r) {
  return is_old_row(q, r) || is_past_row(q, r.writer, r.written);
}
epoch newest_reader(const row_summary& r) { return r.readers == 0 ? 0 : r.read.newest(r.readers); }

// Nothing that the row says can race any more: asked first, in few instructions. Rows whose cells have several epochs
// are left to others.
[[gnu::always_inline]] inline bool is_settled(const quiet_rule& q, const row_summary& r, bool readers_count) {
  return q.is_old(r.writer) && ((r.written.epochs | r.read.epochs) == 0) &&
         (!readers_count || (r.readers & kEpochMask) < q.floor);
}

// The writer word that a row stands for which is untouched, or was left by an earlier block; 0: accesses may find
// something.
shadow_word untouched_row(quiet_rule& q, block_state& b, const row_summary& r, std::uintptr_t address, bool fresh) {
  if (q.device) {
    if (r.writer != 0 || !know_untouched(q, b, address) || q.uniform->writer >= q.floor) return 0;
    return q.uniform->writer != 0 ? q.uniform->writer : fresh ? shadow_word{kAncient} : 0;
  }
  const bool stale = (r.writer == 0 || r.written.newest(r.writer) < q.oldest) && newest_reader(r) < q.oldest;
  return fresh && stale && know_untouched(q, b, address) ? shadow_word{kAncient} : 0;
}

}  // namespace

// Did the threads of `a` make the accesses `word` too, each in its own part of the row and its current interval?
bool batch_checker::is_own_row(shadow_word word, row_step step, row_set set, const row_access& a) const {
  return a.set.count == 1 && set.count <= 1 && step.epochs == 0 && step.ranks == a.step.ranks &&
         step.shift == a.step.shift && is_own(*at(0).block, word, a.self, newest_);
}

batch_checker::row_says batch_checker::ask_row(const row_summary& r, std::uintptr_t address, const row_access& a,
                                               quiet_rule& q) const {
  block_state& b = *at(0).block;
  if (in_cells(r.writer)) return row_says::cells;
  if (is_laid_out(r.writer))
    return a.write && b.core->shadow.layouts.is_settled(r, q.floor, true, false) ? row_says::quiet : row_says::other;
  const bool old = r.writer != 0 && is_ordered_row(q, r);
  if (!old && !(r.writer != 0 && is_own_row(r.writer, r.written, {}, a)) &&
      untouched_row(q, b, r, address, a.fresh) == 0)
    return row_says::other;
  if (a.write && newest_reader(r) >= q.floor && !is_own_row(r.readers, r.read, r.set, a) &&
      !is_past_row(q, r.readers, r.read))
    return row_says::other;
  return row_says::quiet;
}

// The reader word of a row that other blocks have read, thread for thread alike; 0: it cannot be told by cell 0.
shadow_word batch_checker::joined_readers(thread_state& t, const row_summary& r, const row_access& a,
                                          std::uintptr_t pc) {
  block_state& b = *t.block;
  constexpr shadow_word kWho = kWhoMask << kEpochBits;
  if (b.knows || epoch_of(r.readers) >= b.first_epoch || r.read != a.step || r.set != a.set || a.step.epochs != 0 ||
      ((r.readers ^ a.self) & kWho) != 0)
    return 0;
  const epoch when = epoch_of(a.self);
  if (a.set.count == 1) {
    shadow_word after = 0;
    if (!known_step(b, site_of(b, pc), r.readers, a.self, after)) {
      after = b.core->readers.add(t, r.readers, when);
      const shadow_word who = common_thread(b, r.readers, a.self);
      step_slot(b, r.readers ^ who, a.self ^ who) = {r.readers ^ who, a.self ^ who, after ^ who, b.quiet_from};
    }
    return ((after ^ a.self) & kWho) == 0 ? after : 0;
  }
  const std::uint32_t set = b.core->readers.set_of(b, t.rank, a.set.step, a.set.count);
  if (set == thread_sets::kFull) return 0;
  const shadow_word named = shadow_word{set} << kEpochBits;
  const shadow_word after = joined_set(t, (r.readers & ~kWho) | named, when, set);
  return (after & kWho) == named ? (after & ~kWho) | (a.self & kWho) : 0;
}

void batch_checker::write_row(row_summary& r, const row_access& a) {
  r.readers = 0;
  r.written = a.step, r.read = {}, r.set = {};
  store(r.writer, a.self);
}

// Guarded; `lock`: by the row's lock, in a stretch that workers share.
bool batch_checker::record_row(row_summary& r, std::uintptr_t address, const row_access& a, quiet_rule& q,
                               std::uintptr_t pc, bool lock) {
  block_state& b = *at(0).block;
  const shadow_word w = r.writer;
  if (in_cells(w)) return a.write && !lock && r.expanded < kMostExpanded && begin_row(r, address, a, q);
  if (is_laid_out(w)) {
    if (!a.write || !b.core->shadow.layouts.is_settled(r, q.floor, true, false)) return false;
    write_row(r, a);
    return true;
  }
  shadow_word as = w;
  if (w == 0 || !is_ordered_row(q, r)) {
    const bool own = w != 0 && is_own_row(w, r.written, {}, a);
    if (own && !a.write && r.readers == 0) return true;  // a read after its own write adds nothing
    if (!own || !a.write) as = untouched_row(q, b, r, address, a.write);
    if (as == 0) return false;
  }
  if (a.write) {
    if (newest_reader(r) >= q.floor && !is_own_row(r.readers, r.read, r.set, a) && !is_past_row(q, r.readers, r.read))
      return false;
    write_row(r, a);
    return true;
  }
  shadow_word readers = a.self;
  const bool same_threads = ((r.readers ^ a.self) & ~kEpochMask) == 0 && r.read == a.step && r.set == a.set;
  if (newest_reader(r) >= q.floor && !((!q.device || same_threads) && is_past_row(q, r.readers, r.read))) {
    if (r.readers == a.self && r.read == a.step && r.set == a.set) return true;
    readers = joined_readers(b.all[who_of(a.self)], r, a, pc);
    if (readers == 0) return false;
  }
  r.readers = readers;
  r.read = a.step, r.set = a.set;
  if (as != w) {
    r.written = {};
    store(r.writer, as);
  }
  return true;
}

// A row in cells of which none can race any more begins a summary by a write.
bool batch_checker::begin_row(row_summary& r, std::uintptr_t address, const row_access& a, quiet_rule& q) const {
  block_state& b = *at(0).block;
  cell* const cells = cell_for(b, q.device, address);
  for (std::uint32_t i = 0; i < kRowCells; ++i) {
    const shadow_word w = load(cells[i].writer), readers = load(cells[i].readers);
    if ((readers & kEpochMask) >= q.floor) return false;
    if (q.is_old(w)) continue;
    if (!know_untouched(q, b, address) || q.old_writer(w, readers, address + i * 4, true) == 0) return false;
  }
  for (std::uint32_t i = 0; i < kRowCells; ++i) store(cells[i].readers, 0), store(cells[i].writer, 0);
  write_row(r, a);
  return true;
}

batch_checker::row_access batch_checker::side_by_side(std::size_t k, std::uint32_t position) const {
  const sim::batch_fact& f = b_->facts[k];
  return {proofs_[k].when | at(position).who, {1, 0, shift_of(f.size)}, {}, f.write, may_be_first(k)};
}

// Do all rows of the block read the same words, which are whole rows?
bool batch_checker::is_by_columns(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  const sim::batch_fact& f = b_->facts[k];
  if (f.size < 4 || f.some != 0) return false;
  return b_->in_rows && f.row_stride == 0 && !f.write && b_->entries[k].stride == f.size && from == 0 &&
         to % b_->width == 0 && f.base % kRowBytes == 0 && b_->width * f.size % kRowBytes == 0;
}

template <class F>
bool batch_checker::each_row_of_columns(std::size_t k, std::uint32_t positions, F f) const {
  const std::uint32_t size = b_->facts[k].size, per_row = kRowCells >> shift_of(size);
  row_access a{0, {1, 0, shift_of(size)}, {}, false, false};
  a.set = {static_cast<std::uint16_t>(b_->width), static_cast<std::uint16_t>(positions / b_->width)};
  std::uintptr_t address = b_->facts[k].base;
  for (std::uint32_t x = 0; x < b_->width; x += per_row, address += kRowBytes) {
    a.self = proofs_[k].when | at(x).who;
    if (!f(address, a)) return false;
  }
  return true;
}

// Calls f with each row that the entries of a run touch, until it gives false.
template <class F>
bool batch_checker::each_row_of_run(const run& u, std::uint32_t positions, F f) const {
  const std::size_t k = u.first;
  const sim::batch_fact& fact = b_->facts[k];
  const bool together = b_->entries[k].stride == 0;                     // a row of threads touches the same
  const bool all = together && (!b_->in_rows || fact.row_stride == 0);  // the whole block does
  const std::uint32_t step = all ? positions : together ? b_->width : 1;
  const std::uint32_t epochs_a_row = u.epochs * (kRowCells >> shift_of(fact.size));
  for (std::uint32_t i = 0; i < positions; i += step) {
    row_access a{proofs_[k].when | at(i).who, {0, u.epochs, shift_of(fact.size)}, {}, fact.write, fact.write};
    if (const std::uint32_t count = std::min(step, positions - i); count > 1)
      a.set = {1, static_cast<std::uint16_t>(count)};
    std::uintptr_t address = b_->address_of(k, i);
    for (std::uint32_t done = 0; done < u.count * fact.size; done += kRowBytes) {
      if (!f(address, a)) return false;
      address += kRowBytes, a.self += epochs_a_row;
    }
  }
  return true;
}

// Entries one behind the other in memory, which neighbouring threads make alike.
void batch_checker::find_runs() {
  struct open_run {
    std::uintptr_t next = 0;
    std::uint32_t run = 0, last = 0;
  };
  open_run open[8];
  std::size_t count = 0, oldest = 0;
  runs_.clear();
  for (std::uint32_t k = 0; k < b_->count; ++k) {
    const sim::batch_fact& f = b_->facts[k];
    if (f.write || f.size < 4 || f.some != 0 || b_->entries[k].stride == f.size || proofs_[k].deferred) continue;
    bool found = false;
    for (std::size_t n = 0; n < count && !found; ++n) {
      open_run& o = open[n];
      const sim::batch_fact& before = b_->facts[o.last];
      if (o.next != f.base || before.size != f.size || before.row_stride != f.row_stride ||
          b_->entries[o.last].stride != b_->entries[k].stride)
        continue;
      found = true;
      proofs_[o.last].next = k;
      ++runs_[o.run].count;
      o = {f.base + f.size, o.run, k};
    }
    if (found || f.base % kRowBytes != 0 || f.row_stride % static_cast<std::intptr_t>(kRowBytes) != 0 ||
        b_->entries[k].stride % static_cast<std::intptr_t>(kRowBytes) != 0)
      continue;
    open_run& o = count < std::size(open) ? open[count++] : open[oldest++ % std::size(open)];
    o = {f.base + f.size, static_cast<std::uint32_t>(runs_.size()), k};
    runs_.push_back({k, 1, 0});
  }
  std::size_t kept = 0;
  for (run& u : runs_)
    if (u.count > 1 && u.count * b_->facts[u.first].size % kRowBytes == 0 && give_epochs(u)) runs_[kept++] = u;
  runs_.resize(kept);
}

// Epochs of a run's entries: one, or each the one behind the last. False: they have others already.
bool batch_checker::give_epochs(run& u) {
  block_state& b = *at(0).block;
  bool same = true, none = true;
  const auto each = [&](auto f) {
    std::uint32_t k = u.first;
    for (std::uint32_t n = 0; n < u.count; ++n, k = proofs_[k].next) f(k, n);
  };
  each([&](std::uint32_t k, std::uint32_t) {
    proofs_[k].in_run = true;
    const std::uintptr_t pc = b_->entries[k].pc;
    same = same && pc == b_->entries[u.first].pc;
    none = none && !is_current(site_of(b, pc), at(0), pc);
  });
  if (same) {
    const epoch when = epoch_for(at(0), b_->entries[u.first].pc);
    each([&](std::uint32_t k, std::uint32_t) { proofs_[k].when = when; });
    return true;
  }
  u.epochs = 1;
  if (none) {
    const epoch first = b.reserve(u.count);
    each([&](std::uint32_t k, std::uint32_t n) {
      const std::uintptr_t pc = b_->entries[k].pc;
      b.epochs->put(first + n, {pc, 0, b.launch->agent, b.number});
      auto& site = site_of(b, pc);
      site.pc = pc;
      site.when = proofs_[k].when = first + n;
    });
    return true;
  }
  bool in_order = true;
  each([&](std::uint32_t k, std::uint32_t n) {
    proofs_[k].when = epoch_for(at(0), b_->entries[k].pc);
    in_order = in_order && proofs_[k].when == proofs_[u.first].when + n;
  });
  return in_order;
}

// May the accesses of positions 0 to `positions` be made, as far as runs and columns go? Marks the entries of which
// that is known.
void batch_checker::ask_runs(std::uint32_t positions) {
  block_state& b = *at(0).block;
  std::size_t kept = 0;
  for (const run& u : runs_) {
    quiet_rule q(b, b_->facts[u.first].base);
    bool quiet = true;
    std::uint32_t k = u.first;
    for (std::uint32_t n = 0; n < u.count; ++n, k = proofs_[k].next) quiet = quiet && proofs_[k].covered == 0;
    quiet = quiet && each_row_of_run(u, positions, [&](std::uintptr_t address, const row_access& a) {
              return is_quiet_row(address, a, q);
            });
    if (!quiet) continue;
    k = u.first;
    for (std::uint32_t n = 0; n < u.count; ++n, k = proofs_[k].next) proofs_[k].in_rows = true;
    runs_[kept++] = u;
  }
  runs_.resize(kept);
}

bool batch_checker::is_quiet_row(std::uintptr_t address, const row_access& a, quiet_rule& q) const {
  block_state& b = *at(0).block;
  const address_range where = q.device ? b.device : address_range{b.shared.base, b.quick_shared};
  if (address - where.base >= where.size || where.size - (address - where.base) < kRowBytes) return false;
  return ask_row(glance_at(*b.core->shadow.row_of(address)), address, a, q) == row_says::quiet;
}

bool batch_checker::are_quiet_columns(std::size_t k, std::uint32_t positions) const {
  quiet_rule q(*at(0).block, b_->facts[k].base);
  return each_row_of_columns(k, positions,
                             [&](std::uintptr_t address, const row_access& a) { return is_quiet_row(address, a, q); });
}

// Positions from `i` on of which whole rows are quiet, up to `until`; they lie on one page.
std::uint32_t batch_checker::quiet_rows(std::size_t k, std::uintptr_t address, std::uint32_t i, std::uint32_t until,
                                        quiet_rule& q) const {
  const std::uint32_t per_row = kRowCells >> shift_of(b_->facts[k].size);
  const bool write = b_->facts[k].write;
  const row_summary* r = at(0).block->core->shadow.row_of(address);
  std::uint32_t done = 0;
  for (; until - i - done >= per_row; done += per_row, address += kRowBytes, ++r)
    if (!is_settled(q, glance_at(*r), write) && !is_quiet_row(address, side_by_side(k, i + done), q)) break;
  return done;
}

bool batch_checker::record_guarded(std::uintptr_t address, const row_access& a, quiet_rule& q, std::uintptr_t pc) {
  block_state& b = *at(0).block;
  row_summary& r = *b.core->shadow.row_of(address);
  return guarded(b, q.device, address, [&](auto locked) {
    constexpr bool kLock = decltype(locked)::value;
    if (kLock) lock_row(r);
    const bool done = record_row(r, address, a, q, pc, kLock);
    if (kLock) unlock_row(r);
    return done;
  });
}

// Records them; how many.
std::uint32_t batch_checker::record_rows(std::size_t k, std::uintptr_t address, std::uint32_t i, std::uint32_t until,
                                         quiet_rule& q) {
  block_state& b = *at(0).block;
  const std::uint32_t per_row = kRowCells >> shift_of(b_->facts[k].size);
  const std::uintptr_t pc = b_->entries[k].pc;
  row_access a = side_by_side(k, i);
  return guarded(b, q.device, address, [&](auto locked) {
    constexpr bool kLock = decltype(locked)::value;
    row_summary* r = b.core->shadow.row_of(address);
    std::uint32_t done = 0;
    for (; until - i - done >= per_row; done += per_row, address += kRowBytes, a.self += per_row * kNextThread, ++r) {
      if (kLock) lock_row(*r);
      bool recorded = true;
      if (!is_settled(q, *r, true))
        recorded = record_row(*r, address, a, q, pc, kLock);
      else if (a.write)
        write_row(*r, a);
      else
        r->readers = a.self, r->read = a.step, r->set = a.set;
      if (kLock) unlock_row(*r);
      if (!recorded) break;
    }
    return done;
  });
}

bool batch_checker::record_columns(std::size_t k, std::uint32_t positions) {
  quiet_rule q(*at(0).block, b_->facts[k].base);
  return each_row_of_columns(k, positions, [&](std::uintptr_t address, const row_access& a) {
    return record_guarded(address, a, q, b_->entries[k].pc);
  });
}

// Where it cannot be recorded by rows, its entries go on one by one; what is recorded twice is recorded once.
void batch_checker::record_runs(std::uint32_t positions) {
  for (const run& u : runs_) {
    quiet_rule q(*at(0).block, b_->facts[u.first].base);
    const bool done = each_row_of_run(u, positions, [&](std::uintptr_t address, const row_access& a) {
      return record_guarded(address, a, q, b_->entries[u.first].pc);
    });
    if (done) continue;
    std::uint32_t k = u.first;
    for (std::uint32_t n = 0; n < u.count; ++n, k = proofs_[k].next) proofs_[k].in_rows = false;
  }
}

}  // namespace simt::check
