// SPDX-License-Identifier: Apache-2.0
// The programs of defects/uncommon_forms.cu, with the fixes that it is given.
#include <cuda_runtime.h>

#include <cstdio>

#define LOCK(l) \
  while (atomicCAS(&(l), 0, 1) != 0) {}
#define UNLOCK(l) atomicExch(&(l), 0)

__device__ int held, places = 1, forked;

__global__ void by_macros(int* sum) {
  if (threadIdx.x != 0) return;
  LOCK(held);
  __threadfence();
  *sum += 1;
  __threadfence();
  UNLOCK(held);
}

__global__ void by_counting(int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicSub(&places, 1) <= 0) atomicAdd(&places, 1);
  __threadfence();
  *sum += 2;
  __threadfence();
  atomicAdd(&places, 1);
}

__global__ void in_two_branches(int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&forked, 0, 1) != 0) {}
  __threadfence();
  if (*sum < 5) {
    *sum = *sum + 1;
    __threadfence();
    atomicExch(&forked, 0);
  } else {
    __threadfence();
    atomicExch(&forked, 0);
  }
}

__global__ void push(int* head, int* next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = atomicExch(head, i);
}

__global__ void tree(int* out) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    if (k > 32) __syncthreads();
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}

int main() {
  int* words;
  cudaMallocManaged(&words, 200 * sizeof(int));
  for (int i = 0; i < 200; ++i) words[i] = 0;
  by_macros<<<8, 32>>>(words);
  by_counting<<<8, 32>>>(words + 1);
  in_two_branches<<<8, 32>>>(words + 2);
  push<<<2, 64>>>(words + 3, words + 4);
  tree<<<1, 256>>>(words + 199);
  cudaDeviceSynchronize();
  std::printf("%d %d %d %d\n", words[0], words[1], words[2], words[199]);
  cudaFree(words);
}
