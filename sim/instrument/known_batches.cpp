// SPDX-License-Identifier: Apache-2.0
// Batches that come again. From block to block, and from turn to turn of a loop around a region, most of a region's
// numbers stay what they are, and a few move: where addresses begin, and the index of the block's first thread. What
// was found of a region's conditions and of a batch's entries among each other holds while
//
//   - the fixed numbers (factors, steps, the threads of a row) are the same;
//   - each comparison comes out as it did, which is a bound on the difference of two numbers;
//   - what touches the same bytes moves together, and the rest stays apart;
//   - reads that are left out (batch_judge::has_read) may still be.
//
// That is some ten comparisons in place of putting the batch together and asking for each pair of entries.
#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/loop_proofs.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                       kMost = std::numeric_limits<std::int64_t>::max();
// A batch that was put together so often without being used is no longer kept, but now and then.
constexpr std::uint32_t kMostTries = 8, kPause = 64;

bool is_same(const extent3& a, const extent3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

std::uint64_t next_number() {  // for gathered_batch::same
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::int64_t as_number(__int128 v) { return static_cast<std::int64_t>(std::clamp<__int128>(v, kLeast, kMost)); }

template <class Bounds>
void add_bound(Bounds& all, std::int32_t a, std::int32_t b, __int128 low, __int128 high) {
  if (a == b) return;
  if (a < 0 || (b >= 0 && b < a)) return add_bound(all, b, a, -high, -low);
  const bool none = low > kMost || high < kLeast;  // no two numbers are so far apart
  const std::int64_t from = none ? kMost : as_number(low), to = none ? kLeast : as_number(high);
  for (auto& o : all)
    if (o.a == a && o.b == b) {
      o.low = std::max(o.low, from);
      o.high = std::min(o.high, to);
      return;
    }
  all.push_back({a, b, from, to});
}

}  // namespace

// Places of the numbers that a batch is made of and that must stay the same: all but bases of addresses, of what is
// compared and of where loops begin and end, and the rank of a warp's first thread.
std::vector<std::int32_t> loop_proofs::fixed_numbers(const loop_region& r) {
  std::vector<std::int32_t> places{r.first, r.end};
  const auto factors = [&](const loop_form& f) {
    places.insert(places.end(), std::begin(f.factor), std::end(f.factor));
  };
  for (std::int32_t i = 0; i < r.access_count; ++i) factors(r.accesses[i].address);
  for (std::int32_t i = 0; i < r.condition_count; ++i) {
    const loop_condition& c = r.conditions[i];
    factors(c.left), factors(c.right);
    if (c.test == loop_test::number || c.test == loop_test::no_bits) places.push_back(c.a);
  }
  for (std::int32_t i = 0; i < r.turn_count; ++i) {
    const loop_turns& t = r.turns[i];
    factors(t.start), factors(t.bound);
    places.insert(places.end(), {t.count, t.step, t.most});
  }
  for (std::int32_t i = 0; i < r.copy_count; ++i) places.push_back(r.copies[i].keep);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (!places.empty() && places.front() < 0) places.erase(places.begin());
  return places;
}

// The batch that fits, or a slot for one with these numbers. Batches with the same fixed numbers of which comparisons
// come out differently, as for blocks at an edge, have slots of their own.
loop_proofs::known_batch& loop_proofs::known_for(const block_context& b, history& h, seen& how) {
  const auto is_it = [&](const known_batch& k) {
    if (!is_same(k.extent, extent_of(b)) || k.fixed.size() != h.fixed.size()) return false;
    for (std::size_t i = 0; i < k.fixed.size(); ++i)
      if (k.fixed[i] != number(h.fixed[i])) return false;
    return has_same_bits(k);
  };
  const auto look_at = [&](known_batch& k) {
    if (!is_it(k)) return false;
    how = k.known && fits(b, k, h.places <= kMostPlaces) ? seen::fits : seen::before;
    return true;
  };
  how = seen::never;
  other_place_ = false;
  known_batch* const guess = h.last != nullptr ? h.last->next : nullptr;
  known_batch* k = guess;
  if (guess != nullptr) look_at(*guess);
  if (how != seen::fits) {
    std::uint64_t hash = 1;
    for (const std::int32_t place : h.fixed) {
      hash = (hash ^ static_cast<std::uint64_t>(number(place))) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 32;
    }
    for (std::int32_t i = 0; i < region_->condition_count; ++i)
      if (const loop_condition& c = region_->conditions[i]; c.test == loop_test::no_bits)
        hash = (hash ^ static_cast<std::uint64_t>(judge_bits(c))) * 0x9e3779b97f4a7c15ULL;
    // First one of these numbers that is not known, then nobody's, then the one that was used longest ago.
    constexpr std::size_t kSteps = 16;
    const std::size_t at = hash * 0x9e3779b97f4a7c15ULL >> 32;
    std::uint64_t best = ~std::uint64_t{0};
    for (std::size_t i = 0; i < kSteps && how != seen::fits; ++i) {
      known_batch& other = h.known[(at + i) % kKnown];
      const bool same = &other != guess ? look_at(other) : is_it(other);
      const std::uint64_t worth = other.fixed.empty() ? 1 : same && !other.known ? 0 : 2 + other.used;
      if (how == seen::fits || worth < best) k = &other, best = worth;
    }
    if (h.last != nullptr) h.last->next = k;
  }
  if (how != seen::fits && other_place_) ++h.places;
  h.last = k;
  return *k;
}

// The batch of all accesses, if it is not known yet; false: not all of them can be told.
bool loop_proofs::put_together(const block_context& b, history& h) {
  seen how{};
  known_batch& k = known_for(b, h, how);
  if (how == seen::fits) {
    positions_ = k.positions;
    silent_ = k.silent_accesses;
    first_loop_ = k.turns;
    k.tries = 0;
    k.used = ++h.uses;
    begin_batch(k.batch, b);
    asked_ = &k.batch;
    return true;
  }
  asked_ = &batch_;
  const auto take = [&] {
    k.known = false;
    k.used = ++h.uses;
    k.extent = extent_of(b);
    k.fixed.clear(), k.bits.clear();
    for (const std::int32_t place : h.fixed) k.fixed.push_back(number(place));
  };
  if (how == seen::never) {
    k.tries = 0;
    take();
  }
  if (!gather(b)) return false;
  if (how == seen::never || batch_.count > kMostKnown || (++k.tries > kMostTries && k.tries % kPause != 0)) return true;
  take();
  if (keep(k)) asked_ = &k.batch;
  return true;
}

// Do comparisons of bits come out as they did? Blocks for which they do not have batches of their own.
bool loop_proofs::has_same_bits(const known_batch& k) const {
  return std::all_of(k.bits.begin(), k.bits.end(), [&](const asked_bits& a) {
    const loop_condition& c = region_->conditions[a.condition];
    const auto mask = static_cast<std::uint64_t>(number(c.a));
    if (a.found != truth::mixed) return judge_bits(c) == a.found;
    // For the same threads: the number has moved by a multiple of all that the mask may ask for.
    const std::uint64_t moved = static_cast<std::uint64_t>(number(c.left.base)) - a.seen;
    return mask == 0 || (moved & (~std::uint64_t{0} >> std::countl_zero(mask))) == 0;
  });
}

// Does the batch say what the region does with the numbers that it has now? Its entries are theirs then.
bool loop_proofs::fits(const block_context& b, known_batch& k, bool in_place) {
  for (const number_bound& o : k.bounds) {
    std::int64_t d = 0;
    if (__builtin_sub_overflow(number(o.a), number(o.b), &d) || d < o.low || d > o.high) return false;
  }
  const dispatcher* const d = dispatcher::current();
  if (!k.batch.some.empty() && d->has_listeners()) return false;
  std::uint64_t any = 0, different = 0;
  for (address_number& a : k.addresses) {
    a.moved = static_cast<std::uint64_t>(number(a.place)) - a.seen;
    if ((a.moved & a.within) != 0) return false;
    any |= a.moved;
    different |= a.moved ^ k.addresses.front().moved;
  }
  if ((in_place || !k.batch.copies.empty()) && any != 0) {
    const auto shared = reinterpret_cast<std::uintptr_t>(b.shared);
    for (const address_number& a : k.addresses)
      if (a.moved != 0 && a.from - shared < kSharedSlotBytes) return other_place_ = true, false;
  }
  if (different != 0 && !stay_apart(k)) return false;
  batch_judge& judge = *d->judge_of_batches();
  watched_thread& first = *state_at(b.observed->states, 0);
  for (const address_number& a : k.addresses)  // a read that has become silent, because the launch is another one
    if (a.reads && judge.has_read(first, a.from + a.moved, a.to + a.moved)) return false;
  for (silent_read& s : k.silent) {
    const auto now = static_cast<std::uint64_t>(number(s.place));
    if (((now - s.seen) & s.within) != 0) return false;
    if (!judge.has_read(first, now + static_cast<std::uint64_t>(s.low), now + static_cast<std::uint64_t>(s.high)))
      return false;
  }
  if (any != 0) move(k);
  return true;
}

// Do entries that move differently touch nothing in common, where they were and where they are?
bool loop_proofs::stay_apart(const known_batch& k) {
  for (std::size_t i = 0; i < k.addresses.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const address_number &p = k.addresses[i], &q = k.addresses[j];
      if (p.moved == q.moved || !(p.writes || q.writes)) continue;
      const auto meet = [&](std::uint64_t p_by, std::uint64_t q_by) {
        return p.from + p_by < q.to + q_by && q.from + q_by < p.to + p_by &&
               !in_other_columns(p, p.from + p_by, q, q.from + q_by);
      };
      if (meet(0, 0) || meet(p.moved, q.moved)) return false;
    }
  return true;
}

// Do rows touch different columns of one matrix, as its elements and the one column that all of them read?
bool loop_proofs::in_other_columns(const address_number& p, std::uintptr_t p_from, const address_number& q,
                                   std::uintptr_t q_from) {
  const std::uint64_t pitch = std::max(p.pitch, q.pitch);
  if (pitch == 0 || (p.pitch != 0 && q.pitch != 0 && p.pitch != q.pitch) || p.width > pitch ||
      q.width > pitch - p.width)
    return false;
  // From the beginning of p's columns on, round the pitch: q's begin behind p's end, and end before p's begin again.
  const std::uint64_t behind =
      q_from > p_from ? (q_from - p_from) % pitch : (pitch - (p_from - q_from) % pitch) % pitch;
  return behind >= p.width && behind + q.width <= pitch;
}

void loop_proofs::move(known_batch& k) {
  gathered_batch& batch = k.batch;
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::uint64_t by = k.addresses[k.address_of_entry[i]].moved;
    if (by == 0) continue;
    batch_fact& f = batch.facts[i];
    f.base += by;
    if (!f.moved) batch.same = next_number();
    f.moved = true;
    if (!batch.shape.empty()) batch.shape[i].from += by, batch.shape[i].to += by;
  }
  for (address_number& a : k.addresses) a.seen += a.moved, a.from += a.moved, a.to += a.moved;
}

