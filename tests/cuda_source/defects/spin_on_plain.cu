// SPDX-License-Identifier: Apache-2.0
// A spin on a plain variable that a later thread of the block sets: the race is found, for the thread is made to yield.
// options: --check races
// code: 3
// says: race-global
// says: spin_on_plain.cu:12
// says: spin_on_plain.cu:15
#include <cstdio>
#include <cuda_runtime.h>
__global__ void kernel(int* flag) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
  } else if (threadIdx.x == 1) {
    *flag = 1;
  }
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof *flag);
  cudaMemset(flag, 0, sizeof *flag);
  kernel<<<1, 32>>>(flag);
  int set = 0;
  cudaMemcpy(&set, flag, sizeof set, cudaMemcpyDeviceToHost);
  printf("%d\n", set);
  cudaFree(flag);
}
