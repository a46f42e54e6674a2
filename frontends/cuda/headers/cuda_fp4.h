// SPDX-License-Identifier: Apache-2.0
// Floats of 4 bits: E2M1; two in a byte, the first in the lower half.
#pragma once

#include "simt_cuda/hide_names.hpp"
#define __CUDA_FP4_H__

#include <cuda_fp8.h>

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

typedef simt_cuda::narrow<simt_cuda::kE2M1> __nv_fp4_e2m1;
typedef simt_cuda::narrow_pair<simt_cuda::kE2M1, __nv_fp4x2_storage_t, 4> __nv_fp4x2_e2m1;
typedef simt_cuda::narrow_quad<simt_cuda::kE2M1, __nv_fp4x4_storage_t, 4> __nv_fp4x4_e2m1;

// The only rounding is cudaRoundNearest.
inline __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t, cudaRoundMode) {
  return static_cast<__nv_fp4_storage_t>(simt_cuda::to_narrow(x, simt_cuda::kE2M1, true));
}
inline __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t t, cudaRoundMode mode) {
  return __nv_cvt_double_to_fp4(x, t, mode);
}
inline __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x, __nv_fp4_interpretation_t t, cudaRoundMode mode) {
  return __nv_cvt_double_to_fp4(simt_cuda::value_of(__half(x)), t, mode);
}
inline __nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2 x, __nv_fp4_interpretation_t t, cudaRoundMode mode) {
  return static_cast<__nv_fp4x2_storage_t>(__nv_cvt_double_to_fp4(x.x, t, mode) | __nv_cvt_double_to_fp4(x.y, t, mode)
                                                                                      << 4);
}
inline __nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(__half2_raw x, __nv_fp4_interpretation_t t, cudaRoundMode mode) {
  return __nv_cvt_float2_to_fp4x2({static_cast<float>(__half2(x).x), static_cast<float>(__half2(x).y)}, t, mode);
}
inline __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t) {
  return __half(simt_cuda::from_narrow(x & 0xf, simt_cuda::kE2M1));
}
inline __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x, __nv_fp4_interpretation_t t) {
  return {__nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(x & 0xf), t).x,
          __nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(x >> 4), t).x};
}

#include "simt_cuda/restore_names.hpp"
