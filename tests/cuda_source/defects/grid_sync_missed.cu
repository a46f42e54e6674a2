// SPDX-License-Identifier: Apache-2.0
// A block that leaves before the grid's barrier: the others wait for it for ever, at the line of their call. The clean twin
// is grid_sync_all_come.cu.
// options: --check all
// code: 4
// says: error.barrier-divergence.: 1 of 4 blocks never come to a barrier of the grid.*grid_sync_missed.cu:15.*waits at a grid sync
// says: grid_sync_missed.cu:13.*thread .0,0,0. of block .2,0,0.: has left the kernel
// says: guard the work instead of returning at line 13
// says: error.deadlock
// says: did not finish. judged races, memory, uninit, barrier in 1 launch and 3 accesses
#include <cooperative_groups.h>
__global__ void kernel(int* x) {
  if (blockIdx.x == 2) return;
  if (threadIdx.x == 0) x[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();
}
int main() {
  int* x;
  cudaMalloc(&x, 4 * sizeof(int));
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)kernel, 4, 32, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
  return 0;
}
