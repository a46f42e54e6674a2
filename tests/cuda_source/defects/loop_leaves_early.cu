// SPDX-License-Identifier: Apache-2.0
// A loop whose rounds depend on the thread ends with a barrier: the place where a thread left is the user's.
// options: --check all
// code: 3
// says: barrier-divergence
// says: loop_leaves_early.cu:16 in relax
// says: loop_leaves_early.cu:18 in relax
// says: has left the kernel
#include <cuda_runtime.h>

__global__ void relax(const int* rounds, int* x) {
  int left = rounds[threadIdx.x];
  while (left > 0) {
    atomicAdd(x, 1);
    --left;
    __syncthreads();
  }
}
int main() {
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = 1 + i % 3;
  int *rounds, *x;
  cudaMalloc(&rounds, sizeof host);
  cudaMalloc(&x, sizeof(int));
  cudaMemcpy(rounds, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(x, 0, sizeof(int));
  relax<<<1, 64>>>(rounds, x);
  cudaDeviceSynchronize();
  cudaFree(rounds);
  cudaFree(x);
  return 0;
}
