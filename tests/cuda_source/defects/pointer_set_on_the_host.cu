// SPDX-License-Identifier: Apache-2.0
// cudaMalloc sets the host's shadow of a __device__ pointer; the kernel's own one is still null.
// options: --check all
// code: 4
// says: a kernel dereferences a null pointer
// says: pointer_set_on_the_host.cu:12
#include <cstdio>

__device__ int* rows;

__global__ void fill() {
  rows[threadIdx.x] = 1;
}

int main() {
  cudaMalloc((void**)&rows, 32 * sizeof(int));
  cudaMemset(rows, 0, 32 * sizeof(int));
  fill<<<1, 32>>>();
  cudaDeviceSynchronize();
  cudaFree(rows);
}
