// SPDX-License-Identifier: Apache-2.0
// Structures that functions take and return by value: the host's compiler passes them as numbers and vectors, nvcc as
// their members. Arrays of odd structures in shared memory. Compare-and-swaps there, and pairs of halves.
#include <cuda_fp16.h>

#include "check.hpp"

struct complex_number {
  float re, im;
};
struct point {
  float x, y, z;
};
struct five_floats {
  float a, b, c, d, e;
};
struct measured {
  double value;
  int count, flags;
};

__device__ complex_number product(complex_number a, complex_number b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ point shifted(point p, float by) { return {p.x + by, p.y + by, p.z + by}; }
__device__ __noinline__ complex_number square(complex_number a) { return {a.re * a.re - a.im * a.im, 2 * a.re * a.im}; }
__device__ float length(complex_number a) { return a.re * a.re + a.im * a.im; }
__device__ five_floats spread(float v) { return {v, v + 1, v + 2, v + 3, v + 4}; }
__device__ measured one_more(measured m) { return {m.value + 1, m.count + 1, m.flags}; }

__global__ void products(const complex_number* x, complex_number* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = product(x[i], x[i + 4096]);
}
__global__ void lengths(const complex_number* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = length(x[i]);
}
__global__ void squares(const complex_number* x, complex_number* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = square(x[i]);
}
__global__ void shift_points(const point* x, point* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = shifted(x[i], 2);
}
__global__ void make_float3s(const float* x, float3* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = make_float3(x[i], x[i + 4096], x[i + 8192]);
}
__global__ void spread_out(const float* x, five_floats* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = spread(x[i]);
}
__global__ void count_on(const measured* x, measured* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = one_more(x[i]);
}
__global__ void complex_in_shared(const complex_number* x, complex_number* y) {
  __shared__ complex_number s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = product(s[threadIdx.x], s[threadIdx.x ^ 5]);
}
__global__ void points_by_rows(const point* x, float* y) {
  __shared__ point s[8][16];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x & 7][(blockIdx.x * 4) & 15] = x[i];
  __syncthreads();
  const point p = s[(threadIdx.x * 5) & 7][(blockIdx.x * 4) & 15];
  y[i] = p.x + p.y * p.z;
}
__global__ void one_point_for_all(const point* x, float* y) {
  __shared__ point s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  const point p = s[(blockIdx.x * 4) & 255];
  y[i] = p.x + p.y * p.z;
}
__global__ void swap_in_shared(const int* x, int* y) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = threadIdx.x & 1;
  __syncthreads();
  y[i] = atomicCAS(&s[threadIdx.x ^ 3], 1, x[i]);
}
__global__ void swap_one_of_four(const int* x, int* y) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = threadIdx.x & 1;
  __syncthreads();
  y[i] = atomicCAS(&s[threadIdx.x * 4 & 255], 1, x[i]);
}
__global__ void swap_the_same(const int* x, int* y) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = threadIdx.x & 1;
  __syncthreads();
  y[i] = atomicCAS(&s[threadIdx.x / 4], 1, x[i]);
}
__global__ void swap_wide(const int* x, int* y) {
  __shared__ unsigned long long s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = threadIdx.x & 1;
  __syncthreads();
  y[i] = static_cast<int>(atomicCAS(&s[threadIdx.x * 2 & 255], 1ull, static_cast<unsigned long long>(x[i])));
}
__global__ void exchange_wide(const int* x, int* y) {
  __shared__ unsigned long long s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = threadIdx.x & 1;
  __syncthreads();
  y[i] = static_cast<int>(atomicExch(&s[threadIdx.x * 2 & 255], static_cast<unsigned long long>(x[i])));
}
__global__ void add_half2(const float* x, __half2* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&y[i / 2], __floats2half2_rn(x[i], x[i] + 1));
}
__global__ void read_before_leaving(const int* x, int* y) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  const int other = s[threadIdx.x * 2 & 255];
  if ((x[i] & 1) != 0) return;
  y[i] = other;
}

int main() {
  const int n = 1 << 16;
  float *x = filled<float>(n), *y = zeroed<float>(n);
  int *xi = filled<int>(n), *yi = zeroed<int>(n);
  const auto* c = reinterpret_cast<const complex_number*>(x);
  auto* to = reinterpret_cast<complex_number*>(y);
  const auto* p = reinterpret_cast<const point*>(x);
  RUN(products, 16, 256, c, to);
  RUN(lengths, 16, 256, c, y);
  RUN(squares, 16, 256, c, to);
  RUN(shift_points, 16, 256, p, reinterpret_cast<point*>(y));
  RUN(make_float3s, 16, 256, x, reinterpret_cast<float3*>(y));
  RUN(spread_out, 16, 256, x, reinterpret_cast<five_floats*>(y));
  RUN(count_on, 16, 256, reinterpret_cast<const measured*>(x), reinterpret_cast<measured*>(y));
  RUN(complex_in_shared, 16, 256, c, to);
  RUN(points_by_rows, 16, 256, p, y);
  RUN(one_point_for_all, 16, 256, p, y);
  RUN(swap_in_shared, 16, 256, xi, yi);
  RUN(swap_one_of_four, 16, 256, xi, yi);
  RUN(swap_the_same, 16, 256, xi, yi);
  RUN(swap_wide, 16, 256, xi, yi);
  RUN(exchange_wide, 16, 256, xi, yi);
  RUN(add_half2, 16, 256, x, reinterpret_cast<__half2*>(y));
  RUN(read_before_leaving, 16, 256, xi, yi);
  return 0;
}
