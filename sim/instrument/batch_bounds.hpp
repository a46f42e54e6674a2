// SPDX-License-Identifier: Apache-2.0
// The batch that is armed (batch_recorder.hpp), as compiled kernels see it. They know no more of the recorder.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

// What an access is compared with.
struct batch_entry {
  std::uintptr_t pc = 0;       // 0: no access
  std::uintptr_t address = 0;  // of the thread that runs
  std::intptr_t stride = 0;    // to the next thread's
};

inline constexpr std::size_t kThreadStateBytes = 40;  // size of what the judge keeps of a device thread

struct batch_bounds {
  batch_entry* first = nullptr;
  const batch_entry* last = nullptr;  // behind the last one
  const void* stop = nullptr;         // where the states of threads end that only follow
};

}  // namespace simt::sim
