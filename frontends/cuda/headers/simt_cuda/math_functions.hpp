// SPDX-License-Identifier: Apache-2.0
// Arithmetic of device code that the C++ library lacks: fast versions (as exact as the ordinary ones here), min and max
// for every mix of arguments that CUDA allows, and CUDA's names for what <simt/math.hpp> gives our own API.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include <simt/math.hpp>

#include "inverse_error.hpp"

// ---- min, max, abs for mixed types ----
#define SIMT_CUDA_MINMAX(T)                                  \
  inline constexpr T min(T a, T b) { return b < a ? b : a; } \
  inline constexpr T max(T a, T b) { return a < b ? b : a; }
SIMT_CUDA_MINMAX(int)
SIMT_CUDA_MINMAX(unsigned int)
SIMT_CUDA_MINMAX(long)
SIMT_CUDA_MINMAX(unsigned long)
SIMT_CUDA_MINMAX(long long)
SIMT_CUDA_MINMAX(unsigned long long)
#undef SIMT_CUDA_MINMAX
inline float min(float a, float b) { return ::fminf(a, b); }
inline float max(float a, float b) { return ::fmaxf(a, b); }
inline double min(double a, double b) { return ::fmin(a, b); }
inline double max(double a, double b) { return ::fmax(a, b); }
inline double min(float a, double b) { return ::fmin(static_cast<double>(a), b); }
inline double min(double a, float b) { return ::fmin(a, static_cast<double>(b)); }
inline double max(float a, double b) { return ::fmax(static_cast<double>(a), b); }
inline double max(double a, float b) { return ::fmax(a, static_cast<double>(b)); }
inline constexpr unsigned int min(int a, unsigned int b) { return min(static_cast<unsigned int>(a), b); }
inline constexpr unsigned int min(unsigned int a, int b) { return min(a, static_cast<unsigned int>(b)); }
inline constexpr unsigned int max(int a, unsigned int b) { return max(static_cast<unsigned int>(a), b); }
inline constexpr unsigned int max(unsigned int a, int b) { return max(a, static_cast<unsigned int>(b)); }
inline constexpr unsigned long min(long a, unsigned long b) { return min(static_cast<unsigned long>(a), b); }
inline constexpr unsigned long min(unsigned long a, long b) { return min(a, static_cast<unsigned long>(b)); }
inline constexpr unsigned long max(long a, unsigned long b) { return max(static_cast<unsigned long>(a), b); }
inline constexpr unsigned long max(unsigned long a, long b) { return max(a, static_cast<unsigned long>(b)); }
inline constexpr unsigned long long min(long long a, unsigned long long b) {
  return min(static_cast<unsigned long long>(a), b);
}
inline constexpr unsigned long long min(unsigned long long a, long long b) {
  return min(a, static_cast<unsigned long long>(b));
}
inline constexpr unsigned long long max(long long a, unsigned long long b) {
  return max(static_cast<unsigned long long>(a), b);
}
inline constexpr unsigned long long max(unsigned long long a, long long b) {
  return max(a, static_cast<unsigned long long>(b));
}
inline constexpr long long llmin(long long a, long long b) { return b < a ? b : a; }
inline constexpr long long llmax(long long a, long long b) { return a < b ? b : a; }
inline constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
inline constexpr unsigned int umin(unsigned a, unsigned b) { return b < a ? b : a; }
inline constexpr unsigned int umax(unsigned a, unsigned b) { return a < b ? b : a; }

using std::abs;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

