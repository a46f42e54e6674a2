// SPDX-License-Identifier: Apache-2.0
// Half a warp shuffles by a mask of its own. What stays in the half, or in a width of it, is silent: the value is that of
// a lane in the mask. A shuffle down past the half reads what PTX leaves undefined.
// options: --check barrier
// code: 0
// says: warning.warp-mask.: a shuffle with mask 0x0000ffff reads from lane 16, which takes no part in it
// says: half_warps.cu:14 in
// says: : 1 warning;
#include <cub/cub.cuh>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
__global__ void past_the_half(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0x0000ffff, v, d);
  out[threadIdx.x] = v;
}
__global__ void within_it(int* out) {
  const unsigned lane = threadIdx.x, half = 0xffffU << (lane / 16 * 16);
  int v = lane;
  if (lane < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0x0000ffff, v, d, 16);
    for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0x0000ffff, v, d);
  }
  for (int d = 1; d < 16; d *= 2) v += __shfl_up_sync(half, v, d, 16);
  auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  if (tile.meta_group_rank() == 1) v += tile.shfl_down(v, 8);
  __shared__ cub::WarpReduce<int, 16>::TempStorage sums;
  if (lane < 16) v = cub::WarpReduce<int, 16>(sums).Sum(v);
  __shared__ cub::WarpScan<int, 16>::TempStorage scans;
  if (lane >= 16) cub::WarpScan<int, 16>(scans).InclusiveSum(v, v);
  out[lane] = v;
}
int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  past_the_half<<<1, 32>>>(x);
  within_it<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