// Keeps the batch that was just put together in k, with what it depends on; false: that cannot be said.
bool loop_proofs::keep(known_batch& k) {
  k.bounds.clear(), k.addresses.clear(), k.silent.clear(), k.bits.clear(), k.address_of_entry.clear();
  if (positions_ > 0) {
    for (std::size_t i = 0; i < truths_.size(); ++i)
      if (!keep_bounds(k, static_cast<std::int32_t>(i))) return false;
    for (std::int32_t i = 0; i < region_->turn_count; ++i)
      if (region_->turns[i].count < 0) keep_turns(k, i);
    for (const auto& [a, b] : written_anyway_) {
      const __int128 now = static_cast<__int128>(number(a)) - number(b);
      add_bound(k.bounds, a, b, now, now);
    }
    for (const std::uint32_t access : silent_reads_)
      if (!keep_silent(k, region_->accesses[access])) return false;
    for (const std::uint32_t access : access_of_entry_) {
      const std::int32_t place = region_->accesses[access].address.base;
      const auto is_it = [&](const address_number& a) { return a.place == place; };
      auto at = std::find_if(k.addresses.begin(), k.addresses.end(), is_it);
      if (at == k.addresses.end()) {
        if (place < 0) return false;
        at = k.addresses.insert(at, {place, static_cast<std::uint64_t>(number(place))});
      }
      k.address_of_entry.push_back(static_cast<std::uint32_t>(at - k.addresses.begin()));
      if (!widen(*at, region_->accesses[access])) return false;
    }
  }
  batch_.entries.resize(batch_.count + 1), batch_.facts.resize(batch_.count + 1);  // of larger ones before
  k.batch = batch_;
  k.batch.comes_again = true;
  k.batch.same = next_number();
  k.batch.shape.clear();
  k.positions = positions_;
  k.silent_accesses = silent_;
  k.turns = first_loop_;
  k.known = true;
  return true;
}

