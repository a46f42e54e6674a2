// SPDX-License-Identifier: Apache-2.0
// Floats of 8, 6 and 4 bits: conversions by the formats' parameters (OCP 8-bit Floating Point Specification; OCP
// Microscaling Formats).
#pragma once

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
}  // namespace simt_cuda
