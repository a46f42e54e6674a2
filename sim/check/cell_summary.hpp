// SPDX-License-Identifier: Apache-2.0
// What a slow cell says in short, so that most accesses need not go through its records.
//
// Invariant: each access that a slow cell keeps counts in one of its three summaries: `reads` (plain ones),
// `additions`, or `others`. A summary is never older than what it stands for. It may be younger: it only says that an
// access is ordered, never that one is not.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/check/detector.hpp"
#include "sim/check/vector_clock.hpp"

namespace simt::check {

// Accesses that are ordered before all threads of a launch from now on: those older than `floor`, and of the launch's
// blocks those older than its last barrier of the grid, `grid`.
struct common_past {
  std::uint32_t agent;
  epoch floor, grid;
};

// The newest of some accesses, and whether they are all of one launch.
struct newest_access {
  epoch when = 0;
  std::uint32_t agent = 0;
  bool mixed = false;  // some that are not older than the floor of `agent` are not of its blocks

  bool is_in(const common_past& p) const { return when < p.floor || (agent == p.agent && !mixed && when < p.grid); }
  // One by `by`, a block of `p`'s launch or not (an earlier launch, a copy).
  void add(epoch at, const common_past& p, bool by_block) {
    if (when < p.floor) {
      agent = p.agent;
      mixed = false;
    }
    mixed |= agent != p.agent || (at >= p.floor && !by_block);
    when = std::max(when, at);
  }
  void add_unknown(epoch at) {
    mixed = true;
    when = std::max(when, at);
  }
};

// The additions to a cell: atomic operations of the threads of one launch that are alike, on words that it is a part
// of, at a scope that holds all threads of the device. They conflict neither with each other nor with those of other
// launches that are alike.
struct additions {
  std::uint32_t agent = 0;  // the launch
  scope reach{};
  std::int8_t start = 0;  // of the whole operation, relative to the cell
  std::uint8_t size = 0;  // of the whole operation; 0: there are none
  epoch newest = 0;       // of those that are records

  bool are(std::uint32_t of_launch, scope s, std::int8_t from, std::uint8_t bytes) const {
    return agent == of_launch && size == bytes && start == from && reach == s;
  }
  bool is_in(const common_past& p) const { return newest < p.floor || (agent == p.agent && newest < p.grid); }
};

}  // namespace simt::check
