// SPDX-License-Identifier: Apache-2.0
// What nvcc's host compiler takes beyond C++: arrays whose length is a variable and that have initial values. Beside it
// names of the driver's profiler, copies to symbols by their defaults, a matrix that a warp transposes (movmatrix), and
// return types with && in their template arguments.
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <type_traits>

__device__ int factor;

template <class T>
__host__ __device__ typename std::enable_if<(sizeof(T) > 2) && (sizeof(T) < 16), T>::type same(const T& v) {
  return v;
}

__global__ void transpose(unsigned* out) {
  // Element (row, column) is 8 * row + column.
  const unsigned row = threadIdx.x / 4, column = threadIdx.x % 4 * 2;
  const unsigned mine = (8 * row + column) | (8 * row + column + 1) << 16;
  unsigned turned;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(mine));
  out[threadIdx.x] = turned * same(factor);
}

int main() {
  constexpr int kFixed = 3;
  auto rank = 2;
  int n = 4;
  const uint64_t wide = 100;
  uint64_t sizes[rank] = {wide, 7};
  unsigned box[rank - 1] = {5};
  int padded[n] = {1, 2};
  int fixed[kFixed] = {8, 9};
  if (n > 3) {
    int other[n + 1] = {3};
    std::printf("other: %d %d, %zu\n", other[0], other[4], sizeof other / sizeof(int));
  } else
    fixed[rank] = {1};
  std::printf("%d %d, %u, %d %d %d %d, %d\n", int(sizes[0]), int(sizes[1]), box[0], padded[0], padded[1], padded[2],
              padded[3], fixed[2]);

  cuProfilerStart();
  const int one = 1;
  cudaMemcpyToSymbolAsync(factor, &one, sizeof one);
  unsigned *d, result[32];
  cudaMalloc(&d, sizeof result);
  transpose<<<1, 32>>>(d);
  cudaMemcpy(result, d, sizeof result, cudaMemcpyDeviceToHost);
  int back = 0, wrong = 0;
  cudaMemcpyFromSymbolAsync(&back, factor, sizeof back);
  cudaDeviceSynchronize();
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned row = i / 4, column = i % 4 * 2;
    wrong += result[i] != ((8 * column + row) | (8 * (column + 1) + row) << 16);
  }
  std::printf("transposed: %d wrong, factor %d\n", wrong, back);
  cuProfilerStop();
  return cudaFree(d) != cudaSuccess;
}
