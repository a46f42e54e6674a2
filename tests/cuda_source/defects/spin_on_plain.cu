// SPDX-License-Identifier: Apache-2.0
// A spin on a plain variable (counting, so that it stays a loop of reads) that a later thread of the block sets: the race is found, for the thread is made to yield.
// options: --check races
// code: 3
// says: race-global
// says: spin_on_plain.cu:12
// says: spin_on_plain.cu:14
#include <cstdio>
#include <cuda_runtime.h>
__global__ void kernel(int* flag, int* turns) {
  if (threadIdx.x == 0) {
    while (*flag == 0) ++turns[threadIdx.x];
  } else if (threadIdx.x == 1) {
    *flag = 1;
  }
}
int main() {
  int *flag, *turns;
  cudaMalloc(&flag, sizeof *flag);
  cudaMalloc(&turns, 2 * sizeof *turns);
  cudaMemset(turns, 0, 2 * sizeof *turns);
  cudaMemset(flag, 0, sizeof *flag);
  kernel<<<1, 32>>>(flag, turns);
  int set = 0;
  cudaMemcpy(&set, flag, sizeof set, cudaMemcpyDeviceToHost);
  printf("%d\n", set);
  cudaFree(flag);
  cudaFree(turns);
}
