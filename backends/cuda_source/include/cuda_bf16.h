// SPDX-License-Identifier: Apache-2.0
// __nv_bfloat16 and __nv_bfloat162.
#pragma once

#include <cuda_runtime.h>

#include "simt_cuda/small_floats.hpp"

SIMT_CUDA_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, simt::detail::bfloat16_arithmetic)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

inline __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
inline __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
inline __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16(f); }
inline float __bfloat162float(__nv_bfloat16 h) { return h; }
inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {__nv_bfloat16(a), __nv_bfloat16(b)}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)}; }
inline __nv_bfloat162 __float2bfloat162_rn(float v) { return {__nv_bfloat16(v), __nv_bfloat16(v)}; }
inline float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.raw; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) {
  __nv_bfloat16 h;
  h.raw = v;
  return h;
}
