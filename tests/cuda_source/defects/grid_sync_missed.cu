// SPDX-License-Identifier: Apache-2.0
// A block that leaves before the grid's barrier: the others wait for it for ever, at the line of their call.
// code: 4
// says: error.deadlock.*grid_sync_missed.cu:9.*waits at a grid sync
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