bool loop_proofs::widen(address_number& n, const loop_access& a) const {
  const span at = span_of(a.address);
  if (!at.known) return false;
  n.within |= static_cast<std::uint64_t>(a.size - 1);
  const auto from = static_cast<std::uintptr_t>(at.low), to = static_cast<std::uintptr_t>(at.high + a.size);
  // The rows of a block are dimension 1.
  const std::int64_t by = low_[1] < high_[1] ? number(a.address.factor[1]) : 0;
  const std::uint64_t pitch = by < 0 ? -static_cast<std::uint64_t>(by) : static_cast<std::uint64_t>(by),
                      width = to - from - pitch * static_cast<std::uint64_t>(high_[1] - low_[1]);
  const bool first = !n.reads && !n.writes, same = from == n.from && to == n.to && pitch == n.pitch && width == n.width;
  n.from = std::min(n.from, from), n.to = std::max(n.to, to);
  if (first)
    n.pitch = pitch, n.width = width;
  else if (!same)
    n.pitch = 0, n.width = n.to - n.from;
  (a.write != 0 ? n.writes : n.reads) = true;
  return true;
}

bool loop_proofs::keep_silent(known_batch& k, const loop_access& a) {
  std::int64_t times = 0;
  const span at = span_of_access(a, a.when < 0 ? truth::yes : truths_[static_cast<std::size_t>(a.when)], times);
  if (!at.known) return span_of(a.address).known;  // nobody makes it
  const std::int64_t base = number(a.address.base);
  if (!at.known || a.address.base < 0) return false;
  const auto reach = [&](std::int64_t end) { return as_number(static_cast<__int128>(end) - base); };
  k.silent.push_back({a.address.base, reach(at.low), reach(at.high + a.size), static_cast<std::uint64_t>(base),
                      static_cast<std::uint64_t>(a.size - 1)});
  return true;
}

