// SPDX-License-Identifier: Apache-2.0
#include "occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace simt {
namespace {

constexpr std::int64_t kThreads = kThreadsOfMultiprocessor, kBlocks = 32, kShared = std::int64_t{228} * 1024,
                       kWarp = 32;
// Of each block's shared memory the driver takes 1 KiB; blocks get it by 128 bytes. Registers lie in four parts, each
// with warps of its own, which take them by 256. (CUDA C++ Programming Guide, compute capability 9.0; cuda_occupancy.h)
constexpr std::int64_t kReserved = 1024, kSharedUnit = 128, kParts = 4, kRegistersOfPart = 16384, kRegisterUnit = 256;
constexpr std::int64_t kEnough = kThreads / 2;  // fewer threads hide less of what memory takes

constexpr std::int64_t rounded_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

// Blocks that each resource has room for.
struct room {
  std::int64_t threads_of_block, by_threads, by_shared, by_registers;
};
room room_for(const profiled_kernel& k) {
  room r{std::max(rounded_up(k.threads_per_block, kWarp), kWarp), 0, 0, kBlocks};
  r.by_threads = kThreads / r.threads_of_block;
  r.by_shared = kShared / rounded_up(k.static_shared + k.dynamic_shared + kReserved, kSharedUnit);
  if (k.registers > 0) {
    const std::int64_t of_warp = rounded_up(k.registers * kWarp, kRegisterUnit);
    r.by_registers = kRegistersOfPart / of_warp * kParts / (r.threads_of_block / kWarp);
  }
  return r;
}

std::string threads_at_most(std::int64_t blocks, std::int64_t threads) {
  return fmt::format("{:.0f}% of a multiprocessor's threads at most",
                     100.0 * static_cast<double>(blocks * threads) / static_cast<double>(kThreads));
}
std::string blocks_fit(std::int64_t blocks) {
  return blocks == 1 ? "one such block fits" : fmt::format("{} such blocks fit", blocks);
}

}  // namespace

occupancy_estimate occupancy_of(const profiled_kernel& k) {
  const room r = room_for(k);
  occupancy_estimate e;
  e.blocks = std::min({r.by_threads, kBlocks, r.by_shared, r.by_registers});
  e.threads = e.blocks * r.threads_of_block;
  e.limited_by = e.blocks == r.by_threads  ? "threads"
                 : e.blocks == r.by_shared ? "shared memory"
                 : e.blocks == kBlocks     ? "blocks"
                                           : "registers";
  return e;
}

std::vector<kernel_advice> advice_on(const profiled_kernel& k) {
  std::vector<kernel_advice> all;
  const room r = room_for(k);
  const std::int64_t wanted = (kEnough + r.threads_of_block - 1) / r.threads_of_block;  // blocks
  if (kBlocks * r.threads_of_block <= kEnough)
    all.push_back({threads_at_most(kBlocks, r.threads_of_block),
                   fmt::format("a block has {} threads, and no more than {} blocks fit", k.threads_per_block, kBlocks),
                   "launch blocks of 128 or 256 threads"});
  if (r.by_shared < wanted) {
    const std::int64_t most = kShared / wanted / kSharedUnit * kSharedUnit - kReserved;
    all.push_back(
        {threads_at_most(r.by_shared, r.threads_of_block),
         fmt::format("a block of {} threads takes {} bytes of shared memory, and {}", k.threads_per_block,
                     k.static_shared + k.dynamic_shared, blocks_fit(r.by_shared)),
         fmt::format("with at most {} bytes {} blocks fit: smaller tiles, narrower elements, in registers what "
                     "one thread alone uses; or let more threads share the array, in larger blocks",
                     most, wanted)});
  }
  if (r.by_registers < wanted) {
    const std::int64_t warps_of_part = (wanted * r.threads_of_block / kWarp + kParts - 1) / kParts;
    const std::int64_t most = kRegistersOfPart / warps_of_part / kRegisterUnit * kRegisterUnit / kWarp;
    all.push_back({threads_at_most(r.by_registers, r.threads_of_block),
                   fmt::format("a thread takes {} registers, and {}", k.registers,
                               r.by_registers == 0 ? "no block fits" : blocks_fit(r.by_registers)),
                   fmt::format("__launch_bounds__({}, {}) keeps nvcc to {} registers (see then whether it spills); or "
                               "unroll less, keep fewer results in each thread, split the kernel",
                               k.threads_per_block, wanted, most)});
  }
  if (k.spilled > 0)
    all.push_back(
        {fmt::format("{} bytes of each thread's registers are kept in memory", k.spilled),
         fmt::format("the kernel needs more than the {} registers that a thread has", k.registers),
         "unroll less, keep fewer values for later, split the kernel; or allow more registers: larger numbers "
         "in __launch_bounds__, no --maxrregcount"});
  else if (k.stack > 0)
    all.push_back(
        {fmt::format("{} bytes of each thread are memory, not registers", k.stack),
         "registers have no addresses: an array whose index only the run knows lies in memory, and so does "
         "what a function that is not inlined gets by address",
         "let loops over the array unroll (a constant number of turns, #pragma unroll), so that each index is a "
         "constant; or keep it in shared memory, one column for each thread: a[k][threadIdx.x]"});
  return all;
}

}  // namespace simt
