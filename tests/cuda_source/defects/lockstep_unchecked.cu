// SPDX-License-Identifier: Apache-2.0
// Code that counts on lanes in step, run in step: the sum is right, and nobody judges what was not asked about (a
// checked run ends with exit code 3).
// options: --schedule lockstep
// code: 0
// says: sum 8128
#include <cstdio>
#include <cuda_runtime.h>
__global__ void sum(int* out) {
  __shared__ volatile int s[128];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    for (int d = 32; d > 0; d /= 2) s[t] += s[t + d];
    if (t == 0) *out = s[0];
  }
}
int main() {
  int *out, n = 0;
  cudaMalloc(&out, sizeof(int));
  sum<<<1, 128>>>(out);
  cudaMemcpy(&n, out, sizeof n, cudaMemcpyDeviceToHost);
  printf("sum %d\n", n);
  cudaFree(out);
}
