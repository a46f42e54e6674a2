// SPDX-License-Identifier: Apache-2.0
// Tiles by a pipeline in which all threads of the block produce and consume: its waits are barriers, so the kernel runs
// as loops.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include <cstdio>

constexpr int kThreads = 128, kRounds = 6, kBlocks = 12;

__global__ void tiles(const int* in, int* out) {
  __shared__ int tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int me = threadIdx.x;
  const int* mine = in + blockIdx.x * kRounds * kThreads;
  const auto fetch = [&](int round) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[round % 2][me], &mine[round * kThreads + me], cuda::aligned_size_t<4>(4), pipe);
    pipe.producer_commit();
  };
  int sum = 0;
  fetch(0);
  for (int round = 0; round < kRounds; ++round) {
    if (round + 1 < kRounds) fetch(round + 1);
    pipe.consumer_wait();
    sum = sum * 3 + tile[round % 2][kThreads - 1 - me];
    pipe.consumer_release();
  }
  out[blockIdx.x * kThreads + me] = sum;
}

int main() {
  int *in, *out;
  const int count = kBlocks * kRounds * kThreads;
  cudaMallocManaged(&in, count * sizeof(int));
  cudaMallocManaged(&out, kBlocks * kThreads * sizeof(int));
  for (int i = 0; i < count; ++i) in[i] = i * 7 % 11;
  tiles<<<kBlocks, kThreads>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kThreads; ++t) {
      int sum = 0;
      for (int r = 0; r < kRounds; ++r) sum = sum * 3 + in[(b * kRounds + r) * kThreads + kThreads - 1 - t];
      wrong += out[b * kThreads + t] != sum;
    }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
