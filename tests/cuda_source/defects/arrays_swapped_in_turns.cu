// SPDX-License-Identifier: Apache-2.0
// Two arrays change places each turn, and nothing parts the turns of the blocks. The clean twin is ../jacobi.cu in launches.
// options: --check races
// code: 3
// says: grid.sync\(\) at the end of the loop's body, line 13
// says: 1 more finding with the same cause
#include <cooperative_groups.h>
__global__ void relax(float* a, float* b, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    if (i > 0 && i < n - 1) b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    float* const other = a; a = b; b = other;
  }
}
int main() {
  int n = 256, rounds = 4;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  void* arguments[] = {&a, &b, &n, &rounds};
  cudaLaunchCooperativeKernel((void*)relax, 4, 64, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
