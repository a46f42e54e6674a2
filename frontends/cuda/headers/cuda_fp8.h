// SPDX-License-Identifier: Apache-2.0
// Floats of 8 bits: E4M3 and E5M2, alone, as pairs and as fours; E8M0, the scale of microscaling formats.
#pragma once

#include "simt_cuda/hide_names.hpp"
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "simt_cuda/narrow_floats.hpp"

enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

typedef simt_cuda::narrow<simt_cuda::kE4M3> __nv_fp8_e4m3;
typedef simt_cuda::narrow<simt_cuda::kE5M2> __nv_fp8_e5m2;
typedef simt_cuda::narrow_pair<simt_cuda::kE4M3, __nv_fp8x2_storage_t, 8> __nv_fp8x2_e4m3;
typedef simt_cuda::narrow_pair<simt_cuda::kE5M2, __nv_fp8x2_storage_t, 8> __nv_fp8x2_e5m2;
typedef simt_cuda::narrow_quad<simt_cuda::kE4M3, __nv_fp8x4_storage_t, 8> __nv_fp8x4_e4m3;
typedef simt_cuda::narrow_quad<simt_cuda::kE5M2, __nv_fp8x4_storage_t, 8> __nv_fp8x4_e5m2;

namespace simt_cuda {
inline const narrow_format& format_of(__nv_fp8_interpretation_t t) { return t == __NV_E4M3 ? kE4M3 : kE5M2; }
inline __nv_fp8_storage_t to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t t) {
  return static_cast<__nv_fp8_storage_t>(to_narrow(x, format_of(t), s == __NV_SATFINITE));
}
inline __nv_fp8x2_storage_t to_fp8x2(double x, double y, __nv_saturation_t s, __nv_fp8_interpretation_t t) {
  return static_cast<__nv_fp8x2_storage_t>(to_fp8(x, s, t) | to_fp8(y, s, t) << 8);
}
}  // namespace simt_cuda
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t t) {
  return simt_cuda::to_fp8(x, s, t);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t t) {
  return simt_cuda::to_fp8(x, s, t);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t t) {
  return simt_cuda::to_fp8(simt_cuda::value_of(__half(x)), s, t);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                      __nv_fp8_interpretation_t t) {
  return simt_cuda::to_fp8(simt_cuda::value_of(__nv_bfloat16(x)), s, t);
}
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t s, __nv_fp8_interpretation_t t) {
  return simt_cuda::to_fp8x2(x.x, x.y, s, t);
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s, __nv_fp8_interpretation_t t) {
  return simt_cuda::to_fp8x2(x.x, x.y, s, t);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s,
                                                       __nv_fp8_interpretation_t t) {
  const __half2 v(x);
  return simt_cuda::to_fp8x2(simt_cuda::value_of(v.x), simt_cuda::value_of(v.y), s, t);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t s,
                                                           __nv_fp8_interpretation_t t) {
  const __nv_bfloat162 v(x);
  return simt_cuda::to_fp8x2(simt_cuda::value_of(v.x), simt_cuda::value_of(v.y), s, t);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t t) {
  return __half(simt_cuda::from_narrow(x, simt_cuda::format_of(t)));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t t) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x & 0xff), t).x,
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), t).x};
}
// NVIDIA's header has these for itself; programs that unpack bytes use them, too.
inline float __internal_halfraw_to_float(__half_raw x) { return static_cast<float>(simt_cuda::value_of(__half(x))); }
inline float2 __internal_halfraw2_to_float2(__half2_raw x) {
  const __half2 v(x);
  return {static_cast<float>(simt_cuda::value_of(v.x)), static_cast<float>(simt_cuda::value_of(v.y))};
}

// A power of two: 2^(x - 127); 255 is NaN. Rounds up or towards zero, as asked.
inline __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t s, cudaRoundMode mode) {
  const double a = __builtin_fabs(x);
  if (a != a || (__builtin_isinf(a) && s == __NV_NOSAT)) return 0xff;
  if (a == 0) return 0;
  const int exponent = __builtin_isinf(a) ? 1024 : __builtin_ilogb(a);
  const bool up = mode == cudaRoundPosInf && !__builtin_isinf(a) && __builtin_scalbn(1.0, exponent) < a;
  const int code = exponent + (up ? 1 : 0) + 127;
  if (code > 254) return s == __NV_SATFINITE ? 0xfe : 0xff;
  return static_cast<__nv_fp8_storage_t>(code < 0 ? 0 : code);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t s, cudaRoundMode mode) {
  return __nv_cvt_double_to_e8m0(x, s, mode);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t s, cudaRoundMode mode) {
  return __nv_cvt_double_to_e8m0(simt_cuda::value_of(__nv_bfloat16(x)), s, mode);
}
struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  explicit __nv_fp8_e8m0(double v) : __x(__nv_cvt_double_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  explicit __nv_fp8_e8m0(float v) : __nv_fp8_e8m0(static_cast<double>(v)) {}
  explicit __nv_fp8_e8m0(__half v) : __nv_fp8_e8m0(simt_cuda::value_of(v)) {}
  explicit __nv_fp8_e8m0(__nv_bfloat16 v) : __nv_fp8_e8m0(simt_cuda::value_of(v)) {}
  explicit operator double() const { return __x == 0xff ? __builtin_nan("") : __builtin_scalbn(1.0, __x - 127); }
  explicit operator float() const { return static_cast<float>(static_cast<double>(*this)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(static_cast<float>(*this)); }
};
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  __nv_fp8_e8m0 v;
  v.__x = x;
  return __nv_bfloat16(static_cast<float>(v));
}

#include "simt_cuda/restore_names.hpp"
