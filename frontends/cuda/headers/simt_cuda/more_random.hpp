// SPDX-License-Identifier: Apache-2.0
// Sobol's sequences, MRG32k3a (P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
// number generators", Operations Research 47, 1999) and Poisson numbers. Part of curand_kernel.h.
#pragma once

#include <simt/math.hpp>

#include "inverse_error.hpp"

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef enum curandDirectionVectorSet {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104
} curandDirectionVectorSet_t;

namespace simt_cuda {
template <class W>
struct sobol_state {
  unsigned long long i;
  W x, c;
  W direction_vectors[sizeof(W) * 8];
};
}  // namespace simt_cuda
struct curandStateSobol32 : simt_cuda::sobol_state<unsigned int> {};
struct curandStateSobol64 : simt_cuda::sobol_state<unsigned long long> {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
// A scrambled sequence differs in what it begins with.
typedef curandStateSobol32 curandStateScrambledSobol32;
typedef curandStateSobol64 curandStateScrambledSobol64;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

namespace simt_cuda {
template <class W>
void sobol_skip(unsigned long long n, sobol_state<W>& s) {
  s.i += n;
  const W gray = static_cast<W>(s.i ^ (s.i >> 1));
  s.x = s.c;
  for (unsigned int k = 0; k < sizeof(W) * 8; ++k)
    if ((gray >> k & 1) != 0) s.x ^= s.direction_vectors[k];
}
template <class W>
void sobol_begin(const W* directions, unsigned long long offset, W scramble, sobol_state<W>& s) {
  for (unsigned int k = 0; k < sizeof(W) * 8; ++k) s.direction_vectors[k] = directions[k];
  s.i = 0;
  s.c = scramble;
  sobol_skip(offset, s);
}
// Neighbours in Gray code differ in one bit: the lowest zero of the index.
template <class W>
W sobol_next(sobol_state<W>& s) {
  const W value = s.x;
  const int bit = __builtin_ctzll(~s.i);
  s.x ^= s.direction_vectors[bit < static_cast<int>(sizeof(W) * 8) ? bit : static_cast<int>(sizeof(W) * 8) - 1];
  ++s.i;
  return value;
}
inline double uniform_of_64(unsigned long long x) {
  return static_cast<double>(x >> 11) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2;
}
}  // namespace simt_cuda

inline void curand_init(curandDirectionVectors32_t directions, unsigned int offset, curandStateSobol32_t* s) {
  simt_cuda::sobol_begin(directions, offset, 0u, *s);
}
inline void curand_init(curandDirectionVectors64_t directions, unsigned long long offset, curandStateSobol64_t* s) {
  simt_cuda::sobol_begin(directions, offset, 0ull, *s);
}
inline void curand_init(curandDirectionVectors32_t directions, unsigned int scramble, unsigned int offset,
                        curandStateScrambledSobol32_t* s) {
  simt_cuda::sobol_begin(directions, offset, scramble, *s);
}
inline void curand_init(curandDirectionVectors64_t directions, unsigned long long scramble, unsigned long long offset,
                        curandStateScrambledSobol64_t* s) {
  simt_cuda::sobol_begin(directions, offset, scramble, *s);
}
inline void skipahead(unsigned int n, curandStateSobol32_t* s) { simt_cuda::sobol_skip(n, *s); }
inline void skipahead(unsigned long long n, curandStateSobol64_t* s) { simt_cuda::sobol_skip(n, *s); }
inline unsigned int curand(curandStateSobol32_t* s) { return simt_cuda::sobol_next(*s); }
inline unsigned long long curand(curandStateSobol64_t* s) { return simt_cuda::sobol_next(*s); }
inline float curand_uniform(curandStateSobol64_t* s) {
  return simt_cuda::uniform_of(static_cast<unsigned int>(curand(s) >> 32));
}
inline double curand_uniform_double(curandStateSobol32_t* s) {
  return __builtin_fma(static_cast<double>(curand(s)), 2.3283064365386963e-10, 2.3283064365386963e-10);
}
inline double curand_uniform_double(curandStateSobol64_t* s) { return simt_cuda::uniform_of_64(curand(s)); }
// One number of the sequence is one normal number: by the inverse of the distribution.
inline float curand_normal(curandStateSobol32_t* s) {
  return static_cast<float>(simt_cuda::inverse_normal(curand_uniform_double(s)));
}
inline float curand_normal(curandStateSobol64_t* s) {
  return static_cast<float>(simt_cuda::inverse_normal(curand_uniform_double(s)));
}
inline double curand_normal_double(curandStateSobol32_t* s) {
  return simt_cuda::inverse_normal(curand_uniform_double(s));
}
inline double curand_normal_double(curandStateSobol64_t* s) {
  return simt_cuda::inverse_normal(curand_uniform_double(s));
}

// ---- MRG32k3a ----
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace simt_cuda {
inline constexpr unsigned long long kMrg1 = 4294967087ull, kMrg2 = 4294944443ull;
struct mrg_matrix {
  unsigned long long at[3][3];
};
inline mrg_matrix mrg_times(const mrg_matrix& a, const mrg_matrix& b, unsigned long long m) {
  mrg_matrix r{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) r.at[i][j] = (r.at[i][j] + a.at[i][k] * b.at[k][j] % m) % m;
  return r;
}
// n times 2^twice steps of one of the two recurrences.
inline void mrg_skip(unsigned int s[3], mrg_matrix step, unsigned long long m, unsigned long long n, int twice) {
  for (int i = 0; i < twice; ++i) step = mrg_times(step, step, m);
  for (; n != 0; n >>= 1, step = mrg_times(step, step, m)) {
    if ((n & 1) == 0) continue;
    unsigned long long r[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) r[i] = (r[i] + step.at[i][k] * s[k] % m) % m;
    for (int i = 0; i < 3; ++i) s[i] = static_cast<unsigned int>(r[i]);
  }
}
inline void mrg_skip(curandStateMRG32k3a_t* s, unsigned long long n, int twice) {
  mrg_skip(s->s1, {{{0, 1, 0}, {0, 0, 1}, {kMrg1 - 810728, 1403580, 0}}}, kMrg1, n, twice);
  mrg_skip(s->s2, {{{0, 1, 0}, {0, 0, 1}, {kMrg2 - 1370589, 0, 527612}}}, kMrg2, n, twice);
}
// In 1 .. m1.
inline double mrg_next(curandStateMRG32k3a_t* s) {
  const unsigned long long a = (1403580ull * s->s1[1] + (kMrg1 - 810728) * s->s1[0]) % kMrg1;
  const unsigned long long b = (527612ull * s->s2[2] + (kMrg2 - 1370589) * s->s2[0]) % kMrg2;
  s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = static_cast<unsigned int>(a);
  s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = static_cast<unsigned int>(b);
  return static_cast<double>(a > b ? a - b : a + kMrg1 - b);
}
inline constexpr double kMrgNorm = 2.328306549295727688e-10;
}  // namespace simt_cuda
inline void skipahead(unsigned long long n, curandStateMRG32k3a_t* s) { simt_cuda::mrg_skip(s, n, 0); }
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* s) { simt_cuda::mrg_skip(s, n, 76); }
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* s) { simt_cuda::mrg_skip(s, n, 127); }
inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStateMRG32k3a_t* s) {
  for (int i = 0; i < 3; ++i) s->s1[i] = s->s2[i] = 12345;
  if (seed != 0) {
    const unsigned long long x = static_cast<unsigned int>(seed) ^ 0x55555555u,
                             y = static_cast<unsigned int>(seed >> 32) ^ 0xAAAAAAAAu;
    const auto by = [](unsigned long long f, unsigned int v, unsigned long long m) {
      return static_cast<unsigned int>(f * v % m);
    };
    s->s1[0] = by(x, s->s1[0], simt_cuda::kMrg1), s->s1[1] = by(y, s->s1[1], simt_cuda::kMrg1);
    s->s1[2] = by(x, s->s1[2], simt_cuda::kMrg1);
    s->s2[0] = by(y, s->s2[0], simt_cuda::kMrg2), s->s2[1] = by(x, s->s2[1], simt_cuda::kMrg2);
    s->s2[2] = by(y, s->s2[2], simt_cuda::kMrg2);
  }
  simt_cuda::mrg_skip(s, subsequence, 76);
  simt_cuda::mrg_skip(s, offset, 0);
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
}
inline unsigned int curand(curandStateMRG32k3a_t* s) {
  return static_cast<unsigned int>(simt_cuda::mrg_next(s) * 1.000000048662);
}
inline float curand_uniform(curandStateMRG32k3a_t* s) {
  return static_cast<float>(simt_cuda::mrg_next(s) * simt_cuda::kMrgNorm);
}
inline double curand_uniform_double(curandStateMRG32k3a_t* s) { return simt_cuda::mrg_next(s) * simt_cuda::kMrgNorm; }
inline float2 curand_normal2(curandStateMRG32k3a_t* s) {
  const float u = curand_uniform(s), v = curand_uniform(s) * 6.2831855f, r = ::sqrtf(-2.0f * ::logf(u));
  return {r * ::sinf(v), r * ::cosf(v)};
}
inline double2 curand_normal2_double(curandStateMRG32k3a_t* s) {
  const double u = curand_uniform_double(s), v = curand_uniform_double(s) * 2, r = ::sqrt(-2.0 * ::log(u));
  return {r * simt::sinpi(v), r * simt::cospi(v)};
}

