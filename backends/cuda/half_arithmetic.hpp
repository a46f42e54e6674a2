// SPDX-License-Identifier: Apache-2.0
// The arithmetic of simt::half on a GPU and its host: CUDA's own functions (cuda_fp16.h). In constant expressions, where
// those cannot be called, that of the bits, which is the same.
#pragma once

#include <cuda_fp16.h>

#include <concepts>
#include <type_traits>

#include <simt/small_float_bits.hpp>

namespace simt::gpu {

struct half_arithmetic {
  using by_bits = detail::half_arithmetic;

  SIMT_HD static constexpr std::uint16_t from(float v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    return __half_as_ushort(__float2half_rn(v));
  }
  SIMT_HD static constexpr std::uint16_t from(double v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    return __half_as_ushort(__double2half(v));
  }
  template <std::integral I>
  SIMT_HD static constexpr std::uint16_t from(I v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    if constexpr (std::is_signed_v<I>)
      return __half_as_ushort(__ll2half_rn(v));
    else
      return __half_as_ushort(__ull2half_rn(v));
  }
  SIMT_HD static constexpr float value(std::uint16_t x) {
    if (std::is_constant_evaluated()) return by_bits::value(x);
    return __half2float(__ushort_as_half(x));
  }
#define SIMT_GPU_SMALL_FLOAT(name, expression)                                          \
  SIMT_HD static constexpr std::uint16_t name(std::uint16_t x, std::uint16_t y) {       \
    if (std::is_constant_evaluated()) return by_bits::name(x, y);                       \
    const __half a = __ushort_as_half(x), b = __ushort_as_half(y);                                                    \
    return __half_as_ushort(expression);                                                             \
  }
  // _rn: never contracted to one multiply-add.
  SIMT_GPU_SMALL_FLOAT(add, __hadd_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(subtract, __hsub_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(multiply, __hmul_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(divide, __float2half_rn(__half2float(a) / __half2float(b)))
#undef SIMT_GPU_SMALL_FLOAT
  SIMT_HD static constexpr std::uint16_t multiply_add(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    if (std::is_constant_evaluated()) return by_bits::multiply_add(a, b, c);
#if defined(__CUDA_ARCH__)
    return __half_as_ushort(__hfma(__ushort_as_half(a), __ushort_as_half(b), __ushort_as_half(c)));
#else
    return by_bits::multiply_add(a, b, c);
#endif
  }
  // Relaxed, at device scope; gives the old value.
  __device__ static std::uint16_t atomic_add(std::uint16_t* at, std::uint16_t v) {
    return __half_as_ushort(atomicAdd(reinterpret_cast<__half*>(at), __ushort_as_half(v)));
  }
};

}  // namespace simt::gpu
