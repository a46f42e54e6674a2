// SPDX-License-Identifier: Apache-2.0
// Random numbers in kernels: the generators XORWOW (Marsaglia, "Xorshift RNGs", 2003) and Philox 4x32-10 (Salmon et
// al., "Parallel random numbers: as easy as 1, 2, 3", 2011), seeded and split into subsequences as cuRAND's are, so
// that the numbers are the same. What is computed from them is fused as nvcc fuses it; logarithms and sines are the
// host's.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_runtime.h>
#include <simt/float_math.hpp>

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int position;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace simt_cuda {
// Advances the five words by n steps, or by n subsequences of 2^67 steps. Uninstrumented: the words are the caller's.
void xorwow_skip(unsigned int v[5], unsigned long long n, bool subsequences);

inline uint4 philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
    c = {static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b),
         static_cast<unsigned>(a >> 32) ^ c.w ^ k.y, static_cast<unsigned>(a)};
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
inline void philox_advance(uint4& c, unsigned long long n) {
  const unsigned long long low = (static_cast<unsigned long long>(c.y) << 32 | c.x) + n;
  if (low < n && ++c.z == 0) ++c.w;
  c.x = static_cast<unsigned>(low);
  c.y = static_cast<unsigned>(low >> 32);
}
inline unsigned int word(const uint4& v, unsigned int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }
inline float2 box_muller(unsigned int x, unsigned int y) {
  constexpr float kInverse = 2.3283064e-10f, kTwoPi = 2.3283064e-10f * 6.2831855f;
  const float u = __builtin_fmaf(static_cast<float>(x), kInverse, kInverse / 2),
              v = __builtin_fmaf(static_cast<float>(y), kTwoPi, kTwoPi / 2);
  const float s = ::sqrtf(-2.0f * ::logf(u));
  return {s * ::sinf(v), s * ::cosf(v)};
}
inline double two_words(unsigned int x, unsigned int y) {
  return static_cast<double>(static_cast<unsigned long long>(x) ^ (static_cast<unsigned long long>(y) << 21));
}
inline double2 box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
  constexpr double kInverse = 1.1102230246251565e-16;
  const double u = __builtin_fma(two_words(x0, x1), kInverse, kInverse / 2),
               v = __builtin_fma(two_words(y0, y1), kInverse * 2, kInverse);
  const double s = ::sqrt(-2.0 * ::log(u));
  return {s * simt::sinpi(v), s * simt::cospi(v)};
}
}  // namespace simt_cuda

