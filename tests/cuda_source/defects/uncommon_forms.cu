// SPDX-License-Identifier: Apache-2.0
// Locks that macros take, that count, that several branches give back; a read and a write on one line; a barrier that some
// turns of a loop meet. The clean twin, with the fixes applied to the letter, is uncommon_forms_as_advised.cu.
// options: --check races --json -
// code: 3
// says: fix": "put __threadfence\(\) behind line 21, which takes the lock, and another in front of line 23, which gives it back"
// says: fix": "put __threadfence\(\) behind the loop at line 28, which takes the lock, and another in front of the operation at line 30, which gives it back"
// says: fix": "put __threadfence\(\) behind the loop at line 35, which takes the lock, and another in front of the operation at line 38, which gives it back, and of the one at line 40"
// says: fix": "make the read and the write one atomic operation: atomicExch\(head, i\), which gives the value that was there before
// says: at the end of the loop.s body, line 56: no thread may begin its next turn before all have ended this one
#include <cuda_runtime.h>

#define LOCK(l) \
  while (atomicCAS(&(l), 0, 1) != 0) {}
#define UNLOCK(l) atomicExch(&(l), 0)

__device__ int held, places = 1, forked;

__global__ void by_macros(int* sum) {
  if (threadIdx.x != 0) return;
  LOCK(held);
  *sum += 1;
  UNLOCK(held);
}

__global__ void by_counting(int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicSub(&places, 1) <= 0) atomicAdd(&places, 1);
  *sum += 2;
  atomicAdd(&places, 1);
}

__global__ void in_two_branches(int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&forked, 0, 1) != 0) {}
  if (*sum < 5) {
    *sum = *sum + 1;
    atomicExch(&forked, 0);
  } else {
    atomicExch(&forked, 0);
  }
}

__global__ void push(int* head, int* next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = *head; *head = i;
}

__global__ void tree(int* out) {
  __shared__ int s[256];
  s[threadIdx.x] = 1;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    if (k > 32) __syncthreads();
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
  cudaFree(words);
}
