// SPDX-License-Identifier: Apache-2.0
// Which threads a condition holds for, where it does for some only: at the edges of arrays, and where data decide.
#include <sim/instrument/loop_proofs.hpp>

namespace simt::sim {

namespace {
__int128 floor_of(__int128 a, __int128 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// The x of [low, high] for which first + step * x <= 0, as [from, to).
struct stretch {
  std::int64_t from, to;
};
stretch not_above_zero(__int128 first, __int128 step, std::int64_t low, std::int64_t high) {
  const __int128 begin = low, end = static_cast<__int128>(high) + 1;
  __int128 from = begin, to = end;
  if (step == 0)
    to = first <= 0 ? end : begin;
  else if (step > 0)
    to = floor_of(-first, step) + 1;
  else
    from = -floor_of(-first, -step);  // the least x with x >= first / -step
  from = std::clamp(from, begin, end), to = std::clamp(to, from, end);
  return {static_cast<std::int64_t>(from), static_cast<std::int64_t>(to)};
}
}  // namespace

// Calls f(row, value) with each row of threads and what the form is there, but for its part in x.
template <class F>
void loop_proofs::each_row(const loop_form& form, F f) const {
  const auto width = static_cast<std::uint32_t>(high_[0] - low_[0] + 1), rows = positions_ / width;
  for (std::uint32_t r = 0; r < rows; ++r) {
    const std::int64_t y = rows == 1 ? 0 : r % extent_.y, z = rows == 1 ? 0 : r / extent_.y;
    f(r, static_cast<__int128>(number(form.base)) + static_cast<__int128>(number(form.factor[1])) * y +
             static_cast<__int128>(number(form.factor[2])) * z);
  }
}

bool loop_proofs::depends_on_turns(const loop_form& f) const {
  for (unsigned d = 3; d < kLoopDimensions; ++d)
    if (number(f.factor[d]) != 0 && low_[d] < high_[d]) return true;
  return false;
}

// left + more <= right
void loop_proofs::compare_lanes(const loop_form& left, const loop_form& right, __int128 more, lane_set& all) const {
  std::vector<__int128> lefts;
  each_row(left, [&](std::uint32_t, __int128 value) { lefts.push_back(value); });
  const __int128 step = static_cast<__int128>(number(left.factor[0])) - number(right.factor[0]);
  const auto width = static_cast<std::uint32_t>(high_[0] - low_[0] + 1);
  each_row(right, [&](std::uint32_t row, __int128 value) {
    const stretch s = not_above_zero(lefts[row] + more - value, step, low_[0], high_[0]);
    const std::uint32_t first = row * width;
    all.add(first + static_cast<std::uint32_t>(s.from - low_[0]), first + static_cast<std::uint32_t>(s.to - low_[0]));
  });
}

// Those whose number has no bit in common with the mask.
void loop_proofs::lanes_without_bits(const loop_condition& c, lane_set& all) const {
  const auto mask = static_cast<std::uint64_t>(number(c.a)),
             step = static_cast<std::uint64_t>(number(c.left.factor[0]));
  const auto width = static_cast<std::uint32_t>(high_[0] - low_[0] + 1);
  each_row(c.left, [&](std::uint32_t row, __int128 value) {
    std::uint64_t at = static_cast<std::uint64_t>(value) + step * static_cast<std::uint64_t>(low_[0]);
    std::uint32_t from = 0;  // the stretch of neighbours that goes on
    for (std::uint32_t x = 0; x < width; ++x, at += step) {
      if ((at & mask) == 0) continue;
      all.add(row * width + from, row * width + x);
      from = x + 1;
    }
    all.add(row * width + from, (row + 1) * width);
  });
}

const loop_proofs::known_lanes& loop_proofs::lanes(std::int32_t condition) {
  const auto at = static_cast<std::size_t>(condition);
  if (lanes_[at].found) return lanes_[at];
  const truth t = truths_[at];
  const loop_condition& c = region_->conditions[condition];
  lane_set surely, maybe;
  surely.reset(positions_, t == truth::yes);
  maybe.reset(positions_, t != truth::no);
  if (t == truth::mixed) {
    switch (c.test) {
      case loop_test::both:
      case loop_test::either: {
        const known_lanes &a = lanes(c.a), &b = lanes(c.b);
        surely = a.surely, maybe = a.maybe;
        c.test == loop_test::both ? surely.keep(b.surely) : surely.join(b.surely);
        c.test == loop_test::both ? maybe.keep(b.maybe) : maybe.join(b.maybe);
        break;
      }
      case loop_test::neither: {
        const known_lanes& a = lanes(c.a);
        surely = a.maybe, maybe = a.surely;
        surely.invert(), maybe.invert();
        break;
      }
      case loop_test::equal:
      case loop_test::less:
      case loop_test::less_or_equal:
      case loop_test::less_unsigned:
      case loop_test::less_or_equal_unsigned: {
        const span left = span_of(c.left), right = span_of(c.right);
        const bool is_unsigned = c.test == loop_test::less_unsigned || c.test == loop_test::less_or_equal_unsigned;
        if (!left.known || !right.known || (is_unsigned && (left.low < 0 || right.low < 0))) break;
        if (depends_on_turns(c.left) || depends_on_turns(c.right)) break;
        compare_lanes(c.left, c.right, c.test == loop_test::less || c.test == loop_test::less_unsigned ? 1 : 0, surely);
        if (c.test == loop_test::equal) {
          lane_set above;
          above.reset(positions_, false);
          compare_lanes(c.left, c.right, 1, above);  // and not less
          above.invert();
          surely.keep(above);
        }
        maybe = surely;
        break;
      }
      case loop_test::in_range: {  // in all turns
        if (!span_of(c.left).known) break;
        __int128 least = 0, most = 0;
        for (unsigned d = 3; d < kLoopDimensions; ++d) {
          const __int128 by = number(c.left.factor[d]);
          least += std::min(by * low_[d], by * high_[d]), most += std::max(by * low_[d], by * high_[d]);
        }
        const auto constant = [](std::int32_t at) { return loop_form{at, {-1, -1, -1, -1, -1, -1}}; };
        compare_lanes(constant(c.a), c.left, -least, surely);
        lane_set below;
        below.reset(positions_, false);
        compare_lanes(c.left, constant(c.b), most, below);
        surely.keep(below);
        break;
      }
      case loop_test::no_bits:
        if (depends_on_turns(c.left)) break;
        lanes_without_bits(c, surely);
        maybe = surely;
        break;
      default:
        break;
    }
  }
  known_lanes& k = lanes_[at];
  k.surely = std::move(surely), k.maybe = std::move(maybe);
  k.found = true;
  return k;
}

// The addresses of those threads that may make the access; not known: of none.
loop_proofs::span loop_proofs::span_of_lanes(const loop_access& a, const lane_set& some) const {
  span s{INT64_MAX, INT64_MIN, false};
  const auto width = static_cast<std::uint32_t>(high_[0] - low_[0] + 1);
  const auto widen = [&](__int128 address) {
    s.low = std::min(s.low, static_cast<std::int64_t>(address));
    s.high = std::max(s.high, static_cast<std::int64_t>(address));
    s.known = true;
  };
  const __int128 by_x = number(a.address.factor[0]);
  each_row(a.address, [&](std::uint32_t row, __int128 value) {
    const std::uint32_t first = row * width, end = first + width, from = some.next(first);
    if (from >= end) return;
    std::uint32_t last = end - 1;
    while (some.next(last) != last) --last;
    for (const std::uint32_t i : {from, last}) widen(value + by_x * (low_[0] + (i - first)));
  });
  for (unsigned d = 3; d < kLoopDimensions && s.known; ++d) {
    const std::int64_t by = number(a.address.factor[d]);
    s.low += by * (by > 0 ? low_[d] : high_[d]);
    s.high += by * (by > 0 ? high_[d] : low_[d]);
  }
  return s;
}

// Of `some`, which come to its loops, those that make the access in these turns. False: a loop would go on for one of
// them until its index has gone around.
bool loop_proofs::lanes_of_turns(const loop_access& a, const std::int64_t (&turn)[kLoopTurns], lane_set& some) const {
  for (unsigned t = 0; t < kLoopTurns; ++t) {
    if ((static_cast<std::uint32_t>(a.turns) & varying_ & 1U << t) == 0) continue;
    const loop_turns& l = region_->turns[t];
    const bool unequal = l.compared == static_cast<std::int32_t>(loop_compared::unequal);
    if (turn[t] == 0 && !unequal) continue;  // once at least
    lane_set again;
    again.reset(positions_, false);
    compare_lanes(l.start, l.bound, turn[t] * number(l.step) + 1 - l.inclusive, again);
    const std::uint32_t before = some.size();
    some.keep(again);
    if (turn[t] == 0 && some.size() != before) return false;
  }
  return true;
}

// The threads that come to the access; false: that is not known. at_most: those that may.
bool loop_proofs::lanes_of_access(const loop_access& a, bool at_most, lane_set& all) {
  all.reset(positions_, true);
  if (a.when < 0 || truths_[static_cast<std::size_t>(a.when)] == truth::yes) return true;
  const known_lanes& k = lanes(a.when);
  all = k.maybe;
  return at_most || k.surely == k.maybe;
}

// The addresses of those threads that make the access, or may; not known: that is not, or of none. times: how often it
// is made, where that is known.
loop_proofs::span loop_proofs::span_of_access(const loop_access& a, truth made, std::int64_t& times) {
  times = made == truth::yes ? positions_ : made == truth::mixed ? lanes(a.when).surely.size() : 0;
  for (unsigned d = 3; d < kLoopDimensions; ++d)
    if ((a.turns >> (d - 3) & 1) != 0 && (varying_ >> (d - 3) & 1) == 0) times *= high_[d] + 1;
  if (!varies(a)) return made == truth::mixed ? span_of_lanes(a, lanes(a.when).maybe) : span_of(a.address);
  const std::int64_t per_thread = times / positions_;
  times = 0;
  span all{INT64_MAX, INT64_MIN, false};
  lane_set come, some;
  lanes_of_access(a, true, come);
  const bool whole = each_varying_turn(a, [&](const std::int64_t(&turn)[kLoopTurns]) {
    some = come;
    if (!lanes_of_turns(a, turn, some)) return false;
    std::int64_t low[kLoopTurns], high[kLoopTurns];
    for (unsigned t = 0; t < kLoopTurns; ++t) {
      low[t] = low_[3 + t], high[t] = high_[3 + t];
      if ((static_cast<std::uint32_t>(a.turns) & varying_ & 1U << t) != 0) low_[3 + t] = high_[3 + t] = turn[t];
    }
    const span s = span_of_lanes(a, some);
    for (unsigned t = 0; t < kLoopTurns; ++t) low_[3 + t] = low[t], high_[3 + t] = high[t];
    times += per_thread * some.size();
    if (s.known) all = {std::min(all.low, s.low), std::max(all.high, s.high), true};
    return true;
  });
  if (!whole) return {0, -1, true};  // it may be anywhere
  return all;
}

// The whole of a block of one row, or whole rows of these from its begin on.
bool loop_proofs::find_split_positions(const block_context& b, std::int64_t first, std::int64_t end) {
  positions_ = static_cast<std::uint32_t>(end - first);
  if (extent_.y * extent_.z != 1 || first != 0 || end % region_->split != 0) return false;
  extent_ = {region_->split, end / region_->split, 1};
  low_[0] = low_[1] = low_[2] = high_[2] = 0;
  high_[0] = extent_.x - 1, high_[1] = extent_.y - 1;
  if (b.observed != nullptr) begin_batch(batch_, b);
  batch_.width = static_cast<std::uint32_t>(extent_.x);
  batch_.judged = 0;
  batch_.in_rows = extent_.y > 1;
  batch_.written_before = region_->lone != 0;
  return true;
}

}  // namespace simt::sim
