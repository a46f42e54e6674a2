// SPDX-License-Identifier: Apache-2.0
// Atomic updates of global and shared memory, with and without a use of the old value.
#include "check.hpp"

__global__ void histogram_global(const int* samples, int* bins, int count) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[samples[i] % 150], 1);
}
__global__ void histogram_wide(const int* samples, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[samples[i]], 1);
}
__global__ void histogram_shared(const int* samples, int* bins) {
  __shared__ int own[1024];
#pragma unroll 1
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) own[k] = 0;
  __syncthreads();
  atomicAdd(&own[samples[blockIdx.x * blockDim.x + threadIdx.x]], 1);
  __syncthreads();
#pragma unroll 1
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) atomicAdd(&bins[k], own[k]);
}
__global__ void add_neighbours(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&x[i], 3);
}
__global__ void add_floats(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&y[i / 2], x[i]);
}
__global__ void max_stride_2(const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(&y[2 * i], x[i]);
}
__global__ void add_and_keep(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = atomicAdd(&x[i], 5);
}
__global__ void exchange_stride_4(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = atomicExch(&x[4 * i], i);
}
__global__ void swap_where_even(int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = atomicCAS(&x[i], i & ~1, 7);
}
__global__ void shared_max_neighbours(const int* x, int* y) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicMax(&s[threadIdx.x], x[i]);
  __syncthreads();
  y[i] = s[threadIdx.x];
}
__global__ void shared_max_stride_2(const int* x, int* y) {
  __shared__ int s[512];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[2 * threadIdx.x] = 0;
  __syncthreads();
  atomicMax(&s[2 * threadIdx.x], x[i]);
  __syncthreads();
  y[i] = s[2 * threadIdx.x];
}
__global__ void shared_max_pairs(const int* x, int* y) {
  __shared__ int s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicMax(&s[threadIdx.x / 2], x[i]);
  __syncthreads();
  y[i] = s[threadIdx.x];
}

int main() {
  const int n = 65536;
  int* samples = filled<int>(n);
  int* x = zeroed<int>(4 * n);
  int* y = zeroed<int>(4 * n);
  float* f = filled<float>(n);
  float* g = zeroed<float>(n);
  RUN(histogram_global, 64, 256, samples, x, n);
  RUN(histogram_wide, n / 256, 256, samples, x);
  RUN(histogram_shared, n / 256, 256, samples, x);
  RUN(add_neighbours, 64, 256, x);
  RUN(add_floats, 64, 256, f, g);
  RUN(max_stride_2, 64, 256, samples, x);
  RUN(add_and_keep, 64, 256, x, y);
  RUN(exchange_stride_4, 64, 256, x, y);
  RUN(swap_where_even, 64, 256, x, y);
  RUN(shared_max_neighbours, 64, 256, samples, y);
  RUN(shared_max_stride_2, 64, 256, samples, y);
  RUN(shared_max_pairs, 64, 256, samples, y);
  LOOK(cudaFree(samples));
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  LOOK(cudaFree(f));
  LOOK(cudaFree(g));
  return 0;
}
