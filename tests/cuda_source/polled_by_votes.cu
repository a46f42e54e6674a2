// SPDX-License-Identifier: Apache-2.0
// All blocks but the last wait for what the last one writes, and all threads of a block decide together: by a vote at a
// barrier, or of a warp. What the vote is of was read from other blocks, so the loop waits.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kThreads = 64, kBlocks = 6, kAll = 0xffffffff;

__device__ void set(volatile int* flag) {
  if (threadIdx.x != 0) return;
  flag[1] = 7;
  __threadfence();
  flag[0] = 9;
}

__global__ void any_thread(volatile int* flag, int* out) {
  if (blockIdx.x == gridDim.x - 1) return set(flag);
  while (!__syncthreads_or(flag[0] > 5)) {
  }
  __threadfence();
  out[blockIdx.x * kThreads + threadIdx.x] = flag[1];
}

__global__ void all_threads(volatile int* flag, int* out) {
  if (blockIdx.x == gridDim.x - 1) return set(flag);
  int seen;
  do {
    __syncthreads();
    seen = flag[0];
  } while (__syncthreads_and(seen > 5) == 0);
  __threadfence();
  out[blockIdx.x * kThreads + threadIdx.x] = flag[1];
}

__global__ void count_of_threads(int* flag, int* out) {
  if (blockIdx.x == gridDim.x - 1) return set(flag);
  while (__syncthreads_count(atomicAdd(&flag[0], 0) > 5) != kThreads) {
  }
  __threadfence();
  out[blockIdx.x * kThreads + threadIdx.x] = atomicAdd(&flag[1], 0);
}

__global__ void any_lane(volatile int* flag, int* out) {
  if (blockIdx.x == gridDim.x - 1) return set(flag);
  while (!__any_sync(kAll, flag[0] > 5)) {
  }
  __threadfence();
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = flag[1];
}

int sum_of(int* out) {
  int host[kBlocks * kThreads], sum = 0;
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int v : host) sum += v;
  cudaMemset(out, 0, sizeof host);
  return sum;
}

int main() {
  int *flag, *out;
  cudaMalloc(&flag, 2 * sizeof(int));
  cudaMalloc(&out, kBlocks * kThreads * sizeof(int));
  cudaMemset(out, 0, kBlocks * kThreads * sizeof(int));
  cudaMemset(flag, 0, 2 * sizeof(int));
  any_thread<<<kBlocks, kThreads>>>(flag, out);
  std::printf("any thread: %d\n", sum_of(out));
  cudaMemset(flag, 0, 2 * sizeof(int));
  all_threads<<<kBlocks, kThreads>>>(flag, out);
  std::printf("all threads: %d\n", sum_of(out));
  cudaMemset(flag, 0, 2 * sizeof(int));
  count_of_threads<<<kBlocks, kThreads>>>(flag, out);
  std::printf("count of threads: %d\n", sum_of(out));
  cudaMemset(flag, 0, 2 * sizeof(int));
  any_lane<<<kBlocks, kThreads>>>(flag, out);
  std::printf("any lane: %d\n", sum_of(out));
  cudaFree(out);
  cudaFree(flag);
}
