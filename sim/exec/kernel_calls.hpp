// SPDX-License-Identifier: Apache-2.0
// Everything that kernel code of the sim variant asks of the engine, by name: the places where a thread may wait or let
// others run. A compiler pass that cuts kernels at their barriers finds them by these names; what they do is the
// executor's. Kernel code includes the executor's side, which today is inlined (executors/fiber_calls.hpp, warp.hpp).
//
// `rank` is the running thread's linear index in its block, block_index the block's in its grid: the loop over threads
// has them in registers, and a thread that never waits stores them nowhere.
#pragma once

#include <cstdint>

#include <sim/exec/block.hpp>

// How kernels contain a barrier or an operation of a warp. CUDA source has them as calls where what waits runs as
// loops, which have none of this: ten operations of warps in a kernel, inlined, made code of 3,500 instructions.
#if defined(SIMT_WAITS_ARE_CALLS)
#define SIMT_WAIT [[gnu::noinline]]
#else
#define SIMT_WAIT [[gnu::always_inline]]
#endif

namespace simt::sim {

enum class warp_op : std::uint8_t;
enum class lane_type : std::uint8_t;

// Waits for every thread of the block that has not exited.
inline void block_barrier(block_context& b, std::int32_t rank, std::int64_t block_index);
// The same; gives for how many of them `mine` was true.
inline std::int32_t block_barrier_count(block_context& b, bool mine, std::int32_t rank, std::int64_t block_index);

// One warp operation; sim/exec/warp.hpp.
inline std::uint64_t warp_meet(block_context& b, std::int32_t rank, std::int64_t block_index, std::uint32_t mask,
                               warp_op op, lane_type type, std::uint64_t value, std::uint32_t param);
// Lanes of the warp that are at this call site together: those that get there before anything else is left to run
// in between. `file` and `line` tell call sites apart, and so does the call itself (`pc`; 0: the caller's): a function
// that is inlined into both branches is two sites. The compiler may neither merge nor duplicate the call.
#if defined(__clang__)
[[clang::nomerge, clang::convergent]]
#endif
std::uint32_t
active_lanes(block_context& b, std::int32_t rank, std::int64_t block_index, const char* file, int line,
             std::uintptr_t pc = 0);

// Waits until every thread of the grid / of the block's cluster that has not exited arrives. `pc`: the call, for
// reports; 0: the caller's. grid_barrier faults if the launch is not cooperative; cluster_barrier is only for blocks
// with b.cluster.
void grid_barrier(block_context& b, std::int32_t rank, std::int64_t block_index, std::uintptr_t pc);
void cluster_barrier(block_context& b, std::int32_t rank, std::int64_t block_index, std::uintptr_t pc);
// Arrives at barrier `number` (0 .. 15) of the block, which is for `threads` threads (whole warps; 0: all that have not
// exited), and waits for the others where it says so. Faults where number or threads are none, or callers differ.
void named_barrier(block_context& b, std::int32_t rank, std::int64_t block_index, std::int32_t number,
                   std::int32_t threads, bool waits, std::uintptr_t pc);

// Lets everybody else run once before this thread goes on: for loops that wait for what others do.
void yield_thread(block_context& b, std::int32_t rank, std::int64_t block_index);

// Budget of atomics between yields. A load or a failed exchange may be a spin, so it weighs more. An update weighs 1,
// so the remainder of what was spent by kSpinCostLoad tells whether memory was changed (hang_watch); the budget is
// no multiple of the sum of small numbers of both, which would hide it from a loop that repeats.
inline constexpr std::int32_t kSpinBudget = 16'000;
inline constexpr std::int32_t kSpinCostLoad = 128;  // a spinning load yields after 125 rounds
inline constexpr std::int32_t kSpinCostRmw = 1;

// An atomic that cost this much; yields when the budget is spent.
inline void spend(block_context& b, std::int32_t cost, std::int32_t rank, std::int64_t block_index);

}  // namespace simt::sim
