// SPDX-License-Identifier: Apache-2.0
// Reductions with cooperative groups: tiles, cg::reduce, coalesced groups, labelled partitions, grid-wide sum by cg.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
using namespace cooperative_groups;

__device__ int reduce_sum(thread_group g, int *temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();
    if (lane < i) val += temp[lane + i];
    g.sync();
  }
  return val;
}
__device__ int thread_sum(int *input, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    int4 in = ((int4 *)input)[i];
    sum += in.x + in.y + in.z + in.w;
  }
  return sum;
}
__global__ void sum_kernel_block(int *sum, int *input, int n) {
  int my_sum = thread_sum(input, n);
  extern __shared__ int temp[];
  auto g = this_thread_block();
  int block_sum = reduce_sum(g, temp, my_sum);
  if (g.thread_rank() == 0) atomicAdd(sum, block_sum);
}
template <int tile_sz>
__device__ int reduce_sum_tile_shfl(thread_block_tile<tile_sz> g, int val) {
  for (int i = g.size() / 2; i > 0; i /= 2) val += g.shfl_down(val, i);
  return val;
}
template <int tile_sz>
__global__ void sum_kernel_tile(int *sum, int *input, int n) {
  int my_sum = thread_sum(input, n);
  auto tile = tiled_partition<tile_sz>(this_thread_block());
  int tile_sum = reduce_sum_tile_shfl<tile_sz>(tile, my_sum);
  if (tile.thread_rank() == 0) atomicAdd(sum, tile_sum);
}
__global__ void sum_kernel_reduce(int *sum, int *input, int n) {
  auto block = this_thread_block();
  auto tile = tiled_partition<32>(block);
  __shared__ int partial[32];
  int v = reduce(tile, thread_sum(input, n), plus<int>());
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = v;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    int w = tile.thread_rank() < tile.meta_group_size() ? partial[tile.thread_rank()] : 0;
    w = reduce(tile, w, plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(sum, w);
  }
}
__device__ int atomicAggInc(int *ptr) {
  coalesced_group g = coalesced_threads();
  int prev;
  if (g.thread_rank() == 0) prev = atomicAdd(ptr, g.size());
  prev = g.thread_rank() + g.shfl(prev, 0);
  return prev;
}
__global__ void filter_k(int *dst, int *nres, const int *src, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x;
  if (id >= n) return;
  if (src[id] > 0) dst[atomicAggInc(nres)] = src[id];
}
__global__ void by_label(const int *in, int *out) {
  auto tile = tiled_partition<32>(this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto same = labeled_partition(tile, in[i] & 3);
  out[i] = reduce(same, in[i], greater<int>());
}
int main() {
  const int n = 1 << 13;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7) % 19 - 9;
  int want = std::accumulate(h.begin(), h.end(), 0), positive = 0;
  for (int v : h) positive += v > 0;
  int *data, *sum, *out;
  cudaMallocManaged(&sum, sizeof(int));
  cudaMallocManaged(&data, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  std::copy(h.begin(), h.end(), data);
  *sum = 0;
  sum_kernel_block<<<4, 256, 256 * sizeof(int)>>>(sum, data, n);
  cudaDeviceSynchronize();
  printf("block %s\n", *sum == want ? "ok" : "wrong");
  *sum = 0;
  sum_kernel_tile<16><<<4, 256>>>(sum, data, n);
  cudaDeviceSynchronize();
  printf("tile %s\n", *sum == want ? "ok" : "wrong");
  *sum = 0;
  sum_kernel_reduce<<<4, 256>>>(sum, data, n);
  cudaDeviceSynchronize();
  printf("reduce %s\n", *sum == want ? "ok" : "wrong");
  *sum = 0;
  filter_k<<<(n + 255) / 256, 256>>>(out, sum, data, n);
  cudaDeviceSynchronize();
  bool all = true;
  for (int i = 0; i < *sum; ++i) all = all && out[i] > 0;
  printf("filter %s\n", *sum == positive && all ? "ok" : "wrong");
  by_label<<<n / 128, 128>>>(data, out);
  cudaDeviceSynchronize();
  bool good = true;
  for (int w = 0; w < n; w += 32)
    for (int i = 0; i < 32; ++i) {
      int m = -100;
      for (int j = 0; j < 32; ++j)
        if ((data[w + j] & 3) == (data[w + i] & 3)) m = std::max(m, data[w + j]);
      good = good && out[w + i] == m;
    }
  printf("labels %s\n", good ? "ok" : "wrong");
  cudaFree(data); cudaFree(sum); cudaFree(out);
}
