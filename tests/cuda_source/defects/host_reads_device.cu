// SPDX-License-Identifier: Apache-2.0
// The host dereferences a pointer of cudaMalloc, and reads a __device__ variable by name.
// options: --check memory
// code: 3
// says: host-memory
// says: the host reads device memory 'd_x'
// says: the host reads the device variable 'counter' by its name
#include <cuda_runtime.h>
#include <cstdio>
__device__ int counter = 3;
int main() {
  int* d_x;
  cudaMalloc(&d_x, sizeof(int));
  cudaMemset(d_x, 0, sizeof(int));
  printf("%d %d\n", d_x[0], counter);
  cudaFree(d_x);
  return 0;
}
