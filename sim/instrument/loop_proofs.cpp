// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/loop_proofs.hpp>

#include <algorithm>
#include <bit>
#include <memory>

#include <sim/instrument/dispatcher.hpp>

namespace simt::sim {

namespace {
// Regions that could not be proved so often in a row are asked about less often: each question takes time.
constexpr std::uint32_t kTries = 4, kLongestPause = 256;

bool multiply_add(std::int64_t& sum, std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum);
}
}  // namespace

loop_proofs& loop_proofs::of_this_thread() {
  static thread_local const auto one = std::make_unique<loop_proofs>();
  return *one;
}

loop_proofs::history& loop_proofs::history_of(const loop_region& r) {
  constexpr std::size_t kSteps = 8;  // regions of one kernel should not meet
  const std::size_t at = reinterpret_cast<std::uintptr_t>(&r) / alignof(loop_region) * 0x9e3779b97f4a7c15ULL >> 58;
  for (std::size_t i = 0; i < kSteps; ++i) {
    history& h = histories_[(at + i) % histories_.size()];
    if (h.region == &r) return h;
    if (h.region != nullptr && i + 1 < kSteps) continue;
    return h = {&r, 0, 0, fixed_numbers(r), std::vector<known_batch>(kKnown), nullptr};
  }
  __builtin_unreachable();
}

loop_answer loop_proofs::begin(const block_context& b, const loop_region& r, const std::int64_t* numbers) {
  pending_ = unknown_site_ = false;
  first_loop_ = {};
  const dispatcher* const d = dispatcher::current();
  if (d == nullptr || b.observed == nullptr || b.observed->states == nullptr)
    return r.copy_count > 0 ? loop_answer::watched : unjudged(b, r, numbers);
  if (cursor.switches()) return loop_answer::announced;
  if (r.copy_count > 0 && !may_take_copies(b)) return without_copies(r);
  if (!d->judges_accesses()) return d->has_listeners() ? count(b, r, numbers) : unjudged(b, r, numbers);
  history& h = history_of(r);
  if (h.pause > 0) {
    --h.pause;
    return loop_answer::watched;
  }
  dispatcher::flush_accesses();
  region_ = &r;
  numbers_ = numbers;
  const bool proved =
      put_together(b, h) && ((asked_->count == 0 && asked_->copies.empty()) ||
                             d->judge_of_batches()->prove(*asked_, 0, positions_, positions_) == positions_);
  if (proved) {
    h.failures = 0;
    pending_ = asked_->count > 0 || !asked_->copies.empty();
    if (r.lone != 0) commit();  // what they announce is compared with it
  } else if (++h.failures >= kTries) {
    h.pause = std::min(1U << std::min(h.failures - kTries, 8U), kLongestPause);
  }
  return proved ? loop_answer::proved : unknown_site_ ? loop_answer::announced : loop_answer::watched;
}

loop_proofs::first_loop loop_proofs::look_at_first_loop() const {
  if (region_->turn_count == 0 || region_->turns[0].count >= 0 || positions_ == 0) return {};
  const span from = reach_of(region_->turns[0].start);
  return {from.known ? high_[3] + 1 : 0, from.high};
}
std::int64_t loop_proofs::turns(std::int64_t limit) const {
  if (first_loop_.turns <= 0) return 0;
  const loop_turns& t = region_->turns[0];
  // 16 bytes: neither the sum nor the product wraps.
  const __int128 last = static_cast<__int128>(number(t.start.base)) + first_loop_.begins +
                        static_cast<__int128>(first_loop_.turns) * number(t.step);
  return last <= limit ? first_loop_.turns : 0;
}

// Nobody judges accesses: the unwatched loops may run if nobody comes to what they have not.
loop_answer loop_proofs::unjudged(const block_context& b, const loop_region& r, const std::int64_t* numbers) {
  region_ = &r;
  numbers_ = numbers;
  if (!find_positions(b)) return positions_ == 0 ? loop_answer::proved : loop_answer::watched;
  if (!find_turns()) return loop_answer::watched;
  first_loop_ = look_at_first_loop();
  judge_conditions();
  return is_listed() ? loop_answer::proved : loop_answer::watched;
}

// What differs between blocks.
void loop_proofs::begin_batch(gathered_batch& batch, const block_context& b) const {
  batch.block = b.observed;
  const bool of_warp = region_->rank >= 0;
  batch.first = state_at(b.observed->states, number(of_warp ? region_->rank : region_->first));
  const auto calls = calls_of_access();
  batch.stacks.resize(1);
  batch.stacks[0].assign(calls.begin(), calls.end());
}

