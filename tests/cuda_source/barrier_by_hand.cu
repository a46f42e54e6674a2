// SPDX-License-Identifier: Apache-2.0
// Eight blocks wait for each other by a counter, and then read what their neighbours wrote.
#include <cstdio>
#include <cuda_runtime.h>
__device__ int count = 0;
__global__ void kernel(int* a, int* sum) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&count, 1);
    while (atomicAdd(&count, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  atomicAdd(sum, a[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x]);
}
int main() {
  int *a, *sum, result = 0;
  cudaMalloc(&a, 8 * 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  kernel<<<8, 64>>>(a, sum);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(a);
  cudaFree(sum);
}
