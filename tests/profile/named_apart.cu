// SPDX-License-Identifier: Apache-2.0
// Members and neighbouring elements that statements name apart: nvcc makes one access of what lies side by side, where
// it knows the alignment. Updates of vectors. Twelve bytes.
#include <cuda_fp16.h>

#include "check.hpp"

struct alignas(8) two_ints {
  int a, b;
};
struct timed {
  double when;
  int what, who;
};
struct point {
  float x, y, z;
};

#define I const int i = blockIdx.x * blockDim.x + threadIdx.x

__global__ void sum_of_float2(const float2* x, float* y) {
  I;
  y[i] = x[i].x + x[i].y;
}
__global__ void on_two_lines(const float2* x, float* y) {
  I;
  float v = x[i].x * 3;
  v += x[i].y;
  y[i] = v;
}
__global__ void three_of_float4(const float4* x, float* y) {
  I;
  y[i] = x[i].x + x[i].y * x[i].z;
}
__global__ void ends_of_float4(const float4* x, float* y) {
  I;
  y[i] = x[i].x + x[i].w;
}
__global__ void middle_of_float4(const float4* x, float* y) {
  I;
  y[i] = x[i].y + x[i].z;
}
__global__ void last_of_float4(const float4* x, float* y) {
  I;
  y[i] = x[i].y + x[i].z * x[i].w;
}
__global__ void all_of_uchar4(const uchar4* x, int* y) {
  I;
  y[i] = x[i].x + x[i].y * 2 + x[i].z * 3 + x[i].w * 4;
}
__global__ void three_of_uchar4(const uchar4* x, int* y) {
  I;
  y[i] = x[i].x + x[i].y * 2 + x[i].z * 3;
}
__global__ void both_of_short2(const short2* x, int* y) {
  I;
  y[i] = x[i].x * x[i].y;
}
__global__ void both_of_aligned(const two_ints* x, int* y) {
  I;
  y[i] = x[i].a * x[i].b;
}
__global__ void behind_a_double(const timed* x, int* y) {
  I;
  y[i] = x[i].what * x[i].who;
}
__global__ void both_of_double2(const double2* x, double* y) {
  I;
  y[i] = x[i].x * x[i].y;
}
__global__ void points(const point* x, float* y) {
  I;
  y[i] = x[i].x + x[i].y * x[i].z;
}
__global__ void put_float2(const float* x, float2* y) {
  I;
  const float v = x[i];
  y[i].x = v;
  y[i].y = v * 2;
}
__global__ void put_three_of_float4(const float* x, float4* y) {
  I;
  const float v = x[i];
  y[i].x = v;
  y[i].y = v * 2;
  y[i].z = v * 3;
}
__global__ void put_backwards(const float* x, float4* y) {
  I;
  const float v = x[i];
  y[i].w = v;
  y[i].z = v * 2;
  y[i].y = v * 3;
  y[i].x = v * 4;
}
__global__ void member_by_member(const float2* x, float2* y) {
  I;
  y[i].x = x[i].x;
  y[i].y = x[i].y;
}
__global__ void member_by_member_restrict(const float2* __restrict__ x, float2* __restrict__ y) {
  I;
  y[i].x = x[i].x;
  y[i].y = x[i].y;
}
__global__ void in_place(float2* y) {
  I;
  y[i].x += 1;
  y[i].y += 2;
}
__global__ void one_below_a_condition(const float2* x, float* y) {
  I;
  float v = x[i].x;
  if ((i & 4) != 0) v += x[i].y;
  y[i] = v;
}
__global__ void in_a_loop(const float2* x, float* y, int n) {
  I;
  float v = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) v += x[i + k * 64].x * x[i + k * 64].y;
  y[i] = v;
}
__global__ void float2_in_shared(const float2* x, float* y) {
  __shared__ float2 s[256];
  I;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x ^ 3].x * s[threadIdx.x ^ 3].y;
}
__global__ void neighbours_in_shared(const float* x, float* y) {
  __shared__ float s[512];
  I;
  s[2 * threadIdx.x] = x[i];
  s[2 * threadIdx.x + 1] = x[i + 1];
  __syncthreads();
  y[i] = s[2 * (threadIdx.x ^ 3)] * s[2 * (threadIdx.x ^ 3) + 1];
}
__global__ void four_in_shared(const float* x, float* y) {
  __shared__ float s[64][4];
  I;
  s[threadIdx.x & 63][threadIdx.x >> 6] = x[i];
  __syncthreads();
  const float* row = s[threadIdx.x & 63];
  y[i] = row[0] + row[1] * row[2] - row[3];
}
__global__ void neighbours_by_any_index(const float* x, float* y) {
  __shared__ float s[257];
  I;
  s[threadIdx.x] = x[i];
  if (threadIdx.x == 0) s[256] = x[0];
  __syncthreads();
  y[i] = s[threadIdx.x] * s[threadIdx.x + 1];
}
__global__ void padded_rows(const float* x, float* y) {
  __shared__ float s[16][18];
  I;
  s[threadIdx.x >> 4][threadIdx.x & 15] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x & 15][0] * s[threadIdx.x & 15][1];
}
__global__ void add_half2_unread(const float* x, __half2* z) {
  I;
  atomicAdd(&z[i / 2], __floats2half2_rn(x[i], 1));
}
__global__ void add_half2_read(const float* x, __half2* z, float* y) {
  I;
  y[i] = __low2float(atomicAdd(&z[i / 2], __floats2half2_rn(x[i], 1)));
}
__global__ void add_float2_unread(const float* x, float2* z) {
  I;
  atomicAdd(&z[i / 2], make_float2(x[i], 1));
}
__global__ void add_float2_read(const float* x, float2* z, float* y) {
  I;
  y[i] = atomicAdd(&z[i / 2], make_float2(x[i], 1)).y;
}
__global__ void add_float4_unread(const float* x, float4* z) {
  I;
  atomicAdd(&z[i / 2], make_float4(x[i], 1, 2, 3));
}
__global__ void add_float4_read(const float* x, float4* z, float* y) {
  I;
  y[i] = atomicAdd(&z[i / 2], make_float4(x[i], 1, 2, 3)).z;
}
__global__ void add_members(const float* x, float2* z) {
  I;
  atomicAdd(&z[i / 2].x, x[i]);
  atomicAdd(&z[i / 2].y, x[i]);
}

