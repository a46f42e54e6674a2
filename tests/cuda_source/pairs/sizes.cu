// SPDX-License-Identifier: Apache-2.0
// Accesses of different sizes, parts of structures, bit-fields and unions; atomic operations of different sizes on one word.
#include "pairs.hpp"
#include <cuda_fp16.h>
#define B0 (blockIdx.x == 0 && threadIdx.x == 0)
#define B1 (blockIdx.x == 1 && threadIdx.x == 0)
KERNEL(float4_and_w, 2, 32, 64) {
  if (B0) *(float4*)x = float4{1, 2, 3, 4};
  if (B1) y[0] = x[D ? 3 : 4];
}
KERNEL(double_over_floats, 1, 64, 64) {
  __shared__ double s[8];
  float* f = (float*)s;
  if (threadIdx.x < 8) s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) s[0] = 1.5;
  if (threadIdx.x == 32) y[0] = (int)f[D ? 1 : 2];
}
KERNEL(halves_and_word, 1, 64, 64) {
  __shared__ int s[32];
  short* h = (short*)s;
  h[threadIdx.x] = threadIdx.x;
  if (!D) __syncthreads();
  if (threadIdx.x < 32) y[threadIdx.x] = s[threadIdx.x];
}
KERNEL(bytes_and_word, 1, 64, 64) {
  unsigned char* c = (unsigned char*)x;
  c[threadIdx.x] = threadIdx.x;
  if (!D) __syncthreads();
  if (threadIdx.x < 16) y[threadIdx.x] = x[threadIdx.x];
}
struct packed { unsigned a : 12; unsigned b : 20; };
struct apart { unsigned a : 12; unsigned : 0; unsigned b : 20; };
template <bool D> struct fields { using type = packed; };
template <> struct fields<false> { using type = apart; };
KERNEL(bit_fields, 1, 64, 64) {
  auto* p = (typename fields<D>::type*)x;
  if (threadIdx.x == 0) p->a = 5;
  if (threadIdx.x == 32) p->b = 7;
}
KERNEL(bit_fields_shared, 1, 64, 64) {
  __shared__ typename fields<D>::type p;
  if (threadIdx.x == 0) p.a = 0, p.b = 0;  // of memory that nobody has written
  __syncthreads();
  if (threadIdx.x == 0) p.a = 5;
  if (threadIdx.x == 32) p.b = 7;
  __syncthreads();
  y[threadIdx.x] = p.a + p.b;
}
union either { int i; unsigned char b[4]; float f; };
KERNEL(union_members, 1, 64, 64) {
  __shared__ either u[64];
  u[threadIdx.x].i = threadIdx.x;
  if (!D) __syncthreads();
  y[threadIdx.x] = u[(threadIdx.x + 32) % 64].b[2];
}
struct five { int a[5]; };
KERNEL(structure_and_member, 2, 32, 64) {
  five* f = (five*)x;
  if (B0) { five v{{1, 2, 3, 4, 5}}; f[0] = v; }
  if (B1) y[0] = x[D ? 4 : 5];
}
KERNEL(unaligned_copy, 2, 32, 64) {
  if (B0) { long long v = 77; memcpy((char*)x + 2, &v, 8); }
  if (B1) y[0] = ((short*)x)[D ? 4 : 5];
}
KERNEL(vector_load_scalar_store, 1, 64, 256) {
  float4 v = ((float4*)x)[threadIdx.x];
  if (threadIdx.x > 0) (D ? x : y)[4 * threadIdx.x - 1] = 1;
  if (v.w > 100 && v.x > 0) y[threadIdx.x] = 1;
}
KERNEL(byte_in_atomic, 2, 32, 64) {
  if (B0) atomicAdd((unsigned long long*)x, 1ull);
  if (B1) ((char*)x)[D ? 5 : 9] = 1;
}
KERNEL(atomic_sizes, 2, 32, 64) {
  if (B0) atomicAdd((unsigned long long*)x, 1ull);
  if (B1) atomicAdd(x + (D ? 1 : 2), 1);
}
KERNEL(atomic_sizes_shared, 1, 64, 64) {
  __shared__ unsigned long long s[2];
  if (threadIdx.x < 2) s[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&s[0], 1ull);
  if (threadIdx.x == 32) atomicAdd((unsigned*)s + (D ? 1 : 2), 1u);
  __syncthreads();
  y[threadIdx.x] = (int)s[0];
}
KERNEL(atomic_halves, 2, 32, 64) {
  unsigned short* h = (unsigned short*)x;
  if (threadIdx.x == 0) atomicCAS(h + blockIdx.x, (unsigned short)0, (unsigned short)1);
  if (B1) y[0] = D ? x[0] : h[2];
}
KERNEL(atomic_half_in_word, 2, 32, 64) {
  if (B0) atomicCAS((unsigned short*)x, (unsigned short)0, (unsigned short)1);
  if (B1) atomicAdd(x + (D ? 0 : 1), 1);
}
KERNEL(vector_atomic_and_read, 2, 32, 64) {
  float* f = (float*)x;
  if (B0) atomicAdd((float4*)f, float4{1, 1, 1, 1});
  if (B1) { if (D) y[0] = (int)f[2]; else atomicAdd(f + 2, 1.f); }
}
KERNEL(booleans_two, 1, 64, 65) {
  bool* s = (bool*)x;
  s[threadIdx.x] = true;
  if (threadIdx.x >= 32) s[threadIdx.x - (D ? 1 : 0)] = false;
}
KERNEL(bit_mask, 1, 64, 64) {
  __shared__ unsigned m[2];
  if (threadIdx.x < 2) m[threadIdx.x] = 0;
  __syncthreads();
  if (D) m[0] |= 1u << threadIdx.x % 32; else atomicOr(&m[0], 1u << threadIdx.x % 32);
  __syncthreads();
  y[threadIdx.x] = m[0];
}
KERNEL(components, 1, 64, 64) {
  __shared__ int2 s;
  if (threadIdx.x == 0) s.x = 3;
  if (threadIdx.x == 32) (D ? s.x : s.y) = 4;
  __syncthreads();
  y[threadIdx.x] = s.x;
}
KERNEL(stride_of_twelve, 2, 32, 256) {
  struct three { int a, b, c; };
  three* p = (three*)x;
  if (blockIdx.x == 0) p[threadIdx.x] = three{1, 2, 3};
  else x[96 + threadIdx.x - (D ? 1 : 0)] = 4;
}
KERNEL(half_pairs, 1, 64, 64) {
  __half* h = (__half*)x;
  h[2 * threadIdx.x + 1] = __float2half(1.f);
  if (threadIdx.x >= 32) h[2 * threadIdx.x - (D ? 1 : 0)] = __float2half(2.f);
}
KERNEL(copy_in_block, 1, 64, 512) {
  struct big { int v[8]; };
  big* b = (big*)x;
  b[threadIdx.x] = big{{1, 2, 3, 4, 5, 6, 7, 8}};
  if (!D) __syncthreads();
  big mine = b[63 - threadIdx.x];
  y[threadIdx.x] = mine.v[0] + mine.v[7] + mine.v[3];
}
