// SPDX-License-Identifier: Apache-2.0
// Threads of one block come to the grid's barrier by two calls: all wait, so nothing hangs here, but on a GPU each call has a
// block's barrier within. The clean twin is grid_sync_all_come.cu.
// options: --check all
// code: 3
// says: error.barrier-divergence.: threads of one block wait at different barriers
// says: grid_sync_two_places.cu:17
// says: grid_sync_two_places.cu:14
// says: move the barrier out of the branch at line 13
#include <cooperative_groups.h>
__global__ void kernel(int* x) {
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  if (threadIdx.x < 16) {
    cooperative_groups::this_grid().sync();
    x[blockIdx.x * 32 + threadIdx.x] = 2;
  } else {
    cooperative_groups::this_grid().sync();
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)kernel, 4, 32, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
}
