// SPDX-License-Identifier: Apache-2.0
// A time limit of 300 years: once it ran over, and the kernel was taken for a hang at once.
// options: --detect-races --timeout 1e10
// code: 3
// says: error.race-global
#include <cstdio>

__global__ void add(int* x) {
  for (int i = 0; i < 200000; ++i) x[threadIdx.x + 1] += i;
  x[0] = threadIdx.x;
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 1000);
  cudaMemset(x, 0, 1000);
  add<<<1, 64>>>(x);
  const cudaError_t result = cudaDeviceSynchronize();
  cudaFree(x);
  return result == cudaSuccess ? 0 : 1;
}
