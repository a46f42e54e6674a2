// SPDX-License-Identifier: Apache-2.0
// Some threads of each block go around the grid's barrier: the races across it follow from that. The clean twin is
// grid_sync_all_come.cu.
// options: --check all
// code: 3
// says: block 64..error.barrier-divergence.: 48 of 64 threads went past a barrier of the grid
// says: fix: move the barrier out of the branch at line 14, so that
// says: 2 more findings with the same cause
#include <cooperative_groups.h>
#include <cuda_runtime.h>
__global__ void steps(int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  if (threadIdx.x < 16) cooperative_groups::this_grid().sync();
  y[i] = x[(i + 70) % n];
}
int main() {
  int n = 256, *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  void* arguments[] = {&x, &y, &n};
  cudaLaunchCooperativeKernel((void*)steps, 4, 64, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