// ---- Poisson numbers: of the right distribution, but not cuRAND's ----
namespace simt_cuda {
template <class S>
unsigned int poisson(S* s, double mean) {
  if (mean < 64) {  // Knuth: how many factors until the product is small
    const double least = ::exp(-mean);
    unsigned int n = 0;
    for (double product = curand_uniform_double(s); product > least; product *= curand_uniform_double(s)) ++n;
    return n;
  }
  // W. Hoermann, "The transformed rejection method for generating Poisson random variables" (1993): PTRS.
  const double b = 0.931 + 2.53 * ::sqrt(mean), a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4),
               top = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s), us = 0.5 - ::fabs(u);
    const double k = ::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= top) return static_cast<unsigned int>(k);
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (::log(v) + ::log(inverse) - ::log(a / (us * us) + b) <= k * ::log(mean) - mean - ::lgamma(k + 1))
      return static_cast<unsigned int>(k);
  }
}
}  // namespace simt_cuda
template <class S>
unsigned int curand_poisson(S* s, double mean) {
  return simt_cuda::poisson(s, mean);
}
inline uint4 curand_poisson4(curandStatePhilox4_32_10_t* s, double mean) {
  const unsigned int x = simt_cuda::poisson(s, mean), y = simt_cuda::poisson(s, mean), z = simt_cuda::poisson(s, mean);
  return {x, y, z, simt_cuda::poisson(s, mean)};
}
