// SPDX-License-Identifier: Apache-2.0
// Floats of 6 bits: E2M3 and E3M2, each in a byte.
#pragma once

#include "simt_cuda/hide_names.hpp"
#define __CUDA_FP6_H__

#include <cuda_fp8.h>

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

typedef simt_cuda::narrow<simt_cuda::kE2M3> __nv_fp6_e2m3;
typedef simt_cuda::narrow<simt_cuda::kE3M2> __nv_fp6_e3m2;
typedef simt_cuda::narrow_pair<simt_cuda::kE2M3, __nv_fp6x2_storage_t, 8> __nv_fp6x2_e2m3;
typedef simt_cuda::narrow_pair<simt_cuda::kE3M2, __nv_fp6x2_storage_t, 8> __nv_fp6x2_e3m2;
typedef simt_cuda::narrow_quad<simt_cuda::kE2M3, __nv_fp6x4_storage_t, 8> __nv_fp6x4_e2m3;
typedef simt_cuda::narrow_quad<simt_cuda::kE3M2, __nv_fp6x4_storage_t, 8> __nv_fp6x4_e3m2;

namespace simt_cuda {
inline const narrow_format& format_of(__nv_fp6_interpretation_t t) { return t == __NV_E2M3 ? kE2M3 : kE3M2; }
}  // namespace simt_cuda
// The only rounding is cudaRoundNearest.
inline __nv_fp6_storage_t __nv_cvt_double_to_fp6(double x, __nv_fp6_interpretation_t t, cudaRoundMode) {
  return static_cast<__nv_fp6_storage_t>(simt_cuda::to_narrow(x, simt_cuda::format_of(t), true));
}
inline __nv_fp6_storage_t __nv_cvt_float_to_fp6(float x, __nv_fp6_interpretation_t t, cudaRoundMode mode) {
  return __nv_cvt_double_to_fp6(x, t, mode);
}
inline __nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw x, __nv_fp6_interpretation_t t, cudaRoundMode mode) {
  return __nv_cvt_double_to_fp6(simt_cuda::value_of(__half(x)), t, mode);
}
inline __nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2 x, __nv_fp6_interpretation_t t, cudaRoundMode mode) {
  return static_cast<__nv_fp6x2_storage_t>(__nv_cvt_double_to_fp6(x.x, t, mode) | __nv_cvt_double_to_fp6(x.y, t, mode)
                                                                                      << 8);
}
inline __half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t x, __nv_fp6_interpretation_t t) {
  return __half(simt_cuda::from_narrow(x & 0x3f, simt_cuda::format_of(t)));
}
inline __half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t x, __nv_fp6_interpretation_t t) {
  return {__nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x & 0xff), t).x,
          __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x >> 8), t).x};
}

#include "simt_cuda/restore_names.hpp"
