// SPDX-License-Identifier: Apache-2.0
// Shared memory: tiles with and without padding, strides, widths, words that lanes share.
#include "check.hpp"

constexpr int kSide = 256;

__global__ void transpose_plain(const float* x, float* y) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  y[column * kSide + row] = x[row * kSide + column];
}
__global__ void transpose_unpadded(const float* x, float* y) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 32 + threadIdx.y) * kSide + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  y[(blockIdx.x * 32 + threadIdx.y) * kSide + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_padded(const float* x, float* y) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 32 + threadIdx.y) * kSide + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  y[(blockIdx.x * 32 + threadIdx.y) * kSide + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
template <int Stride>
__device__ void through_shared(const float* x, float* y) {
  __shared__ float s[256 * Stride];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x * Stride] = x[i];
  __syncthreads();
  y[i] = s[(threadIdx.x ^ 1) * Stride];
}
__global__ void shared_stride_1(const float* x, float* y) { through_shared<1>(x, y); }
__global__ void shared_stride_2(const float* x, float* y) { through_shared<2>(x, y); }
__global__ void shared_stride_3(const float* x, float* y) { through_shared<3>(x, y); }
__global__ void shared_stride_8(const float* x, float* y) { through_shared<8>(x, y); }
__global__ void shared_broadcast(const float* x, float* y) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[(threadIdx.x & ~31) + (blockIdx.x & 31)];
}
__global__ void shared_two_words_a_bank(const float* x, float* y) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[(threadIdx.x & 1) * 32 + blockIdx.x % 32];
}
__global__ void shared_by_table(const int* table, const float* x, float* y) {
  __shared__ float s[1024];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 1024; k += 256) s[k] = x[k];
  __syncthreads();
  y[i] = s[table[i]];
}
__global__ void shared_doubles(const double* x, double* y) {
  __shared__ double s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[255 - threadIdx.x];
}
__global__ void shared_doubles_stride_2(const double* x, double* y) {
  __shared__ double s[512];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[2 * threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[510 - 2 * threadIdx.x];
}
__global__ void shared_doubles_same(const double* x, double* y) {
  __shared__ double s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x / 32 * 32];
}
__global__ void shared_float4(const float4* x, float4* y) {
  __shared__ float4 s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[255 - threadIdx.x];
}
__global__ void shared_bytes(const unsigned char* x, unsigned char* y) {
  __shared__ unsigned char s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[255 - threadIdx.x];
}
__global__ void reduce_tree(const float* x, float* y) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
__global__ void reduce_interleaved(const float* x, float* y) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int step = 1; step < 256; step *= 2) {
    const int at = 2 * step * threadIdx.x;
    if (at < 256) s[at] += s[at + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
__global__ void matmul_tiled(const float* a, const float* b, float* c) {
  __shared__ float left[16][16], right[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int tile = 0; tile < kSide; tile += 16) {
    left[threadIdx.y][threadIdx.x] = a[row * kSide + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * kSide + column];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 16; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * kSide + column] = sum;
}

int main() {
  const int n = kSide * kSide;
  float* x = filled<float>(4 * n);
  float* y = zeroed<float>(4 * n);
  int* table = filled<int>(n);
  const dim3 tiles(kSide / 32, kSide / 32), tile(32, 32);
  RUN(transpose_plain, tiles, tile, x, y);
  RUN(transpose_unpadded, tiles, tile, x, y);
  RUN(transpose_padded, tiles, tile, x, y);
  RUN(shared_stride_1, 64, 256, x, y);
  RUN(shared_stride_2, 64, 256, x, y);
  RUN(shared_stride_3, 64, 256, x, y);
  RUN(shared_stride_8, 64, 256, x, y);
  RUN(shared_broadcast, 64, 256, x, y);
  RUN(shared_two_words_a_bank, 64, 256, x, y);
  RUN(shared_by_table, 64, 256, table, x, y);
  RUN(shared_doubles, 64, 256, reinterpret_cast<double*>(x), reinterpret_cast<double*>(y));
  RUN(shared_doubles_stride_2, 64, 256, reinterpret_cast<double*>(x), reinterpret_cast<double*>(y));
  RUN(shared_doubles_same, 64, 256, reinterpret_cast<double*>(x), reinterpret_cast<double*>(y));
  RUN(shared_float4, 64, 256, reinterpret_cast<float4*>(x), reinterpret_cast<float4*>(y));
  RUN(shared_bytes, 64, 256, reinterpret_cast<unsigned char*>(x), reinterpret_cast<unsigned char*>(y));
  RUN(reduce_tree, 64, 256, x, y);
  RUN(reduce_interleaved, 64, 256, x, y);
  RUN(matmul_tiled, dim3(kSide / 16, kSide / 16), dim3(16, 16), x, x, y);
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  LOOK(cudaFree(table));
  return 0;
}
