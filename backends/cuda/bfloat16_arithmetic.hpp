// SPDX-License-Identifier: Apache-2.0
// The arithmetic of simt::bfloat16 on a GPU: that of __nv_bfloat16.
#pragma once

#include <cuda_bf16.h>

#include <backends/cuda/small_float_arithmetic.hpp>

namespace simt::gpu {

struct native_bfloat16 {
  using type = __nv_bfloat16;
  using by_bits = detail::bfloat16_arithmetic;
  SIMT_HD static type of(float v) { return __float2bfloat16_rn(v); }
  SIMT_HD static type of(double v) { return __double2bfloat16(v); }
  SIMT_HD static type of(long long v) { return __ll2bfloat16_rn(v); }
  SIMT_HD static type of(unsigned long long v) { return __ull2bfloat16_rn(v); }
  SIMT_HD static float value(type x) { return __bfloat162float(x); }
  SIMT_HD static std::uint16_t bits(type x) { return __bfloat16_as_ushort(x); }
  SIMT_HD static type of_bits(std::uint16_t x) { return __ushort_as_bfloat16(x); }
};
using bfloat16_arithmetic = small_float_arithmetic<native_bfloat16>;

}  // namespace simt::gpu