// ---- functions the C library has not ----
inline float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
inline float sinpif(float x) { return simt::sinpi(x); }
inline double sinpi(double x) { return simt::sinpi(x); }
inline float cospif(float x) { return simt::cospi(x); }
inline double cospi(double x) { return simt::cospi(x); }
inline void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
inline void sincos(float x, float* s, float* c) { ::sincosf(x, s, c); }
inline void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
inline float normcdff(float x) { return simt::normcdf(x); }
inline double normcdf(double x) { return simt::normcdf(x); }
inline float fdividef(float a, float b) { return a / b; }
inline float fdivide(float a, float b) { return a / b; }
inline double fdivide(double a, double b) { return a / b; }
inline float __tanhf(float x) { return std::tanh(x); }
inline float saturatef(float x) { return simt::saturate(x); }
inline float __saturatef(float x) { return saturatef(x); }
inline float norm3df(float a, float b, float c) { return ::sqrtf(a * a + b * b + c * c); }
inline double norm3d(double a, double b, double c) { return ::sqrt(a * a + b * b + c * c); }
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline float norm4df(float a, float b, float c, float d) { return ::sqrtf(a * a + b * b + c * c + d * d); }
inline double norm4d(double a, double b, double c, double d) { return ::sqrt(a * a + b * b + c * c + d * d); }
inline float rnorm4df(float a, float b, float c, float d) { return 1.0f / norm4df(a, b, c, d); }
inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
inline double norm(int n, const double* p) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += p[i] * p[i];
  return ::sqrt(sum);
}
inline float normf(int n, const float* p) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(p[i]) * p[i];
  return static_cast<float>(::sqrt(sum));
}
inline double rnorm(int n, const double* p) { return 1.0 / norm(n, p); }
inline float rnormf(int n, const float* p) { return 1.0f / normf(n, p); }
inline float rhypotf(float a, float b) { return 1.0f / ::hypotf(a, b); }
inline double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }

inline double erfinv(double y) { return simt_cuda::inverse_erf(y); }
inline float erfinvf(float y) { return static_cast<float>(erfinv(y)); }
inline double erfcinv(double y) { return simt_cuda::inverse_erfc(y); }
inline float erfcinvf(float y) { return static_cast<float>(erfcinv(y)); }
inline double normcdfinv(double p) { return simt_cuda::inverse_normal(p); }
inline float normcdfinvf(float p) { return static_cast<float>(normcdfinv(p)); }
inline double erfcx(double x) {
  if (x < 25.0) return ::exp(x * x) * ::erfc(x);
  const double r = 1.0 / (2.0 * x * x);  // the asymptotic series
  return 0.56418958354775629 / x * (1.0 - r * (1.0 - 3.0 * r * (1.0 - 5.0 * r)));
}
inline float erfcxf(float x) { return static_cast<float>(erfcx(x)); }
inline double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, ::fabs(x)); }
inline double cyl_bessel_i1(double x) { return ::copysign(std::cyl_bessel_i(1.0, ::fabs(x)), x); }
inline float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(x)); }
inline float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(x)); }

// ---- fast versions ----
inline float __sinf(float x) { return ::sinf(x); }
inline float __cosf(float x) { return ::cosf(x); }
inline float __tanf(float x) { return ::tanf(x); }
inline float __expf(float x) { return ::expf(x); }
inline float __exp10f(float x) { return ::exp10f(x); }
inline float __logf(float x) { return ::logf(x); }
inline float __log2f(float x) { return ::log2f(x); }
inline float __log10f(float x) { return ::log10f(x); }
inline float __powf(float x, float y) { return ::powf(x, y); }
inline void __sincosf(float x, float* s, float* c) { ::sincosf(x, s, c); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }

// ---- rounding modes ----
#define SIMT_CUDA_ROUNDED(suffix)                                                                    \
  inline float __fadd_##suffix(float a, float b) { return simt::add_##suffix(a, b); }                \
  inline float __fsub_##suffix(float a, float b) { return simt::sub_##suffix(a, b); }                \
  inline float __fmul_##suffix(float a, float b) { return simt::mul_##suffix(a, b); }                \
  inline float __fdiv_##suffix(float a, float b) { return simt::div_##suffix(a, b); }                \
  inline float __fsqrt_##suffix(float a) { return simt::sqrt_##suffix(a); }                          \
  inline float __frcp_##suffix(float a) { return simt::rcp_##suffix(a); }                            \
  inline float __fmaf_##suffix(float a, float b, float c) { return simt::fma_##suffix(a, b, c); }    \
  inline double __dadd_##suffix(double a, double b) { return simt::add_##suffix(a, b); }             \
  inline double __dsub_##suffix(double a, double b) { return simt::sub_##suffix(a, b); }             \
  inline double __dmul_##suffix(double a, double b) { return simt::mul_##suffix(a, b); }             \
  inline double __ddiv_##suffix(double a, double b) { return simt::div_##suffix(a, b); }             \
  inline double __dsqrt_##suffix(double a) { return simt::sqrt_##suffix(a); }                        \
  inline double __drcp_##suffix(double a) { return simt::rcp_##suffix(a); }                          \
  inline double __fma_##suffix(double a, double b, double c) { return simt::fma_##suffix(a, b, c); } \
  inline float __double2float_##suffix(double x) { return simt::narrow_##suffix(x); }
SIMT_CUDA_ROUNDED(rn)
SIMT_CUDA_ROUNDED(rz)
SIMT_CUDA_ROUNDED(ru)
SIMT_CUDA_ROUNDED(rd)
#undef SIMT_CUDA_ROUNDED

// ---- conversions ----
#define SIMT_CUDA_CONVERT(name, From, To)                         \
  inline To name##_rn(From x) { return simt::convert_rn<To>(x); } \
  inline To name##_rz(From x) { return simt::convert_rz<To>(x); } \
  inline To name##_ru(From x) { return simt::convert_ru<To>(x); } \
  inline To name##_rd(From x) { return simt::convert_rd<To>(x); }
SIMT_CUDA_CONVERT(__float2int, float, int)
SIMT_CUDA_CONVERT(__float2uint, float, unsigned int)
SIMT_CUDA_CONVERT(__float2ll, float, long long)
SIMT_CUDA_CONVERT(__float2ull, float, unsigned long long)
SIMT_CUDA_CONVERT(__double2int, double, int)
SIMT_CUDA_CONVERT(__double2uint, double, unsigned int)
SIMT_CUDA_CONVERT(__double2ll, double, long long)
SIMT_CUDA_CONVERT(__double2ull, double, unsigned long long)
#undef SIMT_CUDA_CONVERT
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
namespace simt_cuda {
// An integer as the next floating-point number in a direction: -1 down, 1 up, 0 towards zero.
template <class F, class I>
inline F directed(I x, int direction) {
  const F nearest = static_cast<F>(x);
  // 128 bits hold both: every 64-bit integer and what it was rounded to.
  const __int128 was = x, is = static_cast<__int128>(nearest);
  if (direction == 0) direction = was < 0 ? 1 : -1;
  if (direction < 0 && is > was) return std::nextafter(nearest, -std::numeric_limits<F>::infinity());
  if (direction > 0 && is < was) return std::nextafter(nearest, std::numeric_limits<F>::infinity());
  return nearest;
}
}  // namespace simt_cuda
#define SIMT_CUDA_FROM_INTEGER(name, From, To)                          \
  inline To name##_rn(From x) { return static_cast<To>(x); }            \
  inline To name##_rz(From x) { return simt_cuda::directed<To>(x, 0); } \
  inline To name##_ru(From x) { return simt_cuda::directed<To>(x, 1); } \
  inline To name##_rd(From x) { return simt_cuda::directed<To>(x, -1); }
SIMT_CUDA_FROM_INTEGER(__int2float, int, float)
SIMT_CUDA_FROM_INTEGER(__uint2float, unsigned int, float)
SIMT_CUDA_FROM_INTEGER(__ll2float, long long, float)
SIMT_CUDA_FROM_INTEGER(__ull2float, unsigned long long, float)
SIMT_CUDA_FROM_INTEGER(__ll2double, long long, double)
SIMT_CUDA_FROM_INTEGER(__ull2double, unsigned long long, double)
#undef SIMT_CUDA_FROM_INTEGER
inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<long long>(
      (static_cast<unsigned long long>(static_cast<unsigned>(hi)) << 32) | static_cast<unsigned>(lo)));
}

