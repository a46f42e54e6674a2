// SPDX-License-Identifier: Apache-2.0
// States of MTGP32, one a block, made by the host (simt_cuda/random_of_blocks.hpp).
#pragma once

#include <curand.h>
#include <curand_kernel.h>

#include "simt_cuda/hide_names.hpp"

#include <vector>

inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t*, mtgp32_kernel_params_t* p) {
  return cudaMemset(p, 0, sizeof *p) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
// NVIDIA's tables are for 200 blocks.
inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t* s, mtgp32_params_fast_t*,
                                                  mtgp32_kernel_params_t* k, int n, unsigned long long seed) {
  if (n < 0 || n > 200) return CURAND_STATUS_OUT_OF_RANGE;
  std::vector<curandStateMtgp32_t> states;
  for (int i = 0; i < n; ++i)
    states.push_back({0, {static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)}, i, k});
  const cudaError_t e = cudaMemcpy(s, states.data(), states.size() * sizeof *s, cudaMemcpyHostToDevice);
  return e == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

#include "simt_cuda/restore_names.hpp"
