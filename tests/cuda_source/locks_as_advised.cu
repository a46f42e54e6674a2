// SPDX-License-Identifier: Apache-2.0
// defects/locks_without_fences.cu, mended as its reports say.
#include <cuda_runtime.h>

#include <cstdio>

__device__ void lock(int* m) { while (atomicCAS(m, 0, 1) != 0) {} __threadfence(); }
__device__ void unlock(int* m) { __threadfence(); atomicExch(m, 0); }

__device__ int held, tried, plain, next;
__device__ volatile int serving;

__global__ void under_a_lock(int* sum, float* total) {
  if (threadIdx.x != 0) return;
  lock(&held);
  *sum += 1;
  *total += 0.5f;
  unlock(&held);
}

__global__ void in_a_branch(int* best) {
  for (bool done = threadIdx.x != 0; !done;) {
    if (atomicCAS(&tried, 0, 1) == 0) {
      __threadfence();
      done = true;
      if (best[0] < static_cast<int>(blockIdx.x)) best[0] = blockIdx.x;
      __threadfence();
      atomicExch(&tried, 0);
    }
  }
}

__global__ void in_turns(int* list) {
  if (threadIdx.x != 0) return;
  const int mine = atomicAdd(&next, 1);
  // Each block waits for its number.
  while (serving != mine) {}
  __threadfence();
  list[0] = list[0] * 2 + 1;
  list[1] += list[0];
  __threadfence();
  atomicExch((int*)&serving, mine + 1);
}

__global__ void given_back_plainly(int* count) {
  if (threadIdx.x != 0) return;
  while (atomicExch(&plain, 1) != 0) {}
  __threadfence();
  count[0] += 1;
  count[1] = count[0];
  __threadfence();
  atomicExch(&plain, 0);
}

int main() {
  int* words;
  float* total;
  cudaMallocManaged(&words, 8 * sizeof(int));
  cudaMallocManaged(&total, sizeof(float));
  for (int i = 0; i < 8; ++i) words[i] = 0;
  *total = 0;
  under_a_lock<<<8, 32>>>(words, total);
  in_a_branch<<<8, 32>>>(words + 1);
  in_turns<<<8, 32>>>(words + 2);
  given_back_plainly<<<8, 32>>>(words + 4);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i) std::printf("%d ", words[i]);
  std::printf("%g\n", *total);
  cudaFree(words);
  cudaFree(total);
}
