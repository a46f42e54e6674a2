// SPDX-License-Identifier: Apache-2.0
// The host's name of a __constant__ or __device__ variable is a shadow on the host: a copy to it by cudaMemcpy fails,
// and so does one from it. tests/cuda_source/shadows_of_variables.cu does the same through symbols.
// options: --check all
// code: 3
// says: error.unchecked-error.: cudaMemcpy failed, and nobody looked at its result
// says: names_of_the_device.cu:21 in main
// says: the destination is the host's shadow
// says: of 'table', not the variable on the device: use cudaMemcpyToSymbol
// says: 1 error
#include <cstdio>

__constant__ float table[4];
__device__ int count;

__global__ void scale(float* x) { x[threadIdx.x] = table[threadIdx.x] + count; }

int main() {
  float host[4] = {1, 2, 3, 4}, *x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<1, 4>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[3]);
  cudaFree(x);
}
