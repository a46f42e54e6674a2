// SPDX-License-Identifier: Apache-2.0
// States that a block shares, and discrete distributions: cuRAND's MTGP32 and curand_discrete. Part of curand_kernel.h.
//
// The numbers are of the right distribution, but not cuRAND's: MTGP32 is one of 200 Mersenne twisters whose tables are
// NVIDIA's; here a state is a key and a counter of Philox, and each thread of the block takes the number at its place.
#pragma once

struct mtgp32_params_fast {
  int mexp, pos, sh1, sh2;
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;
struct mtgp32_kernel_params {
  unsigned int pos_tbl[200];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;
inline mtgp32_params_fast_t mtgp32dc_params_fast_11213[200] = {};

struct curandStateMtgp32 {
  unsigned long long offset;
  unsigned int key[2];
  int pIdx;
  mtgp32_kernel_params_t* k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

#if !defined(_SIMT_HOST_SOURCE)  // a block's own: the host has none
namespace simt_cuda {
// All threads of the block take one number each, of `taken` in a row.
[[gnu::always_inline]] inline unsigned int number_of_block(curandStateMtgp32_t* s, unsigned int index,
                                                           unsigned int taken) {
  const unsigned long long at = s->offset + index;
  const uint4 v = philox({static_cast<unsigned int>(at), static_cast<unsigned int>(at >> 32),
                          static_cast<unsigned int>(s->pIdx), 0x4d544750u},
                         {s->key[0], s->key[1]});
  __syncthreads();
  if (index == 0) s->offset += taken;
  __syncthreads();
  return v.x;
}
}  // namespace simt_cuda
[[gnu::always_inline]] inline unsigned int curand(curandStateMtgp32_t* s) {
  const uint3 t = simt_cuda::thread_idx();
  const dim3 d = simt_cuda::block_dim();
  return simt_cuda::number_of_block(s, t.x + d.x * (t.y + d.y * t.z), d.x * d.y * d.z);
}
[[gnu::always_inline]] inline unsigned int curand_mtgp32_specific(curandStateMtgp32_t* s, unsigned char index,
                                                                  unsigned char n) {
  return simt_cuda::number_of_block(s, index, n);
}
[[gnu::always_inline]] inline float curand_uniform(curandStateMtgp32_t* s) { return simt_cuda::uniform_of(curand(s)); }
[[gnu::always_inline]] inline float curand_mtgp32_single(curandStateMtgp32_t* s) { return curand_uniform(s); }
[[gnu::always_inline]] inline double curand_uniform_double(curandStateMtgp32_t* s) {
  return __builtin_fma(static_cast<double>(curand(s)), 2.3283064365386963e-10, 2.3283064365386963e-10);
}
[[gnu::always_inline]] inline float curand_normal(curandStateMtgp32_t* s) {
  return static_cast<float>(simt_cuda::inverse_normal(curand_uniform_double(s)));
}
[[gnu::always_inline]] inline double curand_normal_double(curandStateMtgp32_t* s) {
  return simt_cuda::inverse_normal(curand_uniform_double(s));
}
[[gnu::always_inline]] inline float curand_log_normal(curandStateMtgp32_t* s, float mean, float deviation) {
  return ::expf(mean + deviation * curand_normal(s));
}
[[gnu::always_inline]] inline double curand_log_normal_double(curandStateMtgp32_t* s, double mean, double deviation) {
  return ::exp(mean + deviation * curand_normal_double(s));
}
// One number is one Poisson number, so that all threads take as many: by the sum of the probabilities.
[[gnu::always_inline]] inline unsigned int curand_poisson(curandStateMtgp32_t* s, double mean) {
  const double u = curand_uniform_double(s);
  if (mean > 700)
    return static_cast<unsigned int>(::fmax(0.0, ::floor(mean + ::sqrt(mean) * simt_cuda::inverse_normal(u) + 0.5)));
  unsigned int n = 0;
  double probability = ::exp(-mean), sum = probability;
  while (sum < u && n < 100000) sum += probability *= mean / ++n;
  return n;
}
#endif

// curandCreatePoissonDistribution (curand.h) makes them: no other discrete distribution can be made.
struct curandDiscreteDistribution_st {
  double mean;
};
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;
template <class S>
[[gnu::always_inline]] inline unsigned int curand_discrete(S* s, curandDiscreteDistribution_t distribution) {
  return curand_poisson(s, distribution->mean);
}
inline uint4 curand_discrete4(curandStatePhilox4_32_10_t* s, curandDiscreteDistribution_t distribution) {
  return curand_poisson4(s, distribution->mean);
}
