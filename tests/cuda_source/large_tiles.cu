// SPDX-License-Identifier: Apache-2.0
// Tiles of more than a warp: barriers, shuffles and reductions of 64 and 128 threads, with and without memory for them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out) {
  __shared__ cg::block_tile_memory<256> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  const int sum = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

// CUDA 11 gave the memory two sizes, in a namespace that later versions have no more.
__global__ void sums_of_cuda_11(const int *in, int *out) {
#if defined(SIMT_CUDA_SOURCE)
  __shared__ cg::experimental::block_tile_memory<sizeof(int), 256> memory;
  auto block = cg::experimental::this_thread_block(memory);
  auto tile = cg::experimental::tiled_partition<128>(block);
#else
  auto tile = cg::tiled_partition<128>(cg::this_thread_block());
#endif
  const int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

__global__ void rotate(int *data) {
  __shared__ int shared[256];
  auto tile = cg::tiled_partition<128>(cg::this_thread_block());
  const int i = threadIdx.x, first = tile.meta_group_rank() * 128;
  shared[i] = data[i];
  tile.sync();  // stored
  data[i] = shared[first + (tile.thread_rank() + 1) % 128] + 1000 * tile.any(i == 200);
}

int main() {
  int h[256], *in, *out;
  for (int i = 0; i < 256; ++i) h[i] = i;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  sums<<<1, 256>>>(in, out);
  cudaMemcpy(h, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sums %d %d %d %d\n", h[0], h[1], h[2], h[3]);
  sums_of_cuda_11<<<1, 256>>>(in, out);
  cudaMemcpy(h, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sums of CUDA 11's tiles %d %d\n", h[0], h[1]);
  rotate<<<1, 256>>>(in);
  cudaMemcpy(h, in, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("rotated %d %d %d %d\n", h[0], h[127], h[128], h[255]);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
