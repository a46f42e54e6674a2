// SPDX-License-Identifier: Apache-2.0
// The row that is armed (sim/check/rows.hpp), as compiled kernels see it: they know no more of the detector, not even its
// namespace, whose name is a function of the API.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

// What an access is compared with.
struct row_entry {
  std::uintptr_t pc = 0;       // 0: no access
  std::uintptr_t address = 0;  // of the thread that runs
  std::intptr_t stride = 0;    // to the next thread's
};

inline constexpr std::size_t kThreadStateBytes = 40;  // check::thread_state's size

struct row_bounds {
  row_entry* first = nullptr;
  const row_entry* last = nullptr;  // behind the last one
  const void* stop = nullptr;       // where the states of threads end that only follow
};

}  // namespace simt::sim
