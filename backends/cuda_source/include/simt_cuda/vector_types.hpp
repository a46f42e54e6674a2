// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types, dim3 and the make_ functions: same members, sizes and alignments.
#pragma once

#define SIMT_CUDA_VECTOR(name, T, align2, align4)                                                   \
  struct name##1 { T x; };                                                                          \
  struct alignas(align2) name##2 { T x, y; };                                                       \
  struct name##3 { T x, y, z; };                                                                    \
  struct alignas(align4) name##4 { T x, y, z, w; };                                                 \
  inline constexpr name##1 make_##name##1(T x) { return {x}; }                                      \
  inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                              \
  inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                      \
  inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

SIMT_CUDA_VECTOR(char, signed char, 2, 4)
SIMT_CUDA_VECTOR(uchar, unsigned char, 2, 4)
SIMT_CUDA_VECTOR(short, short, 4, 8)
SIMT_CUDA_VECTOR(ushort, unsigned short, 4, 8)
SIMT_CUDA_VECTOR(int, int, 8, 16)
SIMT_CUDA_VECTOR(uint, unsigned int, 8, 16)
SIMT_CUDA_VECTOR(long, long, 16, 16)
SIMT_CUDA_VECTOR(ulong, unsigned long, 16, 16)
SIMT_CUDA_VECTOR(longlong, long long, 16, 16)
SIMT_CUDA_VECTOR(ulonglong, unsigned long long, 16, 16)
SIMT_CUDA_VECTOR(float, float, 8, 16)
SIMT_CUDA_VECTOR(double, double, 16, 16)
#undef SIMT_CUDA_VECTOR

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
