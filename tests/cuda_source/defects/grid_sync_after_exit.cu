// SPDX-License-Identifier: Apache-2.0
// Threads of each block return before the grid's barrier, those that arrive first or last: on a GPU the block's first
// thread speaks for it there, and the others may wait for ever. The clean twin is ../grid_sync_all_stay.cu.
// options: --check all
// code: 3
// says: .barrier-(early-exit|divergence).: .* of 32 threads left|has left the kernel
// says: grid_sync_after_exit.cu:15
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* x, int first) {
  if (first != 0 ? threadIdx.x < 4 : threadIdx.x >= 28)
    return;
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  cg::this_grid().sync();
  x[(1 - blockIdx.x) * 32 + threadIdx.x] += 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  for (int first = 0; first < 2; ++first) {
    void* args[] = {&x, &first};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), dim3(2), dim3(32), args, 0, nullptr);
    cudaDeviceSynchronize();
  }
  cudaFree(x);
}