// ---- XORWOW ----
inline void skipahead(unsigned long long n, curandStateXORWOW_t* s) {
  unsigned int v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  simt_cuda::xorwow_skip(v, n, false);
  for (int i = 0; i < 5; ++i) s->v[i] = v[i];
  s->d += 362437u * static_cast<unsigned int>(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* s) {
  unsigned int v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
  simt_cuda::xorwow_skip(v, n, true);
  for (int i = 0; i < 5; ++i) s->v[i] = v[i];
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateXORWOW_t* s) {
  const unsigned int t0 = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int t1 = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + t1 + t0;
  s->v[0] = 123456789u + t0;
  s->v[1] = 362436069u ^ t0;
  s->v[2] = 521288629u + t1;
  s->v[3] = 88675123u ^ t1;
  s->v[4] = 5783321u + t0;
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
}
inline unsigned int curand(curandStateXORWOW_t* s) {
  const unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437u;
  return s->v[4] + s->d;
}

// ---- Philox ----
inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* s) {
  s->position += static_cast<unsigned int>(n & 3);
  n /= 4;
  if (s->position > 3) {
    ++n;
    s->position -= 4;
  }
  simt_cuda::philox_advance(s->ctr, n);
  s->output = simt_cuda::philox(s->ctr, s->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* s) {
  const unsigned long long high = (static_cast<unsigned long long>(s->ctr.w) << 32 | s->ctr.z) + n;
  s->ctr.z = static_cast<unsigned int>(high);
  s->ctr.w = static_cast<unsigned int>(high >> 32);
  s->output = simt_cuda::philox(s->ctr, s->key);
}
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10_t* s) {
  s->ctr = {0, 0, 0, 0};
  s->key = {static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  s->position = 0;
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
}
inline unsigned int curand(curandStatePhilox4_32_10_t* s) {
  const unsigned int r = simt_cuda::word(s->output, s->position);
  if (++s->position == 4) {
    simt_cuda::philox_advance(s->ctr, 1);
    s->output = simt_cuda::philox(s->ctr, s->key);
    s->position = 0;
  }
  return r;
}
inline uint4 curand4(curandStatePhilox4_32_10_t* s) {
  const uint4 old = s->output;
  simt_cuda::philox_advance(s->ctr, 1);
  s->output = simt_cuda::philox(s->ctr, s->key);
  const auto at = [&](unsigned int i) { return i < 4 ? simt_cuda::word(old, i) : simt_cuda::word(s->output, i - 4); };
  const unsigned int p = s->position;
  return {at(p), at(p + 1), at(p + 2), at(p + 3)};
}

// ---- distributions, alike for both ----
namespace simt_cuda {
inline float uniform_of(unsigned int x) {
  return __builtin_fmaf(static_cast<float>(x), 2.3283064e-10f, 2.3283064e-10f / 2.0f);
}
}  // namespace simt_cuda
template <class S>
float curand_uniform(S* s) {
  return simt_cuda::uniform_of(curand(s));
}
inline double curand_uniform_double(curandStateXORWOW_t* s) {
  const unsigned int x = curand(s), y = curand(s);
  return __builtin_fma(simt_cuda::two_words(x, y), 1.1102230246251565e-16, 1.1102230246251565e-16 / 2);
}
inline double curand_uniform_double(curandStatePhilox4_32_10_t* s) {
  return __builtin_fma(static_cast<double>(curand(s)), 2.3283064365386963e-10, 2.3283064365386963e-10);
}
inline float4 curand_uniform4(curandStatePhilox4_32_10_t* s) {
  const uint4 v = curand4(s);
  return {simt_cuda::uniform_of(v.x), simt_cuda::uniform_of(v.y), simt_cuda::uniform_of(v.z),
          simt_cuda::uniform_of(v.w)};
}
template <class S>
float2 curand_normal2(S* s) {
  const unsigned int x = curand(s), y = curand(s);
  return simt_cuda::box_muller(x, y);
}
inline float4 curand_normal4(curandStatePhilox4_32_10_t* s) {
  const uint4 v = curand4(s);
  const float2 a = simt_cuda::box_muller(v.x, v.y), b = simt_cuda::box_muller(v.z, v.w);
  return {a.x, a.y, b.x, b.y};
}
template <class S>
float curand_normal(S* s) {
  if (s->boxmuller_flag != 0) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  const float2 v = curand_normal2(s);
  s->boxmuller_extra = v.y;
  s->boxmuller_flag = 1;
  return v.x;
}
inline double2 curand_normal2_double(curandStateXORWOW_t* s) {
  const unsigned int a = curand(s), b = curand(s), c = curand(s), d = curand(s);
  return simt_cuda::box_muller_double(a, b, c, d);
}
inline double2 curand_normal2_double(curandStatePhilox4_32_10_t* s) {
  const uint4 v = curand4(s);
  return simt_cuda::box_muller_double(v.x, v.y, v.z, v.w);
}
template <class S>
double curand_normal_double(S* s) {
  if (s->boxmuller_flag_double != 0) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  const double2 v = curand_normal2_double(s);
  s->boxmuller_extra_double = v.y;
  s->boxmuller_flag_double = 1;
  return v.x;
}
template <class S>
float curand_log_normal(S* s, float mean, float deviation) {
  return ::expf(mean + deviation * curand_normal(s));
}
template <class S>
double curand_log_normal_double(S* s, double mean, double deviation) {
  return ::exp(mean + deviation * curand_normal_double(s));
}
template <class S>
float2 curand_log_normal2(S* s, float mean, float deviation) {
  const float2 v = curand_normal2(s);
  return {::expf(mean + deviation * v.x), ::expf(mean + deviation * v.y)};
}
template <class S>
double2 curand_log_normal2_double(S* s, double mean, double deviation) {
  const double2 v = curand_normal2_double(s);
  return {::exp(mean + deviation * v.x), ::exp(mean + deviation * v.y)};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* s, float mean, float deviation) {
  const float4 v = curand_normal4(s);
  return {::expf(mean + deviation * v.x), ::expf(mean + deviation * v.y), ::expf(mean + deviation * v.z),
          ::expf(mean + deviation * v.w)};
}

// ---- several doubles of Philox at once ----
namespace simt_cuda {
inline double uniform_of(unsigned int x, unsigned int y) {
  return __builtin_fma(two_words(x, y), 1.1102230246251565e-16, 1.1102230246251565e-16 / 2);
}
}  // namespace simt_cuda
inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* s) {
  const uint4 v = curand4(s);
  return {simt_cuda::uniform_of(v.x, v.y), simt_cuda::uniform_of(v.z, v.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10_t* s) {
  const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
  return {a.x, a.y, b.x, b.y};
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10_t* s) {
  const double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
  return {a.x, a.y, b.x, b.y};
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* s, double mean, double deviation) {
  const double2 a = curand_log_normal2_double(s, mean, deviation), b = curand_log_normal2_double(s, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}

#include "simt_cuda/more_random.hpp"
#include "simt_cuda/random_of_blocks.hpp"

#include "simt_cuda/restore_names.hpp"
