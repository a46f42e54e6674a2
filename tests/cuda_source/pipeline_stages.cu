// SPDX-License-Identifier: Apache-2.0
// Copies that each thread has under way in two stages while the block computes on another one; and a block that ends
// with copies that nobody waits for, which must not reach into the block after it.
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include <cstdio>

constexpr int kThreads = 64, kStages = 3, kTiles = 8, kBlocks = 16;

__global__ void neighbours(const float4* in, float* out) {
  __shared__ float4 tile[kStages][kThreads];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int me = threadIdx.x;
  const float4* mine = in + blockIdx.x * kTiles * kThreads;
  float sum = 0;
  for (int next = 0, at = 0; at < kTiles; ++at) {
    for (; next < kTiles && next < at + kStages - 1; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[next % kStages][me], &mine[next * kThreads + me], cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    }
    if (next - at == 2)
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    else
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    const float4 theirs = tile[at % kStages][(me + 1) % kThreads];
    sum += theirs.x - theirs.y + 2 * theirs.z - theirs.w;
    pipe.consumer_release();
    __syncthreads();
  }
  out[blockIdx.x * kThreads + me] = sum;
}

__global__ void forgetful(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const int me = threadIdx.x;
  tile[me] = 1000 + me;
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * kThreads + me] = tile[kThreads - 1 - me];
  __syncthreads();
  __pipeline_memcpy_async(&tile[me], &in[me], sizeof(int));
  __pipeline_commit();
}

int main() {
  float4* in;
  float* out;
  int *numbers, *seen;
  const int count = kBlocks * kTiles * kThreads;
  cudaMallocManaged(&in, count * sizeof(float4));
  cudaMallocManaged(&out, kBlocks * kThreads * sizeof(float));
  cudaMallocManaged(&numbers, kThreads * sizeof(int));
  cudaMallocManaged(&seen, kBlocks * kThreads * sizeof(int));
  for (int i = 0; i < count; ++i) in[i] = make_float4(i % 7, i % 5, i % 11, i % 3);
  for (int i = 0; i < kThreads; ++i) numbers[i] = i;
  neighbours<<<kBlocks, kThreads>>>(in, out);
  forgetful<<<kBlocks, kThreads>>>(numbers, seen);
  cudaDeviceSynchronize();
  int wrong = 0, changed = 0;
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kThreads; ++t) {
      float sum = 0;
      for (int k = 0; k < kTiles; ++k) {
        const float4 v = in[(b * kTiles + k) * kThreads + (t + 1) % kThreads];
        sum += v.x - v.y + 2 * v.z - v.w;
      }
      wrong += out[b * kThreads + t] != sum;
      changed += seen[b * kThreads + t] != 1000 + kThreads - 1 - t;
    }
  std::printf("stages: %d wrong; forgotten copies: %d seen\n", wrong, changed);
  cudaFree(in);
  cudaFree(out);
  cudaFree(numbers);
  cudaFree(seen);
  return 0;
}
