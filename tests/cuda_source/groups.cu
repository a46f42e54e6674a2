// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: blocks, tiles, coalesced threads, reduce and scan, asynchronous copies, a barrier of the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(const int* in, int* sums, int* scans, int* misc) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int v = in[block.thread_rank()];
  int sum = cg::reduce(tile, v, cg::plus<int>());
  int most = cg::reduce(tile, v, cg::greater<int>());
  if (tile.thread_rank() == 0) {
    sums[tile.meta_group_rank()] = sum;
    misc[tile.meta_group_rank()] = most;
  }
  scans[block.thread_rank()] = cg::inclusive_scan(tile, v, cg::plus<int>());
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int folded = v;
  for (int i = warp.size() / 2; i > 0; i /= 2) folded += warp.shfl_down(folded, i);
  if (warp.thread_rank() == 0) atomicAdd(&misc[8], folded);
  if (v % 3 == 0) {
    auto active = cg::coalesced_threads();
    int members = active.size();
    if (active.thread_rank() == 0) atomicAdd(&misc[9], members);
  }
  int large = tile.any(v > 5);
  block.sync();
  if (block.thread_rank() == 0) misc[10] = large + 2 * tile.num_threads();
}

__global__ void stage(const float* in, float* out, int n) {
  extern __shared__ float buffer[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in + blockIdx.x * n, sizeof(float) * n);
  cg::wait(block);
  for (int i = block.thread_rank(); i < n; i += block.size()) out[blockIdx.x * n + i] = buffer[n - 1 - i];
}

// Jacobi steps with a barrier of all blocks between them.
__global__ void smooth(float* a, float* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; s++) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      float left = i > 0 ? a[i - 1] : 0.0f, right = i < n - 1 ? a[i + 1] : 0.0f;
      b[i] = 0.5f * a[i] + 0.25f * (left + right);
    }
    grid.sync();
    float* t = a;
    a = b;
    b = t;
  }
}

int main() {
  int h[64], sums[8], scans[64], misc[16];
  for (int i = 0; i < 64; i++) h[i] = (i * 5) % 13;
  int *d_in, *d_sums, *d_scans, *d_misc;
  cudaMalloc(&d_in, sizeof h);
  cudaMalloc(&d_sums, sizeof sums);
  cudaMalloc(&d_scans, sizeof scans);
  cudaMalloc(&d_misc, sizeof misc);
  cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(d_misc, 0, sizeof misc);
  tiles<<<1, 64>>>(d_in, d_sums, d_scans, d_misc);
  cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(scans, d_scans, sizeof scans, cudaMemcpyDeviceToHost);
  cudaMemcpy(misc, d_misc, sizeof misc, cudaMemcpyDeviceToHost);
  printf("sums %d %d ... %d, maximum %d, scan %d %d %d\n", sums[0], sums[1], sums[7], misc[3], scans[0], scans[7], scans[63]);
  printf("warps %d, coalesced %d, any %d\n", misc[8], misc[9], misc[10]);

  const int n = 48;
  float hf[4 * n];
  for (int i = 0; i < 4 * n; i++) hf[i] = i;
  float *d_a, *d_b;
  cudaMalloc(&d_a, sizeof hf);
  cudaMalloc(&d_b, sizeof hf);
  cudaMemcpy(d_a, hf, sizeof hf, cudaMemcpyHostToDevice);
  stage<<<4, 32, n * sizeof(float)>>>(d_a, d_b, n);
  cudaMemcpy(hf, d_b, sizeof hf, cudaMemcpyDeviceToHost);
  printf("staged %.0f %.0f %.0f\n", hf[0], hf[n], hf[4 * n - 1]);

  int cells = 4 * n, steps = 10;
  void* args[] = {&d_a, &d_b, &cells, &steps};
  cudaMemset(d_a, 0, sizeof hf);
  const float peak = 1024.0f;
  cudaMemcpy(d_a + 96, &peak, sizeof(float), cudaMemcpyHostToDevice);
  cudaError_t e = cudaLaunchCooperativeKernel((void*)smooth, dim3(3), dim3(64), args, 0, 0);
  cudaMemcpy(hf, d_a, sizeof hf, cudaMemcpyDeviceToHost);
  printf("%s: smooth %.4f %.4f %.4f\n", cudaGetErrorString(e), hf[96], hf[95], hf[90]);
  cudaFree(d_in), cudaFree(d_sums), cudaFree(d_scans), cudaFree(d_misc), cudaFree(d_a), cudaFree(d_b);
  return 0;
}
