// SPDX-License-Identifier: Apache-2.0
// Which threads a condition holds for, where it does for some only: at the edges of arrays, and where data decide. And
// which run a loop once more than others: the last turn of a stride that does not divide the array.
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
void loop_proofs::compare_lanes(const loop_form& left, __int128 more, const loop_form& right_form,
                                lane_set& all) const {
  std::vector<__int128> lefts;
  each_row(left, [&](std::uint32_t, __int128 value) { lefts.push_back(value); });
  const __int128 step = static_cast<__int128>(number(left.factor[0])) - number(right_form.factor[0]);
  const auto width = static_cast<std::uint32_t>(high_[0] - low_[0] + 1);
  each_row(right_form, [&](std::uint32_t row, __int128 right) {
    const stretch s = not_above_zero(lefts[row] + more - right, step, low_[0], high_[0]);
    const std::uint32_t first = row * width;
    all.add(first + static_cast<std::uint32_t>(s.from - low_[0]), first + static_cast<std::uint32_t>(s.to - low_[0]));
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
        const bool strict = c.test == loop_test::less || c.test == loop_test::less_unsigned;
        compare_lanes(c.left, strict ? 1 : 0, c.right, surely);
        if (c.test == loop_test::equal) {
          lane_set above;
          above.reset(positions_, false);
          compare_lanes(c.left, 1, c.right, above);  // and not less
          above.invert();
          surely.keep(above);
        }
        maybe = surely;
        break;
      }
      default:
        break;
    }
  }
  known_lanes& k = lanes_[at];
  k.surely = std::move(surely), k.maybe = std::move(maybe);
  k.found = true;
  return k;
}

// Who makes each turn of this loop from the `least`th on, which not all threads do: those that are below the bound
// after as many steps. False: too many turns, or that is not known.
bool loop_proofs::find_uneven(std::int32_t loop, std::int64_t least, std::int64_t most) {
  const loop_turns& t = region_->turns[loop];
  if (uneven_.loop >= 0 || most - least > kMostUneven || depends_on_turns(t.start) || depends_on_turns(t.bound) ||
      dispatcher::current()->has_listeners())  // they hear of whole batches
    return false;
  uneven_.loop = loop;
  uneven_.whole = least;
  uneven_.turns.resize(static_cast<std::size_t>(most - least));
  for (std::int64_t turn = least; turn < most; ++turn) {
    lane_set& who = uneven_.turns[static_cast<std::size_t>(turn - least)];
    who.reset(positions_, false);
    compare_lanes(t.start, static_cast<__int128>(turn) * number(t.step) + (t.inclusive != 0 ? 0 : 1), t.bound, who);
  }
  return true;
}

// Those of `some` (as batch_fact has it) that make this turn behind those that all make; 0: nobody does.
std::uint32_t loop_proofs::some_in_turn(std::size_t turn, std::uint32_t some) {
  const std::pair<std::int32_t, std::int32_t> made{some == 0 ? -1 : made_some_[some - 1].first,
                                                   static_cast<std::int32_t>(turn)};
  for (std::size_t i = 0; i < made_some_.size(); ++i)
    if (made_some_[i] == made) return static_cast<std::uint32_t>(i) + 1;
  lane_set who = uneven_.turns[turn];
  if (some != 0) who.keep(batch_.some[some - 1]);
  if (who.size() == 0) return 0;
  batch_.some.push_back(std::move(who));
  made_some_.push_back(made);
  return static_cast<std::uint32_t>(batch_.some.size());
}

// The addresses of all that make the access, in all turns; not known: nobody does.
loop_proofs::span loop_proofs::span_made(const loop_access& a, truth made) {
  const lane_set* const maybe = made == truth::mixed ? &lanes(a.when).maybe : nullptr;
  const auto in_turns = [&] { return maybe != nullptr ? span_of_lanes(a, *maybe) : span_of(a.address); };
  if (!is_uneven(a)) return in_turns();
  std::int64_t &low = low_[3 + uneven_.loop], &high = high_[3 + uneven_.loop];
  const std::int64_t last = high;
  high = uneven_.whole - 1;
  span all = in_turns();
  for (std::size_t turn = 0; turn < uneven_.turns.size(); ++turn) {
    low = high = uneven_.whole + static_cast<std::int64_t>(turn);
    lane_set who = uneven_.turns[turn];
    if (maybe != nullptr) who.keep(*maybe);
    const span one = span_of_lanes(a, who);
    if (!one.known) continue;
    all = all.known ? span{std::min(all.low, one.low), std::max(all.high, one.high), true} : one;
  }
  low = 0, high = last;
  return all;
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

}  // namespace simt::sim
