// SPDX-License-Identifier: Apache-2.0
// A barrier of all blocks made by hand: each has one thread, and they are more than the 4,224 that a device holds.
// options: --check all --timeout 60
// code: 4
// says: all threads that run wait in loops, and [0-9]+ or more of
// says: launch no more
#include <cuda_runtime.h>
__device__ int count = 0;
__global__ void kernel() {
  atomicAdd(&count, 1);
  while (atomicAdd(&count, 0) < gridDim.x) {
  }
}
int main() {
  kernel<<<6000, 1>>>();
  cudaDeviceSynchronize();
}
