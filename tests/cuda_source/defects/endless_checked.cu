// SPDX-License-Identifier: Apache-2.0
// A plain flag is read once, before the loop (nvcc does so, too): the loop has no access at which it could be stopped.
// It is found as a hang without a time limit.
// options: --check races
// code: 4
// says: .hang.: kernel wait does not end: 
// says: endless_checked.cu:1[01]
#include <cuda_runtime.h>
__global__ void wait(int* flag) {
  if (threadIdx.x == 0)
    while (*flag == 0) {}
  flag[threadIdx.x + 1] = 1;
}
int main() {
  int* flag;
  cudaMalloc(&flag, 33 * sizeof(int));
  cudaMemset(flag, 0, 33 * sizeof(int));
  wait<<<2, 32>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(flag);
}
