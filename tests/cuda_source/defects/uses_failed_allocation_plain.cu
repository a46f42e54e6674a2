// SPDX-License-Identifier: Apache-2.0
// A kernel has died, so the next allocation fails, and the host goes on with the null pointer: the crash has its line.
// code: 4
// says: Segmentation fault at address 0, at.*:15 in main
// says: error.device-trap
#include <cstdio>

__global__ void dies() { __trap(); }

int main() {
  dies<<<1, 1>>>();
  cudaDeviceSynchronize();
  int *q = nullptr;
  cudaMallocManaged(&q, 400);
  for (int i = 0; i < 100; ++i) q[i] = i;
  std::printf("%d\n", q[5]);
}
