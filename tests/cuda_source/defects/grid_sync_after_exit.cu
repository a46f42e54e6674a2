// SPDX-License-Identifier: Apache-2.0
// Threads of each block return before the grid's barrier. Without the block's first thread a GPU never opens it: an error,
// which stands for both kernels, as the lines are the same; without others a warning. The clean twin is ../grid_sync_all_stay.cu.
// options: --check all
// code: 3
// says: error.barrier-(early-exit|divergence).
// says: has left the kernel
// says: grid_sync_after_exit.cu:16
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
template <bool First>
__global__ void kernel(int* x) {
  if (First ? threadIdx.x < 5 : threadIdx.x >= 28) return;
  x[blockIdx.x * 32 + threadIdx.x] = 1;
  cg::this_grid().sync();
  x[(1 - blockIdx.x) * 32 + threadIdx.x] += 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  void* args[] = {&x};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel<false>), dim3(2), dim3(32), args, 0, nullptr);
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel<true>), dim3(2), dim3(32), args, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
}
