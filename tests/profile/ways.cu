// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that go different ways: branches, loops of different lengths, early ends, odd sizes of blocks.
#include "check.hpp"

__global__ void lower_half(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 < 16) y[i] = x[i];
}
__global__ void every_other(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 == 0) y[i] = x[i];
}
__global__ void two_sides(const float* x, float* y, float* z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 4 == 0)
    y[i] = x[i] * 2;
  else
    z[2 * i] = x[i + 64];
}
__global__ void nested_sides(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 4 < 2) {
    y[i] = x[i];
    if (threadIdx.x % 4 == 0) y[i + 100000] = x[3 * i];
    y[i + 200000] = x[2 * i];
  }
}
__global__ void lengths_by_lane(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < static_cast<int>(threadIdx.x % 8); ++k) sum += x[i + k * 1024];
  y[i] = sum;
}
__global__ void lengths_from_memory(const int* lengths, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = lengths[i] % 5;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < count; ++k) sum += x[i + k * 1024];
  y[i] = sum;
}
__global__ void loop_in_loop(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < 3; ++k) {
    float sum = 0;
#pragma unroll 1
    for (int m = 0; m <= static_cast<int>((threadIdx.x + k) % 3); ++m) sum += x[i + m * 512];
    y[i + k * 65536] = sum;
  }
}
__global__ void rounds_with_a_branch(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < 4; ++k) {
    const float v = x[i + k * 1024];
    if ((threadIdx.x + k) % 2 == 0) y[i + k * 1024] = v;
  }
}
__global__ void turns_without_a_common_access(float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < 4; ++k)
    if (static_cast<int>(threadIdx.x % 4) == k) y[4 * i] = static_cast<float>(k);
}
__global__ void ends_early(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0) return;
  y[i] = x[i];
}
__global__ void odd_block(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
__global__ void grid_stride(const float* x, float* y, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + 1;
}
__global__ void small_rows(const float* x, float* y) {
  const int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  y[row * 256 + column] = x[row * 256 + column];
}

int main() {
  const int n = 16384;
  float* x = filled<float>(40 * n);
  float* y = zeroed<float>(40 * n);
  float* z = zeroed<float>(4 * n);
  int* lengths = filled<int>(n);
  RUN(lower_half, 64, 256, x, y);
  RUN(every_other, 64, 256, x, y);
  RUN(two_sides, 64, 256, x, y, z);
  RUN(nested_sides, 64, 256, x, y);
  RUN(lengths_by_lane, 64, 256, x, y);
  RUN(lengths_from_memory, 64, 256, lengths, x, y);
  RUN(loop_in_loop, 64, 256, x, y);
  RUN(rounds_with_a_branch, 64, 256, x, y);
  RUN(turns_without_a_common_access, 64, 256, y);
  RUN(ends_early, 64, 256, x, y);
  RUN(odd_block, 64, 100, x, y);
  RUN(grid_stride, 16, 128, x, y, 10000);
  RUN(small_rows, dim3(32, 32), dim3(8, 8), x, y);
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  LOOK(cudaFree(z));
  LOOK(cudaFree(lengths));
  return 0;
}
