// SPDX-License-Identifier: Apache-2.0
// Shared arrays of bytes, doubles and structures, rows of odd lengths, the dynamic part, updates that meet.
#include "check.hpp"

struct point {
  float x, y, z;
};
struct pair {
  double first;
  int second, third;
};

__global__ void shared_bytes(const int* x, int* y) {
  __shared__ unsigned char s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t * 4] = static_cast<unsigned char>(x[i]);
  __syncthreads();
  y[i] = s[(255 - t) * 4];
}
__global__ void shared_bytes_in_a_row(const int* x, int* y) {
  __shared__ unsigned char s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = static_cast<unsigned char>(x[i]);
  __syncthreads();
  y[i] = s[t ^ 1];
}
__global__ void shared_shorts_stride_33(const int* x, int* y) {
  extern __shared__ short own[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  own[t * 33] = static_cast<short>(x[i]);
  __syncthreads();
  y[i] = own[((t + 1) & 127) * 33];
}
__global__ void shared_doubles_stride_3(const double* x, double* y) {
  __shared__ double s[768];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t * 3] = x[i];
  __syncthreads();
  y[i] = s[(255 - t) * 3];
}
__global__ void shared_doubles_stride_4(const double* x, double* y) {
  __shared__ double s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t * 4] = x[i];
  __syncthreads();
  y[i] = s[(255 - t) * 4];
}
__global__ void shared_points(const float* x, float* y) {
  __shared__ point s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t].y = x[i];
  __syncthreads();
  y[i] = s[255 - t].y;
}
__global__ void shared_pairs(const double* x, double* y) {
  __shared__ pair s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t].first = x[i];
  s[t].third = i;
  __syncthreads();
  y[i] = s[255 - t].first + s[t ^ 3].third;
}
__global__ void shared_rows_of_17(const float* x, float* y) {
  __shared__ float s[16][17];
  const int i = (blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x;
  s[threadIdx.y][threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x][threadIdx.y];
}
__global__ void shared_rows_of_24(const float* x, float* y) {
  __shared__ float s[16][24];
  const int i = (blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x;
  s[threadIdx.y][threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x][threadIdx.y];
}
__global__ void shared_by_index(const int* index, float* y) {
  __shared__ float s[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
#pragma unroll 1
  for (int k = t; k < 1024; k += 256) s[k] = static_cast<float>(k);
  __syncthreads();
  y[i] = s[index[i]];
}
__global__ void shared_updates_that_meet(const int* index, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 64) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[index[i] & 63], 3);
  __syncthreads();
  if (t < 64) y[blockIdx.x * 64 + t] = s[t];
}
__global__ void shared_counts_that_meet(const int* index, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 64) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[index[i] & 63], 1);
  __syncthreads();
  if (t < 64) y[blockIdx.x * 64 + t] = s[t];
}
__global__ void shared_places_that_meet(const int* index, int* y) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 64) s[t] = 0;
  __syncthreads();
  y[i] = atomicAdd(&s[index[i] & 63], 1);
}
__global__ void shuffles_between(const float* x, float* y) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = x[2 * i];
  v += __shfl_xor_sync(~0u, v, 1);
  if (t % 2 == 0) v += x[3 * i];
  v += __shfl_xor_sync(~0u, v, 2);
  if (t % 4 == 0) y[i / 4] = v;
}
__global__ void sum_of_warps(const float* x, float* y) {
  __shared__ float of_warp[8];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = x[i];
#pragma unroll
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);
  if (t % 32 == 0) of_warp[t / 32] = v;
  __syncthreads();
  if (t < 8) {
    v = of_warp[t];
#pragma unroll
    for (int k = 4; k > 0; k /= 2) v += __shfl_down_sync(0xffu, v, k);
    if (t == 0) y[blockIdx.x] = v;
  }
}

int main() {
  const int n = 16384;
  int* index = filled<int>(n);
  float* x = filled<float>(4 * n);
  float* y = zeroed<float>(4 * n);
  double* u = filled<double>(n);
  double* v = zeroed<double>(n);
  RUN(shared_bytes, 64, 256, index, reinterpret_cast<int*>(y));
  RUN(shared_bytes_in_a_row, 64, 256, index, reinterpret_cast<int*>(y));
  shared_shorts_stride_33<<<128, 128, 128 * 33 * sizeof(short)>>>(index, reinterpret_cast<int*>(y));
  LOOK(cudaDeviceSynchronize());
  RUN(shared_doubles_stride_3, 64, 256, u, v);
  RUN(shared_doubles_stride_4, 64, 256, u, v);
  RUN(shared_points, 64, 256, x, y);
  RUN(shared_pairs, 64, 256, u, v);
  RUN(shared_rows_of_17, 64, dim3(16, 16), x, y);
  RUN(shared_rows_of_24, 64, dim3(16, 16), x, y);
  RUN(shared_by_index, 64, 256, index, y);
  RUN(shared_updates_that_meet, 64, 256, index, reinterpret_cast<int*>(y));
  RUN(shared_counts_that_meet, 64, 256, index, reinterpret_cast<int*>(y));
  RUN(shared_places_that_meet, 64, 256, index, reinterpret_cast<int*>(y));
  RUN(shuffles_between, 64, 256, x, y);
  RUN(sum_of_warps, 64, 256, x, y);
  LOOK(cudaFree(index));
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  LOOK(cudaFree(u));
  LOOK(cudaFree(v));
  return 0;
}
