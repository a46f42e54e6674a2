// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types on the simulator: same names, members, sizes and alignments (PG, Built-in Vector Types), in the
// global namespace as under nvcc, so that operators which programs define for them are found.
#pragma once

#define SIMT_VECTOR(name, T, align2)                                   \
  struct name##1 {                                                     \
    T x;                                                               \
  };                                                                   \
  struct alignas(align2) name##2 {                                     \
    T x, y;                                                            \
  };                                                                   \
  struct name##3 {                                                     \
    T x, y, z;                                                         \
  };                                                                   \
  inline constexpr name##1 make_##name##1(T x) { return {x}; }         \
  inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; } \
  inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
#define SIMT_VECTOR_OF_4(name, T, alignment) \
  struct alignas(alignment) name {           \
    T x, y, z, w;                            \
  };                                         \
  inline constexpr name make_##name(T x, T y, T z, T w) { return {x, y, z, w}; }

SIMT_VECTOR(char, signed char, 2)
SIMT_VECTOR(uchar, unsigned char, 2)
SIMT_VECTOR(short, short, 4)
SIMT_VECTOR(ushort, unsigned short, 4)
SIMT_VECTOR(int, int, 8)
SIMT_VECTOR(uint, unsigned int, 8)
SIMT_VECTOR(long, long, 16)
SIMT_VECTOR(ulong, unsigned long, 16)
SIMT_VECTOR(longlong, long long, 16)
SIMT_VECTOR(ulonglong, unsigned long long, 16)
SIMT_VECTOR(float, float, 8)
SIMT_VECTOR(double, double, 16)
SIMT_VECTOR_OF_4(char4, signed char, 4)
SIMT_VECTOR_OF_4(uchar4, unsigned char, 4)
SIMT_VECTOR_OF_4(short4, short, 8)
SIMT_VECTOR_OF_4(ushort4, unsigned short, 8)
SIMT_VECTOR_OF_4(int4, int, 16)
SIMT_VECTOR_OF_4(uint4, unsigned int, 16)
SIMT_VECTOR_OF_4(float4, float, 16)
// Of 8 bytes each: by alignment since CUDA 13, and under the older names.
#define SIMT_WIDE_VECTOR(name, T)     \
  SIMT_VECTOR_OF_4(name, T, 16)       \
  SIMT_VECTOR_OF_4(name##_16a, T, 16) \
  SIMT_VECTOR_OF_4(name##_32a, T, 32)
SIMT_WIDE_VECTOR(long4, long)
SIMT_WIDE_VECTOR(ulong4, unsigned long)
SIMT_WIDE_VECTOR(longlong4, long long)
SIMT_WIDE_VECTOR(ulonglong4, unsigned long long)
SIMT_WIDE_VECTOR(double4, double)
#undef SIMT_WIDE_VECTOR
#undef SIMT_VECTOR_OF_4
#undef SIMT_VECTOR
