// SPDX-License-Identifier: Apache-2.0
// The host sets its own shadow of a pointer, and the kernel uses the device's, which is null on a GPU. Programs that give
// the device the value as well, or use the shadow alone, are right: tests/cuda_source/pointers_of_the_host.cu.
// options: --check all
// code: 3
// says: error.host-memory
// says: pointer_set_on_the_host.cu:16
#include <cstdio>

__device__ float* rows;

__global__ void add() { rows[threadIdx.x] += 1; }

int main() {
  float h[32] = {};
  cudaMalloc(&rows, sizeof h), cudaMemcpy(rows, h, sizeof h, cudaMemcpyHostToDevice);
  add<<<1, 32>>>();
  cudaDeviceSynchronize();
}
