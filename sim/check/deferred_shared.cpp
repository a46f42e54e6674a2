// SPDX-License-Identifier: Apache-2.0
#include "sim/check/deferred_shared.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/check/batch_checker.hpp"
#include "sim/check/core.hpp"

namespace simt::check {

namespace {

constexpr std::size_t kMostOfInterval = 16384;  // of one interval
constexpr unsigned kLongestPause = 64;
constexpr std::size_t kMostSteps = 16384;  // and entries of steps

// Calls f(index, mask) with each 64 bits of [from, to), until it gives false.
template <class F>
bool each_mask(std::size_t from, std::size_t to, F f) {
  for (std::size_t i = from / 64; from < to; ++i) {
    const std::size_t until = std::min(to, (i + 1) * 64);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (until - from)) << from % 64;
    if (!f(i, mask)) return false;
    from = until;
  }
  return true;
}

// Calls f(from, to) with stretches of memory that an entry covers, until it gives false. width: of its rows.
template <class F>
bool each_stretch(const sim::batch_entry& entry, const sim::batch_fact& fact, std::uint32_t width,
                  std::uint32_t positions, F f) {
  const std::intptr_t stride = entry.stride, size = fact.size;
  std::uintptr_t row = fact.base;
  for (std::uint32_t i = 0; i < positions; i += width, row += static_cast<std::uintptr_t>(fact.row_stride)) {
    const std::uint32_t count = std::min(width, positions - i);
    std::uintptr_t address = row;
    if (stride == size || stride == 0) {
      if (!f(address, address + fact.size * std::uintptr_t{stride == 0 ? 1 : count})) return false;
      continue;
    }
    for (std::uint32_t n = 0; n < count; ++n, address += static_cast<std::uintptr_t>(stride))
      if (!f(address, address + fact.size)) return false;
  }
  return true;
}
// Is the next thread's address as far away in the next row as in the same one?
template <class Entry>
bool is_linear(const Entry& e) {
  return !e.in_rows || e.fact.row_stride == e.at.stride * std::intptr_t{e.width};
}

// Do all elements of one, `stride` apart, lie between the other's, as the diagonals of a tile do?
template <class Entry>
bool lie_between(const Entry& before, const Entry& now, std::intptr_t stride) {
  const auto step = static_cast<std::uintptr_t>(stride < 0 ? -stride : stride);
  if (step == 0) return false;
  const std::uintptr_t a = before.fact.base % step, b = now.fact.base % step, behind = b >= a ? b - a : b + step - a;
  return behind >= before.fact.size && behind + now.fact.size <= step;
}

}  // namespace

deferred_shared& deferred_shared::of_this_thread() {
  // Modules that are opened late have little room for what is of each thread itself.
  static thread_local const auto one = std::make_unique<deferred_shared>();
  return *one;
}

void deferred_shared::open(block_state& b) {
  if (b_ != nullptr) {
    if (detector_ != b.core->serial) b_ = nullptr;  // its block went with its detector
    drop();
  }
  detector_ = b.core->serial;
  if (b.quick_shared == 0 || b.foreign_shared || b.device_floor == 0) return;
  if (pause_ > 0) {
    --pause_;
    return;
  }
  const address_range where{b.shared.base, b.quick_shared};
  const bool is_full = known_ >= kMostSteps && b.launch->agent != agent_;
  if (where.base != where_.base || where.size != where_.size || is_full) {
    first_step_ = {};
    steps_.clear();
    known_ = 0;
  }
  agent_ = b.launch->agent;
  b_ = &b;
  where_ = where;
  at_ = &first_step_;
  shown_ = at_;
  arrays_known_ = arrays_ = 0;
  b.quick_shared = 0;
  b.deferred = this;
  old_ = 0;
  since_ = b.barriers;
  resumed_ = nullptr;
  if (words_.size() * 64 < where_.size / 4) words_.resize(where_.size / 256 + 1);
}

void deferred_shared::forget() {
  if (b_ != nullptr) b_->deferred = nullptr;
  b_ = nullptr;
  at_ = nullptr;
  updates_.clear();
  copies_ = {};
  pass_barrier();
  std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first_), words_.begin() + static_cast<std::ptrdiff_t>(last_),
            0);
  first_ = last_ = 0;
}

