// SPDX-License-Identifier: Apache-2.0
// Only some blocks come to the grid's barrier. The clean twin is grid_sync_all_come.cu.
// code: 4
// says: error.barrier-divergence.: 2 of 4 blocks never come to a barrier of the grid
// says: fix: move the barrier out of the branch at line 10
// says: error.deadlock
#include <cooperative_groups.h>
__global__ void kernel(int* x) {
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  if (blockIdx.x < 2) {
    cooperative_groups::this_grid().sync();
  }
  x[blockIdx.x * 32 + threadIdx.x] = 2;
}
int main() {
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)kernel, 4, 32, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
}
