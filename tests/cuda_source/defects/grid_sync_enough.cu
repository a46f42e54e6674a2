// SPDX-License-Identifier: Apache-2.0
// The clean twin of grid_sync_one_short.cu, which lacks one line.
// options: --check all
// says: no findings
#include <cooperative_groups.h>
#include <cuda_runtime.h>
__global__ void smooth(float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, left = i == 0 ? n - 1 : i - 1;
  a[i] = i % 7;
  b[i] = 0.5f * i;
  cooperative_groups::this_grid().sync();
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
