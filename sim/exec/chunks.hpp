// SPDX-License-Identifier: Apache-2.0
// How many blocks a worker takes at once.
#pragma once

#include <cstdint>

#include <sim/exec/launch.hpp>

namespace simt::sim {

// Under check a stretch of memory (4 KiB) that only one worker touches costs it nothing to have; taking it from another
// one stops all processors for a moment (sim/check/ownership.hpp). So chunks are whole numbers of units, whose ends are
// mostly ends of stretches: whole rows of the grid where blocks are tiles, else as many blocks as have 4,096
// threads, so that an element of any size (1 to 16 bytes) for each fills whole stretches. Less, where workers would get
// fewer than 32 units each: the last ones would wait for each other.
std::int64_t watched_unit(const extent3& grid, const extent3& block, std::int64_t blocks, int workers);

// Sets what `l` says of chunks, stretches of the grid, rows of blocks and how many run as one, once all else is known.
// any_order: its blocks may run in any order.
void choose_chunks(launch_state& l, int workers, bool any_order);

}  // namespace simt::sim
