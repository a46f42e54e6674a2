// SPDX-License-Identifier: Apache-2.0
// Some threads of each block wait for the grid, the others at the block's next barrier: the branch is named first, and the
// accesses until then were judged. The clean twin is grid_sync_all_come.cu.
// options: --check all
// code: 4
// says: block 32..error.barrier-divergence
// says: grid_sync_in_branch.cu:14 in kernel.*waits at a grid sync
// says: fix: move the barrier out of the branch at line 14
// says: error.deadlock
// says: the kernel did not finish. judged races, memory, uninit, barrier in 1 launch and 128 accesses
#include <cooperative_groups.h>
__global__ void kernel(int* x) {
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  if (threadIdx.x < 16) cooperative_groups::this_grid().sync();
  __syncthreads();
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