void deferred_shared::drop() {
  if (b_ != nullptr && b_->foreign_shared) return close();
  if (last_ > 0 || (at_ != nullptr && at_ != &first_step_)) failures_ = 0;
  forget();
}

// What was touched before the last barrier is out of question.
void deferred_shared::pass_barrier() {
  log_.clear();
  read_ = written_ = {};
}

// Behind a barrier, single reads are forgotten: the block has done what its last piece says.
void deferred_shared::begin_interval() {
  if (at_ != nullptr || resumed_ == nullptr || b_->barriers == since_) return;
  at_ = std::exchange(resumed_, nullptr);
  shown_ = nullptr;
}

void deferred_shared::begin_work() {
  if (old_ != 0) return;
  old_ = b_->reserve(1);
  began_ = b_->barriers;
}

void deferred_shared::begin_piece() {
  begin_work();
  begin_interval();
  look_up_to_date();
  resumed_ = nullptr;
  before_ = at_;
  at_ = nullptr;  // until the piece is remembered
  barrier_ = b_->barriers != since_;
  since_ = b_->barriers;
  if (barrier_) pass_barrier();
  piece_ = log_.size();
}

// log_ and words_ become those of all steps up to the last piece.
void deferred_shared::look_up_to_date() {
  if (at_ == nullptr || at_ == shown_) return;
  std::vector<const step*> way;
  const step* s = at_;
  for (; s != shown_ && s != &first_step_; s = s->before) way.push_back(s);
  if (s != shown_) {
    pass_barrier();
    std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first_), words_.begin() + static_cast<std::ptrdiff_t>(last_),
              0);
    first_ = last_ = 0;
  }
  for (; !way.empty(); way.pop_back()) {
    if (way.back()->barrier) pass_barrier();
    for (const entry& e : way.back()->entries) record(e);
  }
  shown_ = at_;
  copies_ = at_->left;
}

// What identifies the arrays that the block has named so far.
std::uint64_t deferred_shared::arrays() {
  for (; arrays_known_ < b_->arrays.size(); ++arrays_known_) {
    const shared_object& a = b_->arrays[arrays_known_];
    arrays_ = (arrays_ ^ a.address) * 0x9e3779b97f4a7c15ULL;
    arrays_ = (arrays_ ^ arrays_ >> 29 ^ a.size) * 0x9e3779b97f4a7c15ULL;
  }
  return arrays_;
}

bool deferred_shared::repeats(const sim::gathered_batch& batch, bool& whole) {
  begin_interval();
  if (updates_.is_of(b_->barriers)) return false;
  if (at_ == nullptr || batch.same == 0 || b_->foreign_shared || b_->quiet_from > b_->base) return false;
  const bool barrier = b_->barriers != since_;
  const auto is_it = [&](const step& s) {
    return s.same == batch.same && s.first == batch.first->rank && s.barrier == barrier && s.arrays == arrays();
  };
  found_ = at_->usual;
  if (found_ == nullptr) return false;
  if (!is_it(*found_)) {
    const auto at = std::ranges::find_if(at_->next, [&](const step* s) { return is_it(*s); });
    if (at == at_->next.end()) return false;
    at_->usual = found_ = *at;
  }
  whole = found_->whole;
  return true;
}
void deferred_shared::repeat() {
  begin_work();
  at_ = found_;
  since_ = b_->barriers;
}

void deferred_shared::remember(std::uint64_t same, const sim::watched_thread& first, bool whole) {
  if (before_ == nullptr || same == 0 || known_ >= kMostSteps) return;
  step& s = steps_.emplace_back();
  s.same = same;
  s.first = first.rank;
  s.barrier = barrier_;
  s.whole = whole;
  s.arrays = arrays();
  s.entries.assign(log_.begin() + static_cast<std::ptrdiff_t>(piece_), log_.end());
  s.left = copies_;
  s.before = before_;
  known_ += 1 + s.entries.size() + s.left.under_way.size();
  before_->next.push_back(&s);
  shown_ = at_ = before_->usual = &s;
}

