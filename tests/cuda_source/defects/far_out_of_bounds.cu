// SPDX-License-Identifier: Apache-2.0
// An index far outside meets no other array: it is out of bounds of the array that its pointer came from, and no race.
// options: --check all
// code: 3
// says: 1 error
// says: error.out-of-bounds.
// says: small.*100
// says: far_out_of_bounds.cu:13 in far
#include <cuda_runtime.h>

__global__ void far(float* small, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) small[i] = 1.0f;
}
__global__ void fill(float* large, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) large[i] = 2.0f;
}

int main() {
  float *before, *small, *large;
  cudaMalloc(&before, 1 << 20);
  cudaMalloc(&small, 100 * sizeof(float));
  cudaMalloc(&large, 1 << 20);
  fill<<<200, 256>>>(before, 51200);
  fill<<<200, 256>>>(large, 51200);
  far<<<50, 256>>>(small, 12800);
  cudaDeviceSynchronize();
  cudaFree(before);
  cudaFree(small);
  cudaFree(large);
  return 0;
}
