// SPDX-License-Identifier: Apache-2.0
// Each thread updates words of a table that its own numbers choose, each in a part of its own:
// nothing is to be found, however often a thread comes back.
#include <cstdio>
#include <cuda_runtime.h>
constexpr int kWords = 16, kThreads = 128, kBlocks = 8;

__global__ void update(unsigned long long* table, int updates) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned r = t * 2654435761u;
  for (int u = 0; u < updates; ++u) {
    r = r * 1664525u + 1013904223u;
    table[t * kWords + (r >> 20) % kWords] ^= r;
  }
}

int main() {
  unsigned long long* table;
  cudaMalloc(&table, sizeof(unsigned long long) * kWords * kThreads * kBlocks);
  cudaMemset(table, 0, sizeof(unsigned long long) * kWords * kThreads * kBlocks);
  update<<<kBlocks, kThreads>>>(table, 64);
  update<<<kBlocks, kThreads>>>(table, 64);
  update<<<kBlocks, kThreads>>>(table, 1);
  unsigned long long all[kWords], sum = 0;
  cudaMemcpy(all, table + kWords * 77, sizeof all, cudaMemcpyDeviceToHost);
  for (const unsigned long long word : all) sum += word;
  printf("%llu\n", sum);
  cudaFree(table);
}
