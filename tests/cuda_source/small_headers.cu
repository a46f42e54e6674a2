// SPDX-License-Identifier: Apache-2.0
// The smaller headers: awbarrier and its primitives, the pipeline of one thread, nv/target, cuda/functional, cuda/cmath,
// cuda/bit, cuda/std, parts of cooperative groups by themselves.
#include <cooperative_groups.h>
#include <cooperative_groups/details/scan.h>
#include <cuda/bit>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/cfloat>
#include <cuda/std/numbers>
#include <cuda/std/utility>
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>
#include <nv/target>
#include <cstdio>
using nvcuda::experimental::awbarrier;

constexpr int kThreads = 64;

// Each round a thread reads what another wrote before the barrier's phase ended.
__global__ void with_awbarrier(int *out) {
  __shared__ awbarrier meet;
  __shared__ int row[2][kThreads];
  if (threadIdx.x == 0) init(&meet, kThreads);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    row[round % 2][threadIdx.x] = round * 100 + threadIdx.x;
    auto token = meet.arrive();
    meet.wait(token);
    sum += row[round % 2][kThreads - 1 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

// Half of the threads arrive once and drop out; the others go on by themselves.
__global__ void with_primitives(int *out) {
  __shared__ __mbarrier_t meet;
  __shared__ int parts[kThreads];
  if (threadIdx.x == 0) __mbarrier_init(&meet, kThreads);
  __syncthreads();
  parts[threadIdx.x] = threadIdx.x;
  if (threadIdx.x % 2) {
    __mbarrier_arrive_and_drop(&meet);
    return;
  }
  __mbarrier_token_t token = __mbarrier_arrive(&meet);
  while (!__mbarrier_test_wait(&meet, token)) {
  }
  int sum = 0;
  for (int i = 0; i < kThreads; ++i) sum += parts[i];
  token = __mbarrier_arrive(&meet);
  while (!__mbarrier_test_wait(&meet, token)) {
  }
  parts[threadIdx.x] = sum;
  token = __mbarrier_arrive(&meet);
  while (!__mbarrier_test_wait(&meet, token)) {
  }
  out[threadIdx.x / 2] = parts[kThreads - 2 - threadIdx.x] + threadIdx.x;
}

__global__ void with_pipeline(int *out, const int *in, int tiles) {
  __shared__ int stage[2][kThreads];
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(stage[0][threadIdx.x], in[threadIdx.x], pipe);
  pipe.commit();
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) nvcuda::experimental::memcpy_async(stage[(tile + 1) % 2][threadIdx.x], in[(tile + 1) * kThreads + threadIdx.x], pipe);
    pipe.commit();
    pipe.wait_prior<1>();
    __syncthreads();
    sum += stage[tile % 2][(threadIdx.x + 1) % kThreads];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void with_scan(int *out) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[threadIdx.x] = cg::inclusive_scan(tile, static_cast<int>(tile.thread_rank()) + 1);
}

__host__ __device__ int side() {
  NV_IF_ELSE_TARGET(NV_IS_DEVICE, (return 1;), (return 2;))
}
__host__ __device__ int capability() {
  int c = 0;
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_80, (c = 80;), NV_PROVIDES_SM_60, (c = 60;), NV_IS_HOST, (c = 1;))
  NV_IF_TARGET(NV_IS_HOST, (c += 10;))
  return c;
}

template <class F>
__global__ void call(F f, int *out) {
  cuda::std::array<int, 3> a{1, 2, 3};
  auto p = cuda::std::make_pair(side(), capability());
  out[0] = f(a[2]);
  out[1] = p.first;
  out[2] = p.second;
  out[3] = cuda::ceil_div(1000, 256) + cuda::round_up(10, 8) + cuda::ilog2(1000);
  out[4] = cuda::bitfield_extract(0xabcdu, 4, 8) + cuda::bit_reverse(1u) / (1u << 30) + cuda::maximum<int>{}(3, 9);
  out[5] = static_cast<int>(cuda::std::numbers::pi * 1000) + FLT_DIG;
}

template <class K, class... A>
void show(const char *name, K kernel, int *d, int count, A... more) {
  int h[kThreads];
  cudaMemset(d, 0, sizeof h);
  kernel<<<1, kThreads>>>(d, more...);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%s:", name);
  for (int i = 0; i < count; ++i) printf(" %d", h[i]);
  printf("\n");
}

int main() {
  constexpr int kTiles = 5;
  int *d, *in, h[kTiles * kThreads];
  for (int i = 0; i < kTiles * kThreads; ++i) h[i] = i;
  cudaMalloc(&d, kThreads * sizeof(int));
  cudaMalloc(&in, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  show("awbarrier", with_awbarrier, d, 4);
  show("primitives", with_primitives, d, 4);
  show("pipeline", with_pipeline, d, 4, (const int *)in, kTiles);
  show("scan", with_scan, d, 10);
  auto f = cuda::proclaim_return_type<int>([] __device__(int x) { return x * 2; });
  cudaMemset(d, 0, kThreads * sizeof(int));
  call<<<1, 1>>>(f, d);
  cudaMemcpy(h, d, 6 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("call: %d %d %d %d %d %d, host: %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], side(), capability());
  cudaFree(d);
  cudaFree(in);
}
