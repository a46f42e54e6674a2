// SPDX-License-Identifier: Apache-2.0
// The arithmetic of simt::half on a GPU: that of __half.
#pragma once

#include <cuda_fp16.h>

#include <backends/cuda/small_float_arithmetic.hpp>

namespace simt::gpu {

struct native_half {
  using type = __half;
  using by_bits = detail::half_arithmetic;
  SIMT_HD static type of(float v) { return __float2half_rn(v); }
  SIMT_HD static type of(double v) { return __double2half(v); }
  SIMT_HD static type of(long long v) { return __ll2half_rn(v); }
  SIMT_HD static type of(unsigned long long v) { return __ull2half_rn(v); }
  SIMT_HD static float value(type x) { return __half2float(x); }
  SIMT_HD static std::uint16_t bits(type x) { return __half_as_ushort(x); }
  SIMT_HD static type of_bits(std::uint16_t x) { return __ushort_as_half(x); }
};
using half_arithmetic = small_float_arithmetic<native_half>;

}  // namespace simt::gpu
