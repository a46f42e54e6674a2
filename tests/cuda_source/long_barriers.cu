// SPDX-License-Identifier: Apache-2.0
// Blocks that pass barriers for some tenths of a second without a store: one counts, one waits for what a later block sets
// at its end. No hang.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void wait(volatile int* flag, int turns, int* out) {
  if (blockIdx.x == 0) {
    while (!__syncthreads_or(*flag)) {}
  } else if (blockIdx.x == 1) {
    int n = 0;
    for (; n < turns; ++n) __syncthreads();
    if (threadIdx.x == 0) *flag = n;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = blockIdx.x;
}
int main() {
  int *flag, *out, host[3];
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof host);
  cudaMemset(flag, 0, sizeof(int));
  wait<<<3, 32>>>(flag, 200000, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[1], host[2]);
  cudaFree(flag);
  cudaFree(out);
}
