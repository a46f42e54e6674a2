// SPDX-License-Identifier: Apache-2.0
// The sixteen barriers of a block by number (PTX: bar.sync, bar.arrive, barrier.sync; CUDA: __barrier_sync). Number 0
// for all threads is __syncthreads().
#pragma once

#include "device_functions.hpp"

// Where the kernel calls the function that this stands in, for reports; 0: it is inlined there.
#if defined(SIMT_WAITS_ARE_CALLS)
#define SIMT_CUDA_CALLED_AT reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#else
#define SIMT_CUDA_CALLED_AT 0
#endif

namespace simt_cuda {

// threads: whole warps; 0: all of the block that have not exited. place: of the call, where a caller knows it.
SIMT_CUDA_UNMERGED SIMT_CUDA_WAIT inline void sync_named(unsigned number, unsigned threads,
                                                         [[maybe_unused]] std::uintptr_t place = 0) {
  const simt::thread t = self();
  if (number == 0 && (threads == 0 || threads == block_dim().x * block_dim().y * block_dim().z)) {
    t.sync();
    return;
  }
#if defined(SIMT_VARIANT_CHECK)
  SIMT_OWN_PLACE simt::sim::checked_named_barrier(t.context(), static_cast<std::int32_t>(number),
                                                  static_cast<std::int32_t>(threads), true);
#else
  simt::sim::named_barrier(t.context(), t.rank(), t.block_index(), static_cast<std::int32_t>(number),
                           static_cast<std::int32_t>(threads), true, place != 0 ? place : SIMT_CUDA_CALLED_AT);
#endif
}
SIMT_CUDA_UNMERGED SIMT_CUDA_WAIT inline void arrive_at_named(unsigned number, unsigned threads) {
  const simt::thread t = self();
#if defined(SIMT_VARIANT_CHECK)
  SIMT_OWN_PLACE simt::sim::checked_named_barrier(t.context(), static_cast<std::int32_t>(number),
                                                  static_cast<std::int32_t>(threads), false);
#else
  simt::sim::named_barrier(t.context(), t.rank(), t.block_index(), static_cast<std::int32_t>(number),
                           static_cast<std::int32_t>(threads), false, SIMT_CUDA_CALLED_AT);
#endif
}

}  // namespace simt_cuda

SIMT_CUDA_UNMERGED SIMT_CUDA_WAIT inline void __barrier_sync(unsigned number) {
  simt_cuda::sync_named(number, 0, SIMT_CUDA_CALLED_AT);
}
SIMT_CUDA_UNMERGED SIMT_CUDA_WAIT inline void __barrier_sync_count(unsigned number, unsigned threads) {
  simt_cuda::sync_named(number, threads, SIMT_CUDA_CALLED_AT);
}
