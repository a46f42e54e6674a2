// SPDX-License-Identifier: Apache-2.0
// CUDA source in a project: turns an array by kShift places through shared memory, without the barrier that it needs.
#include <cstdio>

#include "shift.hpp"

constexpr int kThreads = 64;

__global__ void turn(int* out) {
  __shared__ int s[kThreads];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[(threadIdx.x + kShift) % kThreads];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, kThreads * sizeof(int));
  turn<<<1, kThreads>>>(out);
  const cudaError_t result = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(result));
  cudaFree(out);
  return result == cudaSuccess ? 0 : 1;
}
