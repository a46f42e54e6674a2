// SPDX-License-Identifier: Apache-2.0
// What half and bfloat16 have in common: a value of 16 bits with the arithmetic of Arithmetic. Host and device.
#pragma once

#include <concepts>
#include <cstdint>

#include <simt/dim3.hpp>

namespace simt::detail {

// Self: the type derived from this. Trivially copyable, trivially constructed (then of any value).
template <class Self, class Arithmetic>
class small_float {
 public:
  using small_float_arithmetic = Arithmetic;

  small_float() = default;
  // Rounds to nearest, ties to even. Explicit, for it loses digits.
  SIMT_INLINE SIMT_HD constexpr explicit small_float(float v) : bits_(Arithmetic::from(v)) {}
  SIMT_INLINE SIMT_HD constexpr explicit small_float(double v) : bits_(Arithmetic::from(v)) {}
  template <std::integral I>
  SIMT_INLINE SIMT_HD constexpr explicit small_float(I v) : bits_(Arithmetic::from(v)) {}
  // Exact. Comparisons, and arithmetic with other types, are float's.
  SIMT_INLINE SIMT_HD constexpr operator float() const { return Arithmetic::value(bits_); }

  SIMT_INLINE SIMT_HD constexpr std::uint16_t bits() const { return bits_; }
  SIMT_INLINE SIMT_HD static constexpr Self from_bits(std::uint16_t bits) {
    Self x(0.0f);
    x.bits_ = bits;
    return x;
  }

  // Correctly rounded.
  SIMT_INLINE SIMT_HD friend constexpr Self operator+(Self a, Self b) {
    return from_bits(Arithmetic::add(a.bits(), b.bits()));
  }
  SIMT_INLINE SIMT_HD friend constexpr Self operator-(Self a, Self b) {
    return from_bits(Arithmetic::subtract(a.bits(), b.bits()));
  }
  SIMT_INLINE SIMT_HD friend constexpr Self operator*(Self a, Self b) {
    return from_bits(Arithmetic::multiply(a.bits(), b.bits()));
  }
  SIMT_INLINE SIMT_HD friend constexpr Self operator/(Self a, Self b) {
    return from_bits(Arithmetic::divide(a.bits(), b.bits()));
  }
  SIMT_INLINE SIMT_HD friend constexpr Self operator-(Self a) {
    return from_bits(static_cast<std::uint16_t>(a.bits() ^ 0x8000));
  }
  SIMT_INLINE SIMT_HD friend constexpr Self& operator+=(Self& a, Self b) { return a = a + b; }
  SIMT_INLINE SIMT_HD friend constexpr Self& operator-=(Self& a, Self b) { return a = a - b; }
  SIMT_INLINE SIMT_HD friend constexpr Self& operator*=(Self& a, Self b) { return a = a * b; }
  SIMT_INLINE SIMT_HD friend constexpr Self& operator/=(Self& a, Self b) { return a = a / b; }
  // a * b + c, rounded once.
  SIMT_INLINE SIMT_HD friend constexpr Self fma(Self a, Self b, Self c) {
    return from_bits(Arithmetic::multiply_add(a.bits(), b.bits(), c.bits()));
  }

 private:
  std::uint16_t bits_;
};

template <class T>
concept small_float_type = requires {
  typename T::small_float_arithmetic;
};

}  // namespace simt::detail
