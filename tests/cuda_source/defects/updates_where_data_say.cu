// SPDX-License-Identifier: Apache-2.0
// Each thread updates words of a table that its own numbers choose, each in a part of its own, but the last block takes
// the part of the first: read and write of an update are looked at together, and both count.
// options: --check races
// code: 3
// says: race-global
// says: updates_where_data_say.cu:20 in
// says: 1 error
// says: judged races in 1 launch and 32768 accesses
#include <cstdio>
#include <cuda_runtime.h>
constexpr int kWords = 16, kThreads = 128, kBlocks = 8;

__global__ void update(unsigned long long* table, int updates) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned part = blockIdx.x == kBlocks - 1 ? threadIdx.x : t;
  unsigned r = t * 2654435761u;
  for (int u = 0; u < updates; ++u) {
    r = r * 1664525u + 1013904223u;
    table[part * kWords + (r >> 20) % kWords] ^= r;
  }
}

int main() {
  unsigned long long* table;
  cudaMalloc(&table, sizeof(unsigned long long) * kWords * kThreads * kBlocks);
  cudaMemset(table, 0, sizeof(unsigned long long) * kWords * kThreads * kBlocks);
  update<<<kBlocks, kThreads>>>(table, 16);
  cudaDeviceSynchronize();
  cudaFree(table);
}
