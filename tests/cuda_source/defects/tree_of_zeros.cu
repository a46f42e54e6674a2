// SPDX-License-Identifier: Apache-2.0
// A read that a later write races with is an error, though the write stores what was there: here all numbers are 0.
// options: --check races
// code: 3
// says: error.race-shared.: write and read of s
// says: tree_of_zeros.cu:14 in sum
// says: tree_of_zeros.cu: 1 error;
#include <cuda_runtime.h>
__global__ void sum(const int* x, int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2)
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  if (threadIdx.x == 0) *out = s[0];
}
int main() {
  int *x, *out;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  sum<<<1, 64>>>(x, out);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
