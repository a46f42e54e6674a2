// SPDX-License-Identifier: Apache-2.0
// Two warps take turns with one buffer and meet at a named barrier when it is full, but at none when it is empty. A barrier
// of the block is no advice here.
// options: --check all
// code: 3
// says: no barrier that both take part in has run between them
// says: let both branches of line 16 meet behind line 21 and in front of line 17, in each turn of
// says: bar.sync where a thread waits
#include <cstdio>

__device__ void meet(int number) { asm volatile("bar.sync %0, 64;" ::"r"(number) : "memory"); }

__global__ void roles(int* out, int n) {
  __shared__ int s[32];
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x < 32) {
      s[threadIdx.x] = i + threadIdx.x;
      meet(1);
    } else {
      meet(1);
      out[i * 32 + threadIdx.x - 32] = s[63 - threadIdx.x];
    }
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  roles<<<1, 64>>>(out, 4);
  cudaDeviceSynchronize();
  cudaFree(out);
}