// How far the beginning and the end of a loop may move while each thread makes as many turns as it did: find_turns()
// has found the loop to be known.
void loop_proofs::keep_turns(known_batch& k, std::int32_t loop) const {
  using wide = __int128;
  const loop_turns& t = region_->turns[loop];
  const std::int32_t a = t.bound.base, b = t.start.base;
  const span start = span_of(t.start), bound = span_of(t.bound);
  const wide step = number(t.step), from = number(b), to = number(a), distance = to - from,
             least = static_cast<wide>(bound.low) - start.high + t.inclusive,
             most = static_cast<wide>(bound.high) - start.low + t.inclusive;
  const auto how = static_cast<loop_compared>(t.compared);
  wide low = 0, high = 0;  // by how much they may come apart
  if ((varying_ >> loop & 1) == 0) {
    const wide turns = static_cast<wide>(high_[3 + loop]) + 1;
    low = turns > 1 || how == loop_compared::unequal ? (turns - 1) * step + 1 - least : kLeast;
    high = turns * step - most;
  }
  add_bound(k.bounds, a, b, distance + low, distance + high);
  add_bound(k.bounds, a, -1, kLeast + to - bound.low, kMost + to - bound.high);
  add_bound(k.bounds, b, -1, kLeast + from - start.low, kMost + from - start.high);
  if (how == loop_compared::without_sign) {
    add_bound(k.bounds, a, -1, to - bound.low, kMost);
    add_bound(k.bounds, b, -1, from - start.low, kMost);
  }
  if (t.most < 0) return;
  const wide last = number(t.most) - step;
  add_bound(k.bounds, a, -1, kLeast, to + last - bound.high);
  add_bound(k.bounds, b, -1, kLeast, from + last - start.high);
}

