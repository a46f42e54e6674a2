// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of simt::thread on a GPU: the pipeline primitives, cp.async from compute capability 8.0 on. The
// contracts: backends/sim/async_copy.hpp. Mixed into simt::thread.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

namespace simt::gpu {

class async_operations {
 public:
  __device__ void memcpy_async(void* to, const void* from, std::size_t bytes) const {
    const auto misalignment = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
    auto* const target = static_cast<unsigned char*>(to);
    const auto* const source = static_cast<const unsigned char*>(from);
    if (!__isShared(to) || !__isGlobal(from) || misalignment % 4 != 0) {
      for (std::size_t i = 0; i < bytes; ++i) target[i] = source[i];
    } else if (misalignment % 16 == 0) {
      for (std::size_t i = 0; i < bytes; i += 16) __pipeline_memcpy_async(target + i, source + i, 16);
    } else if (misalignment % 8 == 0) {
      for (std::size_t i = 0; i < bytes; i += 8) __pipeline_memcpy_async(target + i, source + i, 8);
    } else {
      for (std::size_t i = 0; i < bytes; i += 4) __pipeline_memcpy_async(target + i, source + i, 4);
    }
  }
  __device__ void commit_async() const { __pipeline_commit(); }
  template <unsigned Keep = 0>
  __device__ void wait_async() const {
    __pipeline_wait_prior(Keep);
  }
};

}  // namespace simt::gpu
