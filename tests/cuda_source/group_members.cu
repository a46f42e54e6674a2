// SPDX-License-Identifier: Apache-2.0
// Rarer members and functions of cooperative groups: parts of groups whose lanes are no neighbours, split barriers of a
// block, clusters seen from the grid, one thread's value for all, updates of atomic variables by groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void parts(int* out) {
  const int i = threadIdx.x;
  if (i % 3 != 0) return;
  const cg::coalesced_group third = cg::coalesced_threads();  // lanes 0, 3, 6 ... 30
  const cg::coalesced_group four = cg::tiled_partition(third, 4);
  out[i] = four.thread_rank() + 10 * four.size() + 100 * four.shfl(i, 0);
}
__global__ void numbers(int* out) {
  const auto all = cg::coalesced_threads();
  const auto thirds = cg::labeled_partition(all, threadIdx.x % 3), fours = cg::tiled_partition(all, 4);
  const auto two = cg::binary_partition(all, threadIdx.x > 9), one = cg::binary_partition(all, threadIdx.x < 99);
  const cg::coalesced_group groups[] = {thirds, fours, two, one};
  if (threadIdx.x == 13)
    for (int i = 0; i < 4; ++i)
      out[i] = groups[i].size() + 100 * groups[i].thread_rank() + 10000 * groups[i].meta_group_size() +
               1000000 * groups[i].meta_group_rank();
}
__global__ void split(int* out) {
  __shared__ int v[64];
  const cg::thread_block b = cg::this_thread_block();
  v[b.thread_rank()] = threadIdx.x * 2;
  cg::thread_block::arrival_token t = b.barrier_arrive();
  const int own = threadIdx.x * 100;
  b.barrier_wait(cuda::std::move(t));
  out[threadIdx.x] = own + v[63 - threadIdx.x];
}
__global__ void __cluster_dims__(2, 1, 1) clusters(int* out) {
  const cg::grid_group g = cg::this_grid();
  if (threadIdx.x == 0)
    out[blockIdx.x] = (int)(g.cluster_rank() + 10 * g.num_clusters() + 100 * g.dim_clusters().x +
                            1000 * g.cluster_index().x + 10000 * cg::this_cluster().block_rank());
}
__global__ void updates(int* sum, int* low, int* places, int* total, int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = threadIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_block> s(*sum), l(*low), p(*places);
  cg::reduce_update_async(tile, s, i, cg::plus<int>());
  cg::reduce_update_async(tile, l, 50 - i, cg::less<int>());
  cg::reduce_store_async(tile, total + tile.meta_group_rank(), i, cg::plus<int>());
  const int count = i % 4, at = cg::exclusive_scan_update(tile, p, count, cg::plus<int>());
  for (int k = 0; k < count; ++k) out[at + k] = 1;
  const int last = cg::invoke_one_broadcast(tile, [&] { return 7; });
  if (last != 7) *sum = -1;
}

int main() {
  int h[64], *d, *e;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&e, sizeof h);
  cudaMemset(d, 0, sizeof h);
  parts<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i += 3) std::printf("%d ", h[i]);
  numbers<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("\n%d %d %d %d\n", h[0], h[1], h[2], h[3]);
  split<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", h[0], h[63]);
  clusters<<<6, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d\n", h[0], h[3], h[5]);
  cudaMemset(d, 0, sizeof h);
  cudaMemset(e, 0, sizeof h);
  const int high = 1000;
  cudaMemcpy(d + 1, &high, sizeof high, cudaMemcpyHostToDevice);
  updates<<<1, 32>>>(d, d + 1, d + 2, d + 3, e);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d %d", h[0], h[1], h[2], h[3], h[4]);
  cudaMemcpy(h, e, sizeof h, cudaMemcpyDeviceToHost);
  int set = 0;
  for (int v : h) set += v;
  std::printf(" %d\n%s\n", set, cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
  cudaFree(e);
}
