// SPDX-License-Identifier: Apache-2.0
// A barrier in a branch that some threads do not take: they end behind it, which no early return explains.
// options: --check all
// code: 3
// says: error.barrier-divergence.: 48 of 64 threads went past a barrier of their block
// says: barrier_gone_around.cu:11 in fill
// says: barrier_gone_around.cu:13 in fill
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) {
  if (threadIdx.x < 16) __syncthreads();
  a[threadIdx.x] = 1;
}
int main() {
  int *a, host[64];
  cudaMalloc(&a, sizeof host);
  fill<<<1, 64>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[63]);
  cudaFree(a);
}
