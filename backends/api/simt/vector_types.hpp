// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types and their make_ functions, in namespace simt too: float4, int2, uchar4, ... Host and device.
//
// Members x, y, z, w; sizes and alignments are CUDA's, so an aligned one moves by one instruction. They bring no
// arithmetic, as in CUDA. dim3 is simt's own. Vectors of four 8-byte numbers have CUDA 13's names, which say their
// alignment: double4_16a, double4_32a.
#pragma once

#if defined(SIMT_VARIANT_CUDA)
#include <vector_functions.h>
#include <vector_types.h>
#else
#include <backends/sim/vector_types.hpp>
#endif

namespace simt {

#define SIMT_VECTOR(name)                \
  using ::name##1, ::name##2, ::name##3; \
  using ::make_##name##1, ::make_##name##2, ::make_##name##3;
#define SIMT_VECTOR_OF_4(name) using ::name, ::make_##name;
SIMT_VECTOR(char)
SIMT_VECTOR(uchar)
SIMT_VECTOR(short)
SIMT_VECTOR(ushort)
SIMT_VECTOR(int)
SIMT_VECTOR(uint)
SIMT_VECTOR(long)
SIMT_VECTOR(ulong)
SIMT_VECTOR(longlong)
SIMT_VECTOR(ulonglong)
SIMT_VECTOR(float)
SIMT_VECTOR(double)
SIMT_VECTOR_OF_4(char4)
SIMT_VECTOR_OF_4(uchar4)
SIMT_VECTOR_OF_4(short4)
SIMT_VECTOR_OF_4(ushort4)
SIMT_VECTOR_OF_4(int4)
SIMT_VECTOR_OF_4(uint4)
SIMT_VECTOR_OF_4(float4)
#if !defined(SIMT_VARIANT_CUDA) || CUDART_VERSION >= 13000
SIMT_VECTOR_OF_4(long4_16a)
SIMT_VECTOR_OF_4(long4_32a)
SIMT_VECTOR_OF_4(ulong4_16a)
SIMT_VECTOR_OF_4(ulong4_32a)
SIMT_VECTOR_OF_4(longlong4_16a)
SIMT_VECTOR_OF_4(longlong4_32a)
SIMT_VECTOR_OF_4(ulonglong4_16a)
SIMT_VECTOR_OF_4(ulonglong4_32a)
SIMT_VECTOR_OF_4(double4_16a)
SIMT_VECTOR_OF_4(double4_32a)
#endif
#undef SIMT_VECTOR_OF_4
#undef SIMT_VECTOR

}  // namespace simt
