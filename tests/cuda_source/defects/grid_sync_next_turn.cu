// SPDX-License-Identifier: Apache-2.0
// Rounds with one barrier of the grid where two are needed: the next turn writes what other blocks still read.
// options: --check all
// code: 3
// says: fix: put grid.sync\(\) at the end of the loop's body, behind line 13: line 11
// says: : 1 error. judged
#include <cooperative_groups.h>
#include <cuda_runtime.h>
__global__ void rounds(int* a, int* sums, int n) {
  for (int round = 0, i = blockIdx.x * blockDim.x + threadIdx.x; round < 3; ++round) {
    a[i] = round;
    cooperative_groups::this_grid().sync();
    sums[i] += a[(i + 70) % n];
  }
}
int main() {
  int n = 4 * 64, *a, *sums;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(sums, 0, n * sizeof(int));
  void* arguments[] = {&a, &sums, &n};
  cudaLaunchCooperativeKernel((void*)rounds, 4, 64, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(sums);
}
