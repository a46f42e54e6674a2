// SPDX-License-Identifier: Apache-2.0
// The barrier of all blocks of a cooperative launch: two words of device memory, arrivals and generation.
#pragma once

#include "device_functions.hpp"

namespace simt_cuda {

// Of the running launch; null if it is not cooperative.
unsigned* grid_barrier_state();

[[gnu::always_inline]] inline void grid_sync() {
  const simt::thread t = self();
  unsigned* const state = grid_barrier_state();
  if (state == nullptr)
    simt::sim::trap_thread(t.context(), t.rank(), t.block_index(), "grid.sync() in a launch that is not cooperative: use cudaLaunchCooperativeKernel");
  t.sync();
  if (t.rank() == 0) {
    const dim3 grid = grid_dim();
    const unsigned blocks = grid.x * grid.y * grid.z;
    const unsigned generation = t.atomic_load(state[1], simt::memory_order::acquire);
    if (t.atomic_add(state[0], 1u, simt::memory_order::acq_rel) + 1 == blocks) {
      t.atomic_store(state[0], 0u, simt::memory_order::relaxed);
      t.atomic_add(state[1], 1u, simt::memory_order::acq_rel);
    } else {
      while (t.atomic_load(state[1], simt::memory_order::acquire) == generation) t.yield();
    }
  }
  t.sync();
}

}  // namespace simt_cuda
