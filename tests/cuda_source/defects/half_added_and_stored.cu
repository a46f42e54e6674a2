// SPDX-License-Identifier: Apache-2.0
// An atomic addition of a half is one operation with a place of its own.
// options: --check races
// code: 3
// says: half_added_and_stored.cu:12
// says: half_added_and_stored.cu:14
// says: updated atomically
#include <cuda_fp16.h>
#include <cuda_runtime.h>
__global__ void sum(__half* x) {
  if (threadIdx.x < 16)
    atomicAdd(x, __float2half(1.0f));
  else if (threadIdx.x == 16)
    *x = __float2half(2.0f);
}
int main() {
  __half* x;
  cudaMalloc(&x, sizeof(__half));
  cudaMemset(x, 0, sizeof(__half));
  sum<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
