// SPDX-License-Identifier: Apache-2.0
// Floats of 8, 6 and 4 bits: conversions by the formats' parameters (OCP 8-bit Floating Point Specification; OCP
// Microscaling Formats), and what the types of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h have in common.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

namespace simt_cuda {

struct narrow_format {
  int exponent_bits, mantissa_bits, bias;
  unsigned int largest, overflow, not_a_number;  // codes; overflow: of what is too large and must not saturate
};
inline constexpr narrow_format kE4M3{4, 3, 7, 0x7e, 0x7f, 0x7f}, kE5M2{5, 2, 15, 0x7b, 0x7c, 0x7f},
    kE2M3{2, 3, 1, 0x1f, 0x1f, 0x1f}, kE3M2{3, 2, 3, 0x1f, 0x1f, 0x1f}, kE2M1{2, 1, 1, 0x7, 0x7, 0x7};

// To the nearest, ties to even. NaN has no sign in formats that have none.
inline unsigned int to_narrow(double x, const narrow_format& f, bool saturate) {
  const unsigned int sign = (__builtin_signbit(x) ? 1u : 0u) << (f.exponent_bits + f.mantissa_bits);
  if (x != x) return f.not_a_number;
  const double a = __builtin_fabs(x);
  if (__builtin_isinf(a)) return sign | (saturate ? f.largest : f.overflow);
  if (a == 0) return sign;
  int exponent = __builtin_ilogb(a);
  if (exponent < 1 - f.bias) exponent = 1 - f.bias;
  auto steps = static_cast<unsigned long long>(
      __builtin_nearbyint(__builtin_fmin(__builtin_scalbn(a, f.mantissa_bits - exponent), 65536.0)));
  const unsigned long long one = 1ull << f.mantissa_bits;
  if (steps == 2 * one) {
    steps = one;
    ++exponent;
  }
  if (steps < one) return sign | static_cast<unsigned int>(steps);
  const long long code =
      static_cast<long long>(exponent + f.bias) * static_cast<long long>(one) + static_cast<long long>(steps - one);
  if (code > static_cast<long long>(f.largest)) return sign | (saturate ? f.largest : f.overflow);
  return sign | static_cast<unsigned int>(code);
}
inline float from_narrow(unsigned int code, const narrow_format& f) {
  const int bits = f.exponent_bits + f.mantissa_bits;
  const bool negative = (code >> bits & 1) != 0;
  const unsigned int magnitude = code & ((1u << bits) - 1), mantissa = magnitude & ((1u << f.mantissa_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  float v = 0;
  if (magnitude > f.largest)
    v = magnitude == f.overflow && f.overflow != f.not_a_number ? __builtin_inff() : __builtin_nanf("");
  else if (exponent == 0)
    v = __builtin_scalbnf(static_cast<float>(mantissa), 1 - f.bias - f.mantissa_bits);
  else
    v = __builtin_scalbnf(static_cast<float>((1u << f.mantissa_bits) + mantissa), exponent - f.bias - f.mantissa_bits);
  return negative ? -v : v;
}
inline double value_of(__half x) { return static_cast<double>(static_cast<float>(x)); }
inline double value_of(__nv_bfloat16 x) { return static_cast<double>(static_cast<float>(x)); }
inline double value_of(double x) { return x; }

// One number in a byte.
template <const narrow_format& Format>
struct narrow {
  __nv_fp8_storage_t __x;
  narrow() = default;
  explicit narrow(__half v) : __x(code(value_of(v))) {}
  explicit narrow(__nv_bfloat16 v) : __x(code(value_of(v))) {}
  template <class T>
  requires(__is_arithmetic(T)) explicit narrow(T v) : __x(code(static_cast<double>(v))) {}
  explicit operator float() const { return from_narrow(__x, Format); }
  explicit operator double() const { return static_cast<double>(from_narrow(__x, Format)); }
  explicit operator __half() const { return __half(from_narrow(__x, Format)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(from_narrow(__x, Format)); }
  explicit operator bool() const { return from_narrow(__x, Format) != 0; }
  template <class T>
  requires(__is_integral(T)) explicit operator T() const { return static_cast<T>(from_narrow(__x, Format)); }

 private:
  static __nv_fp8_storage_t code(double v) { return static_cast<__nv_fp8_storage_t>(to_narrow(v, Format, true)); }
};
// Two and four numbers; `Bits`: how far they lie apart.
template <const narrow_format& Format, class Storage, int Bits>
struct narrow_pair {
  Storage __x;
  narrow_pair() = default;
  explicit narrow_pair(__half2 v) : __x(code(value_of(v.x), value_of(v.y))) {}
  explicit narrow_pair(__nv_bfloat162 v) : __x(code(value_of(v.x), value_of(v.y))) {}
  explicit narrow_pair(float2 v) : __x(code(v.x, v.y)) {}
  explicit narrow_pair(double2 v) : __x(code(v.x, v.y)) {}
  explicit operator float2() const { return {at(0), at(1)}; }
  explicit operator __half2() const { return {__half(at(0)), __half(at(1))}; }
  explicit operator __nv_bfloat162() const { return {__nv_bfloat16(at(0)), __nv_bfloat16(at(1))}; }

 private:
  float at(int i) const { return from_narrow(__x >> (i * Bits) & ((1u << Bits) - 1), Format); }
  static Storage code(double x, double y) {
    return static_cast<Storage>(to_narrow(x, Format, true) | to_narrow(y, Format, true) << Bits);
  }
};
template <const narrow_format& Format, class Storage, int Bits>
struct narrow_quad {
  Storage __x;
  narrow_quad() = default;
  explicit narrow_quad(__half2 low, __half2 high)
      : __x(code(value_of(low.x), value_of(low.y), value_of(high.x), value_of(high.y))) {}
  explicit narrow_quad(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(code(value_of(low.x), value_of(low.y), value_of(high.x), value_of(high.y))) {}
  explicit narrow_quad(float4 v) : __x(code(v.x, v.y, v.z, v.w)) {}
  explicit narrow_quad(double4 v) : __x(code(v.x, v.y, v.z, v.w)) {}
  explicit operator float4() const { return {at(0), at(1), at(2), at(3)}; }

 private:
  float at(int i) const { return from_narrow(__x >> (i * Bits) & ((1u << Bits) - 1), Format); }
  static Storage code(double x, double y, double z, double w) {
    return static_cast<Storage>(to_narrow(x, Format, true) | to_narrow(y, Format, true) << Bits |
                                to_narrow(z, Format, true) << (2 * Bits) | to_narrow(w, Format, true) << (3 * Bits));
  }
};
}  // namespace simt_cuda
