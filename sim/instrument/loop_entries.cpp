// SPDX-License-Identifier: Apache-2.0
// A part of loop_proofs: how an access becomes entries of a batch, by turns of loops, planes of the block and threads
// that make it.
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/loop_proofs.hpp>

namespace simt::sim {

// The threads for which the condition holds, as batch_fact::some has them; 0: that is not known.
std::uint32_t loop_proofs::some_of(std::int32_t condition) {
  if (dispatcher::current()->has_listeners()) return 0;  // they hear of whole batches
  for (std::size_t i = 0; i < some_conditions_.size(); ++i)
    if (some_conditions_[i] == condition) return static_cast<std::uint32_t>(i) + 1;
  const known_lanes& k = lanes(condition);
  if (k.surely != k.maybe) return 0;
  batch_.some.push_back(k.surely);
  some_conditions_.push_back(condition);
  return static_cast<std::uint32_t>(batch_.some.size());
}

// The threads of plane z of the block that are in `some`, as batch_fact::some has them; 0: there are none.
std::uint32_t loop_proofs::some_of_plane(std::int64_t z, std::uint32_t some) {
  for (const plane& p : planes_)
    if (p.z == z && p.some == some) return p.there;
  const auto threads = static_cast<std::uint32_t>(extent_.x * extent_.y),
             first = static_cast<std::uint32_t>(z) * threads;
  lane_set there;
  there.reset(positions_, false);
  there.add(first, first + threads);
  if (some != 0) there.keep(batch_.some[some - 1]);
  planes_.push_back({z, some, 0});
  if (there.size() == 0) return 0;
  batch_.some.push_back(std::move(there));
  some_conditions_.push_back(kNoCondition);
  return planes_.back().there = static_cast<std::uint32_t>(batch_.some.size());
}

// One entry for each turn of the loops around the access; but turns that touch the same again find nothing that the
// first one does not, so they are one entry. Positions go on from row to row by one step; where the step from plane to
// plane is another, each plane has an entry of its own.
bool loop_proofs::add(const loop_access& a, std::uintptr_t site, std::uint32_t some) {
  const auto factor = [&](unsigned d) { return number(a.address.factor[d]); };
  const std::int64_t x = factor(0), y = factor(1), z = factor(2);
  const bool by_planes = extent_.z > 1 && extent_.y > 1 && z != y * extent_.y;
  // In blocks of width 1 there is one row only. Listeners hear of whole batches.
  if (by_planes && (!batch_.in_rows || dispatcher::current()->has_listeners())) return false;
  const std::int64_t row = extent_.y > 1 ? y : z, planes = by_planes ? extent_.z : 1;
  const std::int64_t within = a.size - 1;  // bits of an address that must be zero
  std::int64_t turns[kLoopTurns];
  std::size_t entries = 1;
  std::int64_t times = 1;
  for (unsigned t = 0; t < kLoopTurns; ++t) {
    turns[t] = (a.turns >> t & 1) != 0 ? high_[3 + t] + 1 : 1;
    if (turns[t] <= 0) return false;
    if (factor(3 + t) == 0) {
      if (turns[t] > kMostTimes || (times *= turns[t]) > kMostTimes) return false;
      turns[t] = 1;
    }
    if (turns[t] > static_cast<std::int64_t>(kMostEntries)) return false;
    entries *= static_cast<std::size_t>(turns[t]);
    if (entries > kMostEntries) return false;
    if (turns[t] > 1 && (factor(3 + t) & within) != 0) return false;
  }
  const auto base = static_cast<std::uintptr_t>(number(a.address.base)) + static_cast<std::uintptr_t>(x * low_[0]);
  if (((static_cast<std::int64_t>(base) | x | row | (by_planes ? z : 0)) & within) != 0) return false;
  const std::size_t count = batch_.count + entries * static_cast<std::size_t>(planes);
  if (count > kMostEntries || (positions_ < kManyPositions && count > kMostOfFew)) return false;
  if (count + 1 > batch_.entries.size()) {
    batch_.entries.resize(2 * (count + 1));
    batch_.facts.resize(2 * (count + 1));
  }
  const bool in_column = !batch_.in_rows && extent_.x == 1;  // one behind the other in y or z
  for (std::int64_t p = 0; p < planes; ++p) {
    const std::uint32_t threads = by_planes ? some_of_plane(p, some) : some;
    if (by_planes && threads == 0) continue;
    const std::uintptr_t first = base + static_cast<std::uintptr_t>(p * (z - row * extent_.y));
    for (std::int64_t i = 0; i < turns[0]; ++i)
      for (std::int64_t j = 0; j < turns[1]; ++j)
        for (std::int64_t k = 0; k < turns[2]; ++k) {
          const std::size_t at = batch_.count++;
          batch_.entries[at].pc = site;
          batch_.entries[at].stride = in_column ? row : x;
          batch_fact& f = batch_.facts[at];
          f.base = first + static_cast<std::uintptr_t>(i * factor(3) + j * factor(4) + k * factor(5));
          f.row_stride = batch_.in_rows ? row : 0;
          f.calls = 0;
          f.size = static_cast<std::uint8_t>(a.size);
          f.write = a.write != 0;
          f.moved = false;
          f.copy = a.copy != 0;
          f.some = threads;
          f.times = static_cast<std::uint32_t>(times);
        }
  }
  return true;
}

// The same where threads turn differently often: each turn by those that come to it.
bool loop_proofs::add_varying(const loop_access& a, std::uintptr_t site) {
  lane_set come;
  if (dispatcher::current()->has_listeners() || !lanes_of_access(a, false, come)) return false;
  loop_access one = a;
  for (unsigned t = 0; t < kLoopTurns; ++t)
    if ((varying_ >> t & 1) != 0) one.turns &= ~static_cast<std::int32_t>(1U << t);
  return each_varying_turn(a, [&](const std::int64_t(&turn)[kLoopTurns]) {
    lane_set some = come;
    if (!lanes_of_turns(a, turn, some)) return false;
    const std::uint32_t threads = some.size();
    if (threads == 0) return true;
    std::uint32_t by_some = 0;
    if (threads < positions_) {
      batch_.some.push_back(std::move(some));
      some_conditions_.push_back(kNoCondition);
      by_some = static_cast<std::uint32_t>(batch_.some.size());
    }
    const std::size_t before = batch_.count;
    if (!add(one, site, by_some)) return false;
    std::uintptr_t by = 0;
    for (unsigned t = 0; t < kLoopTurns; ++t)
      by += static_cast<std::uintptr_t>(turn[t] * number(a.address.factor[3 + t]));
    if ((by & static_cast<std::uintptr_t>(a.size - 1)) != 0) return false;
    for (std::size_t k = before; k < batch_.count; ++k) batch_.facts[k].base += by;
    return true;
  });
}

}  // namespace simt::sim
