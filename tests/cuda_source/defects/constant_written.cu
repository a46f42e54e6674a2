// SPDX-License-Identifier: Apache-2.0
// A kernel writes to constant memory, behind a pointer. What the host does to it between launches is right.
// options: --check memory
// code: 4
// says: constant-write
// says: weights.5.
// says: thread \(5,0,0\)
// says: constant_written.cu:13
#include <cuda_runtime.h>
__constant__ float weights[9];
__device__ float plain[9];
__global__ void scale(float* w, float by) {
  if (threadIdx.x >= 5) w[threadIdx.x] = weights[threadIdx.x] * by;
}
int main() {
  const float host[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  float* at;
  cudaMemcpyToSymbol(weights, host, sizeof host);
  cudaGetSymbolAddress(reinterpret_cast<void**>(&at), plain);
  scale<<<1, 9>>>(at, 2.0f);  // reads the constant
  cudaDeviceSynchronize();
  cudaMemcpyToSymbol(weights, host, sizeof host);
  cudaGetSymbolAddress(reinterpret_cast<void**>(&at), weights);
  scale<<<1, 9>>>(at, 2.0f);
  cudaDeviceSynchronize();
}
