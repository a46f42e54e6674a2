// SPDX-License-Identifier: Apache-2.0
// A plain run in which one thread never ends, without a call: the time limit ends it, and the thread is named.
// options: --timeout 2
// code: 4
// says: hang
// says: endless_plain.cu:1[23]
// says: thread \(9,1,0\)
#include <cstdio>
#include <cuda_runtime.h>
__global__ void spin(unsigned* x) {
  unsigned i = 1;  // stays odd
  if (threadIdx.x == 9 && threadIdx.y == 1)
    while (i % 1024 != 512) i *= 3;
  x[threadIdx.x] = i;
}
int main() {
  unsigned* x;
  cudaMalloc(&x, 128);
  spin<<<1, dim3(16, 2)>>>(x);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(x);
}
