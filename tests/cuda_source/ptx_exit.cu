// SPDX-License-Identifier: Apache-2.0
// Inline PTX that ends a thread, and marks for a profiler.
#include <cstdio>

constexpr int kThreads = 64;

__global__ void leaves(int* seen) {
  const int i = static_cast<int>(threadIdx.x);
  asm volatile("pmevent 0;");
  seen[i] = 1;
  if (i % 4 == 0) {
    asm volatile("exit;");
  }
  seen[i] = 2;
  asm volatile(
      "{ .reg .pred p;\n\t"
      "setp.gt.s32 p, %0, 40;\n\t"
      "@p exit;\n\t"
      "pmevent 7; }" ::"r"(i));
  seen[i] = 3;
  for (int turn = 0; turn < 3; ++turn) {
    switch (i % 5) {
      case 1: {
        asm volatile("exit;");
      }
      default: seen[i] += 10;
    }
  }
}

// Warps leave before the barrier; the others go on without them.
__global__ void some_stay(int* sums) {
  __shared__ int part[kThreads];
  const int i = static_cast<int>(threadIdx.x);
  if (i >= kThreads / 2) asm volatile("exit;");
  part[i] = i;
  __syncthreads();
  sums[i] = part[i] + part[kThreads / 2 - 1 - i];
}

int main() {
  int *seen, *sums, host[kThreads];
  cudaMalloc(&seen, sizeof host);
  cudaMalloc(&sums, sizeof host);
  cudaMemset(sums, 0, sizeof host);
  leaves<<<1, kThreads>>>(seen);
  cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
  for (const int value : host) std::printf("%d ", value);
  some_stay<<<1, kThreads>>>(sums);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  int total = 0;
  for (const int value : host) total += value;
  std::printf("\nsum %d\n", total);
  cudaFree(seen);
  cudaFree(sums);
}
