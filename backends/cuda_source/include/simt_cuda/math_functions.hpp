// SPDX-License-Identifier: Apache-2.0
// Arithmetic of device code that the C++ library lacks: fast versions (as exact as the ordinary ones here), rounding
// modes, integer intrinsics, min and max for every mix of arguments that CUDA allows.
#pragma once

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

// ---- min, max, abs for mixed types ----
#define SIMT_CUDA_MINMAX(T)                                                   \
  inline constexpr T min(T a, T b) { return b < a ? b : a; }                  \
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
inline constexpr unsigned long long min(long long a, unsigned long long b) { return min(static_cast<unsigned long long>(a), b); }
inline constexpr unsigned long long min(unsigned long long a, long long b) { return min(a, static_cast<unsigned long long>(b)); }
inline constexpr unsigned long long max(long long a, unsigned long long b) { return max(static_cast<unsigned long long>(a), b); }
inline constexpr unsigned long long max(unsigned long long a, long long b) { return max(a, static_cast<unsigned long long>(b)); }
inline constexpr int umin(unsigned a, unsigned b) { return b < a ? b : a; }
inline constexpr int umax(unsigned a, unsigned b) { return a < b ? b : a; }

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
inline float sinpif(float x) { return static_cast<float>(::sin(3.14159265358979323846 * static_cast<double>(x))); }
inline double sinpi(double x) { return ::sin(3.14159265358979323846 * x); }
inline float cospif(float x) { return static_cast<float>(::cos(3.14159265358979323846 * static_cast<double>(x))); }
inline double cospi(double x) { return ::cos(3.14159265358979323846 * x); }
inline void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
inline void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
inline float normcdff(float x) { return static_cast<float>(0.5 * ::erfc(-static_cast<double>(x) * 0.70710678118654752440)); }
inline double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
inline float fdividef(float a, float b) { return a / b; }
inline float saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
inline float __saturatef(float x) { return saturatef(x); }
inline float norm3df(float a, float b, float c) { return ::sqrtf(a * a + b * b + c * c); }
inline double norm3d(double a, double b, double c) { return ::sqrt(a * a + b * b + c * c); }
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
inline float rhypotf(float a, float b) { return 1.0f / ::hypotf(a, b); }
inline double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }

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

// ---- rounding modes: nearest as it is, the others by the directed neighbour of the exact result ----
namespace simt_cuda {
// A float result from one computed exactly enough in double (products and sums of two floats are), rounded as asked.
enum class rounding { zero, up, down };
inline float round_to_float(double exact, rounding mode) {
  const float nearest = static_cast<float>(exact);
  const double n = nearest;
  if (n == exact || std::isnan(exact)) return nearest;
  const bool too_high = n > exact;
  const bool want_lower = mode == rounding::down || (mode == rounding::zero && exact > 0);
  if (want_lower) return too_high ? ::nextafterf(nearest, -INFINITY) : nearest;
  return too_high ? nearest : ::nextafterf(nearest, INFINITY);
}
template <class F>
double round_double(rounding mode, F&& f) {
  const int old = std::fegetround();
  std::fesetround(mode == rounding::up ? FE_UPWARD : mode == rounding::down ? FE_DOWNWARD : FE_TOWARDZERO);
  volatile double r = f();
  std::fesetround(old);
  return r;
}
}  // namespace simt_cuda
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return ::sqrtf(a); }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __dsqrt_rn(double a) { return ::sqrt(a); }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
#define SIMT_CUDA_ROUNDED(suffix, mode)                                                                                            \
  inline float __fadd_##suffix(float a, float b) { return simt_cuda::round_to_float(double(a) + double(b), simt_cuda::rounding::mode); } \
  inline float __fsub_##suffix(float a, float b) { return simt_cuda::round_to_float(double(a) - double(b), simt_cuda::rounding::mode); } \
  inline float __fmul_##suffix(float a, float b) { return simt_cuda::round_to_float(double(a) * double(b), simt_cuda::rounding::mode); } \
  inline float __fdiv_##suffix(float a, float b) { return simt_cuda::round_to_float(double(a) / double(b), simt_cuda::rounding::mode); } \
  inline float __fsqrt_##suffix(float a) { return simt_cuda::round_to_float(::sqrt(double(a)), simt_cuda::rounding::mode); }        \
  inline float __frcp_##suffix(float a) { return simt_cuda::round_to_float(1.0 / double(a), simt_cuda::rounding::mode); }           \
  inline float __fmaf_##suffix(float a, float b, float c) {                                                                         \
    return simt_cuda::round_to_float(double(a) * double(b) + double(c), simt_cuda::rounding::mode);                                 \
  }                                                                                                                                 \
  inline double __dadd_##suffix(double a, double b) {                                                                               \
    return simt_cuda::round_double(simt_cuda::rounding::mode, [&] { volatile double x = a; return x + b; });                        \
  }                                                                                                                                 \
  inline double __dmul_##suffix(double a, double b) {                                                                               \
    return simt_cuda::round_double(simt_cuda::rounding::mode, [&] { volatile double x = a; return x * b; });                        \
  }                                                                                                                                 \
  inline double __ddiv_##suffix(double a, double b) {                                                                               \
    return simt_cuda::round_double(simt_cuda::rounding::mode, [&] { volatile double x = a; return x / b; });                        \
  }