bool deferred_shared::is_written(std::uintptr_t from, std::uintptr_t to) const {
  return each_mask(word(from), word(to), [&](std::size_t i, std::uint64_t m) { return (words_[i] & m) == m; });
}
void deferred_shared::mark(std::uintptr_t from, std::uintptr_t to) {
  const std::size_t a = word(from) / 64, z = (word(to) + 63) / 64;
  first_ = last_ == 0 ? a : std::min(first_, a);
  last_ = std::max(last_, z);
  each_mask(word(from), word(to), [&](std::size_t i, std::uint64_t m) { return words_[i] |= m, true; });
}

template <class F>
bool deferred_shared::each_entry(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions,
                                 const extent& e, F f) {
  entry now{batch.entries[k], batch.facts[k], batch.first->rank, positions, batch.width, batch.in_rows, e};
  if (now.fact.some == 0) return f(now);
  now.fact.some = 0;
  now.in_rows = false;
  return batch.each_part(k, positions, [&](std::uint32_t from, std::uint32_t to) {
    const std::uintptr_t first = batch.address_of(k, from), last = batch.address_of(k, to - 1);
    now.first = batch.first->rank + from;
    now.positions = to - from;
    now.fact.base = first;
    now.where = {std::min(first, last), std::max(first, last) + now.fact.size};
    return f(now);
  });
}

// Do no two threads touch one byte by these two, or do both only read?
bool deferred_shared::is_apart(const entry& before, const entry& now) {
  if (!(before.fact.write || now.fact.write) || !before.where.meets(now.where)) return true;
  if (before.positions == 1 && now.positions == 1) return before.first == now.first;
  // Each thread the same bytes both times, and no two threads the same ones.
  const std::intptr_t stride = now.positions == 1 ? before.at.stride : now.at.stride, size = now.fact.size;
  if (before.positions > 1 && before.at.stride != stride) return false;
  if (is_linear(before) && is_linear(now) && lie_between(before, now, stride)) return true;
  if (before.fact.size != size) return false;
  if (is_linear(before) && is_linear(now) && (stride >= size || stride <= -size)) {
    const auto of_first_thread = [stride](const entry& e) {
      return e.fact.base - static_cast<std::uintptr_t>(stride) * e.first;
    };
    return of_first_thread(before) == of_first_thread(now);
  }
  // That the writes of one entry do not meet was proved with its piece.
  return before.first == now.first && before.positions == now.positions && before.fact.base == now.fact.base &&
         before.in_rows == now.in_rows && before.width == now.width && before.fact.row_stride == now.fact.row_stride;
}

// Is there nothing to find at this entry?
bool deferred_shared::may_take(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions,
                               const extent& e) {
  if (b_->foreign_shared || b_->quiet_from > b_->base || log_.size() >= kMostOfInterval || batch.facts[k].size < 4)
    return false;
  return each_entry(batch, k, positions, e, [&](const entry& now) {
    return may_take(now) && (!batch.written_before || are_words_written(now));
  });
}
bool deferred_shared::are_words_written(const entry& e) const {
  return is_written(e.where.from, e.where.to) ||
         each_stretch(e.at, e.fact, e.in_rows ? e.width : e.positions, e.positions,
                      [&](auto from, auto to) { return is_written(from, to); });
}
bool deferred_shared::may_take(const entry& now) const {
  const extent& e = now.where;
  if (meets_copy(e)) return false;
  if (updates_.is_of(b_->barriers) && updates_.meets(e.from, e.to)) return false;
  if (!has(e.from) || e.to - where_.base > where_.size) return false;
  if (e.meets(written_) || (now.fact.write && e.meets(read_)))
    for (const entry& before : log_)
      if (!is_apart(before, now)) return false;
  if (!now.fact.write) return are_words_written(now);
  return is_in_one_array(*b_, e.from, e.to);
}

