// SPDX-License-Identifier: Apache-2.0
// cuRAND's host API: arrays of random numbers, made by a kernel on the generator's stream or at once by a host
// generator. As the library says of its ordering, number n of a call comes from position n / 4096 of subsequence n mod
// 4096 of a pseudorandom generator, and the next call goes on where each subsequence has ended (cuRAND, "Generator
// Options").
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <random>

#include <curand_kernel.h>
#include <library_types.h>

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
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

namespace simt_cuda {
const void* sobol_directions(bool words_of_64_bits);

// What the scrambled sequence of each dimension begins with: numbers of our own, cuRAND has others.
inline constexpr unsigned int kScrambledDimensions = 20000;
template <class W>
constexpr W scramble_of(unsigned int dimension) {
  unsigned long long x = (dimension + 1ull) * 0x9E3779B97F4A7C15ull;  // splitmix64
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return static_cast<W>((x ^ x >> 31) >> (64 - 8 * sizeof(W)));
}
template <class W>
W* scramble_constants() {
  static W* const all = [] {
    W* const made = new W[kScrambledDimensions];
    for (unsigned int d = 0; d < kScrambledDimensions; ++d) made[d] = scramble_of<W>(d);
    return made;
  }();
  return all;
}
// A Mersenne twister for each subsequence: MTGP32 and MT19937 of cuRAND have other ones.
struct mersenne_state {
  std::mt19937 engine;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
}  // namespace simt_cuda
struct curandGenerator_st {
  curandRngType_t type;
  bool on_host = false;
  unsigned long long seed = 0, offset = 0;
  unsigned int dimensions = 1;
  void* states = nullptr;  // of the subsequences, once numbers were drawn
  cudaStream_t stream = nullptr;
};
typedef curandGenerator_st* curandGenerator_t;

namespace simt_cuda {
inline unsigned int curand(mersenne_state* s) { return static_cast<unsigned int>(s->engine()); }
inline double curand_uniform_double(mersenne_state* s) {
  const unsigned int x = curand(s), y = curand(s);
  return uniform_of(x, y);
}
inline double2 curand_normal2_double(mersenne_state* s) {
  const unsigned int a = curand(s), b = curand(s), c = curand(s), d = curand(s);
  return box_muller_double(a, b, c, d);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        mersenne_state* s) {
  new (s) mersenne_state{};
  s->engine.seed(static_cast<unsigned int>(seed * 4096 + subsequence));
  s->engine.discard(offset);
}
template <class State>
inline constexpr int kSubsequences = 4096;
template <>
inline constexpr int kSubsequences<mersenne_state> = 64;

inline void forget_states(curandGenerator_t g) {
  if (g->states == nullptr) return;
  if (g->on_host)
    ::free(g->states);
  else
    cudaFree(g->states);
  g->states = nullptr;
}

// On the generator's stream, a thread for each of `threads`; or here.
template <class Body>
curandStatus_t for_each_thread(curandGenerator_t g, const char* name, int threads, Body body) {
  if (g->on_host) {
    for (int t = 0; t < threads; ++t) body(t);
    return CURAND_STATUS_SUCCESS;
  }
  constexpr int kBlock = 64;
  configure(dim3(static_cast<unsigned>((threads + kBlock - 1) / kBlock)), dim3(kBlock), 0, g->stream);
  run_kernel(name, [=](const uint3 thread, const uint3 block, const dim3, const dim3) mutable -> void {
    if (const int t = static_cast<int>(block.x) * kBlock + static_cast<int>(thread.x); t < threads) body(t);
  });
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

// The same for whatever is drawn, so that its kernel is compiled once for a kind of generator.
template <class State>
curandStatus_t begin_states(curandGenerator_t g) {
  constexpr int kAll = kSubsequences<State>;
  if (g->states != nullptr) return CURAND_STATUS_SUCCESS;
  if (g->on_host)
    g->states = ::malloc(sizeof(State) * kAll);
  else if (cudaMalloc(&g->states, sizeof(State) * kAll) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  return for_each_thread(g, "curandGenerateSeeds()", kAll,
                         [seed = g->seed, offset = g->offset, states = static_cast<State*>(g->states)](int t) {
                           curand_init(seed, static_cast<unsigned long long>(t), offset / kAll, &states[t]);
                         });
}

template <class State, class T, class Draw>
curandStatus_t draw_pseudo(curandGenerator_t g, const char* name, T* to, std::size_t n, Draw draw) {
  constexpr int kAll = kSubsequences<State>;
  if (const curandStatus_t began = begin_states<State>(g); began != CURAND_STATUS_SUCCESS) return began;
  return for_each_thread(g, name, static_cast<int>(n < kAll ? n : kAll),
                         [=, states = static_cast<State*>(g->states)](int t) {
                           for (std::size_t i = static_cast<std::size_t>(t); i < n; i += kAll) to[i] = draw(&states[t]);
                         });
}

// All of the first dimension's numbers, then all of the second's ...
template <class State, class T, class Draw>
curandStatus_t draw_quasi(curandGenerator_t g, const char* name, T* to, std::size_t n, Draw draw) {
  constexpr bool kLong = std::is_same_v<State, curandStateSobol64_t>;
  using word = std::conditional_t<kLong, unsigned long long, unsigned int>;
  constexpr std::size_t kPart = 1024;  // numbers of a thread
  if (n % g->dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const std::size_t each = n / g->dimensions;
  struct vectors {
    word of[sizeof(word) * 8];
  };
  const bool scrambled = g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || g->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  for (unsigned int d = 0; d < g->dimensions; ++d) {
    const word scramble = scrambled ? scramble_of<word>(d) : word{0};
    const vectors v = static_cast<const vectors*>(sobol_directions(kLong))[d];
    const curandStatus_t s = for_each_thread(g, name, static_cast<int>((each + kPart - 1) / kPart),
                                             [=, offset = g->offset, first = to + d * each](int t) {
                                               State state;
                                               const std::size_t begin = static_cast<std::size_t>(t) * kPart,
                                                                 end = begin + kPart < each ? begin + kPart : each;
                                               sobol_begin(v.of, offset + begin, scramble, state);
                                               for (std::size_t i = begin; i < end; ++i) first[i] = draw(&state);
                                             });
    if (s != CURAND_STATUS_SUCCESS) return s;
  }
  g->offset += each;
  return CURAND_STATUS_SUCCESS;
}

template <class T, class Draw>
curandStatus_t generate(curandGenerator_t g, const char* name, T* to, std::size_t n, Draw draw) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  switch (g->type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return draw_pseudo<curandStatePhilox4_32_10_t>(g, name, to, n, draw);
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return draw_pseudo<curandStateMRG32k3a_t>(g, name, to, n, draw);
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_MTGP32:
      return draw_pseudo<mersenne_state>(g, name, to, n, draw);
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
      return draw_quasi<curandStateSobol32_t>(g, name, to, n, draw);
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      if constexpr (!std::is_same_v<T, unsigned int>)
        return draw_quasi<curandStateSobol64_t>(g, name, to, n, draw);
      else
        return CURAND_STATUS_TYPE_ERROR;
    default:
      return draw_pseudo<curandStateXORWOW_t>(g, name, to, n, draw);
  }
}
inline bool is_quasi(curandGenerator_t g) { return g->type >= CURAND_RNG_QUASI_DEFAULT; }
}  // namespace simt_cuda

inline curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  *g = new curandGenerator_st{type};
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* g, curandRngType_t type) {
  const curandStatus_t s = curandCreateGenerator(g, type);
  if (s == CURAND_STATUS_SUCCESS) (*g)->on_host = true;
  return s;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  if (g == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  simt_cuda::forget_states(g);
  delete g;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (simt_cuda::is_quasi(g)) return CURAND_STATUS_TYPE_ERROR;
  simt_cuda::forget_states(g);
  g->seed = seed;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned int dimensions) {
  if (!simt_cuda::is_quasi(g)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > 20000) return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > 256) {
    std::fprintf(stderr, "simt: Sobol sequences of more than 256 dimensions are not supported by the simulator\n");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  g->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors,
                                                  curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = static_cast<curandDirectionVectors32_t*>(const_cast<void*>(simt_cuda::sobol_directions(false)));
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t** vectors,
                                                  curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = static_cast<curandDirectionVectors64_t*>(const_cast<void*>(simt_cuda::sobol_directions(true)));
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  *constants = simt_cuda::scramble_constants<unsigned int>();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  *constants = simt_cuda::scramble_constants<unsigned long long>();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  simt_cuda::forget_states(g);
  g->offset = offset;
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
inline curandStatus_t curandGetProperty(libraryPropertyType what, int* value) {
  *value = what == MAJOR_VERSION ? 10 : what == MINOR_VERSION ? 4 : 0;
  return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* to, std::size_t n) {
  return simt_cuda::generate(g, "curandGenerate()", to, n, [](auto* s) { return curand(s); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float* to, std::size_t n) {
  return simt_cuda::generate(g, "curandGenerateUniform()", to, n, [](auto* s) { return curand_uniform(s); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* to, std::size_t n) {
  return simt_cuda::generate(g, "curandGenerateUniformDouble()", to, n,
                             [](auto* s) { return curand_uniform_double(s); });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float* to, std::size_t n, float mean, float deviation) {
  if (n % 2 != 0 && !simt_cuda::is_quasi(g)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return simt_cuda::generate(g, "curandGenerateNormal()", to, n,
                             [=](auto* s) { return mean + deviation * curand_normal(s); });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* to, std::size_t n, double mean,
                                                 double deviation) {
  if (n % 2 != 0 && !simt_cuda::is_quasi(g)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return simt_cuda::generate(g, "curandGenerateNormalDouble()", to, n,
                             [=](auto* s) { return mean + deviation * curand_normal_double(s); });
}
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* to, std::size_t n, float mean,
                                              float deviation) {
  if (n % 2 != 0 && !simt_cuda::is_quasi(g)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return simt_cuda::generate(g, "curandGenerateLogNormal()", to, n,
                             [=](auto* s) { return curand_log_normal(s, mean, deviation); });
}

inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* to, std::size_t n, double mean,
                                                    double deviation) {
  if (n % 2 != 0 && !simt_cuda::is_quasi(g)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return simt_cuda::generate(g, "curandGenerateLogNormalDouble()", to, n,
                             [=](auto* s) { return ::exp(mean + deviation * curand_normal_double(s)); });
}
inline curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long* to, std::size_t n) {
  if (g->type != CURAND_RNG_QUASI_SOBOL64 && g->type != CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
    return CURAND_STATUS_TYPE_ERROR;
  return simt_cuda::draw_quasi<curandStateSobol64_t>(g, "curandGenerateLongLong()", to, n,
                                                     [](auto* s) { return curand(s); });
}
inline curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int* to, std::size_t n, double mean) {
  return simt_cuda::generate(g, "curandGeneratePoisson()", to, n, [=](auto* s) { return curand_poisson(s, mean); });
}

// Discrete distributions of kernels (curand_discrete): Poisson's alone can be made.
inline curandStatus_t curandCreatePoissonDistribution(double mean, curandDiscreteDistribution_t* distribution) {
  if (distribution == nullptr || !(mean > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  const curandDiscreteDistribution_st made{mean};
  if (cudaMalloc(distribution, sizeof made) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
  cudaMemcpy(*distribution, &made, sizeof made, cudaMemcpyHostToDevice);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  return cudaFree(distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

#include "simt_cuda/restore_names.hpp"
