// SPDX-License-Identifier: Apache-2.0
// 16-bit floats by their bits: IEEE 754 binary16, and bfloat16 (the upper half of binary32). Host and device.
//
// Conversions round to nearest, ties to even; subnormals, infinities and overflow are exact; NaN becomes 0x7fff, which
// a GPU makes of a float too (of a double it makes 0x7e00 and 0x7fc0). No branches, so that loops over arrays
// vectorise. Widening is exact. Wider sources go through a float that was rounded to odd: rounding that to 24 - 2 bits
// or fewer gives what rounding the source at once would (Boldo, Melquiond: "When double rounding is odd", 2005).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <simt/dim3.hpp>

namespace simt::detail {

SIMT_INLINE SIMT_HD constexpr std::uint32_t word_of(float f) { return __builtin_bit_cast(std::uint32_t, f); }
SIMT_INLINE SIMT_HD constexpr float float_of(std::uint32_t x) { return __builtin_bit_cast(float, x); }

// Where the processor converts. Only clang knows how to do so for whole vectors.
#if defined(__clang__) && defined(__F16C__) && !defined(__CUDACC__)
#define SIMT_HALF_CONVERSION
#endif

SIMT_INLINE SIMT_HD constexpr std::uint16_t half_bits(float f) {
#if defined(SIMT_HALF_CONVERSION)
  if (!__builtin_is_constant_evaluated()) {
    const std::uint16_t converted = __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(f));
    return (word_of(f) & 0x7fffffff) > 0x7f800000 ? std::uint16_t{0x7fff} : converted;
  }
#endif
  const std::uint32_t x = word_of(f), sign = (x >> 16) & 0x8000, a = x & 0x7fffffff;
  const std::uint32_t normal = (a + 0xfff + ((a >> 13) & 1) - 0x38000000) >> 13;
  // Below 2^-14: adding 1/2 leaves the multiple of 2^-24 in the last bits, rounded by the addition.
  const std::uint32_t subnormal = word_of(float_of(a < 0x38800000 ? a : 0) + 0.5f) - 0x3f000000;
  const std::uint32_t finite = sign | (a < 0x38800000 ? subnormal : normal);
  const std::uint32_t special = a > 0x7f800000 ? 0x7fff : (sign | 0x7c00);
  return static_cast<std::uint16_t>(a >= 0x47800000 ? special : finite);
}
SIMT_INLINE SIMT_HD constexpr float half_value(std::uint16_t h) {
#if defined(SIMT_HALF_CONVERSION)
  if (!__builtin_is_constant_evaluated()) {
    const float converted = static_cast<float>(__builtin_bit_cast(_Float16, h));
    return (h & 0x7fff) > 0x7c00 ? float_of(0x7fffffff) : converted;
  }
#endif
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000) << 16, a = h & 0x7fff;
  const std::uint32_t finite = word_of(float_of(a << 13) * 0x1p112f) | sign;  // exact: also makes subnormals normal
  const std::uint32_t special = a > 0x7c00 ? 0x7fffffff : (sign | 0x7f800000);
  return float_of(a >= 0x7c00 ? special : finite);
}
SIMT_INLINE SIMT_HD constexpr std::uint16_t bfloat16_bits(float f) {
  const std::uint32_t x = word_of(f);
  return static_cast<std::uint16_t>((x & 0x7fffffff) > 0x7f800000 ? 0x7fff : (x + 0x7fff + ((x >> 16) & 1)) >> 16);
}
SIMT_INLINE SIMT_HD constexpr float bfloat16_value(std::uint16_t b) {
  return float_of(static_cast<std::uint32_t>(b) << 16);
}

// The nearest floats around d: the one towards zero if d is a float, else the one of the two whose last bit is 1.
SIMT_INLINE SIMT_HD constexpr float round_to_odd(double d) {
  constexpr double kMax = std::numeric_limits<float>::max();
  const float nearest = d > kMax    ? std::numeric_limits<float>::max()
                        : d < -kMax ? -std::numeric_limits<float>::max()
                                    : static_cast<float>(d);
  const double magnitude = d < 0 ? -d : d, n = nearest, kept = n < 0 ? -n : n;
  if (!(magnitude <= std::numeric_limits<double>::max())) return static_cast<float>(d);
  if (n == d) return nearest;
  return float_of((word_of(nearest) - (kept > magnitude ? 1 : 0)) | (d < 0 ? 0x80000001u : 1u));
}
// An integer of 64 bits is a double but for its last 11 bits; any of those set is as good as the lowest of them set.
template <std::integral I>
SIMT_INLINE SIMT_HD constexpr float round_to_odd(I v) {
  bool negative = false;
  if constexpr (std::is_signed_v<I>) negative = v < 0;
  const std::uint64_t a = negative ? ~static_cast<std::uint64_t>(v) + 1 : static_cast<std::uint64_t>(v);
  const std::uint64_t kept = a < (std::uint64_t{1} << 53) ? a : ((a >> 11) | ((a & 2047) != 0 ? 1 : 0)) << 11;
  const double d = static_cast<double>(kept);
  return round_to_odd(negative ? -d : d);
}
// a * b + c rounded to odd; a * b is exact in double.
SIMT_INLINE SIMT_HD constexpr float multiply_add_to_odd(float a, float b, float c) {
  const double p = static_cast<double>(a) * b, s = p + c, from_c = s - p;
  const double error = (p - (s - from_c)) + (c - from_c);  // s + error == p + c
  if (!(error < 0 || error > 0)) return round_to_odd(s);
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, s);
  return round_to_odd(__builtin_bit_cast(double, (bits - ((error < 0) != (s < 0) ? 1 : 0)) | 1));
}

// What an operation on one of the two types means, on bits: float arithmetic rounded once, which is the correctly
// rounded result of + - * / (24 bits are at least 2 * 11 + 2).
template <std::uint16_t (*Bits)(float), float (*Value)(std::uint16_t)>
struct small_float_arithmetic {
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t from(float v) { return Bits(v); }
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t from(double v) { return Bits(round_to_odd(v)); }
  template <std::integral I>
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t from(I v) {
    return Bits(round_to_odd(v));
  }
  SIMT_INLINE SIMT_HD static constexpr float value(std::uint16_t x) { return Value(x); }
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t add(std::uint16_t a, std::uint16_t b) {
    return Bits(Value(a) + Value(b));
  }
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t subtract(std::uint16_t a, std::uint16_t b) {
    return Bits(Value(a) - Value(b));
  }
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t multiply(std::uint16_t a, std::uint16_t b) {
    return Bits(Value(a) * Value(b));
  }
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t divide(std::uint16_t a, std::uint16_t b) {
    return Bits(Value(a) / Value(b));
  }
  SIMT_INLINE SIMT_HD static constexpr std::uint16_t multiply_add(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    return Bits(multiply_add_to_odd(Value(a), Value(b), Value(c)));
  }
};
using half_arithmetic = small_float_arithmetic<half_bits, half_value>;
using bfloat16_arithmetic = small_float_arithmetic<bfloat16_bits, bfloat16_value>;

}  // namespace simt::detail
