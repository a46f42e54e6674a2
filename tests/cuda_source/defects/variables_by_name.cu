// SPDX-License-Identifier: Apache-2.0
// The host sets a constant by assignment, and reads a counter by its name: both are variables of its own on a GPU.
// options: --check all
// code: 3
// says: the host reads the device variable 'count' by its name.*copy its value out with cudaMemcpyFromSymbol
// says: the host writes the device variable 'scale' by its name.*copy the value to it with cudaMemcpyToSymbol
#include <cstdio>
#include <cuda_runtime.h>
__constant__ float scale;
__device__ int count;
__global__ void multiply(float* a) {
  a[threadIdx.x] = scale;
  atomicAdd(&count, 1);
}
int main() {
  scale = 3.f;
  float *a, host[32];
  cudaMalloc(&a, sizeof host);
  multiply<<<1, 32>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g %d\n", host[0], count);
  cudaFree(a);
}
