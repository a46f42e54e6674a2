// SPDX-License-Identifier: Apache-2.0
// What code that is counted tells of a loop in short (sim/compile/counted_loops.hpp), as reads behind the markers of
// basic blocks, so that it is gathered into batches like all else: word kNoTurns + n for n turns, before the marker and
// the accesses of the first; kSecondTurn before those of the second; kLoopEnds.
#pragma once

#include <cstddef>

#include <sim/instrument/access_cursor.hpp>

namespace simt::sim {

inline constexpr std::size_t kSecondTurn = 0, kLoopEnds = 1, kNoTurns = 2;
inline constexpr std::size_t kMostTurns = std::size_t{1} << 20;  // of a loop that is told in short
inline constexpr std::size_t kProfileWords = kProfileMarkers + kNoTurns + kMostTurns + 1;

// What the host reads and writes concerns nobody: the run is counted, and not checked. Its loops may run silent then.
inline constinit bool host_is_unheard = false;

}  // namespace simt::sim