int main() {
  const int n = 1 << 16;
  float *x = filled<float>(n), *y = zeroed<float>(n), *z = zeroed<float>(n);
  int* yi = zeroed<int>(n);
  const auto *x2 = reinterpret_cast<float2*>(x), *x2b = x2;
  const auto* x4 = reinterpret_cast<float4*>(x);
  RUN(sum_of_float2, 16, 256, x2, y);
  RUN(on_two_lines, 16, 256, x2, y);
  RUN(three_of_float4, 16, 256, x4, y);
  RUN(ends_of_float4, 16, 256, x4, y);
  RUN(middle_of_float4, 16, 256, x4, y);
  RUN(last_of_float4, 16, 256, x4, y);
  RUN(all_of_uchar4, 16, 256, reinterpret_cast<uchar4*>(x), yi);
  RUN(three_of_uchar4, 16, 256, reinterpret_cast<uchar4*>(x), yi);
  RUN(both_of_short2, 16, 256, reinterpret_cast<short2*>(x), yi);
  RUN(both_of_aligned, 16, 256, reinterpret_cast<two_ints*>(x), yi);
  RUN(behind_a_double, 16, 256, reinterpret_cast<timed*>(x), yi);
  RUN(both_of_double2, 16, 256, reinterpret_cast<double2*>(x), reinterpret_cast<double*>(y));
  RUN(points, 16, 256, reinterpret_cast<point*>(x), y);
  RUN(put_float2, 16, 256, x, reinterpret_cast<float2*>(y));
  RUN(put_three_of_float4, 16, 256, x, reinterpret_cast<float4*>(y));
  RUN(put_backwards, 16, 256, x, reinterpret_cast<float4*>(y));
  RUN(member_by_member, 16, 256, x2b, reinterpret_cast<float2*>(y));
  RUN(member_by_member_restrict, 16, 256, x2b, reinterpret_cast<float2*>(y));
  RUN(in_place, 16, 256, reinterpret_cast<float2*>(y));
  RUN(one_below_a_condition, 16, 256, x2, y);
  RUN(in_a_loop, 16, 256, x2, y, 5);
  RUN(float2_in_shared, 16, 256, x2, y);
  RUN(neighbours_in_shared, 16, 256, x, y);
  RUN(four_in_shared, 16, 256, x, y);
  RUN(neighbours_by_any_index, 16, 256, x, y);
  RUN(padded_rows, 16, 256, x, y);
  RUN(add_half2_unread, 16, 256, x, reinterpret_cast<__half2*>(z));
  RUN(add_half2_read, 16, 256, x, reinterpret_cast<__half2*>(z), y);
  RUN(add_float2_unread, 16, 256, x, reinterpret_cast<float2*>(z));
  RUN(add_float2_read, 16, 256, x, reinterpret_cast<float2*>(z), y);
  RUN(add_float4_unread, 16, 256, x, reinterpret_cast<float4*>(z));
  RUN(add_float4_read, 16, 256, x, reinterpret_cast<float4*>(z), y);
  RUN(add_members, 16, 256, x, reinterpret_cast<float2*>(z));
  return 0;
}
