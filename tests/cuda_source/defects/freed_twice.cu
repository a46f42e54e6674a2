// SPDX-License-Identifier: Apache-2.0
// One array is freed twice, and another never: the mistake comes first, what it leads to behind it.
// options: --check all
// code: 3
// says: invalid-free.: 'a' is freed a second time.*error.leak.: 'b': 512 bytes
#include <cuda_runtime.h>
__global__ void set(int* a) { a[threadIdx.x] = threadIdx.x; }
int main() {
  int *a, *b;
  cudaMalloc(&a, 128 * sizeof(int));
  cudaMalloc(&b, 128 * sizeof(int));
  set<<<1, 128>>>(a);
  set<<<1, 128>>>(b);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(a);
}
