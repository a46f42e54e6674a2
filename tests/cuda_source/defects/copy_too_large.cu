// SPDX-License-Identifier: Apache-2.0
// A copy of more bytes than the memory has: cudaMemcpy returns an error, which nobody looks at.
// options: --check=memory
// code: 3
// says: out-of-bounds
// says: the host writes 128 bytes from byte 0 of 'x' on in a copy, which has 32 bytes
// says: copy_too_large.cu:12 in main
#include <cuda_runtime.h>
int main() {
  int *x, h[32] = {0};
  cudaMalloc(&x, 32);  // elements were meant
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaFree(x);
  return 0;
}
