// SPDX-License-Identifier: Apache-2.0
// Two blocks take two locks in opposite orders: only a search over schedules shows that they may wait for each other.
// options: --check races --explore bound=1
// code: 4
// says: hang
// says: take locks in the same order everywhere
// says: order: thread 0 of block 0 stops after line 11 until thread 0 of block 1 has passed line 11
// says: locks_in_two_orders.cu:11
#include <cstdio>
#include <cuda_runtime.h>
__device__ void lock(int* l) { while (atomicCAS(l, 0, 1) != 0) continue; }
__device__ void unlock(int* l) { atomicExch(l, 0); }
__global__ void kernel(int* locks, int* count) {
  int* const outer = locks + blockIdx.x;
  int* const inner = locks + 1 - blockIdx.x;
  lock(outer);
  lock(inner);
  __threadfence();
  atomicAdd(count, 1);
  __threadfence();
  unlock(inner);
  unlock(outer);
}
int main() {
  int* all;
  cudaMalloc(&all, 3 * sizeof *all);
  cudaMemset(all, 0, 3 * sizeof *all);
  kernel<<<2, 1>>>(all, all + 2);
  int count = 0;
  cudaMemcpy(&count, all + 2, sizeof count, cudaMemcpyDeviceToHost);
  std::printf("%d\n", count);
  cudaFree(all);
}
