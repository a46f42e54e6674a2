// SPDX-License-Identifier: Apache-2.0
// Barriers that some do not come to because a race let them leave the loop around it. The condition of the loop reads
// what its next turn writes: who reads late leaves, and the others wait at a barrier in the loop.
#pragma once

#include <cstddef>
#include <vector>

#include "finding.hpp"

namespace simt {

// By index: the barrier's finding, or a deadlock that came of it, and the race.
struct left_loop {
  std::size_t consequence, race;
};
std::vector<left_loop> loops_left_by_races(const std::vector<finding>& findings);

}  // namespace simt
