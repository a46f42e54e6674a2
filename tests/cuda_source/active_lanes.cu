// SPDX-License-Identifier: Apache-2.0
// Counters of those who are here: lanes of the other branch are not, though they do the same.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void count_branches(int* counts) {
  if (threadIdx.x % 3 == 0) {
    const unsigned here = __activemask();
    if (threadIdx.x % 32 == __ffs(here) - 1) atomicAdd(&counts[0], __popc(here));
  } else {
    const unsigned here = __activemask();
    if (threadIdx.x % 32 == __ffs(here) - 1) atomicAdd(&counts[1], __popc(here));
  }
  if (threadIdx.x % 5 == 0) {
    const cg::coalesced_group here = cg::coalesced_threads();
    if (here.thread_rank() == 0) atomicAdd(&counts[2], here.size());
  } else {
    const cg::coalesced_group here = cg::coalesced_threads();
    if (here.thread_rank() == 0) atomicAdd(&counts[3], here.size());
  }
}

__device__ __forceinline__ void count(int* counter) {
  const unsigned here = __activemask();
  if (threadIdx.x % 32 == __ffs(here) - 1) atomicAdd(counter, __popc(here));
}
// One function in both branches.
__global__ void count_in_function(int* counts) {
  if (threadIdx.x % 3 == 0)
    count(counts);
  else
    count(counts + 1);
}
// What is behind a branch is one place again.
__global__ void together(int* counts) {
  int n = 1;
  if (threadIdx.x % 3 == 0) n = counts[0];
  const unsigned here = __activemask();
  if (threadIdx.x == 0) counts[2] = __popc(here) + n - counts[0];
}
// So is what is behind sums of tiles, whose lanes wait for each other and not for those of other tiles.
__global__ void behind_tiles(int* counts) {
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const int sum = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
  const cg::coalesced_group here = cg::coalesced_threads();
  if (threadIdx.x == 0) counts[3] = here.size() + sum;
}

int main() {
  int* counts;
  cudaMallocManaged(&counts, 4 * sizeof(int));
  for (int i = 0; i < 4; ++i) counts[i] = 0;
  count_branches<<<1, 64>>>(counts);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]);
  for (int i = 0; i < 4; ++i) counts[i] = 0;
  count_in_function<<<1, 64>>>(counts);
  together<<<1, 32>>>(counts);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", counts[0], counts[1], counts[2]);
  behind_tiles<<<1, 64>>>(counts);
  cudaDeviceSynchronize();
  printf("%d\n", counts[3]);
  cudaFree(counts);
}
