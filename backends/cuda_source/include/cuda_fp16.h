// SPDX-License-Identifier: Apache-2.0
// __half and __half2.
#pragma once

#include "simt_cuda/hide_names.hpp"
#define __CUDA_FP16_H__

#include <cuda_runtime.h>

#include "simt_cuda/small_float_functions.hpp"

SIMT_CUDA_SMALL_FLOAT(__half, __half2, simt::detail::half_arithmetic)
SIMT_CUDA_SMALL_FLOAT_FUNCTIONS(__half, __half2, half)
typedef __half half;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half2 half2;
struct __half_raw {
  unsigned short x;
};

inline __half __float2half(float f) { return __half(f); }
inline __half __float2half_rn(float f) { return __half(f); }
inline __half __double2half(double f) { return __half(f); }
inline float __half2float(__half h) { return h; }
inline __half __int2half_rn(int v) { return __half(v); }
inline __half __uint2half_rn(unsigned v) { return __half(v); }
inline __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
inline __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
inline __half2 __float2half2_rn(float v) { return {__half(v), __half(v)}; }
inline float2 __half22float2(__half2 v) { return {v.x, v.y}; }
inline __half2 __half2half2(__half v) { return {v, v}; }
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline float __low2float(__half2 v) { return v.x; }
inline float __high2float(__half2 v) { return v.y; }
inline __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }

#include "simt_cuda/restore_names.hpp"