// The batch of all accesses; false: not all of them can be told.
bool loop_proofs::gather(const block_context& b) {
  batch_.count = 0;
  batch_.some.clear();
  batch_.copies.clear();
  batch_.sources.clear();
  issues_.assign(static_cast<std::size_t>(region_->copy_count), {});
  sources_.assign(static_cast<std::size_t>(region_->copy_count), {});
  some_conditions_.clear();
  planes_.clear();
  access_of_entry_.clear();
  silent_reads_.clear();
  written_anyway_.clear();
  silent_ = 0;
  if (!find_positions(b)) return positions_ == 0;
  if (!find_turns()) return false;
  first_loop_ = look_at_first_loop();
  judge_conditions();
  if (!is_listed()) return false;
  for (std::int32_t i = 0; i < region_->access_count; ++i) {
    const loop_access& a = region_->accesses[i];
    const truth made = a.when < 0 ? truth::yes : truths_[static_cast<std::size_t>(a.when)];
    if (made == truth::no) continue;
    if (a.copy != 0 && a.write == 0) continue;  // with what it writes
    if (is_silent(b, a, made)) {
      silent_reads_.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    std::uintptr_t site = __atomic_load_n(&region_->sites[a.site], __ATOMIC_RELAXED);
    const std::uint32_t some = made == truth::mixed ? some_of(a.when) : 0;
    if (a.copy != 0) {
      unknown_site_ = site == 0;
      if (site == 0 || !add_copy(b, i, site, some)) return false;
      access_of_entry_.resize(batch_.count, static_cast<std::uint32_t>(i));
      continue;
    }
    if (made == truth::mixed && some == 0 && varies(a)) return false;
    if (made == truth::mixed && some == 0) {
      // What could be found of it is found of a write that its threads make anyway, but that they read what nobody has
      // written. So a read is put down for all of them.
      const std::int32_t anyway = written_anyway(a);
      if (anyway < 0) return false;
      written_anyway_.push_back({a.address.base, region_->accesses[anyway].address.base});
      if (a.write != 0) continue;
      if (site == 0) site = __atomic_load_n(&region_->sites[region_->accesses[anyway].site], __ATOMIC_RELAXED);
    }
    // The watched loops announce each write, and reads but those that are silent one by one. What many threads read of
    // bytes is better never announced.
    unknown_site_ = site == 0 && a.write == 0 && a.size >= 4;
    if (site == 0 || !(varies(a) ? add_varying(a, site) : add(a, site, some))) return false;
    access_of_entry_.resize(batch_.count, static_cast<std::uint32_t>(i));
  }
  return put_copy_steps();
}

// What the list says of the region holds for these numbers.
bool loop_proofs::is_listed() {
  for (std::int32_t i = 0; i < region_->never_count; ++i)
    if (truths_[static_cast<std::size_t>(region_->never[i])] != truth::no) return false;
  for (std::int32_t i = 0; i < region_->always_count; ++i)
    if (!holds_for_all(region_->always[i])) return false;
  return true;
}

// What conditions of some threads make of each other: a range that a form relies on, or nobody asks.
bool loop_proofs::holds_for_all(std::int32_t condition) {
  const truth t = truths_[static_cast<std::size_t>(condition)];
  return t == truth::yes || (t == truth::mixed && lanes(condition).surely.size() == positions_);
}

// An access by which all threads write the bytes of this one; -1: there is none.
std::int32_t loop_proofs::written_anyway(const loop_access& a) const {
  const auto is_same = [&](const loop_form& f, const loop_form& g) {
    for (unsigned d = 0; d < kLoopDimensions; ++d)
      if (number(f.factor[d]) != number(g.factor[d])) return false;
    return number(f.base) == number(g.base);
  };
  for (std::int32_t i = 0; i < region_->access_count; ++i) {
    const loop_access& w = region_->accesses[i];
    if (w.write != 0 && w.copy == 0 && w.size == a.size && w.turns == a.turns && is_same(w.address, a.address) &&
        (w.when < 0 || truths_[static_cast<std::size_t>(w.when)] == truth::yes))
      return i;
  }
  return -1;
}

// Which threads run: one stretch of a row, a warp in a row, or the whole block.
bool loop_proofs::find_positions(const block_context& b) {
  extent_ = extent_of(b);
  const bool of_warp = region_->rank >= 0;
  const std::int64_t first = number(region_->first), end = number(region_->end);
  const std::int64_t rows = of_warp ? 1 : extent_.y * extent_.z;
  positions_ = 0;
  if (first >= end) return false;
  if (region_->split > 0) return find_split_positions(b, first, end);
  low_[0] = first, high_[0] = end - 1;
  low_[1] = 0, high_[1] = extent_.y - 1;
  low_[2] = 0, high_[2] = extent_.z - 1;
  positions_ = static_cast<std::uint32_t>((end - first) * rows);
  if (b.observed != nullptr) begin_batch(batch_, b);
  batch_.width = static_cast<std::uint32_t>(extent_.x == 1 ? b.threads : extent_.x);
  batch_.judged = 0;
  batch_.in_rows = rows > 1 && extent_.x > 1;
  batch_.written_before = region_->lone != 0;
  return rows == 1 || (first == 0 && end == extent_.x);
}

// How often each loop within the region runs at most, and in which ones threads run differently often; false: that is
// not known.
bool loop_proofs::find_turns() {
  varying_ = 0;
  for (std::int32_t i = 0; i < region_->turn_count; ++i) {
    const loop_turns& t = region_->turns[i];
    low_[3 + i] = 0;
    if (t.count >= 0) {
      high_[3 + i] = number(t.count) - 1;
      continue;
    }
    const span start = span_of(t.start), bound = span_of(t.bound);
    const std::int64_t step = number(t.step);
    std::int64_t least = 0, most = 0;
    if (!start.known || !bound.known || step <= 0 || __builtin_sub_overflow(bound.low, start.high, &least) ||
        __builtin_sub_overflow(bound.high, start.low, &most) || __builtin_add_overflow(most, step, &most))
      return false;
    most -= step;
    // What the last turn steps to lies above the bound or, in a loop of one turn, above the start.
    std::int64_t last = 0;
    if (t.most >= 0 && (__builtin_add_overflow(std::max(bound.high, start.high), step, &last) || last > number(t.most)))
      return false;
    const auto turns = [&](std::int64_t distance) {
      const std::int64_t whole = distance + t.inclusive;
      return whole <= 0 ? 1 : (whole - 1) / step + 1;
    };
    const auto how = static_cast<loop_compared>(t.compared);
    const bool unequal = how == loop_compared::unequal;
    if ((unequal && step != 1) || (how == loop_compared::without_sign && (start.low < 0 || bound.low < 0)))
      return false;
    high_[3 + i] = turns(most) - 1;
    if (turns(least) == turns(most) && !(unequal && least <= 0)) continue;
    if (depends_on_turns(t.start) || depends_on_turns(t.bound)) return false;
    varying_ |= 1U << i;
  }
  return true;
}

// Is it a read within an array that the launch only reads, whoever makes it (see batch_judge::has_read), or made by
// nobody?
bool loop_proofs::is_silent(const block_context& b, const loop_access& a, truth made) {
  if (!span_of(a.address).known) return false;
  std::int64_t times = 0;
  const span at = span_of_access(a, made, times);
  if (!at.known) return true;  // nobody makes it
  if (a.write != 0) return false;
  std::int64_t bits = at.low;
  for (unsigned d = 0; d < kLoopDimensions; ++d)
    if (low_[d] < high_[d]) bits |= number(a.address.factor[d]);
  if ((bits & (a.size - 1)) != 0) return false;
  const auto low = static_cast<std::uintptr_t>(at.low), high = static_cast<std::uintptr_t>(at.high);
  if (!dispatcher::current()->judge_of_batches()->has_read(*state_at(b.observed->states, 0), low,
                                                           high + static_cast<std::uintptr_t>(a.size)))
    return false;
  silent_ += static_cast<std::uint64_t>(times);
  return true;
}

loop_proofs::span loop_proofs::reach_of(const loop_form& f) const {
  span s{0, 0, true};
  for (unsigned d = 0; d < kLoopDimensions && s.known; ++d) {
    const std::int64_t by = number(f.factor[d]);
    if (by == 0) continue;
    s.known = low_[d] <= high_[d] && multiply_add(s.low, by, by > 0 ? low_[d] : high_[d]) &&
              multiply_add(s.high, by, by > 0 ? high_[d] : low_[d]);
  }
  return s;
}
loop_proofs::span loop_proofs::span_of(const loop_form& f) const {
  span s = reach_of(f);
  const std::int64_t base = number(f.base);
  s.known = s.known && !__builtin_add_overflow(s.low, base, &s.low) && !__builtin_add_overflow(s.high, base, &s.high);
  return s;
}

void loop_proofs::judge_conditions() {
  truths_.resize(static_cast<std::size_t>(region_->condition_count));
  if (lanes_.size() < truths_.size()) lanes_.resize(truths_.size());
  for (known_lanes& k : lanes_) k.found = false;
  for (std::size_t i = 0; i < truths_.size(); ++i) truths_[i] = judge(region_->conditions[i]);
}

loop_proofs::truth loop_proofs::judge(const loop_condition& c) const {
  const auto of = [&](std::int32_t i) { return truths_[static_cast<std::size_t>(i)]; };
  switch (c.test) {
    case loop_test::number:
      return number(c.a) != 0 ? truth::yes : truth::no;
    case loop_test::both:
      if (of(c.a) == truth::no || of(c.b) == truth::no) return truth::no;
      return of(c.a) == truth::yes && of(c.b) == truth::yes ? truth::yes : truth::mixed;
    case loop_test::either:
      if (of(c.a) == truth::yes || of(c.b) == truth::yes) return truth::yes;
      return of(c.a) == truth::no && of(c.b) == truth::no ? truth::no : truth::mixed;
    case loop_test::neither:
      return of(c.a) == truth::mixed ? truth::mixed : of(c.a) == truth::yes ? truth::no : truth::yes;
    case loop_test::unknown:
      return truth::mixed;
    default:
      break;
  }
  if (c.test == loop_test::no_bits) return judge_bits(c);
  const span left = span_of(c.left), right = span_of(c.right);
  if (!left.known || !right.known) return truth::mixed;
  const bool is_unsigned = c.test == loop_test::less_unsigned || c.test == loop_test::less_or_equal_unsigned;
  if (is_unsigned && (left.low < 0 || right.low < 0)) return truth::mixed;
  switch (c.test) {
    case loop_test::equal:
      if (left.high < right.low || right.high < left.low) return truth::no;
      return left.low == left.high && right.low == right.high ? truth::yes : truth::mixed;
    case loop_test::less:
    case loop_test::less_unsigned:
      return left.high < right.low ? truth::yes : left.low >= right.high ? truth::no : truth::mixed;
    case loop_test::less_or_equal:
    case loop_test::less_or_equal_unsigned:
      return left.high <= right.low ? truth::yes : left.low > right.high ? truth::no : truth::mixed;
    case loop_test::in_range:
      return left.low >= number(c.a) && left.high <= number(c.b) ? truth::yes : truth::mixed;
    default:
      return truth::mixed;
  }
}

// Those bits of the number that are asked for are the same for all threads and turns, or mixed: bits above the ones in
// which its least and its greatest value differ, and bits that nothing which is added up has.
loop_proofs::truth loop_proofs::judge_bits(const loop_condition& c) const {
  const span left = span_of(c.left);
  const auto mask = static_cast<std::uint64_t>(number(c.a));
  if (mask == 0) return truth::yes;
  if (!left.known) return truth::mixed;
  const auto low = static_cast<std::uint64_t>(left.low), differing = low ^ static_cast<std::uint64_t>(left.high);
  std::uint64_t added = 0;
  for (unsigned d = 0; d < kLoopDimensions; ++d)
    if (low_[d] < high_[d]) added |= static_cast<std::uint64_t>(number(c.left.factor[d]));
  const std::uint64_t above = differing == 0 ? ~std::uint64_t{0} : ~(~std::uint64_t{0} >> std::countl_zero(differing)),
                      below = added == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << std::countr_zero(added)) - 1;
  const std::uint64_t same = above | below;
  if ((low & mask & same) != 0) return truth::no;
  return (mask & ~same) == 0 ? truth::yes : truth::mixed;
}

