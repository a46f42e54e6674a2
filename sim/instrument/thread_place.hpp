// SPDX-License-Identifier: Apache-2.0
// Who a thread of the check variant is, and how large its block and grid are. The compiler pass knows these names
// (sim/compile/engine_calls.cpp): in loops, the answers are parameters and indices.
//
// What the engine keeps in the block is constant while the thread runs, and read so that nobody watches it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sim/exec/launch.hpp>
#include <sim/instrument/thread_position.hpp>
#include <sim/instrument/unwatched.hpp>

// A block_context is no standard-layout class; every compiler that this project takes knows offsetof in it all the
// same.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace simt::sim {

[[gnu::always_inline]] inline const void* launch_of(const block_context* b) {
  return reinterpret_cast<const void*>(unwatched_constant<offsetof(block_context, launch)>(b));
}

// `position`: of the running thread, position_of. Pointers, because binding a reference would be checked each time
// (-fsanitize=alignment).
#define SIMT_PLACE_OF_THREAD(axis)                                                                         \
  [[gnu::always_inline]] inline std::int64_t thread_##axis(const block_context*, std::uint64_t position) { \
    return axis##_of(position);                                                                            \
  }                                                                                                        \
  [[gnu::always_inline]] inline std::int64_t extent_##axis(const block_context* b, std::uint64_t) {        \
    return unwatched_constant<offsetof(launch_state, block.axis)>(launch_of(b));                           \
  }                                                                                                        \
  [[gnu::always_inline]] inline std::int64_t grid_##axis(const block_context* b, std::uint64_t) {          \
    return unwatched_constant<offsetof(launch_state, grid.axis)>(launch_of(b));                            \
  }
SIMT_PLACE_OF_THREAD(x)
SIMT_PLACE_OF_THREAD(y)
SIMT_PLACE_OF_THREAD(z)
#undef SIMT_PLACE_OF_THREAD

// The block's place in the grid, and its first thread's.
#define SIMT_PLACE_OF_BLOCK(axis, number)                                                                   \
  [[gnu::always_inline]] inline std::int64_t block_##axis(const block_context* b, std::uint64_t) {          \
    return unwatched_constant<offsetof(block_context, at[number])>(b);                                      \
  }                                                                                                         \
  [[gnu::always_inline]] inline std::int64_t first_of_block_##axis(const block_context* b, std::uint64_t) { \
    return unwatched_constant<offsetof(block_context, origin[number])>(b);                                  \
  }
SIMT_PLACE_OF_BLOCK(x, 0)
SIMT_PLACE_OF_BLOCK(y, 1)
SIMT_PLACE_OF_BLOCK(z, 2)
#undef SIMT_PLACE_OF_BLOCK

[[gnu::always_inline]] inline std::int64_t block_number(const block_context* b, std::uint64_t) {
  return unwatched_constant<offsetof(block_context, index)>(b);
}

}  // namespace simt::sim

#pragma GCC diagnostic pop
