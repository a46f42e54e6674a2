// SPDX-License-Identifier: Apache-2.0
// The clean twin of grid_sync_in_branch.cu, grid_sync_of_some_blocks.cu and grid_sync_missed.cu: conditions for which all
// threads of the grid are alike.
// options: --check all
// says: no findings
#include <cooperative_groups.h>
__global__ void kernel(int* x) {
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  if (blockDim.x < 48) cooperative_groups::this_grid().sync();
  __syncthreads();
  if (gridDim.x < 6) {
    cooperative_groups::this_grid().sync();
  }
  if (blockDim.x == 2) return;
  x[blockIdx.x * 32 + threadIdx.x] = 2;
  cooperative_groups::this_grid().sync();
}
int main() {
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  void* arguments[] = {&x};
  cudaLaunchCooperativeKernel((void*)kernel, 4, 32, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
}
