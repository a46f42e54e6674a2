// SPDX-License-Identifier: Apache-2.0
// What the documents' commands call app.cu: a race in shared memory, and a block of 64 threads.
#include <cstdio>

__global__ void shift(int* x) {
  __shared__ int s[64];
  s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  x[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  int* x;
  cudaMalloc(&x, 2 * 64 * sizeof(int));
  cudaMemset(x, 0, 2 * 64 * sizeof(int));
  shift<<<2, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
