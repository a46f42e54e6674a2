// SPDX-License-Identifier: Apache-2.0
// Results are fetched from memory that was freed: cudaMemcpy returns an error, which nobody looks at.
// options: --check=memory
// code: 3
// says: use-after-free
// says: a copy of 128 bytes from 'x', which has been freed
// says: copy_after_free.cu:18 in main
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }
int main() {
  int* x;
  int h[32] = {0};
  cudaMalloc(&x, sizeof h);
  fill<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[31]);
  return 0;
}
