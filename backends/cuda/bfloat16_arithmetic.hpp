// SPDX-License-Identifier: Apache-2.0
// The arithmetic of simt::bfloat16 on a GPU and its host: CUDA's own functions (cuda_bf16.h). In constant expressions, where
// those cannot be called, that of the bits, which is the same.
#pragma once

#include <cuda_bf16.h>

#include <concepts>
#include <type_traits>

#include <simt/small_float_bits.hpp>

namespace simt::gpu {

struct bfloat16_arithmetic {
  using by_bits = detail::bfloat16_arithmetic;

  SIMT_HD static constexpr std::uint16_t from(float v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    return __bfloat16_as_ushort(__float2bfloat16_rn(v));
  }
  SIMT_HD static constexpr std::uint16_t from(double v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    return __bfloat16_as_ushort(__double2bfloat16(v));
  }
  template <std::integral I>
  SIMT_HD static constexpr std::uint16_t from(I v) {
    if (std::is_constant_evaluated()) return by_bits::from(v);
    if constexpr (std::is_signed_v<I>)
      return __bfloat16_as_ushort(__ll2bfloat16_rn(v));
    else
      return __bfloat16_as_ushort(__ull2bfloat16_rn(v));
  }
  SIMT_HD static constexpr float value(std::uint16_t x) {
    if (std::is_constant_evaluated()) return by_bits::value(x);
    return __bfloat162float(__ushort_as_bfloat16(x));
  }
#define SIMT_GPU_SMALL_FLOAT(name, expression)                                          \
  SIMT_HD static constexpr std::uint16_t name(std::uint16_t x, std::uint16_t y) {       \
    if (std::is_constant_evaluated()) return by_bits::name(x, y);                       \
    const __nv_bfloat16 a = __ushort_as_bfloat16(x), b = __ushort_as_bfloat16(y);                                                    \
    return __bfloat16_as_ushort(expression);                                                             \
  }
  // _rn: never contracted to one multiply-add.
  SIMT_GPU_SMALL_FLOAT(add, __hadd_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(subtract, __hsub_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(multiply, __hmul_rn(a, b))
  SIMT_GPU_SMALL_FLOAT(divide, __float2bfloat16_rn(__bfloat162float(a) / __bfloat162float(b)))
#undef SIMT_GPU_SMALL_FLOAT
  SIMT_HD static constexpr std::uint16_t multiply_add(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    if (std::is_constant_evaluated()) return by_bits::multiply_add(a, b, c);
#if defined(__CUDA_ARCH__)
    return __bfloat16_as_ushort(__hfma(__ushort_as_bfloat16(a), __ushort_as_bfloat16(b), __ushort_as_bfloat16(c)));
#else
    return by_bits::multiply_add(a, b, c);
#endif
  }
  // Relaxed, at device scope; gives the old value.
  __device__ static std::uint16_t atomic_add(std::uint16_t* at, std::uint16_t v) {
    return __bfloat16_as_ushort(atomicAdd(reinterpret_cast<__nv_bfloat16*>(at), __ushort_as_bfloat16(v)));
  }
};

}  // namespace simt::gpu
