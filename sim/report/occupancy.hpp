// SPDX-License-Identifier: Apache-2.0
// What a kernel as a whole leaves unused: how many of a multiprocessor's threads it can have at once, and what a thread
// keeps in memory instead of registers. With what to change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile_data.hpp"

namespace simt {

inline constexpr std::int64_t kThreadsOfMultiprocessor = 2048;
// The most that a multiprocessor of the simulated device (compute capability 9.0: 2,048 threads, 32 blocks, 228 KiB of
// shared memory, 65,536 registers) holds of a kernel at once.
struct occupancy_estimate {
  std::int64_t blocks = 0, threads = 0;
  std::string limited_by;
};
// By registers where they are known.
occupancy_estimate occupancy_of(const profiled_kernel& k);

struct kernel_advice {
  std::string what, why, change;
};
// Of a kernel that fills less than half of a multiprocessor, or whose threads have memory of their own.
std::vector<kernel_advice> advice_on(const profiled_kernel& k);

}  // namespace simt
