// SPDX-License-Identifier: Apache-2.0
// Complex numbers by CUDA's names: pairs of float and of double, for host and device.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_runtime.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SIMT_CUDA_COMPLEX(C, T, suffix, hypotenuse)                                            \
  inline T cuCreal##suffix(C a) { return a.x; }                                                \
  inline T cuCimag##suffix(C a) { return a.y; }                                                \
  inline C cuConj##suffix(C a) { return {a.x, -a.y}; }                                         \
  inline C cuCadd##suffix(C a, C b) { return {a.x + b.x, a.y + b.y}; }                         \
  inline C cuCsub##suffix(C a, C b) { return {a.x - b.x, a.y - b.y}; }                         \
  inline C cuCmul##suffix(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  inline T cuCabs##suffix(C a) { return hypotenuse(a.x, a.y); }                                \
  /* Scaled, so that the squares of the divisor neither overflow nor vanish. */                \
  inline C cuCdiv##suffix(C a, C b) {                                                          \
    const T scale = T(1) / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                  \
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;            \
    const T factor = T(1) / (bx * bx + by * by);                                               \
    return {(ax * bx + ay * by) * factor, (ay * bx - ax * by) * factor};                       \
  }                                                                                            \
  inline C cuCfma##suffix(C a, C b, C c) { return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x}; }
SIMT_CUDA_COMPLEX(cuFloatComplex, float, f, ::hypotf)
SIMT_CUDA_COMPLEX(cuDoubleComplex, double, , ::hypot)
#undef SIMT_CUDA_COMPLEX

inline cuFloatComplex make_cuFloatComplex(float r, float i) { return {r, i}; }
inline cuDoubleComplex make_cuDoubleComplex(double r, double i) { return {r, i}; }
inline cuComplex make_cuComplex(float r, float i) { return {r, i}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c) {
  return {static_cast<float>(c.x), static_cast<float>(c.y)};
}
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c) { return {c.x, c.y}; }

#include "simt_cuda/restore_names.hpp"
