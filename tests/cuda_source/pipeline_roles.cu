// SPDX-License-Identifier: Apache-2.0
// Pipelines whose threads have roles: one warp loads, the others compute; by role and by number of producers.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int kTile = 64, kStages = 3;

template <bool ByCount>
__global__ void sums(const int *in, int *out, int tiles) {
  __shared__ int tile[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  cg::thread_block block = cg::this_thread_block();
  const bool produces = block.thread_rank() < 32;
  auto pipe = [&] {
    if constexpr (ByCount)
      return cuda::make_pipeline(block, &state, 32);
    else
      return cuda::make_pipeline(block, &state,
                                 produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  }();
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (produces) {
      pipe.producer_acquire();
      for (int i = block.thread_rank(); i < kTile; i += 32)
        cuda::memcpy_async(&tile[t % kStages][i], &in[(blockIdx.x * tiles + t) * kTile + i],
                           cuda::aligned_size_t<4>(sizeof(int)), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tile[t % kStages][block.thread_rank() - 32];
      pipe.consumer_release();
    }
  }
  if (!produces) atomicAdd(&out[blockIdx.x], sum);
}

int main() {
  const int blocks = 3, tiles = 10, n = blocks * tiles * kTile;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 2 * blocks * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i % 97;
  for (int i = 0; i < 2 * blocks; ++i) out[i] = 0;
  sums<false><<<blocks, 32 + kTile>>>(in, out, tiles);
  sums<true><<<blocks, 32 + kTile>>>(in, out + blocks, tiles);
  cudaDeviceSynchronize();
  for (int b = 0; b < blocks; ++b) {
    int right = 0;
    for (int i = 0; i < tiles * kTile; ++i) right += in[b * tiles * kTile + i];
    printf("block %d: %d %d, should be %d\n", b, out[b], out[blocks + b], right);
  }
  cudaFree(in);
  cudaFree(out);
}
