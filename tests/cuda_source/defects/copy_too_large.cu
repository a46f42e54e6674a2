// SPDX-License-Identifier: Apache-2.0
// A copy of more bytes than the memory has: cudaMemcpy returns an error, which nobody looks at.
// options: --check=memory
// code: 3
// says: out-of-bounds
// says: a copy of 128 bytes to 'x' reaches past its end .32 bytes
// says: copy_too_large.cu:12 in main
#include <cuda_runtime.h>
int main() {
  int *x, h[32] = {0};
  cudaMalloc(&x, 32);  // elements were meant
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaFree(x);
  return 0;
}
