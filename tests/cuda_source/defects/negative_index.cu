// SPDX-License-Identifier: Apache-2.0
// In front of the first allocation of a program: its index is named, once, and the kernel goes on. A pointer into an
// allocation that is freed is called so.
// options: --check memory
// code: 3
// says: read of 4 bytes at a.-65., outside the allocation
// says: 260 bytes before the start of a .512 bytes
// says: the pointer that is freed points 4 bytes into 'a', not at its start
// says: the host: frees it here
// says: 2 errors;
#include <cuda_runtime.h>
__global__ void shift(const int* from, int* to) {
  int i = threadIdx.x;
  to[i] = from[i - 65];
}
int main() {
  int *a, *b;
  cudaMalloc(&a, 128 * sizeof(int));
  cudaMalloc(&b, 128 * sizeof(int));
  cudaMemset(a, 0, 128 * sizeof(int));
  shift<<<1, 128>>>(a, b);
  cudaDeviceSynchronize();
  cudaFree(a + 1);
  cudaFree(a);
  cudaFree(b);
}
