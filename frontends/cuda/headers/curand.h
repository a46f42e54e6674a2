// SPDX-License-Identifier: Apache-2.0
// cuRAND's host API: arrays of random numbers, made by a kernel of one thread on the generator's stream (or at once, by
// a host generator). Numbers are those of XORWOW or Philox in one sequence, not in the order of a GPU's threads.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <curand_kernel.h>

// The guard of the Toolkit that helpers of samples ask for.
#define CURAND_H_
typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

struct curandGenerator_st {
  bool on_host = false, is_philox = false;
  unsigned long long seed = 0, used = 0;  // numbers that were drawn
  cudaStream_t stream = nullptr;
};
typedef curandGenerator_st* curandGenerator_t;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) {
  const bool philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  if (!philox && type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW) {
    std::fprintf(stderr, "simt: curandCreateGenerator: only XORWOW and Philox are supported by the simulator\n");
    return CURAND_STATUS_TYPE_ERROR;
  }
  *g = new curandGenerator_st;
  (*g)->is_philox = philox;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* g, curandRngType_t type) {
  const curandStatus_t s = curandCreateGenerator(g, type);
  if (s == CURAND_STATUS_SUCCESS) (*g)->on_host = true;
  return s;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  delete g;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  g->seed = seed;
  g->used = 0;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  g->used = offset;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t s) {
  g->stream = s;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandGetVersion(int* v) {
  *v = 10400;
  return CURAND_STATUS_SUCCESS;
}

namespace simt_cuda {
template <class State, class T, class Draw>
void draw_numbers(unsigned long long seed, unsigned long long offset, T* to, std::size_t n, Draw draw) {
  State state;
  curand_init(seed, 0, offset, &state);
  for (std::size_t i = 0; i < n; ++i) to[i] = draw(&state);
}
// `words`: 32-bit numbers that one value takes.
template <class T, class Draw>
curandStatus_t generate(curandGenerator_t g, const char* name, T* to, std::size_t n, unsigned long long words,
                        Draw draw) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const unsigned long long seed = g->seed, offset = g->used;
  const bool philox = g->is_philox;
  g->used += n * words;
  const auto work = [=]() {
    if (philox)
      draw_numbers<curandStatePhilox4_32_10_t>(seed, offset, to, n, draw);
    else
      draw_numbers<curandStateXORWOW_t>(seed, offset, to, n, draw);
  };
  if (g->on_host) {
    work();
    return CURAND_STATUS_SUCCESS;
  }
  configure(dim3(1), dim3(1), 0, g->stream);
  run_kernel(name, [=](const uint3, const uint3, const dim3, const dim3) mutable -> void { work(); });
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}
}  // namespace simt_cuda

inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* to, std::size_t n) {
  return simt_cuda::generate(g, "curandGenerate()", to, n, 1, [](auto* s) { return curand(s); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float* to, std::size_t n) {
  return simt_cuda::generate(g, "curandGenerateUniform()", to, n, 1, [](auto* s) { return curand_uniform(s); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* to, std::size_t n) {
  return simt_cuda::generate(g, "curandGenerateUniformDouble()", to, n, 2,
                             [](auto* s) { return curand_uniform_double(s); });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float* to, std::size_t n, float mean, float deviation) {
  if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return simt_cuda::generate(g, "curandGenerateNormal()", to, n, 1,
                             [=](auto* s) { return mean + deviation * curand_normal(s); });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* to, std::size_t n, double mean,
                                                 double deviation) {
  if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return simt_cuda::generate(g, "curandGenerateNormalDouble()", to, n, 2,
                             [=](auto* s) { return mean + deviation * curand_normal_double(s); });
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* to, std::size_t n, float mean,
                                              float deviation) {
  if (n % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return simt_cuda::generate(g, "curandGenerateLogNormal()", to, n, 1,
                             [=](auto* s) { return curand_log_normal(s, mean, deviation); });
}

#include "simt_cuda/restore_names.hpp"
