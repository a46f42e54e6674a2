// SPDX-License-Identifier: Apache-2.0
// One barrier of the grid is missing: blocks read what others have not written yet, of two arrays in global memory, and
// threads of a block what others wrote. One cause, one finding, and the barrier goes between two lines. The clean twin is
// grid_sync_enough.cu.
// options: --check all
// code: 3
// says: grid_sync_one_short.cu:19 in smooth
// says: no barrier of the grid has run between them
// says: fix: put grid.sync\(\) between line 17 and line 19
// says: 3 more findings with the same cause
// says: help      simrun explain race-global
#include <cooperative_groups.h>
#include <cuda_runtime.h>
__global__ void smooth(float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, left = i == 0 ? n - 1 : i - 1;
  a[i] = i % 7;
  b[i] = 0.5f * i;

  const float x = a[left] + b[left] + a[(i + 1) % n];
  cooperative_groups::this_grid().sync();
  a[i] = x;
}
int main() {
  int n = 4 * 64;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  void* arguments[] = {&a, &b, &n};
  cudaLaunchCooperativeKernel((void*)smooth, 4, 64, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
