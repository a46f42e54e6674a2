// SPDX-License-Identifier: Apache-2.0
// Code from before __syncwarp: warps that scan in shared memory and rely on lanes in step. Here they are by
// --schedule lockstep, behind barriers, votes and in loops that load much; by no other schedule. Each block sorts its
// numbers bit by bit.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kThreads = 128, kBlocks = 3, kBits = 6;

__device__ int scan_of_warp(int v, volatile int* shared) {
  const int at = 2 * threadIdx.x - threadIdx.x % 32 + 32;  // in front of each warp stand 32 zeros
  shared[at - 32] = 0;
  shared[at] = v;
  shared[at] += shared[at - 1];
  shared[at] += shared[at - 2];
  shared[at] += shared[at - 4];
  shared[at] += shared[at - 8];
  shared[at] += shared[at - 16];
  return shared[at] - v;
}

__global__ void sort_bits(int* numbers) {
  __shared__ int scan[2 * kThreads], sums[kThreads / 32], sorted[kThreads], zeros;
  int* const mine = numbers + blockIdx.x * kThreads;
  int v = mine[threadIdx.x];
  for (int bit = 0; bit < kBits; ++bit) {
    const int zero = (v >> bit & 1) == 0;
    const int in_warp = __popc(__ballot_sync(~0u, zero));
    int before = scan_of_warp(zero, scan);
    if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = in_warp;
    __syncthreads();
    for (int w = 0; w < static_cast<int>(threadIdx.x) / 32; ++w) before += sums[w];
    if (threadIdx.x == kThreads - 1) zeros = before + zero;
    __syncthreads();
    sorted[zero ? before : zeros + static_cast<int>(threadIdx.x) - before] = v;
    __syncthreads();
    v = sorted[threadIdx.x];
    __syncthreads();
  }
  mine[threadIdx.x] = v;
}

int main() {
  std::vector<int> numbers(kThreads * kBlocks), result(numbers.size());
  for (int i = 0; i < kThreads * kBlocks; ++i) numbers[i] = i * 37 % 61;
  int* d;
  cudaMalloc(&d, numbers.size() * sizeof(int));
  cudaMemcpy(d, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  sort_bits<<<kBlocks, kThreads>>>(d);
  cudaMemcpy(result.data(), d, result.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d);
  for (int b = 0; b < kBlocks; ++b) std::sort(&numbers[b * kThreads], &numbers[(b + 1) * kThreads - 1] + 1);
  std::printf("%s\n", result == numbers ? "sorted" : "WRONG");
}
