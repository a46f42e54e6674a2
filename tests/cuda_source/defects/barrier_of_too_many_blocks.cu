// SPDX-License-Identifier: Apache-2.0
// A barrier of all blocks made by hand, of more blocks than any device holds at once: those that are there wait for
// others that cannot begin.
// code: 4
// says: .hang.: kernel kernel does not end: all threads
// says: 100000 blocks
// says: launch no more
#include <cuda_runtime.h>
__device__ int count = 0;
__global__ void kernel() {
  if (threadIdx.x != 0) return;
  atomicAdd(&count, 1);
  while (atomicAdd(&count, 0) < gridDim.x) {
  }
}
int main() {
  kernel<<<100000, 1024>>>();
  cudaDeviceSynchronize();
}
