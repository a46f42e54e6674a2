// SPDX-License-Identifier: Apache-2.0
// Data of all threads handed over by one of them: all fence, a barrier, one counts or sets a flag; one sees the flag, a
// barrier, all fence. For a block and for a warp.
#include <cstdio>

__device__ unsigned done;
__device__ int block_flag, warp_flag[2];

__global__ void last_block(int* parts, int* total) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&done, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += parts[i];
  atomicAdd(total, sum);
}
__global__ void block_to_block(int* data, int* total) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 2 * threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *static_cast<volatile int*>(&block_flag) = 1;
  } else {
    if (threadIdx.x == 0)
      while (*static_cast<volatile int*>(&block_flag) == 0) {
      }
    __syncthreads();
    __threadfence();
    atomicAdd(total, data[threadIdx.x]);
  }
}
__global__ void warp_to_warp(int* data, int* total) {
  const int warp = threadIdx.x / 32;
  volatile int* flag = &warp_flag[warp];
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 3 * threadIdx.x;
    __threadfence();
    __syncwarp();
    if (threadIdx.x % 32 == 0) *flag = 1;
  } else {
    if (threadIdx.x % 32 == 0)
      while (*flag == 0) {
      }
    __syncwarp();
    __threadfence();
    atomicAdd(total, data[threadIdx.x]);
  }
}

int main() {
  int *data, *totals, host[3];
  cudaMalloc(&data, 8 * 64 * sizeof(int));
  cudaMalloc(&totals, sizeof host);
  cudaMemset(totals, 0, sizeof host);
  last_block<<<8, 64>>>(data, totals);
  block_to_block<<<2, 64>>>(data, totals + 1);
  warp_to_warp<<<2, 64>>>(data, totals + 2);
  cudaMemcpy(host, totals, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[1], host[2]);
  cudaFree(data);
  cudaFree(totals);
}
