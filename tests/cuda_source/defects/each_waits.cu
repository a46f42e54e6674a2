// SPDX-License-Identifier: Apache-2.0
// Two blocks that each wait, by adding 0, for what the other does next: a hang, found without a time limit.
// options: --check all
// code: 4
// says: does not end
// says: each_waits.cu:9
#include <cuda_runtime.h>
__global__ void kernel(int* flags) {
  while (atomicAdd(&flags[1 - blockIdx.x], 0) == 0) {}
  atomicExch(&flags[blockIdx.x], 1);
}
int main() {
  int* flags;
  cudaMalloc(&flags, 2 * sizeof(int));
  cudaMemset(flags, 0, 2 * sizeof(int));
  kernel<<<2, 1>>>(flags);
  cudaDeviceSynchronize();
  cudaFree(flags);
}
