// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for blocks with higher numbers: by an atomic load, by adding 0, by a volatile variable.
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <cstdio>

__global__ void chain(int *flags, int *sums) {
  const int b = blockIdx.x, next = b + 1;
  if (threadIdx.x != 0) return;
  int sum = b;
  if (next < gridDim.x) {
    if (b % 3 == 0) {
      cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[next]);
      while (flag.load(cuda::memory_order_acquire) == 0) {}
    } else if (b % 3 == 1) {
      while (atomicAdd(&flags[next], 0) == 0) {}
    } else {
      while (*(volatile int *)&flags[next] == 0) {}
    }
    __threadfence();
    sum += sums[next];
  }
  sums[b] = sum;
  __threadfence();
  atomicExch(&flags[b], 1);
}

// A loop of the host, too, in a file with volatile data.
__host__ __device__ int halvings(int n) {
  int count = 0;
  while (n > 1) n /= 2, ++count;
  return count;
}

int main() {
  const int blocks = 20;
  printf("halvings of 1000: %d\n", halvings(1000));
  int *flags, *sums, sum = 0;
  cudaMalloc(&flags, blocks * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemset(flags, 0, blocks * sizeof(int));
  chain<<<blocks, 32>>>(flags, sums);
  cudaMemcpy(&sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
  printf("sum of 0 to %d: %d\n", blocks - 1, sum);
  printf("of %d: %d\n", sum, halvings(sum));
  cudaFree(flags);
  cudaFree(sums);
}
