// SPDX-License-Identifier: Apache-2.0
// A barrier of the grid made by hand, without a fence: what one block reads before it another overwrites behind it.
// barrier_by_hand.cu has the fences.
// options: --check all
// code: 3
// says: may see what block \([0-9],0,0\) did at line 13 before that block has read what it
// says: put __threadfence\(\) between the read and line 13
#include <cstdio>
__device__ unsigned arrived;

__device__ void meet(unsigned wanted) {
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&arrived, 1u);
  if (threadIdx.x == 0) while (atomicAdd(&arrived, 0u) < wanted) continue;
  __syncthreads();
}

__global__ void turn(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = x[n - 1 - i];
  meet(gridDim.x);
  x[i] = other;
}

int main() {
  int* x;
  const int n = 4 * 64;
  cudaMalloc(&x, n * 4);
  cudaMemset(x, 0, n * 4);
  turn<<<4, 64>>>(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
}
