// SPDX-License-Identifier: Apache-2.0
// One known defect in each kernel; the argument says which one runs. known_output.py reads what is said of it.
#include <cstring>

#include "check.hpp"

struct particle {
  float x, y, z;
};

__global__ void every_second(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[2 * i];
}

__global__ void chunks(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[i * 16 + k];
  y[i] = sum;
}

__global__ void members(const particle* p, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = p[i].x;
}

__global__ void few_counters(const float* x, float* n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&n[i * 7 % 3], x[i]);
}

__global__ void few_shared_counters(const float* x, float* n) {
  __shared__ float c[4];
  if (threadIdx.x < 4) c[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&c[threadIdx.x * 7 % 3], x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 4) n[threadIdx.x] = c[threadIdx.x];
}

__global__ void partial_warps(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] + 1;
}

__global__ void one_thread(const float* x, float* y) {
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int k = 0; k < 256; ++k) sum += x[blockIdx.x * 256 + k];
    y[blockIdx.x] = sum;
  }
}

__global__ void doubles(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 2.5 + 1.1;
}

__global__ void floats(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 2.5f + 1.1f;
}

__global__ void large_tile(const float* x, float* y) {
  __shared__ float tile[12000];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = tile[threadIdx.x ^ 1];
}

__global__ void small_tile(const float* x, float* y) {
  __shared__ float tile[3000];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = tile[threadIdx.x ^ 1];
}

__global__ void array_by_number(const float* x, const int* at, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[16] = {};
#pragma unroll 1
  for (int k = 0; k < 16; ++k) own[at[i + k * 128] & 15] += x[i + k * 1024];
  y[i] = own[at[i] & 15];
}

__global__ void array_unrolled(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[16], sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) own[k] = x[i + k * 1024];
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += own[k] * own[15 - k];
  y[i] = sum;
}

int main(int argc, char** argv) {
  float *x = filled<float>(1 << 16), *y = zeroed<float>(1 << 12);
  const auto is = [&](const char* name) { return argc > 1 && std::strcmp(argv[1], name) == 0; };
  if (is("every_second")) RUN(every_second, 16, 256, x, y);
  if (is("chunks")) RUN(chunks, 16, 256, x, y);
  if (is("members")) RUN(members, 16, 256, reinterpret_cast<particle*>(x), y);
  if (is("few_counters")) RUN(few_counters, 16, 256, x, y);
  if (is("few_shared_counters")) RUN(few_shared_counters, 1, 256, x, y);
  if (is("partial_warps")) RUN(partial_warps, 64, 16, x, y);
  if (is("one_thread")) RUN(one_thread, 16, 32, x, y);
  if (is("doubles")) RUN(doubles, 16, 256, x, y);
  if (is("large_tile")) RUN(large_tile, 16, 128, x, y);
  if (is("small_tile")) RUN(small_tile, 16, 128, x, y);
  if (is("small_blocks")) RUN(floats, 64, 32, x, y);
  if (is("array_by_number")) RUN(array_by_number, 8, 128, x, filled<int>(1 << 12), y);
  if (is("array_unrolled")) RUN(array_unrolled, 8, 128, x, y);
  if (is("floats")) RUN(floats, 16, 256, x, y);
  return 0;
}
