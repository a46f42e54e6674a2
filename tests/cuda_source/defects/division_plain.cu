// SPDX-License-Identifier: Apache-2.0
// A plain run in which one thread of a vectorised loop divides by zero: the run is repeated thread by thread, and names it.
// code: 4
// says: division-by-zero
// says: division_plain.cu:11
// says: thread \(9,0,0\)
// says: block \(2,0,0\)
#include <cstdio>
#include <cuda_runtime.h>
__global__ void divide(int* x, const int* by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1000 / by[blockIdx.x * blockDim.x + threadIdx.x];
}
int main() {
  int *x, *by, host[128];
  for (int i = 0; i < 128; ++i) host[i] = i != 2 * 32 + 9;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&by, sizeof host);
  cudaMemcpy(by, host, sizeof host, cudaMemcpyHostToDevice);
  divide<<<4, 32>>>(x, by);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(by);
}