SIMT_CUDA_ROUNDED(rz, zero)
SIMT_CUDA_ROUNDED(ru, up)
SIMT_CUDA_ROUNDED(rd, down)
#undef SIMT_CUDA_ROUNDED

// ---- conversions; out of range saturates, NaN gives 0 ----
namespace simt_cuda {
template <class To, class From>
inline To saturated(From rounded) {
  if (rounded != rounded) return 0;
  if (rounded <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (rounded >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(rounded);
}
}  // namespace simt_cuda
#define SIMT_CUDA_CONVERT(name, From, To)                                                               \
  inline To name##_rn(From x) { return simt_cuda::saturated<To>(std::nearbyint(x)); }                   \
  inline To name##_rz(From x) { return simt_cuda::saturated<To>(std::trunc(x)); }                       \
  inline To name##_ru(From x) { return simt_cuda::saturated<To>(std::ceil(x)); }                        \
  inline To name##_rd(From x) { return simt_cuda::saturated<To>(std::floor(x)); }
SIMT_CUDA_CONVERT(__float2int, float, int)
SIMT_CUDA_CONVERT(__float2uint, float, unsigned int)
SIMT_CUDA_CONVERT(__float2ll, float, long long)
SIMT_CUDA_CONVERT(__float2ull, float, unsigned long long)
SIMT_CUDA_CONVERT(__double2int, double, int)
SIMT_CUDA_CONVERT(__double2uint, double, unsigned int)
SIMT_CUDA_CONVERT(__double2ll, double, long long)
SIMT_CUDA_CONVERT(__double2ull, double, unsigned long long)
#undef SIMT_CUDA_CONVERT
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline float __double2float_rz(double x) { return simt_cuda::round_to_float(x, simt_cuda::rounding::zero); }
inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
inline float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
inline long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
inline double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<long long>((static_cast<unsigned long long>(static_cast<unsigned>(hi)) << 32) | static_cast<unsigned>(lo)));
}

// ---- integers ----
inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned int __brev(unsigned int x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return (static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32) | __brev(static_cast<unsigned>(x >> 32));
}
// Bytes 0-3 are x, 4-7 are y; each selector nibble takes one, its top bit replicates the byte's sign (PTX ISA, prmt).
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const std::uint64_t all = (static_cast<std::uint64_t>(y) << 32) | x;
  unsigned int r = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned s = (selector >> (4 * i)) & 0xf;
    unsigned byte = static_cast<unsigned>(all >> (8 * (s & 7))) & 0xff;
    if (s & 8) byte = (byte & 0x80) ? 0xff : 0;
    r |= byte << (8 * i);
  }
  return r;
}
inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
inline unsigned int __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
inline unsigned int __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32); }
inline long long __mul64hi(long long a, long long b) { return static_cast<long long>((static_cast<__int128>(a) * b) >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline unsigned int __sad(int a, int b, unsigned c) { return static_cast<unsigned>(a > b ? a - b : b - a) + c; }
inline unsigned int __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
inline unsigned int __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return static_cast<unsigned>(((static_cast<std::uint64_t>(hi) << 32 | lo) << (n & 31)) >> 32);
}
inline unsigned int __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(hi) << 32 | lo) >> (n & 31));
}
inline unsigned int __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) {
  return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
inline unsigned int __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) {
  return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}
// Dot products of four bytes, and of two halves with two of the four bytes.
inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i));
  return c;
}
inline unsigned int __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += ((a >> (8 * i)) & 0xff) * ((b >> (8 * i)) & 0xff);
  return c;
}
inline int __dp2a_lo(int a, int b, int c) {
  return c + static_cast<short>(a) * static_cast<signed char>(b) + static_cast<short>(a >> 16) * static_cast<signed char>(b >> 8);
}
inline int __dp2a_hi(int a, int b, int c) {
  return c + static_cast<short>(a) * static_cast<signed char>(b >> 16) + static_cast<short>(a >> 16) * static_cast<signed char>(b >> 24);
}
// Four bytes at once.
#define SIMT_CUDA_BYTES(name, expression)                       \
  inline unsigned int name(unsigned a, unsigned b) {            \
    unsigned r = 0;                                             \
    for (int i = 0; i < 4; ++i) {                               \
      const int x = (a >> (8 * i)) & 0xff, y = (b >> (8 * i)) & 0xff; \
      r |= static_cast<unsigned>((expression) & 0xff) << (8 * i); \
    }                                                           \
    return r;                                                   \
  }
SIMT_CUDA_BYTES(__vadd4, x + y)
SIMT_CUDA_BYTES(__vsub4, x - y)
SIMT_CUDA_BYTES(__vabsdiffu4, x > y ? x - y : y - x)
SIMT_CUDA_BYTES(__vmaxu4, x > y ? x : y)
SIMT_CUDA_BYTES(__vminu4, x < y ? x : y)
SIMT_CUDA_BYTES(__vcmpeq4, x == y ? 0xff : 0)
SIMT_CUDA_BYTES(__vaddus4, x + y > 255 ? 255 : x + y)
#undef SIMT_CUDA_BYTES