// ---- integers ----
inline int __popc(unsigned int x) { return simt::popc(x); }
inline int __popcll(unsigned long long x) { return simt::popc(x); }
inline int __clz(int x) { return simt::clz(x); }
inline int __clzll(long long x) { return simt::clz(x); }
inline int __ffs(int x) { return simt::ffs(x); }
inline int __ffsll(long long x) { return simt::ffs(x); }
inline unsigned int __brev(unsigned int x) { return simt::brev(x); }
inline unsigned long long __brevll(unsigned long long x) { return simt::brev(x); }
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  return simt::byte_perm(x, y, selector);
}
inline int __mul24(int a, int b) { return simt::mul24(a, b); }
inline unsigned int __umul24(unsigned a, unsigned b) { return simt::mul24(a, b); }
inline int __mulhi(int a, int b) { return simt::mulhi(a, b); }
inline unsigned int __umulhi(unsigned a, unsigned b) { return simt::mulhi(a, b); }
inline long long __mul64hi(long long a, long long b) { return simt::mulhi(a, b); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return simt::mulhi(a, b); }
inline unsigned int __sad(int a, int b, unsigned c) { return simt::sad(a, b, c); }
inline unsigned int __usad(unsigned a, unsigned b, unsigned c) { return simt::sad(a, b, c); }
inline int __hadd(int a, int b) { return simt::hadd(a, b); }
inline int __rhadd(int a, int b) { return simt::rhadd(a, b); }
inline unsigned int __uhadd(unsigned a, unsigned b) { return simt::hadd(a, b); }
inline unsigned int __urhadd(unsigned a, unsigned b) { return simt::rhadd(a, b); }
inline unsigned int __funnelshift_l(unsigned lo, unsigned hi, unsigned n) { return simt::funnelshift_l(lo, hi, n); }
inline unsigned int __funnelshift_r(unsigned lo, unsigned hi, unsigned n) { return simt::funnelshift_r(lo, hi, n); }
inline unsigned int __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) { return simt::funnelshift_lc(lo, hi, n); }
inline unsigned int __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) { return simt::funnelshift_rc(lo, hi, n); }
inline int __dp4a(int a, int b, int c) { return simt::dp4a(a, b, c); }
inline unsigned int __dp4a(unsigned a, unsigned b, unsigned c) { return simt::dp4a(a, b, c); }
// The position of the n-th set bit from `base` on (n < 0: below it, backwards); 0xffffffff: there is none.
inline unsigned int __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xffffffffu;
  int left = n > 0 ? n : -n;
  for (int bit = static_cast<int>(base); bit >= 0 && bit<32; bit += n> 0 ? 1 : -1)
    if ((mask >> bit & 1) != 0 && --left == 0) return static_cast<unsigned>(bit);
  return 0xffffffffu;
}
inline int __dp2a_lo(int a, int b, int c) { return simt::dp2a_lo(a, b, c); }
inline int __dp2a_hi(int a, int b, int c) { return simt::dp2a_hi(a, b, c); }
inline unsigned int __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff) + c;
}
inline unsigned int __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
inline int __dp4a(::char4 a, ::char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline unsigned int __dp4a(::uchar4 a, ::uchar4 b, unsigned c) {
  return c + static_cast<unsigned>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
inline int __dp2a_lo(::short2 a, ::char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
inline int __dp2a_hi(::short2 a, ::char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
inline unsigned int __dp2a_lo(::ushort2 a, ::uchar4 b, unsigned c) {
  return c + static_cast<unsigned>(a.x * b.x + a.y * b.y);
}
inline unsigned int __dp2a_hi(::ushort2 a, ::uchar4 b, unsigned c) {
  return c + static_cast<unsigned>(a.x * b.z + a.y * b.w);
}

#include "simd_functions.hpp"
