// SPDX-License-Identifier: Apache-2.0
// Not checked, asynchronous copies of a thread move at once, by each of their names: what a thread reads of its own copy
// before it waits is there. Such a read is a race under check, so this program is run without.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
constexpr int kBlock = 64;

__global__ void read_early(const int *in, int *out) {
  __shared__ alignas(16) int tile[6][kBlock];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  const int t = threadIdx.x;
  if (t == 0) init(&bar, kBlock);
  for (int k = 0; k < 6; ++k) tile[k][t] = -1;
  __syncthreads();
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[0][t], &in[t], sizeof(int), pipe);
  out[t] = tile[0][t];
  pipe.producer_commit();
  __pipeline_memcpy_async(&tile[1][t], &in[t], sizeof(int));
  out[kBlock + t] = tile[1][t];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[2][t]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + t));
  out[2 * kBlock + t] = tile[2][t];
  const unsigned none = static_cast<unsigned>(__cvta_generic_to_shared(&tile[3][t]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(none), "l"(in + t), "r"(0));
  out[3 * kBlock + t] = tile[3][t];
  cuda::memcpy_async(&tile[4][t], &in[t], sizeof(int), bar);
  out[4 * kBlock + t] = tile[4][t];
  cg::memcpy_async(cg::this_thread_block(), tile[5], in, sizeof(int) * kBlock);
  out[5 * kBlock + t] = tile[5][t];
  cg::wait(cg::this_thread_block());
  bar.arrive_and_wait();
  pipe.consumer_wait();
  pipe.consumer_release();
}

int main() {
  int *in, *out, early[6] = {};
  cudaMallocManaged(&in, kBlock * sizeof(int));
  cudaMallocManaged(&out, 6 * kBlock * sizeof(int));
  for (int i = 0; i < kBlock; ++i) in[i] = i + 1;
  read_early<<<1, kBlock>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int k = 0; k < 6; ++k)
    for (int i = 0; i < kBlock; ++i) early[k] += out[k * kBlock + i] == (k == 3 ? 0 : i + 1);
  printf("read before the wait: %d %d %d %d %d %d\n", early[0], early[1], early[2], early[3], early[4], early[5]);
  cudaFree(in);
  cudaFree(out);
}
