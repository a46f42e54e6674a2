// SPDX-License-Identifier: Apache-2.0
#include <backends/cuda/probe.hpp>

namespace simt::gpu {

namespace {
__global__ void probe() {}
}  // namespace

cudaError_t probe_code() {
  cudaFuncAttributes facts;
  return cudaFuncGetAttributes(&facts, probe);
}

}  // namespace simt::gpu
