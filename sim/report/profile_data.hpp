// SPDX-License-Identifier: Apache-2.0
// What `simrun profile` has counted, as data: by kernel, and by source line. Names of counters are those of
// docs/cli.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finding.hpp"

namespace simt {

enum class counter : std::uint8_t {
  global_load_requests,
  global_load_sectors,
  global_store_requests,
  global_store_sectors,
  global_reduction_requests,
  global_reduction_sectors,
  global_atomic_requests,
  global_atomic_sectors,
  shared_load_wavefronts,
  shared_load_bank_conflicts,
  shared_store_wavefronts,
  shared_store_bank_conflicts,
  shared_atomic_wavefronts,
  warp_executions,
  thread_executions,
  // Beyond the contract: what it would be at best, and what threads asked for.
  global_load_ideal_sectors,
  global_load_bytes,
  global_store_ideal_sectors,
  global_store_bytes,
  global_reduction_ideal_sectors,
  global_atomic_ideal_sectors,
  shared_load_requests,
  shared_store_requests,
  shared_atomic_requests,
  shared_atomic_bank_conflicts,
  // Arithmetic of threads, as nvcc makes it of the source (docs/profile.md).
  float32_adds,
  float32_multiplies,
  float32_fmas,
  float64_adds,
  float64_multiplies,
  float64_fmas,
  special_operations,
};
inline constexpr std::size_t kCounters = static_cast<std::size_t>(counter::special_operations) + 1;
constexpr bool is_arithmetic(counter c) { return c >= counter::float32_adds && c <= counter::special_operations; }

std::string_view name(counter c);

struct counters {
  std::array<std::int64_t, kCounters> values{};
  std::int64_t& operator[](counter c) { return values[static_cast<std::size_t>(c)]; }
  std::int64_t operator[](counter c) const { return values[static_cast<std::size_t>(c)]; }
  counters& operator+=(const counters& more) {
    for (std::size_t i = 0; i < kCounters; ++i) values[i] += more.values[i];
    return *this;
  }
  friend bool operator==(const counters&, const counters&) = default;
};

// The addresses that one warp touched at a line: the instance that cost most. Relative to the lowest one, rounded down
// to 128 bytes, in global memory; to the block's shared memory there. -1: the lane took no part.
struct warp_sample {
  std::string operation;  // "global load"
  index3 block{0, 0, 0};
  std::int64_t warp = 0;
  std::int64_t bytes = 0;  // of each lane's access
  std::int64_t cost = 0;   // sectors, or wavefronts
  std::vector<std::int64_t> offsets;
  friend bool operator==(const warp_sample&, const warp_sample&) = default;
};

struct profiled_line {
  std::string file;
  int line = 0;
  std::string path;  // absolute, on this machine
  simt::counters counters;
  std::vector<warp_sample> samples;
  bool stands_in =
      false;  // its accesses are those of code of ours in place of a unit of the GPU: tensor cores, textures
  friend bool operator==(const profiled_line&, const profiled_line&) = default;
};

struct profiled_kernel {
  std::string kernel;
  std::int64_t launches = 0;
  std::int64_t threads_per_block = 0, static_shared = 0, dynamic_shared = 0;  // of the last launch
  // Of a thread, by NVIDIA's assembler: registers, bytes of memory of its own, and bytes that instructions write there
  // for want of registers. -1: unknown.
  std::int64_t registers = -1, stack = -1, spilled = -1;
  bool partial = false;  // a launch of it did not come to its end, or was too large to follow
  simt::counters counters;
  std::vector<profiled_line> lines;  // in order of file and line
  friend bool operator==(const profiled_kernel&, const profiled_kernel&) = default;
};

}  // namespace simt