// How far the bases of a comparison may move while it comes out as it did, for the same threads.
bool loop_proofs::keep_bounds(known_batch& k, std::int32_t condition) const {
  const loop_condition& c = region_->conditions[condition];
  const truth t = truths_[static_cast<std::size_t>(condition)];
  switch (c.test) {
    case loop_test::no_bits:
      k.bits.push_back({condition, t, static_cast<std::uint64_t>(number(c.left.base))});
      return c.left.base >= 0;
    case loop_test::number:
    case loop_test::both:
    case loop_test::either:
    case loop_test::neither:
    case loop_test::unknown:
      return true;
    default:
      break;
  }
  const span l = reach_of(c.left), r = reach_of(c.right), left = span_of(c.left), right = span_of(c.right);
  if (!left.known || !right.known) return false;
  using wide = __int128;
  const std::int32_t a = c.left.base, b = c.right.base;
  const auto bound = [&](std::int32_t p, std::int32_t q, wide low, wide high) { add_bound(k.bounds, p, q, low, high); };
  // Their values are numbers of 64 bits, or, where they are compared without sign, not negative.
  const bool is_unsigned = c.test == loop_test::less_unsigned || c.test == loop_test::less_or_equal_unsigned;
  if (is_unsigned && (left.low < 0 || right.low < 0)) return false;
  const wide least = is_unsigned ? 0 : kLeast;
  bound(a, -1, least - l.low, wide{kMost} - l.high);
  if (c.test == loop_test::in_range) {  // each end: all threads stay within it, or the same ones do
    const wide from = wide{number(a)} - number(c.a), to = wide{number(a)} - number(c.b);
    left.low >= number(c.a) ? bound(a, c.a, -wide{l.low}, kMost) : bound(a, c.a, from, from);
    left.high <= number(c.b) ? bound(a, c.b, kLeast, -wide{l.high}) : bound(a, c.b, to, to);
    return true;
  }
  bound(b, -1, least - r.low, wide{kMost} - r.high);
  const wide below = wide{r.low} - l.high,
             above = wide{r.high} - l.low;  // all of the left is less or equal; more or equal
  const bool strict = c.test == loop_test::less || c.test == loop_test::less_unsigned;
  if (t == truth::mixed || (t == truth::yes && c.test == loop_test::equal)) {
    const wide now = wide{number(a)} - number(b);
    bound(a, b, now, now);
  } else if (c.test == loop_test::equal) {
    left.high < right.low ? bound(a, b, kLeast, below - 1) : bound(a, b, above + 1, kMost);
  } else if (t == truth::yes) {
    bound(a, b, kLeast, below - strict);
  } else {
    bound(a, b, above + !strict, kMost);
  }
  return true;
}

}  // namespace simt::sim
