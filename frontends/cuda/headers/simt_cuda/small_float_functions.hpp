// SPDX-License-Identifier: Apache-2.0
// The less usual functions of CUDA's 16-bit floats and their pairs: comparisons of pairs, saturating and NaN-keeping
// forms, elementary functions, conversions.
#pragma once

#include <cmath>

#include <simt/float_math.hpp>

#include "small_floats.hpp"

namespace simt_cuda {
// A number in the 16-bit float next to it in a direction (-1 down, 1 up, 0 towards zero); D: float; double
// and long double for exact integers.
template <class S, class D>
inline S rounded(D x, int direction) {
  S nearest(static_cast<std::conditional_t<std::is_same_v<D, long double>, double, D>>(x));
  const D is = static_cast<D>(static_cast<float>(nearest));
  if (x != x || is == x) return nearest;
  if (direction == 0) direction = x < D(0) ? 1 : -1;
  const bool past = direction < 0 ? is > x : is < x;
  if (!past) return nearest;
  // Bits of one sign are in the order of their magnitudes.
  if ((nearest.raw & 0x7fff) == 0) {
    nearest.raw = static_cast<unsigned short>(direction < 0 ? 0x8001 : 0x0001);
  } else {
    const bool away = ((nearest.raw & 0x8000) != 0) == (direction < 0);
    nearest.raw = static_cast<unsigned short>(nearest.raw + (away ? 1 : -1));
  }
  return nearest;
}
inline float unit_clamped(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
}  // namespace simt_cuda

#define SIMT_CUDA_SMALL_COMPARE(S, V, op, expression)                                                                \
  inline V __h##op##2(V a, V b) { return {S(__h##op(a.x, b.x) ? 1.0f : 0.0f), S(__h##op(a.y, b.y) ? 1.0f : 0.0f)}; } \
  inline bool __hb##op##2(V a, V b) { return __h##op(a.x, b.x) && __h##op(a.y, b.y); }                               \
  inline unsigned __h##op##2_mask(V a, V b) {                                                                        \
    return (__h##op(a.x, b.x) ? 0xffffu : 0u) | (__h##op(a.y, b.y) ? 0xffff0000u : 0u);                              \
  }                                                                                                                  \
  inline bool __h##op##u(S a, S b) { return __hisnan(a) || __hisnan(b) || (expression); }                            \
  inline V __h##op##u2(V a, V b) {                                                                                   \
    return {S(__h##op##u(a.x, b.x) ? 1.0f : 0.0f), S(__h##op##u(a.y, b.y) ? 1.0f : 0.0f)};                           \
  }                                                                                                                  \
  inline bool __hb##op##u2(V a, V b) { return __h##op##u(a.x, b.x) && __h##op##u(a.y, b.y); }                        \
  inline unsigned __h##op##u2_mask(V a, V b) {                                                                       \
    return (__h##op##u(a.x, b.x) ? 0xffffu : 0u) | (__h##op##u(a.y, b.y) ? 0xffff0000u : 0u);                        \
  }

#define SIMT_CUDA_SMALL_ELEMENTARY(S, V, name, expression) \
  inline S h##name(S a) {                                  \
    const float x = a;                                     \
    return S(expression);                                  \
  }                                                        \
  inline V h2##name(V a) { return {h##name(a.x), h##name(a.y)}; }
#define SIMT_CUDA_SMALL_PAIRWISE(S, V, name) \
  inline V h2##name(V a) { return {h##name(a.x), h##name(a.y)}; }

#define SIMT_CUDA_SMALL_FROM_INTEGER(S, word, tag, T, exact)                                      \
  inline S __##word##2##tag##_rz(T v) { return simt_cuda::rounded<S>(static_cast<exact>(v), 0); } \
  inline S __##word##2##tag##_ru(T v) { return simt_cuda::rounded<S>(static_cast<exact>(v), 1); } \
  inline S __##word##2##tag##_rd(T v) { return simt_cuda::rounded<S>(static_cast<exact>(v), -1); }
#define SIMT_CUDA_SMALL_TO_INTEGER(S, word, tag, T)                                   \
  inline T __##tag##2##word##_rn(S v) {                                               \
    return simt_cuda::narrowed<T>(simt::convert_rn<simt_cuda::wide_of<T>>(float(v))); \
  }                                                                                   \
  inline T __##tag##2##word##_rz(S v) {                                               \
    return simt_cuda::narrowed<T>(simt::convert_rz<simt_cuda::wide_of<T>>(float(v))); \
  }                                                                                   \
  inline T __##tag##2##word##_ru(S v) {                                               \
    return simt_cuda::narrowed<T>(simt::convert_ru<simt_cuda::wide_of<T>>(float(v))); \
  }                                                                                   \
  inline T __##tag##2##word##_rd(S v) {                                               \
    return simt_cuda::narrowed<T>(simt::convert_rd<simt_cuda::wide_of<T>>(float(v))); \
  }

