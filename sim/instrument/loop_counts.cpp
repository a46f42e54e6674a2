// SPDX-License-Identifier: Apache-2.0
// A part of loop_proofs: what listeners are told of a region whose loops run unwatched while nobody judges. Nothing is
// to be proved then. Each thread's markers and accesses are told in the order of the program, as the watched loops
// would announce them; neighbours that do the same are one batch. A loop of one basic block is told in short
// (profiled_loops.hpp).
//
// Invariant: all is known before anything is told, or nothing is told.
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/loop_proofs.hpp>
#include <sim/instrument/profiled_loops.hpp>

namespace simt::sim {

namespace {
constexpr std::int64_t kLeastInShort = 3;  // turns
}

loop_answer loop_proofs::count(const block_context& b, const loop_region& r, const std::int64_t* numbers) {
  dispatcher::flush_accesses();
  region_ = &r;
  numbers_ = numbers;
  told_.clear();
  if (!put_in_order(b)) return loop_answer::announced;
  dispatcher& d = *dispatcher::current();
  for (const event::access_batch& made : told_) {
    const bool marks = made.base - profile_markers < 4 * kProfileWords;
    cursor.steps += marks ? 0 : made.count;
    cursor.writes += made.kind == event::access_kind::write ? made.count : 0;
    d.tell_batch(made);
  }
  return loop_answer::proved;
}

bool loop_proofs::put_in_order(const block_context& b) {
  if (!find_positions(b)) return positions_ == 0;
  if (!find_turns()) return false;
  judge_conditions();
  if (!is_listed()) return false;
  makers_.clear();
  for (std::int32_t i = 0; i < region_->access_count; ++i) {
    const loop_access& a = region_->accesses[i];
    lane_set& all = makers_.emplace_back();
    const truth made = a.when < 0 ? truth::yes : truths_[static_cast<std::size_t>(a.when)];
    if (made == truth::no) {
      all.reset(positions_, false);
      continue;
    }
    if (!lanes_of_access(a, false, all)) return false;
    const bool by_planes = extent_.z > 1 && extent_.y > 1 && a.size != loop_access::kBegins &&
                           number(a.address.factor[2]) != number(a.address.factor[1]) * extent_.y;
    if (by_planes || (all.size() > 0 && __atomic_load_n(&region_->sites[a.site], __ATOMIC_RELAXED) == 0)) return false;
  }
  std::int64_t turn[kLoopTurns] = {};
  return put_in_order(0, region_->access_count, 0, turn);
}

// Accesses from .. to - 1, of which the loops whose bits are in `inside` have come to these turns.
bool loop_proofs::put_in_order(std::int32_t from, std::int32_t to, std::uint32_t inside,
                               std::int64_t (&turn)[kLoopTurns]) {
  for (std::int32_t i = from; i < to;) {
    const auto loops = static_cast<std::uint32_t>(region_->accesses[i].turns) & ~inside;
    if (loops == 0) {
      if (!put_one(i++, turn)) return false;
      continue;
    }
    const auto t = static_cast<unsigned>(std::countr_zero(loops));  // outer loops come first
    const auto is_in = [&](std::int32_t k) { return (region_->accesses[k].turns >> t & 1) != 0; };
    std::int32_t end = i + 1;
    while (end < to && is_in(end)) ++end;
    if (is_short(i, end, inside | 1U << t)) {
      if (!put_in_short(i, end, t, turn)) return false;
    } else {
      for (turn[t] = 0; turn[t] <= high_[3 + t]; ++turn[t])
        if (!put_in_order(i, end, inside | 1U << t, turn)) return false;
    }
    turn[t] = 0;
    i = end;
  }
  return true;
}

// One basic block, entered and left by the same threads.
bool loop_proofs::is_short(std::int32_t from, std::int32_t to, std::uint32_t inside) const {
  const loop_access& first = region_->accesses[from];
  const auto t = static_cast<unsigned>(std::bit_width(inside) - 1);
  if (first.size != loop_access::kBegins || (varying_ >> t & 1) != 0 || high_[3 + t] + 1 < kLeastInShort ||
      high_[3 + t] + 1 > static_cast<std::int64_t>(kMostTurns))
    return false;
  for (std::int32_t i = from + 1; i < to; ++i) {
    const loop_access& a = region_->accesses[i];
    if (a.size == loop_access::kBegins || a.turns != first.turns || a.when != first.when) return false;
  }
  return (static_cast<std::uint32_t>(first.turns) & ~inside) == 0;
}

bool loop_proofs::put_in_short(std::int32_t from, std::int32_t to, unsigned t, std::int64_t (&turn)[kLoopTurns]) {
  const auto word = [&](std::size_t number) {
    return put(makers_of(from, turn), __atomic_load_n(&region_->sites[region_->accesses[from].site], __ATOMIC_RELAXED),
               {profile_markers + 4 * (kProfileMarkers + number), 0, 0, 4, event::access_kind::read});
  };
  turn[t] = 0;
  if (!word(kNoTurns + static_cast<std::size_t>(high_[3 + t] + 1))) return false;
  for (std::int32_t i = from; i < to; ++i)
    if (!put_one(i, turn)) return false;
  if (!word(kSecondTurn)) return false;
  turn[t] = 1;
  for (std::int32_t i = from + 1; i < to; ++i)
    if (!put_one(i, turn)) return false;
  turn[t] = 0;
  return word(kLoopEnds);
}

// Who makes it in these turns; null: that is not known.
const lane_set* loop_proofs::makers_of(std::int32_t access, const std::int64_t (&turn)[kLoopTurns]) {
  const loop_access& a = region_->accesses[access];
  const lane_set& come = makers_[static_cast<std::size_t>(access)];
  if (!varies(a) || come.size() == 0) return &come;
  makers_in_turn_ = come;
  return lanes_of_turns(a, turn, makers_in_turn_) ? &makers_in_turn_ : nullptr;
}

bool loop_proofs::put_one(std::int32_t access, const std::int64_t (&turn)[kLoopTurns]) {
  const loop_access& a = region_->accesses[access];
  const std::uintptr_t site = __atomic_load_n(&region_->sites[a.site], __ATOMIC_RELAXED);
  const lane_set* const makers = makers_of(access, turn);
  if (a.size == loop_access::kBegins) {
    const auto marker = static_cast<std::uint64_t>(number(a.address.base)) % kProfileMarkers;
    return put(makers, site, {profile_markers + 4 * marker, 0, 0, 4, event::access_kind::read});
  }
  const auto factor = [&](unsigned d) { return number(a.address.factor[d]); };
  std::int64_t base = number(a.address.base) + factor(0) * low_[0];
  for (unsigned t = 0; t < kLoopTurns; ++t) base += factor(3 + t) * turn[t];
  const std::int64_t row = extent_.y > 1 ? factor(1) : factor(2);
  const bool in_column = !batch_.in_rows && extent_.x == 1;  // one behind the other in y or z
  return put(makers, site,
             {static_cast<std::uintptr_t>(base), in_column ? row : factor(0), batch_.in_rows ? row : 0,
              static_cast<std::uint32_t>(a.size), a.write != 0 ? event::access_kind::write : event::access_kind::read});
}

bool loop_proofs::put(const lane_set* makers, std::uintptr_t site, const even_access& a) {
  if (makers == nullptr) return false;
  return makers->each_stretch([&](std::uint32_t from, std::uint32_t to) {
    const std::uint32_t row = batch_.in_rows ? from / batch_.width : 0;
    const std::uintptr_t base =
        a.base + static_cast<std::uintptr_t>(a.row_stride * static_cast<std::intptr_t>(row) +
                                             a.stride * static_cast<std::intptr_t>(from - row * batch_.width));
    told_.push_back({.block = batch_.block,
                     .site = site,
                     .base = base,
                     .stride = a.stride,
                     .row_stride = a.row_stride,
                     .first_rank = static_cast<std::int32_t>(batch_.first->rank + from),
                     .count = to - from,
                     .width = batch_.width,
                     .size = a.size,
                     .kind = a.kind});
    return told_.size() <= kMostEntries;
  });
}

}  // namespace simt::sim
