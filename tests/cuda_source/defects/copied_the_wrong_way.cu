// SPDX-License-Identifier: Apache-2.0
// A copy to the device that says it comes from there fails, and nobody looks: that comes first, what it leads to behind it.
// options: --check all --json -
// code: 3
// says: error.unchecked-error.: cudaMemcpy failed.*error.uninitialized-read.: read of d\[0\], which nothing has written
// says: fill the buffer or copy data to it first; if a kernel was to write it, look at that one's grid and guards
#include <cstdio>
#include <cuda_runtime.h>
__global__ void increment(int* a) { a[threadIdx.x] += 1; }
int main() {
  int h[64] = {}, *d;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyDeviceToHost);
  increment<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[3]);
  cudaFree(d);
}
