// SPDX-License-Identifier: Apache-2.0
// All threads stay until after the grid's barrier, and leave then; those without work are guarded.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* x) {
  const bool works = threadIdx.x < 28;
  if (works) x[blockIdx.x * 32 + threadIdx.x] = 1;
  cg::this_grid().sync();
  if (!works) return;
  x[(1 - blockIdx.x) * 32 + threadIdx.x] += 1;
}
int main() {
  int *x, host[64];
  cudaMalloc(&x, sizeof host);
  cudaMemset(x, 0, sizeof host);
  void* args[] = {&x};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), dim3(2), dim3(32), args, 0, nullptr);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[59], host[60]);
  cudaFree(x);
}
