// SPDX-License-Identifier: Apache-2.0
// Operations of warps that some lanes take part in, as programs write them: the masks are of votes, of matches, of
// __activemask, of groups, or written down; and one lane that works for its warp. Without checks, all of these kernels run as loops
// (tests/compile/cuda_loops.py --plain).
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
#define FULL_MASK 0xffffffffu

__device__ int sum_of(unsigned mask, int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d);
  return v;
}
// The last warp is a part, and says which.
__global__ void last_lanes(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = __ballot_sync(FULL_MASK, i < n);
  if (i < n) {
    const int sum = __reduce_add_sync(mask, in[i]);
    if (threadIdx.x % 32 == 0) out[i / 32] = sum + __popc(mask);
  }
}
__global__ void filter(const int *in, int *out, int *count, int n, int least) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  if (i >= n || in[i] < least) return;
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1;
  int at = 0;
  if (lane == leader) at = atomicAdd(count, __popc(active));
  at = __shfl_sync(active, at, leader);
  atomicAdd(&out[(at + __popc(active & ((1u << lane) - 1))) % 64], 1);
}
__global__ void filter_by_group(const int *in, int *out, int *count, int n, int least) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] >= least) {
    const auto active = cg::coalesced_threads();
    int at = 0;
    if (active.thread_rank() == 0) at = atomicAdd(count, active.size());
    at = active.shfl(at, 0) + active.thread_rank();
    atomicAdd(&out[at % 64], 1);
  }
}
__global__ void by_key(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, key = in[i] % 7;
  const unsigned peers = __match_any_sync(FULL_MASK, key);
  const int sum = __reduce_add_sync(peers, in[i]);
  const int most = __reduce_max_sync(peers, i);
  const unsigned large = __ballot_sync(peers, in[i] > 50);
  const bool all = __all_sync(peers, in[i] > 5), any = __any_sync(peers, in[i] > 90);
  const int of_first = __shfl_sync(peers, in[i], __ffs(peers) - 1);
  if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&out[key], sum + most);
  out[64 + i] = static_cast<int>(large % 1021) + of_first + (all ? 1000 : 0) + (any ? 2000 : 0);
}
// As many warps as lanes that still have something to do.
__global__ void second_stage(const int *in, int *out) {
  __shared__ int s[8];
  const int t = threadIdx.x;
  const int sum = sum_of(FULL_MASK, in[blockIdx.x * blockDim.x + t]);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  if (t < 8) {
    int v = s[t];
    for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(0xff, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
__global__ void first_tile(const int *in, int *out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (tile.meta_group_rank() == 0)
    for (int d = 8; d > 0; d /= 2) v += tile.shfl_down(v, d);
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
__global__ void halves(const int *in, int *out) {
  const int t = threadIdx.x;
  const unsigned mask = t % 32 < 16 ? 0xffffu : 0xffff0000u;
  int v = in[blockIdx.x * blockDim.x + t];
  for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d);
  out[blockIdx.x * blockDim.x + t] = v;
}
// Persistent warps: lane 0 takes the next row, and tells the others.
__global__ void next_row(const int *in, int *out, int *next, int rows) {
  const int lane = threadIdx.x % 32;
  while (true) {
    int row = 0;
    if (lane == 0) row = atomicAdd(next, 1);
    row = __shfl_sync(FULL_MASK, row, 0);
    if (row >= rows) break;
    out[row * 32 + lane] = 2 * in[row * 32 + lane] + row;
  }
}

int main() {
  const int n = 1 << 12;
  std::vector<int> host(n), back(2 * n);
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 101;
  int *in, *out, *count;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const auto clear = [&] {
    cudaMemset(out, 0, 2 * n * sizeof(int));
    cudaMemset(count, 0, sizeof(int));
  };
  const auto show = [&](const char *what) {
    int counted = 0;
    cudaMemcpy(back.data(), out, 2 * n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&counted, count, sizeof(int), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (const int v : back) sum = sum * 31u + static_cast<unsigned>(v);
    printf("%s %u, first %d, counted %d\n", what, sum, back[0], counted);
    clear();
  };
  clear();
  last_lanes<<<n / 256, 256>>>(in, out, n - 77);
  show("last_lanes");
  filter<<<n / 256, 256>>>(in, out, count, n - 77, 40);
  show("filter");
  filter_by_group<<<n / 256, 256>>>(in, out, count, n - 77, 40);
  show("filter_by_group");
  by_key<<<n / 256, 256>>>(in, out);
  show("by_key");
  by_key<<<n / 80, 80>>>(in, out);
  show("by_key, short warps");
  second_stage<<<n / 256, 256>>>(in, out);
  show("second_stage");
  first_tile<<<n / 128, 128>>>(in, out);
  show("first_tile");
  halves<<<n / 128, 128>>>(in, out);
  show("halves");
  next_row<<<2, 128>>>(in, out, count, n / 32 - 3);
  show("next_row");
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
}
