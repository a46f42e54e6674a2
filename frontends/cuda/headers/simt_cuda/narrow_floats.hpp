// SPDX-License-Identifier: Apache-2.0
// What the types of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h have in common.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "narrow_formats.hpp"

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

namespace simt_cuda {
inline double value_of(__half x) { return static_cast<double>(static_cast<float>(x)); }
inline double value_of(__nv_bfloat16 x) { return static_cast<double>(static_cast<float>(x)); }
inline double value_of(double x) { return x; }

// One number in a byte.
template <const narrow_format& Format>
struct narrow {
  __nv_fp8_storage_t __x;
  narrow() = default;
  explicit narrow(__half v) : __x(code(value_of(v))) {}
  explicit narrow(__nv_bfloat16 v) : __x(code(value_of(v))) {}
  template <class T>
  requires(__is_arithmetic(T)) explicit narrow(T v) : __x(code(static_cast<double>(v))) {}
  explicit operator float() const { return from_narrow(__x, Format); }
  explicit operator double() const { return static_cast<double>(from_narrow(__x, Format)); }
  explicit operator __half() const { return __half(from_narrow(__x, Format)); }
  explicit operator __nv_bfloat16() const { return __nv_bfloat16(from_narrow(__x, Format)); }
  explicit operator bool() const { return from_narrow(__x, Format) != 0; }
  template <class T>
  requires(__is_integral(T)) explicit operator T() const { return static_cast<T>(from_narrow(__x, Format)); }

 private:
  static __nv_fp8_storage_t code(double v) { return static_cast<__nv_fp8_storage_t>(to_narrow(v, Format, true)); }
};
// Two and four numbers; `Bits`: how far they lie apart.
template <const narrow_format& Format, class Storage, int Bits>
struct narrow_pair {
  Storage __x;
  narrow_pair() = default;
  explicit narrow_pair(__half2 v) : __x(code(value_of(v.x), value_of(v.y))) {}
  explicit narrow_pair(__nv_bfloat162 v) : __x(code(value_of(v.x), value_of(v.y))) {}
  explicit narrow_pair(float2 v) : __x(code(v.x, v.y)) {}
  explicit narrow_pair(double2 v) : __x(code(v.x, v.y)) {}
  explicit operator float2() const { return {at(0), at(1)}; }
  explicit operator __half2() const { return {__half(at(0)), __half(at(1))}; }
  explicit operator __nv_bfloat162() const { return {__nv_bfloat16(at(0)), __nv_bfloat16(at(1))}; }

 private:
  float at(int i) const { return from_narrow(__x >> (i * Bits) & ((1u << Bits) - 1), Format); }
  static Storage code(double x, double y) {
    return static_cast<Storage>(to_narrow(x, Format, true) | to_narrow(y, Format, true) << Bits);
  }
};
template <const narrow_format& Format, class Storage, int Bits>
struct narrow_quad {
  Storage __x;
  narrow_quad() = default;
  explicit narrow_quad(__half2 low, __half2 high)
      : __x(code(value_of(low.x), value_of(low.y), value_of(high.x), value_of(high.y))) {}
  explicit narrow_quad(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(code(value_of(low.x), value_of(low.y), value_of(high.x), value_of(high.y))) {}
  explicit narrow_quad(float4 v) : __x(code(v.x, v.y, v.z, v.w)) {}
  explicit narrow_quad(double4 v) : __x(code(v.x, v.y, v.z, v.w)) {}
  explicit operator float4() const { return {at(0), at(1), at(2), at(3)}; }

 private:
  float at(int i) const { return from_narrow(__x >> (i * Bits) & ((1u << Bits) - 1), Format); }
  static Storage code(double x, double y, double z, double w) {
    return static_cast<Storage>(to_narrow(x, Format, true) | to_narrow(y, Format, true) << Bits |
                                to_narrow(z, Format, true) << (2 * Bits) | to_narrow(w, Format, true) << (3 * Bits));
  }
};
}  // namespace simt_cuda
