// SPDX-License-Identifier: Apache-2.0
// Blocks of one and of 64 threads that wait for each other by a counter: more than begin by themselves
// (defects/barrier_of_too_many_narrow_blocks.cu has more than a device holds).
#include <cstdio>
#include <cuda_runtime.h>
__device__ unsigned count;
__global__ void kernel(int* out) {
  if (threadIdx.x == 0) {
    out[blockIdx.x] = blockIdx.x % 7;
    __threadfence();
    atomicAdd(&count, 1u);
    while (atomicAdd(&count, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  const int next = out[(blockIdx.x + 1) % gridDim.x];
  __syncthreads();
  if (threadIdx.x == 0) out[gridDim.x + blockIdx.x] = next;
}
long sum_of(int blocks, int threads) {
  static int result[2 * 1500];
  const unsigned zero = 0;
  int* out;
  cudaMalloc(&out, 2 * blocks * sizeof(int));
  cudaMemcpyToSymbol(count, &zero, sizeof zero);
  kernel<<<blocks, threads>>>(out);
  cudaMemcpy(result, out, 2 * blocks * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  long sum = 0;
  for (int i = 0; i < blocks; ++i) sum += result[blocks + i] * (i % 3 + 1);
  return sum;
}
int main() {
  std::printf("%ld\n", sum_of(1500, 1));
  std::printf("%ld\n", sum_of(600, 64));
}
