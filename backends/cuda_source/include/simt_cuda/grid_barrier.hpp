// SPDX-License-Identifier: Apache-2.0
// The barrier of all blocks of a cooperative launch: the engine's, with CUDA's words where the launch is none.
#pragma once

#include "device_functions.hpp"

namespace simt_cuda {

inline bool in_cooperative_launch() { return self().context().launch->cooperative; }

[[gnu::always_inline]] inline void grid_sync() {
  const simt::thread t = self();
  if (!in_cooperative_launch())
    simt::sim::trap_thread(t.context(), t.rank(), t.block_index(), "grid.sync() in a launch that is not cooperative: use cudaLaunchCooperativeKernel");
  t.sync_grid();
}

}  // namespace simt_cuda
