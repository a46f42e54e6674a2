// SPDX-License-Identifier: Apache-2.0
// Whether an earlier access is ordered before what a thread does now: the one question that decides over races.
//
// What is compared, first match: the launch's floor; another agent: the order of streams, then the vector clock; the
// own block: the last barrier, then the last warp sync with that lane, then the vector clock; another block: the last
// grid barrier, then the vector clock. docs/race_model.md has the reasons.
#pragma once

#include "sim/check/agents.hpp"
#include "sim/check/block_state.hpp"
#include "sim/check/cell_summary.hpp"
#include "sim/check/epochs.hpp"

namespace simt::check {

// Is it an epoch of this block in this launch?
inline bool is_of(const block_state& b, epoch when) {
  const epoch_record& d = (*b.epochs)[when];
  return d.block == b.number && d.agent == b.launch->agent;
}

// What is ordered before all threads of the launch of `b`: find_unordered() would find none of it.
inline common_past past_of(const block_state& b) { return {b.launch->agent, b.launch->floor, b.grid_base}; }

// Is there a thread whose access at `when` is not ordered before what `t` does now? `any(f)` calls f with each rank
// that accessed, until it gives true, and gives whether it did. `who`: such a thread. `unscoped`: as if every scope
// were system.
template <class Any>
inline bool find_unordered(const thread_state& t, epoch when, Any any, std::uint32_t& who, bool unscoped = false) {
  const block_state& b = *t.block;
  const launch_state& l = *b.launch;
  if (when < l.floor) return false;
  const epoch_record& d = (*b.epochs)[when];
  const vector_clock& k = unscoped ? t.clocks->known.unscoped : t.clocks->known.scoped;
  const std::uint64_t block = block_key(d.agent, d.block);
  if (d.agent != l.agent) {
    if (b.agents->ordered_before(l, d.agent)) return false;
    if (k) {
      const epoch whole = known_until(k, block_key(d.agent, kWholeAgent), 0);
      if (when < whole && (whole == kEpochMask || !(d.block & kAsyncBlock))) return false;
    }
  } else if (d.block == b.number) {
    if (when < b.base) return false;
    const epoch* lanes = b.lanes_used ? b.lanes.data() + std::size_t{t.rank} * kWarp : nullptr;
    return any([&](std::uint32_t r) {
      if (r == t.rank || (lanes && r / kWarp == t.rank / kWarp && when < lanes[r % kWarp])) return false;
      if (k && when < known_until(k, block, r)) return false;
      who = r;
      return true;
    });
  } else if (!(d.block & kAsyncBlock) && when < b.grid_base) {
    return false;
  }
  if (!k) return any([&](std::uint32_t r) { return who = r, true; });
  return any([&](std::uint32_t r) {
    if (when < known_until(k, block, r)) return false;
    who = r;
    return true;
  });
}

inline bool ordered(const thread_state& t, epoch when, std::uint32_t rank, bool unscoped = false) {
  std::uint32_t who;
  return !find_unordered(
      t, when, [&](auto f) { return f(rank); }, who, unscoped);
}

}  // namespace simt::check
