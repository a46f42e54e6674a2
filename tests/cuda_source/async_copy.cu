// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies to shared memory: cg::memcpy_async, cuda::pipeline with two stages, cuda::barrier, primitives.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
constexpr int kBlock = 128;

__global__ void with_groups(const int *in, int *out, int n) {
  auto block = cg::this_thread_block();
  __shared__ int tile[kBlock];
  for (int base = blockIdx.x * kBlock; base < n; base += gridDim.x * kBlock) {
    cg::memcpy_async(block, tile, in + base, sizeof(int) * kBlock);
    cg::wait(block);
    out[base + threadIdx.x] = tile[kBlock - 1 - threadIdx.x];
    block.sync();
  }
}
__global__ void with_pipeline(const int *in, int *out, int batches) {
  auto block = cg::this_thread_block();
  constexpr size_t stages = 2;
  __shared__ int buf[stages][kBlock];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, stages> state;
  auto pipe = cuda::make_pipeline(block, &state);
  auto source = [&](int b) { return in + (b * gridDim.x + blockIdx.x) * kBlock; };
  pipe.producer_acquire();
  cuda::memcpy_async(block, buf[0], source(0), sizeof(int) * kBlock, pipe);
  pipe.producer_commit();
  for (int b = 1; b <= batches; ++b) {
    if (b < batches) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buf[b % stages], source(b), sizeof(int) * kBlock, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    int v = buf[(b - 1) % stages][(threadIdx.x + 1) % kBlock];
    out[((b - 1) * gridDim.x + blockIdx.x) * kBlock + threadIdx.x] = v * 2;
    pipe.consumer_release();
  }
}
__global__ void with_barrier(const int *in, int *out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier bar;
  __shared__ alignas(16) int tile[kBlock];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  const int base = blockIdx.x * kBlock;
  cuda::memcpy_async(block, tile, in + base, cuda::aligned_size_t<16>(sizeof(int) * kBlock), bar);
  bar.arrive_and_wait();
  out[base + threadIdx.x] = tile[threadIdx.x ^ 1] + 1;
}
__global__ void with_primitives(const int4 *in, int4 *out) {
  __shared__ int4 tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[i], sizeof(int4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  int4 v = tile[(threadIdx.x + 32) % kBlock];
  out[i] = make_int4(v.w, v.z, v.y, v.x);
}
__global__ void per_thread_pipeline(const float *in, float *out, int n) {
  __shared__ float stage[2][kBlock];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&stage[0][t], &in[t], sizeof(float), pipe);
  pipe.producer_commit();
  float sum = 0;
  for (int i = 1; i <= n; ++i) {
    if (i < n) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stage[i & 1][t], &in[i * kBlock + t], sizeof(float), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    sum += stage[(i - 1) & 1][t];
    pipe.consumer_release();
  }
  out[t] = sum;
}
int main() {
  const int n = 2048;
  std::vector<int> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = i * 3 + 1;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  auto fetch = [&] { cudaMemcpy(r.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost); };
  int wrong = 0;
  with_groups<<<4, kBlock>>>(in, out, n);
  fetch();
  for (int i = 0; i < n; ++i) wrong += r[i] != h[i / kBlock * kBlock + kBlock - 1 - i % kBlock];
  printf("groups %d\n", wrong), wrong = 0;
  with_pipeline<<<2, kBlock>>>(in, out, n / (2 * kBlock));
  fetch();
  for (int i = 0; i < n; ++i) wrong += r[i] != 2 * h[i / kBlock * kBlock + (i + 1) % kBlock];
  printf("pipeline %d\n", wrong), wrong = 0;
  with_barrier<<<n / kBlock, kBlock>>>(in, out);
  fetch();
  for (int i = 0; i < n; ++i) wrong += r[i] != h[i ^ 1] + 1;
  printf("barrier %d\n", wrong), wrong = 0;
  with_primitives<<<n / (4 * kBlock), kBlock>>>((const int4 *)in, (int4 *)out);
  fetch();
  for (int i = 0; i < n; ++i) {
    int q = i / 4, from = q / kBlock * kBlock + (q + 32) % kBlock;
    wrong += r[i] != h[from * 4 + 3 - i % 4];
  }
  printf("primitives %d\n", wrong), wrong = 0;
  std::vector<float> f(8 * kBlock), s(kBlock);
  for (int i = 0; i < 8 * kBlock; ++i) f[i] = i % 10;
  float *fin, *fout;
  cudaMalloc(&fin, f.size() * sizeof(float));
  cudaMalloc(&fout, s.size() * sizeof(float));
  cudaMemcpy(fin, f.data(), f.size() * sizeof(float), cudaMemcpyHostToDevice);
  per_thread_pipeline<<<1, kBlock>>>(fin, fout, 8);
  cudaMemcpy(s.data(), fout, s.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int t = 0; t < kBlock; ++t) {
    float want = 0;
    for (int i = 0; i < 8; ++i) want += f[i * kBlock + t];
    wrong += want != s[t];
  }
  printf("thread pipeline %d\n", wrong);
  cudaFree(in); cudaFree(out); cudaFree(fin); cudaFree(fout);
}
