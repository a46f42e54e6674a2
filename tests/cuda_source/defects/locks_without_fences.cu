// SPDX-License-Identifier: Apache-2.0
// What is done under a lock, or in the turn of a ticket, without fences: the fix is the order of the lock, not one atomic
// operation for each word or a second launch. Its clean twin, with the fixes applied, is locks_as_advised.cu.
// options: --check races --json -
// code: 3
// says: fix": "put __threadfence\(\) behind the loop at line 12, which takes the lock, and another in front of the operation at line 13, which gives it back"
// says: fix": "put __threadfence\(\) at the beginning of the branch of line 28, which takes the lock, and another in front of the operation at line 31, which gives it back"
// says: fix": "give the lock back at line 43 by an atomic operation: atomicExch\(&serving, mine \+ 1\), with __threadfence\(\) in front of it, and another behind the loop at line 40, which takes the lock"
// says: fix": "write it at line 53 by an atomic operation, too: atomicExch\(&plain, 0\)
#include <cuda_runtime.h>

__device__ void lock(int* m) { while (atomicCAS(m, 0, 1) != 0) {} }
__device__ void unlock(int* m) { atomicExch(m, 0); }

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
      done = true;
      if (best[0] < static_cast<int>(blockIdx.x)) best[0] = blockIdx.x;
      atomicExch(&tried, 0);
    }
  }
}

__global__ void in_turns(int* list) {
  if (threadIdx.x != 0) return;
  const int mine = atomicAdd(&next, 1);
  // Each block waits for its number.
  while (serving != mine) {}
  list[0] = list[0] * 2 + 1;
  list[1] += list[0];
  serving = mine + 1;
}

__global__ void given_back_plainly(int* count) {
  if (threadIdx.x != 0) return;
  while (atomicExch(&plain, 1) != 0) {}
  __threadfence();
  count[0] += 1;
  count[1] = count[0];
  __threadfence();
  plain = 0;
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
  cudaFree(words);
  cudaFree(total);
}
