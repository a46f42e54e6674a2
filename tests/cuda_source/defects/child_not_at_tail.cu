// SPDX-License-Identifier: Apache-2.0
// A kernel that sums what its parent's blocks write has to be launched at the tail; here it may begin before.
// options: --check all
// code: 3
// says: race-global
// says: child_not_at_tail.cu:12 in total
// says: child_not_at_tail.cu:16 in parent
#include <cstdio>

__global__ void total(const int* x, int n, int* result) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = sum;
}
__global__ void parent(int* x, int n, int* result) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) total<<<1, 1>>>(x, n, result);
}

int main() {
  int *x, *result;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  parent<<<2, 64>>>(x, 128, result);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(result);
  return 0;
}
