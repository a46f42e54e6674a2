// SPDX-License-Identifier: Apache-2.0
// What the compiler pass (sim/compile) makes of a kernel: loops over the threads of a block, cut at the barriers.
//
// Kernel code defines a constant loop_body that holds the body of one thread and is annotated by being next to it
// (SIMT_LOOP_THREAD). The pass, which knows this structure's layout (sim/compile/loop_bodies.cpp), replaces the
// constant: by loops, or by null and the reason. No code of a refused body stays behind.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

struct block_context;

// The function that the pass works on. In the source it runs one thread: x, y, z. After the pass it runs all threads of
// the block, whatever x, y and z are.
//   args    the kernel's parameters, which do not change
//   arrays  room for loop_body::bytes_per_thread bytes for each thread, threads rounded up to kLoopThreadsRounding;
//           aligned to kLoopArrayAlign bytes
//   d, b, g the block's extents, its place in the grid, the grid's extents
#define SIMT_LOOP_PARAMETERS                                                                                    \
  ::simt::sim::block_context &b, const void *__restrict__ args, std::byte *__restrict__ arrays, std::int64_t x, \
      std::int64_t y, std::int64_t z, std::int64_t dx, std::int64_t dy, std::int64_t dz, std::int64_t bx,       \
      std::int64_t by, std::int64_t bz, std::int64_t gx, std::int64_t gy, std::int64_t gz
using loop_function = void (*)(SIMT_LOOP_PARAMETERS);

inline constexpr std::int64_t kLoopThreadsRounding = 64;
inline constexpr std::size_t kLoopArrayAlign = 64;

// The same for blocks of one shape.
//   run_beside  null, or for `beside` blocks that are neighbours in x, side by side: its bx is that of the first; the
//               shared memory of each begins dz bytes behind that of the one before it
struct loop_copy {
  std::int64_t x, y, z;
  loop_function run;
  std::int64_t beside = 0;
  loop_function run_beside = nullptr;
};

enum class block_order : std::int64_t { as_numbered, any, wide, joined, joined_evenly };

struct loop_body {
  loop_function run = nullptr;   // null: there are no loops
  const char* reason = nullptr;  // why there are none, or none for wider blocks, with the place in the source
  const loop_copy* copies = nullptr;
  std::int64_t copy_count = 0;
  std::int64_t bytes_per_thread = 0;
  std::int64_t waits = 1;  // 0: no thread of the kernel waits, so that it needs no loops
  // The blocks that the loops are for. What lanes of a warp do alike was seen for these: in others, a warp lies in
  // several rows, and threadIdx.x / 32 differs between its lanes.
  enum row_kind : std::int64_t { any_rows, rows_whole_or_one, rows_whole };
  // With it: the place of a thread in an axis of the grid is an int, without a sign (sim/compile/not_negative.hpp).
  // From this bit on: how many threads in x the blocks have at most, where the loops are not for others; 0: for all.
  enum : std::int64_t { of_rows = 3, counts_threads = 4, widest_shift = 16 };
  std::int64_t rows = any_rows;  // as row_kind in sim/compile/regions.hpp
  // any: threads only compute, load and store: no atomics, and no waiting but for others of the block. So nobody can
  // tell in which order blocks run; nor, without loops, where none waits and there is no shared memory, in which order
  // threads of several blocks do.
  // wide: and neighbours in x may run as one block that is as wide as they are together: their threads ask for nothing
  // but their place in the grid (sim/compile/wide_blocks.hpp). With loops: the kernel is one grid-stride loop, for
  // grids of one dimension (sim/compile/any_geometry.hpp).
  // joined: of checked loops, which may be called for neighbours in x together: with their width as the block's, and
  // their place among such groups as its place. evenly: for all of them, or none.
  block_order order = block_order::as_numbered;
};

// What bodies of the sim variant are compiled with, where no pass ran.
inline constexpr loop_body kNoLoops {
#if defined(__clang__)
  nullptr, "the kernels were compiled without the plugin that cuts them at their barriers (SIMT_LOOPS)"
#else
  nullptr, "the kernels were compiled by g++, which cannot cut them at their barriers: use clang 16 to 20"
#endif
};

}  // namespace simt::sim

#if defined(SIMT_LOOPS)
// A hash of the plugin's sources. It stands in the text for caches of compilations: they do not look into plugins.
namespace simt::sim {
inline constexpr std::uint32_t kLoopsPlugin = SIMT_LOOPS;
}
#define SIMT_LOOP_THREAD [[clang::annotate("simt.loops")]]
// For a function that stores a kernel's address to call it: the pass names the kernel's ways out (kernel_exits.hpp).
#define SIMT_KERNEL_BODY __attribute__((annotate("simt.kernel_body")))
#else
#define SIMT_KERNEL_BODY
#endif
