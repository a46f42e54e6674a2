// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that each thread waits for itself, as loops under check: in stages that overlap barriers, of a
// thread's own words with no barrier at all, and of tiles that others read.
#include <cuda_pipeline.h>

#include <cstdio>

constexpr int kThreads = 128, kRounds = 6, kBlocks = 12;

__global__ void tiles(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  const int me = threadIdx.x;
  const int* mine = in + blockIdx.x * kRounds * kThreads;
  const auto fetch = [&](int round) {
    __pipeline_memcpy_async(&tile[round % 2][me], &mine[round * kThreads + me], sizeof(int));
    __pipeline_commit();
  };
  int sum = 0;
  fetch(0);
  for (int round = 0; round < kRounds; ++round) {
    if (round + 1 < kRounds)
      fetch(round + 1);
    else
      __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum = sum * 3 + tile[round % 2][kThreads - 1 - me];
    __syncthreads();
  }
  out[blockIdx.x * kThreads + me] = sum;
}

// The words are the thread's own: what it has read it may fetch again.
__global__ void own_words(const int* in, int* out) {
  __shared__ int word[kThreads];
  const int me = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    __pipeline_memcpy_async(&word[me], &in[(blockIdx.x * kRounds + round) * kThreads + me], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    sum = sum * 5 + word[me];
    word[me] = sum;
    sum += word[me] & 1;
  }
  out[blockIdx.x * kThreads + me] = sum;
}

int main() {
  int *in, *out;
  const int count = kBlocks * kRounds * kThreads;
  cudaMallocManaged(&in, count * sizeof(int));
  cudaMallocManaged(&out, 2 * kBlocks * kThreads * sizeof(int));
  for (int i = 0; i < count; ++i) in[i] = i * 7 % 11;
  tiles<<<kBlocks, kThreads>>>(in, out);
  own_words<<<kBlocks, kThreads>>>(in, out + kBlocks * kThreads);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kThreads; ++t) {
      int of_tiles = 0, own = 0;
      for (int r = 0; r < kRounds; ++r) {
        of_tiles = of_tiles * 3 + in[(b * kRounds + r) * kThreads + kThreads - 1 - t];
        own = own * 5 + in[(b * kRounds + r) * kThreads + t];
        own += own & 1;
      }
      wrong += out[b * kThreads + t] != of_tiles;
      wrong += out[(kBlocks + b) * kThreads + t] != own;
    }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