bool deferred_shared::meets_copy(const extent& e) const {
  return std::ranges::any_of(copies_.under_way, [&](const copy& c) { return c.what.where.meets(e); });
}
bool deferred_shared::may_issue(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions,
                                const extent& e) {
  if (b_->foreign_shared || b_->quiet_from > b_->base || log_.size() >= kMostOfInterval || batch.facts[k].size < 4)
    return false;
  return each_entry(batch, k, positions, e, [&](const entry& now) {
    const auto meets = [&](const entry& before) { return before.where.meets(now.where); };
    return may_take(now) && std::ranges::none_of(log_, meets);
  });
}
void deferred_shared::issue(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions, const extent& e) {
  each_entry(batch, k, positions, e, [&](const entry& now) {
    copies_.under_way.push_back({now, copies_.group});
    return true;
  });
}
void deferred_shared::wait_for_copies(std::uint32_t keep) {
  std::erase_if(copies_.under_way, [&](const copy& c) {
    const bool done = c.group + keep < copies_.group;
    if (done) record(c.what);
    return done;
  });
}

void deferred_shared::take(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions, const extent& e) {
  each_entry(batch, k, positions, e, [&](const entry& now) { return record(now), true; });
}
void deferred_shared::record(const entry& e) {
  log_.push_back(e);
  (e.fact.write ? written_ : read_).widen(e.where);
  if (e.fact.write)
    each_stretch(e.at, e.fact, e.in_rows ? e.width : e.positions, e.positions,
                 [&](std::uintptr_t from, std::uintptr_t to) { return mark(from, to), true; });
}

// Words that were written before the last barrier: by the block's first thread.
void deferred_shared::record_old_words() {
  block_state& b = *b_;
  shadow_memory& shadow = b.core->shadow;
  const shadow_word self = old_ | b.all[0].who;
  constexpr std::size_t kWords = kRowBytes / 4;
  for (std::size_t w = first_ * 64; w < last_ * 64; w += kWords) {
    const auto bits = static_cast<std::uint16_t>(words_[w / 64] >> w % 64);
    if (bits == 0) continue;
    const std::uintptr_t row = where_.base + w * 4;
    row_summary& r = *shadow.row_of(row);
    if (bits == 0xffff && row % kRowBytes == 0 && !in_cells(r.writer)) {
      r.readers = 0;
      r.written = r.read = {}, r.set = {};
      store(r.writer, self);
      continue;
    }
    for (std::size_t i = 0; i < kWords; ++i) {
      if ((bits >> i & 1) == 0) continue;
      shadow.settle(row + i * 4, false);
      cell& c = *shadow.cell_of(row + i * 4);
      // Another block has been there.
      if (b.foreign_shared &&
          (is_slow(c.writer) || std::max(epoch_of(c.writer), epoch_of(readers_of(c))) >= b.first_epoch))
        continue;
      shadow.forget(c);
      store(c.writer, self);
    }
  }
}

void deferred_shared::close() {
  block_state& b = *b_;
  begin_piece();
  b.quick_shared = where_.size;
  b.deferred = nullptr;
  const bool updated = updates_.is_of(b.barriers);
  if (last_ > 0 || !log_.empty()) {
    failures_ = std::min(failures_ + 1, kLongestPause);
    pause_ = failures_ > 2 ? failures_ : 0;
    b.epochs->put(old_, {log_.empty() ? 0 : log_[0].at.pc, 0, b.launch->agent, b.number});
    if (b.barriers > began_) record_old_words();
  }
  static thread_local const auto kept = std::make_unique<batch_checker>();  // little room in a thread's own storage
  batch_checker& recorder = *kept;
  static thread_local const auto gathered = std::make_unique<sim::gathered_batch>();
  sim::gathered_batch& batch = *gathered;
  batch.count = 1;
  for (const entry& e : std::exchange(log_, {})) {
    batch.entries[0] = e.at, batch.facts[0] = e.fact;
    batch.first = &b.all[e.first], batch.width = e.width, batch.in_rows = e.in_rows;
    if (e.fact.copy) b.core->reports.copies.note(e.at.pc);
    recorder.record_alone(batch, e.positions);
  }
  if (updated) record_updates();
  forget();
}

}  // namespace simt::check
