// SPDX-License-Identifier: Apache-2.0
// 16-bit floats by their bits: conversions with rounding to nearest even, exact the other way (IEEE 754, binary16; and
// the upper half of binary32).
#pragma once

#include <cstdint>

namespace simt_cuda {

inline std::uint16_t half_bits(float f) {
  const std::uint32_t x = __builtin_bit_cast(std::uint32_t, f), sign = (x >> 16) & 0x8000, magnitude = x & 0x7fffffff;
  if (magnitude > 0x7f800000) return static_cast<std::uint16_t>(0x7fff);          // NaN as CUDA makes it
  if (magnitude >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);  // rounds to infinity
  if (magnitude < 0x38800000) {                                                   // subnormal, or zero
    const float scaled = __builtin_bit_cast(float, magnitude) * 16777216.0f;      // in units of 2^-24
    std::uint32_t n = static_cast<std::uint32_t>(scaled);
    const float rest = scaled - static_cast<float>(n);
    if (rest > 0.5f || (rest == 0.5f && (n & 1))) ++n;
    return static_cast<std::uint16_t>(sign | n);
  }
  const std::uint32_t rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000) >> 13));
}
inline float half_value(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000) << 16, exponent = (h >> 10) & 31, fraction = h & 0x3ff;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | (fraction << 13));
  if (exponent == 0) {
    const float v = static_cast<float>(fraction) * 5.9604644775390625e-8f;
    return sign ? -v : v;
  }
  return __builtin_bit_cast(float, sign | ((exponent + 112) << 23) | (fraction << 13));
}
inline std::uint16_t bfloat_bits(float f) {
  const std::uint32_t x = __builtin_bit_cast(std::uint32_t, f);
  if ((x & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<std::uint16_t>((x + 0x7fff + ((x >> 16) & 1)) >> 16);
}
inline float bfloat_value(std::uint16_t b) { return __builtin_bit_cast(float, static_cast<std::uint32_t>(b) << 16); }

}  // namespace simt_cuda

// One scalar type, its pair, and the functions whose names differ only in the type. Arithmetic is done in float and
// rounded once, as the hardware does for single operations.
#define SIMT_CUDA_SMALL_FLOAT(S, V, bits, value)                                                             \
  struct alignas(2) S {                                                                                      \
    unsigned short raw;                                                                                      \
    S() = default;                                                                                           \
    S(float f) : raw(bits(f)) {}                                                                             \
    S(double f) : raw(bits(static_cast<float>(f))) {}                                                        \
    S(int f) : raw(bits(static_cast<float>(f))) {}                                                           \
    S(unsigned f) : raw(bits(static_cast<float>(f))) {}                                                      \
    S(long long f) : raw(bits(static_cast<float>(f))) {}                                                     \
    operator float() const { return value(raw); }                                                            \
    S& operator+=(S b) { return *this = S(float(*this) + float(b)); }                                        \
    S& operator-=(S b) { return *this = S(float(*this) - float(b)); }                                        \
    S& operator*=(S b) { return *this = S(float(*this) * float(b)); }                                        \
    S& operator/=(S b) { return *this = S(float(*this) / float(b)); }                                        \
  };                                                                                                         \
  inline S operator+(S a, S b) { return S(float(a) + float(b)); }                                            \
  inline S operator-(S a, S b) { return S(float(a) - float(b)); }                                            \
  inline S operator*(S a, S b) { return S(float(a) * float(b)); }                                            \
  inline S operator/(S a, S b) { return S(float(a) / float(b)); }                                            \
  inline S operator-(S a) { return S(-float(a)); }                                                           \
  inline bool operator==(S a, S b) { return float(a) == float(b); }                                          \
  inline bool operator!=(S a, S b) { return float(a) != float(b); }                                          \
  inline bool operator<(S a, S b) { return float(a) < float(b); }                                            \
  inline bool operator>(S a, S b) { return float(a) > float(b); }                                            \
  inline bool operator<=(S a, S b) { return float(a) <= float(b); }                                          \
  inline bool operator>=(S a, S b) { return float(a) >= float(b); }                                          \
  struct alignas(4) V {                                                                                      \
    S x, y;                                                                                                  \
    V() = default;                                                                                           \
    V(S a, S b) : x(a), y(b) {}                                                                              \
  };                                                                                                         \
  inline V operator+(V a, V b) { return {a.x + b.x, a.y + b.y}; }                                            \
  inline V operator-(V a, V b) { return {a.x - b.x, a.y - b.y}; }                                            \
  inline V operator*(V a, V b) { return {a.x * b.x, a.y * b.y}; }                                            \
  inline V operator/(V a, V b) { return {a.x / b.x, a.y / b.y}; }                                            \
  inline S __hadd(S a, S b) { return a + b; }                                                                \
  inline S __hsub(S a, S b) { return a - b; }                                                                \
  inline S __hmul(S a, S b) { return a * b; }                                                                \
  inline S __hdiv(S a, S b) { return a / b; }                                                                \
  inline S __hneg(S a) { return -a; }                                                                        \
  inline S __habs(S a) { return S(__builtin_fabsf(float(a))); }                                              \
  inline S __hfma(S a, S b, S c) { return S(static_cast<float>(double(float(a)) * float(b) + float(c))); }   \
  inline S __hmax(S a, S b) { return S(__builtin_fmaxf(float(a), float(b))); }                               \
  inline S __hmin(S a, S b) { return S(__builtin_fminf(float(a), float(b))); }                               \
  inline bool __heq(S a, S b) { return a == b; }                                                             \
  inline bool __hne(S a, S b) { return a != b; }                                                             \
  inline bool __hlt(S a, S b) { return a < b; }                                                              \
  inline bool __hle(S a, S b) { return a <= b; }                                                             \
  inline bool __hgt(S a, S b) { return a > b; }                                                              \
  inline bool __hge(S a, S b) { return a >= b; }                                                             \
  inline bool __hisnan(S a) { return float(a) != float(a); }                                                 \
  inline S hsqrt(S a) { return S(__builtin_sqrtf(float(a))); }                                               \
  inline S hrsqrt(S a) { return S(1.0f / __builtin_sqrtf(float(a))); }                                       \
  inline S hrcp(S a) { return S(1.0f / float(a)); }                                                          \
  inline S hexp(S a) { return S(__builtin_expf(float(a))); }                                                 \
  inline S hlog(S a) { return S(__builtin_logf(float(a))); }                                                 \
  inline S hsin(S a) { return S(__builtin_sinf(float(a))); }                                                 \
  inline S hcos(S a) { return S(__builtin_cosf(float(a))); }                                                 \
  inline S hfloor(S a) { return S(__builtin_floorf(float(a))); }                                             \
  inline S hceil(S a) { return S(__builtin_ceilf(float(a))); }                                               \
  inline V __hadd2(V a, V b) { return a + b; }                                                               \
  inline V __hsub2(V a, V b) { return a - b; }                                                               \
  inline V __hmul2(V a, V b) { return a * b; }                                                               \
  inline V __h2div(V a, V b) { return a / b; }                                                               \
  inline V __hneg2(V a) { return {-a.x, -a.y}; }                                                             \
  inline V __hfma2(V a, V b, V c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }                 \
  inline V __hmax2(V a, V b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                                \
  inline V __hmin2(V a, V b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                                \
  namespace simt_cuda {                                                                                      \
  template <simt::scope Scope>                                                                               \
  S small_atomic_add(S* p, S v) {                                                                            \
    auto* word = reinterpret_cast<unsigned short*>(p);                                                       \
    const simt::thread t = self();                                                                           \
    unsigned short old = t.atomic_load(*word, simt::memory_order::relaxed, Scope);                           \
    for (;;) {                                                                                               \
      S was;                                                                                                 \
      was.raw = old;                                                                                         \
      const unsigned short seen = t.atomic_cas(*word, old, S(float(was) + float(v)).raw, simt::memory_order::relaxed, Scope); \
      if (seen == old) return was;                                                                           \
      old = seen;                                                                                            \
    }                                                                                                        \
  }                                                                                                          \
  }                                                                                                          \
  inline S atomicAdd(S* p, S v) { return simt_cuda::small_atomic_add<simt::scope::device>(p, v); }           \
  inline V atomicAdd(V* p, V v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