namespace simt_cuda {
// Short integers are converted as 32-bit ones and clamped.
template <class T>
using wide_of = std::conditional_t<sizeof(T) >= 4, T, std::conditional_t<std::is_signed_v<T>, int, unsigned int>>;
template <class T>
inline T narrowed(wide_of<T> v) {
  constexpr wide_of<T> least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  return static_cast<T>(v < least ? least : v > most ? most : v);
}
}  // namespace simt_cuda

// tag: what the type is called inside names (half, bfloat16).
#define SIMT_CUDA_SMALL_FLOAT_FUNCTIONS(S, V, tag)                                                                  \
  inline V operator-(V a) { return {-a.x, -a.y}; }                                                                  \
  inline V& operator+=(V& a, V b) { return a = a + b; }                                                             \
  inline V& operator-=(V& a, V b) { return a = a - b; }                                                             \
  inline V& operator*=(V& a, V b) { return a = a * b; }                                                             \
  inline V& operator/=(V& a, V b) { return a = a / b; }                                                             \
  inline bool operator==(V a, V b) { return a.x == b.x && a.y == b.y; }                                             \
  inline bool operator!=(V a, V b) { return a.x != b.x && a.y != b.y; }                                             \
  SIMT_CUDA_SMALL_COMPARE(S, V, eq, a == b)                                                                         \
  SIMT_CUDA_SMALL_COMPARE(S, V, ne, a != b)                                                                         \
  SIMT_CUDA_SMALL_COMPARE(S, V, lt, a < b)                                                                          \
  SIMT_CUDA_SMALL_COMPARE(S, V, le, a <= b)                                                                         \
  SIMT_CUDA_SMALL_COMPARE(S, V, gt, a > b)                                                                          \
  SIMT_CUDA_SMALL_COMPARE(S, V, ge, a >= b)                                                                         \
  inline V __hisnan2(V a) { return {S(__hisnan(a.x) ? 1.0f : 0.0f), S(__hisnan(a.y) ? 1.0f : 0.0f)}; }              \
  inline int __hisinf(S a) { return std::isinf(float(a)) ? (float(a) > 0 ? 1 : -1) : 0; }                           \
  inline S __hadd_rn(S a, S b) { return a + b; }                                                                    \
  inline S __hsub_rn(S a, S b) { return a - b; }                                                                    \
  inline S __hmul_rn(S a, S b) { return a * b; }                                                                    \
  inline V __hadd2_rn(V a, V b) { return a + b; }                                                                   \
  inline V __hsub2_rn(V a, V b) { return a - b; }                                                                   \
  inline V __hmul2_rn(V a, V b) { return a * b; }                                                                   \
  inline S __hadd_sat(S a, S b) { return S(simt_cuda::unit_clamped(a + b)); }                                       \
  inline S __hsub_sat(S a, S b) { return S(simt_cuda::unit_clamped(a - b)); }                                       \
  inline S __hmul_sat(S a, S b) { return S(simt_cuda::unit_clamped(a * b)); }                                       \
  inline S __hfma_sat(S a, S b, S c) { return S(simt_cuda::unit_clamped(__hfma(a, b, c))); }                        \
  inline S __hfma_relu(S a, S b, S c) {                                                                             \
    const S r = __hfma(a, b, c);                                                                                    \
    return float(r) < 0.0f ? S(0.0f) : r;                                                                           \
  }                                                                                                                 \
  inline V __hadd2_sat(V a, V b) { return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)}; }                           \
  inline V __hsub2_sat(V a, V b) { return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)}; }                           \
  inline V __hmul2_sat(V a, V b) { return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)}; }                           \
  inline V __hfma2_sat(V a, V b, V c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; }            \
  inline V __hfma2_relu(V a, V b, V c) { return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; }         \
  inline V __hcmadd(V a, V b, V c) {                                                                                \
    return {__hfma(S(-float(a.y)), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};           \
  }                                                                                                                 \
  inline S __hmax_nan(S a, S b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }                        \
  inline S __hmin_nan(S a, S b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }                        \
  inline V __hmax2_nan(V a, V b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }                           \
  inline V __hmin2_nan(V a, V b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }                           \
  inline V __habs2(V a) { return {__habs(a.x), __habs(a.y)}; }                                                      \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, exp2, ::exp2f(x))                                                                \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, exp10, ::exp10f(x))                                                              \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, log2, ::log2f(x))                                                                \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, log10, ::log10f(x))                                                              \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, tanh, ::tanhf(x))                                                                \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, tanh_approx, ::tanhf(x))                                                         \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, rint, ::rintf(x))                                                                \
  SIMT_CUDA_SMALL_ELEMENTARY(S, V, trunc, ::truncf(x))                                                              \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, exp)                                                                               \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, log)                                                                               \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, sin)                                                                               \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, cos)                                                                               \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, sqrt)                                                                              \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, rsqrt)                                                                             \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, rcp)                                                                               \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, floor)                                                                             \
  SIMT_CUDA_SMALL_PAIRWISE(S, V, ceil)                                                                              \
  inline S __float2##tag(float v) { return S(v); }                                                                  \
  inline S __float2##tag##_rn(float v) { return S(v); }                                                             \
  inline S __double2##tag(double v) { return S(v); }                                                                \
  inline float __##tag##2float(S h) { return h; }                                                                   \
  inline S __int2##tag##_rn(int v) { return S(v); }                                                                 \
  inline S __uint2##tag##_rn(unsigned v) { return S(v); }                                                           \
  inline V __float2##tag##2_rn(float v) { return {S(v), S(v)}; }                                                    \
  inline V __floats2##tag##2_rn(float a, float b) { return {S(a), S(b)}; }                                          \
  inline V __float22##tag##2_rn(float2 v) { return {S(v.x), S(v.y)}; }                                              \
  inline float2 __##tag##22float2(V v) { return {v.x, v.y}; }                                                       \
  inline float __low2float(V v) { return v.x; }                                                                     \
  inline float __high2float(V v) { return v.y; }                                                                    \
  inline V __##tag##2##tag##2(S v) { return {v, v}; }                                                               \
  inline V __halves2##tag##2(S a, S b) { return {a, b}; }                                                           \
  inline S __low2##tag(V v) { return v.x; }                                                                         \
  inline S __high2##tag(V v) { return v.y; }                                                                        \
  inline V __lowhigh2highlow(V v) { return {v.y, v.x}; }                                                            \
  inline S __float2##tag##_rz(float v) { return simt_cuda::rounded<S>(v, 0); }                                      \
  inline S __float2##tag##_ru(float v) { return simt_cuda::rounded<S>(v, 1); }                                      \
  inline S __float2##tag##_rd(float v) { return simt_cuda::rounded<S>(v, -1); }                                     \
  SIMT_CUDA_SMALL_FROM_INTEGER(S, int, tag, int, double)                                                            \
  SIMT_CUDA_SMALL_FROM_INTEGER(S, uint, tag, unsigned int, double)                                                  \
  SIMT_CUDA_SMALL_FROM_INTEGER(S, short, tag, short, double)                                                        \
  SIMT_CUDA_SMALL_FROM_INTEGER(S, ushort, tag, unsigned short, double)                                              \
  SIMT_CUDA_SMALL_FROM_INTEGER(S, ll, tag, long long, long double)                                                  \
  SIMT_CUDA_SMALL_FROM_INTEGER(S, ull, tag, unsigned long long, long double)                                        \
  inline S __short2##tag##_rn(short v) { return S(static_cast<int>(v)); }                                           \
  inline S __ushort2##tag##_rn(unsigned short v) { return S(static_cast<int>(v)); }                                 \
  inline S __ll2##tag##_rn(long long v) { return S(v); }                                                            \
  inline S __ull2##tag##_rn(unsigned long long v) { return S(v); }                                                  \
  SIMT_CUDA_SMALL_TO_INTEGER(S, int, tag, int)                                                                      \
  SIMT_CUDA_SMALL_TO_INTEGER(S, uint, tag, unsigned int)                                                            \
  SIMT_CUDA_SMALL_TO_INTEGER(S, ll, tag, long long)                                                                 \
  SIMT_CUDA_SMALL_TO_INTEGER(S, ull, tag, unsigned long long)                                                       \
  SIMT_CUDA_SMALL_TO_INTEGER(S, short, tag, short)                                                                  \
  SIMT_CUDA_SMALL_TO_INTEGER(S, ushort, tag, unsigned short)                                                        \
  inline signed char __##tag##2char_rz(S v) { return simt_cuda::narrowed<signed char>(__##tag##2int_rz(v)); }       \
  inline unsigned char __##tag##2uchar_rz(S v) { return simt_cuda::narrowed<unsigned char>(__##tag##2uint_rz(v)); } \
  inline V __low2##tag##2(V v) { return {v.x, v.x}; }                                                               \
  inline V __high2##tag##2(V v) { return {v.y, v.y}; }                                                              \
  inline V __lows2##tag##2(V a, V b) { return {a.x, b.x}; }                                                         \
  inline V __highs2##tag##2(V a, V b) { return {a.y, b.y}; }                                                        \
  inline V make_##tag##2(S a, S b) { return {a, b}; }                                                               \
  inline short __##tag##_as_short(S h) { return static_cast<short>(h.raw); }                                        \
  inline unsigned short __##tag##_as_ushort(S h) { return h.raw; }                                                  \
  inline S __short_as_##tag(short v) {                                                                              \
    S h;                                                                                                            \
    h.raw = static_cast<unsigned short>(v);                                                                         \
    return h;                                                                                                       \
  }                                                                                                                 \
  inline S __ushort_as_##tag(unsigned short v) {                                                                    \
    S h;                                                                                                            \
    h.raw = v;                                                                                                      \
    return h;                                                                                                       \
  }
