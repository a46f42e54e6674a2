// SPDX-License-Identifier: Apache-2.0
// The clean twin of results_not_fetched: the copy is there, and no note between the launches and the last line.
// options: --check all
// code: 0
// says: add, grid 1, block 64.[^ ]*results_fetched.cu: no findings
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void add(const int* a, int* sum) { sum[threadIdx.x] = a[threadIdx.x] + 1; }
int main() {
  int *a, *sum, host[64] = {};
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&sum, sizeof host);
  fill<<<1, 64>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  add<<<1, 64>>>(a, sum);
  cudaMemcpy(host, sum, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[63]);
  cudaFree(a);
  cudaFree(sum);
}
