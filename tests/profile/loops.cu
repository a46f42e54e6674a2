// SPDX-License-Identifier: Apache-2.0
// Kernels whose pieces between barriers run as loops of which the counters are told in front: guards, conditions,
// loops that lanes leave at different times, blocks of one to three dimensions, warps. both_ways.py counts them as
// loops and on fibers.
#include "check.hpp"

constexpr int kThreads = 256, kBlocks = 6, kMany = kThreads * kBlocks;

__global__ void guard(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

__global__ void inner_elements(const float* x, float* y, int n) {
  __shared__ float s[kThreads + 2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x + 1] = i < n ? x[i] : 0.0F;
  if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0.0F;
  if (threadIdx.x == blockDim.x - 1) s[kThreads + 1] = i + 1 < n ? x[i + 1] : 0.0F;
  __syncthreads();
  if (i > 0 && i < n - 1) y[i] = s[threadIdx.x] + s[threadIdx.x + 2] - 2 * s[threadIdx.x + 1];
}

__global__ void interleaved(const int* x, int* sums) {
  __shared__ int s[kThreads];
  s[threadIdx.x] = x[blockIdx.x * kThreads + threadIdx.x];
  for (int step = 1; step < kThreads; step *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * step) == 0) s[threadIdx.x] += s[threadIdx.x + step];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

__global__ void halves(const int* x, int* sums) {
  __shared__ int s[kThreads];
  s[threadIdx.x] = x[blockIdx.x * kThreads + threadIdx.x];
  for (int step = kThreads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

__global__ void turns_by_lane(const float* x, float* y) {  // lanes with fewer turns wait for the others
  __shared__ float s[kThreads];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (unsigned k = threadIdx.x; k < 600; k += kThreads) sum += s[k % kThreads] + x[k];
  y[blockIdx.x * kThreads + threadIdx.x] = sum;
}

__global__ void two_loops(const double* x, double* y) {
  __shared__ double s[16][17];
  s[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  double sum = 0;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) sum += s[i][j] * s[j][threadIdx.x];
  y[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = sum;
}

__global__ void tile(const float* a, const float* b, float* c, int n) {
  __shared__ float at[16][16], bt[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    at[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    bt[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += at[threadIdx.y][k] * bt[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void planes(const int* x, int* y) {
  __shared__ int s[4][5][9];
  s[threadIdx.z][threadIdx.y][threadIdx.x] = x[(threadIdx.z * 5 + threadIdx.y) * 9 + threadIdx.x];
  __syncthreads();
  y[(threadIdx.x * 5 + threadIdx.y) * 4 + threadIdx.z] = s[threadIdx.z][4 - threadIdx.y][8 - threadIdx.x];
}

__global__ void both_sides(const int* x, int* y) {
  __shared__ int s[kThreads];
  const unsigned i = threadIdx.x;
  if (i < 100)
    s[i] = x[2 * i];
  else
    s[kThreads + 99 - i] = x[i] + x[i / 32];
  __syncthreads();
  y[blockIdx.x * kThreads + i] = s[i] + s[(i + 37) % kThreads];
}

__global__ void leaves_early(const int* x, int* y, int n) {
  __shared__ int s[kThreads];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  s[threadIdx.x] = 0;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x];
}

__global__ void by_warp(const int* x, int* y) {
  int sum = x[blockIdx.x * kThreads + threadIdx.x];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0U, sum, k);
  __shared__ int s[kThreads / 32];
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < kThreads / 32) y[blockIdx.x * (kThreads / 32) + threadIdx.x] = s[threadIdx.x];
}

__global__ void data_decide(const int* x, int* y) {
  __shared__ int s[kThreads];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (s[threadIdx.x] % 3 == 0) y[blockIdx.x * kThreads + threadIdx.x] = s[kThreads - 1 - threadIdx.x];
}

__global__ void updates(const int* x, int* bins) {
  __shared__ int s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[x[threadIdx.x] % 32], 1);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

__global__ void vectors(const float4* x, float2* y) {
  __shared__ float4 s[64];
  s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  const float4 mine = s[63 - threadIdx.x];
  y[blockIdx.x * 64 + threadIdx.x] = make_float2(mine.x + mine.y, mine.z + mine.w);
}

int main() {
  int *x = filled<int>(kMany), *y = zeroed<int>(kMany);
  float *f = filled<float>(kMany * 4), *g = zeroed<float>(kMany * 4);
  double *d = filled<double>(kMany), *e = zeroed<double>(kMany);
  guard<<<kBlocks, kThreads>>>(f, g, kMany - 77);
  inner_elements<<<kBlocks, kThreads>>>(f, g, kMany - 77);
  interleaved<<<kBlocks, kThreads>>>(x, y);
  halves<<<kBlocks, kThreads>>>(x, y);
  turns_by_lane<<<kBlocks, kThreads>>>(f, g);
  two_loops<<<kBlocks, dim3(16, 16)>>>(d, e);
  tile<<<dim3(4, 4), dim3(16, 16)>>>(f, f, g, 64);
  planes<<<2, dim3(9, 5, 4)>>>(x, y);
  both_sides<<<kBlocks, kThreads>>>(x, y);
  leaves_early<<<kBlocks, kThreads>>>(x, y, kMany - 77);
  by_warp<<<kBlocks, kThreads>>>(x, y);
  data_decide<<<kBlocks, kThreads>>>(x, y);
  updates<<<kBlocks, kThreads>>>(x, y);
  vectors<<<kBlocks, 64>>>(reinterpret_cast<float4*>(f), reinterpret_cast<float2*>(g));
  LOOK(cudaDeviceSynchronize());
}