void loop_proofs::commit() {
  cursor.steps += silent_;
  if (!pending_) return;
  pending_ = false;
  const dispatcher* const d = dispatcher::current();
  for (std::size_t k = 0; k < asked_->count; ++k) {
    const batch_fact& f = asked_->facts[k];
    if (f.copy) continue;
    const std::uint64_t by = f.some == 0 ? positions_ : asked_->some[f.some - 1].size(), made = by * f.times;
    cursor.steps += made;
    cursor.writes += f.write ? made : 0;
  }
  d->judge_of_batches()->commit(*asked_, positions_, 0);
  if (!asked_->copies.empty()) commit_copies();
  if (d->has_listeners()) tell();
}

void loop_proofs::tell() const {
  dispatcher* const d = dispatcher::current();
  for (std::size_t k = 0; k < asked_->count; ++k) {
    const batch_fact& f = asked_->facts[k];
    const event::access_batch made{.block = asked_->block,
                                   .site = asked_->entries[k].pc,
                                   .base = f.base,
                                   .stride = asked_->entries[k].stride,
                                   .row_stride = f.row_stride,
                                   .first_rank = static_cast<std::int32_t>(asked_->first->rank),
                                   .count = positions_,
                                   .width = asked_->width,
                                   .size = f.size,
                                   .kind = f.write ? event::access_kind::write : event::access_kind::read};
    for (std::uint32_t n = 0; n < f.times; ++n) d->tell_batch(made);
  }
}

}  // namespace simt::sim
