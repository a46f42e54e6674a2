// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a 16-bit float on a GPU and its host: CUDA's own functions. In constant expressions, where those
// cannot be called, that of the bits, which is the same.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <simt/small_float_bits.hpp>

namespace simt::gpu {

// Native: CUDA's type (`type`), the arithmetic of its bits (`by_bits`), and the functions that have the type in their
// names: of() a float, double, long long or unsigned long long, value(), bits(), of_bits().
template <class Native>
struct small_float_arithmetic {
  using by_bits = typename Native::by_bits;

  SIMT_HD static constexpr std::uint16_t from(float v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    return Native::bits(Native::of(v));
  }
  SIMT_HD static constexpr std::uint16_t from(double v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    return Native::bits(Native::of(v));
  }
  template <std::integral I>
  SIMT_HD static constexpr std::uint16_t from(I v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    using widest = std::conditional_t<std::is_signed_v<I>, long long, unsigned long long>;
    return Native::bits(Native::of(static_cast<widest>(v)));
  }
  SIMT_HD static constexpr float value(std::uint16_t x) {
    if (std::is_constant_evaluated()) return by_bits::value(x);
    return Native::value(Native::of_bits(x));
  }
#define SIMT_GPU_SMALL_FLOAT(name, expression)                                    \
  SIMT_HD static constexpr std::uint16_t name(std::uint16_t x, std::uint16_t y) { \
    if (std::is_constant_evaluated()) return by_bits::name(x, y);                 \
    const typename Native::type a = Native::of_bits(x), b = Native::of_bits(y);   \
    return Native::bits(expression);                                              \
  }
  // _rn: never contracted to one multiply-add.
  SIMT_GPU_SMALL_FLOAT(add, __hadd_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(subtract, __hsub_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(multiply, __hmul_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(divide, Native::of(Native::value(a) / Native::value(b)))
#undef SIMT_GPU_SMALL_FLOAT
  SIMT_HD static constexpr std::uint16_t multiply_add(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    if (std::is_constant_evaluated()) return by_bits::multiply_add(a, b, c);
#if defined(__CUDA_ARCH__)
    return Native::bits(__hfma(Native::of_bits(a), Native::of_bits(b), Native::of_bits(c)));
#else
    return by_bits::multiply_add(a, b, c);
#endif
  }
  // Relaxed, at device scope; gives the old value.
  __device__ static std::uint16_t atomic_add(std::uint16_t* at, std::uint16_t v) {
    return Native::bits(atomicAdd(reinterpret_cast<typename Native::type*>(at), Native::of_bits(v)));
  }
};

}  // namespace simt::gpu
