// SPDX-License-Identifier: Apache-2.0
// Floating-point functions with a GPU's results, also where C++ leaves them open, and those that the C library has not.
// Host and device; float and double.
#pragma once

#include <cfenv>
#include <cmath>
#include <concepts>
#include <limits>

#include <simt/integer_math.hpp>
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
#include <simt/rounding_mode_x86_64.hpp>
#endif

namespace simt {

// ---- minimum and maximum: a NaN loses against a number; -0 is less than +0 (PTX ISA, min and max) ----

namespace detail {
template <class T, class Bits, Bits NaN, bool Larger>
SIMT_MATH T pick(T a, T b) {
  if (a != a) return b != b ? __builtin_bit_cast(T, NaN) : b;
  if (b != b) return a;
  if (a == b) {  // the same bits, or two zeros
    const Bits x = __builtin_bit_cast(Bits, a), y = __builtin_bit_cast(Bits, b);
    return __builtin_bit_cast(T, static_cast<Bits>(Larger ? x & y : x | y));
  }
  return (a < b) != Larger ? a : b;
}
}  // namespace detail
SIMT_MATH float fmin(float a, float b) {
  SIMT_ON_GPU(::fminf(a, b));
  return detail::pick<float, std::uint32_t, 0x7fffffffu, false>(a, b);
}
SIMT_MATH float fmax(float a, float b) {
  SIMT_ON_GPU(::fmaxf(a, b));
  return detail::pick<float, std::uint32_t, 0x7fffffffu, true>(a, b);
}
SIMT_MATH double fmin(double a, double b) {
  SIMT_ON_GPU(::fmin(a, b));
  return detail::pick<double, std::uint64_t, 0x7fffffffffffffffu, false>(a, b);
}
SIMT_MATH double fmax(double a, double b) {
  SIMT_ON_GPU(::fmax(a, b));
  return detail::pick<double, std::uint64_t, 0x7fffffffffffffffu, true>(a, b);
}
// Between 0 and 1; NaN gives 0 (PTX ISA, .sat).
SIMT_MATH float saturate(float x) {
  SIMT_ON_GPU(__saturatef(x));
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

// ---- float to integer: rounded to nearest even (rn), towards zero (rz), up (ru), down (rd) ----

// convert_rn<int>(2.5f) is 2. Out of range: the nearest that To has. NaN: 0 from float to 32 bits, else the highest bit
// alone (PTX ISA, cvt).
namespace detail {
template <class To, class From>
SIMT_MATH To saturated(From rounded) {
  using unsigned_type = std::make_unsigned_t<To>;
  if (rounded != rounded)
    return sizeof(From) == 4 && sizeof(To) == 4 ? To{0} : static_cast<To>(unsigned_type{1} << (kBits<To> - 1));
  if (rounded <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (rounded >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(rounded);
}
}  // namespace detail
#if defined(SIMT_VARIANT_CUDA) && defined(__CUDA_ARCH__)
#define SIMT_CONVERT(suffix, rounded)                                                                        \
  template <detail::register_integer To, std::floating_point From>                                           \
  SIMT_HD inline To convert_##suffix(From x) {                                                               \
    if constexpr (sizeof(From) == 4 && sizeof(To) == 4)                                                      \
      return static_cast<To>(std::is_signed_v<To> ? static_cast<unsigned>(__float2int_##suffix(x))           \
                                                  : __float2uint_##suffix(x));                               \
    else if constexpr (sizeof(From) == 4)                                                                    \
      return static_cast<To>(std::is_signed_v<To> ? static_cast<unsigned long long>(__float2ll_##suffix(x))  \
                                                  : __float2ull_##suffix(x));                                \
    else if constexpr (sizeof(To) == 4)                                                                      \
      return static_cast<To>(std::is_signed_v<To> ? static_cast<unsigned>(__double2int_##suffix(x))          \
                                                  : __double2uint_##suffix(x));                              \
    else                                                                                                     \
      return static_cast<To>(std::is_signed_v<To> ? static_cast<unsigned long long>(__double2ll_##suffix(x)) \
                                                  : __double2ull_##suffix(x));                               \
  }
#else
#define SIMT_CONVERT(suffix, rounded)                              \
  template <detail::register_integer To, std::floating_point From> \
  SIMT_INLINE SIMT_HD inline To convert_##suffix(From x) {         \
    return detail::saturated<To>(rounded(x));                      \
  }
#endif
SIMT_CONVERT(rn, std::rint)
SIMT_CONVERT(rz, std::trunc)
SIMT_CONVERT(ru, std::ceil)
SIMT_CONVERT(rd, std::floor)
#undef SIMT_CONVERT

// ---- one rounded operation: never contracted with another; rounding as above ----

#if !(defined(SIMT_VARIANT_CUDA) && defined(__CUDA_ARCH__))
namespace detail {
#if !defined(__x86_64__)
inline int set_rounding(int mode) {
  const int before = std::fegetround();
  std::fesetround(mode);
  return before;
}
#endif
// To the compiler a new value: what follows from it is computed after this, and what it follows from before.
template <std::floating_point T>
SIMT_INLINE inline void keep(T& v) {
  asm volatile("" : "+m"(v));
}
template <class F, std::floating_point... T>
SIMT_INLINE inline auto rounded(int mode, F f, T... x) {
  if (mode == FE_TONEAREST) return f(x...);  // all code of kernels is compiled without contraction
  const int before = set_rounding(mode);
  (keep(x), ...);
  auto r = f(x...);
  keep(r);
  set_rounding(before);
  return r;
}
}  // namespace detail
#endif

// name_rn(a, ...), name_rz, name_ru, name_rd of float and of double.
#if defined(SIMT_VARIANT_CUDA) && defined(__CUDA_ARCH__)
#define SIMT_ROUNDED_TO(name, suffix, mode, on_float, on_double, expression, parameters, arguments) \
  SIMT_HD inline float name##_##suffix(parameters(float)) { return on_float##_##suffix arguments; } \
  SIMT_HD inline double name##_##suffix(parameters(double)) { return on_double##_##suffix arguments; }
#else
#define SIMT_NAMES_OF(...) __VA_ARGS__
#define SIMT_ROUNDED_TO(name, suffix, mode, on_float, on_double, expression, parameters, arguments) \
  SIMT_INLINE SIMT_HD inline float name##_##suffix(parameters(float)) {                             \
    return detail::rounded(                                                                         \
        mode, [](parameters(float)) { return expression; }, SIMT_NAMES_OF arguments);               \
  }                                                                                                 \
  SIMT_INLINE SIMT_HD inline double name##_##suffix(parameters(double)) {                           \
    return detail::rounded(                                                                         \
        mode, [](parameters(double)) { return expression; }, SIMT_NAMES_OF arguments);              \
  }
#endif
#define SIMT_ROUNDED(name, on_float, on_double, expression, parameters, arguments)                 \
  SIMT_ROUNDED_TO(name, rn, FE_TONEAREST, on_float, on_double, expression, parameters, arguments)  \
  SIMT_ROUNDED_TO(name, rz, FE_TOWARDZERO, on_float, on_double, expression, parameters, arguments) \
  SIMT_ROUNDED_TO(name, ru, FE_UPWARD, on_float, on_double, expression, parameters, arguments)     \
  SIMT_ROUNDED_TO(name, rd, FE_DOWNWARD, on_float, on_double, expression, parameters, arguments)
#define SIMT_ONE(T) T a
#define SIMT_TWO(T) T a, T b
#define SIMT_THREE(T) T a, T b, T c
SIMT_ROUNDED(add, __fadd, __dadd, a + b, SIMT_TWO, (a, b))
SIMT_ROUNDED(sub, __fsub, __dsub, a - b, SIMT_TWO, (a, b))
SIMT_ROUNDED(mul, __fmul, __dmul, a* b, SIMT_TWO, (a, b))
SIMT_ROUNDED(div, __fdiv, __ddiv, a / b, SIMT_TWO, (a, b))
SIMT_ROUNDED(sqrt, __fsqrt, __dsqrt, std::sqrt(a), SIMT_ONE, (a))
SIMT_ROUNDED(rcp, __frcp, __drcp, 1 / a, SIMT_ONE, (a))
SIMT_ROUNDED(fma, __fmaf, __fma, std::fma(a, b, c), SIMT_THREE, (a, b, c))
#undef SIMT_ROUNDED
#undef SIMT_ROUNDED_TO
// Double to float.
#if defined(SIMT_VARIANT_CUDA) && defined(__CUDA_ARCH__)
#define SIMT_NARROW(suffix, mode) \
  SIMT_HD inline float narrow_##suffix(double a) { return __double2float_##suffix(a); }
#else
#define SIMT_NARROW(suffix, mode)                                 \
  SIMT_INLINE SIMT_HD inline float narrow_##suffix(double a) {    \
    return detail::rounded(                                       \
        mode, [](double x) { return static_cast<float>(x); }, a); \
  }
#undef SIMT_NAMES_OF
#endif
SIMT_NARROW(rn, FE_TONEAREST)
SIMT_NARROW(rz, FE_TOWARDZERO)
SIMT_NARROW(ru, FE_UPWARD)
SIMT_NARROW(rd, FE_DOWNWARD)
#undef SIMT_NARROW
#undef SIMT_ONE
#undef SIMT_TWO
#undef SIMT_THREE

// ---- functions of CUDA's math library that the C library has not; within its error bounds, not to the bit ----

namespace detail {
template <class T>
SIMT_HD inline T sine_of_pi(T x) {
  const T r = std::remainder(x, T{2});  // exact, in [-1, 1]
  const T folded = r > T(0.5) ? T(1) - r : r < T(-0.5) ? T(-1) - r : r;
  return std::copysign(std::fabs(static_cast<T>(std::sin(3.14159265358979323846 * static_cast<double>(folded)))),
                       folded != 0 ? folded : x);
}
template <class T>
SIMT_HD inline T cosine_of_pi(T x) {
  const T r = std::fabs(std::remainder(x, T{2}));
  if (r <= T(0.25)) return static_cast<T>(std::cos(3.14159265358979323846 * static_cast<double>(r)));
  if (r >= T(0.75)) return static_cast<T>(-std::cos(3.14159265358979323846 * static_cast<double>(T(1) - r)));
  return static_cast<T>(std::sin(3.14159265358979323846 * static_cast<double>(T(0.5) - r)));
}
}  // namespace detail
#if defined(SIMT_VARIANT_CUDA) && defined(__CUDA_ARCH__)
#define SIMT_LIBRARY(name, on_float, on_double, of_float, of_double) \
  SIMT_HD inline float name(float x) { return on_float(x); }         \
  SIMT_HD inline double name(double x) { return on_double(x); }
#else
#define SIMT_LIBRARY(name, on_float, on_double, of_float, of_double) \
  SIMT_HD inline float name(float x) { return of_float; }            \
  SIMT_HD inline double name(double x) { return of_double; }
#endif
SIMT_LIBRARY(rsqrt, ::rsqrtf, ::rsqrt, 1.0f / std::sqrt(x), 1.0 / std::sqrt(x))
SIMT_LIBRARY(rcbrt, ::rcbrtf, ::rcbrt, 1.0f / std::cbrt(x), 1.0 / std::cbrt(x))
SIMT_LIBRARY(sinpi, ::sinpif, ::sinpi, detail::sine_of_pi(x), detail::sine_of_pi(x))
SIMT_LIBRARY(cospi, ::cospif, ::cospi, detail::cosine_of_pi(x), detail::cosine_of_pi(x))
SIMT_LIBRARY(normcdf, ::normcdff, ::normcdf,
             static_cast<float>(0.5 * std::erfc(-static_cast<double>(x) * 0.70710678118654752440)),
             0.5 * std::erfc(-x * 0.70710678118654752440))
#undef SIMT_LIBRARY

}  // namespace simt
