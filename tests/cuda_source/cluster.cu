// SPDX-License-Identifier: Apache-2.0
// Thread block clusters with distributed shared memory: histogram whose bins are spread over the blocks of a cluster.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
__global__ void clusterHist_kernel(int *bins, const int nbins, const int bins_per_block, const int *__restrict__ input, size_t array_size) {
  extern __shared__ int smem[];
  auto cluster = cg::this_cluster();
  int tid = cg::this_grid().thread_rank();
  unsigned int clusterBlockRank = cluster.block_rank();
  int cluster_size = cluster.dim_blocks().x;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) smem[i] = 0;
  cluster.sync();
  for (int i = tid; i < array_size; i += blockDim.x * gridDim.x) {
    int binid = input[i];
    if (binid < 0) binid = 0;
    else if (binid >= nbins) binid = nbins - 1;
    int dst_block_rank = (int)(binid / bins_per_block);
    int dst_offset = binid % bins_per_block;
    int *dst_smem = cluster.map_shared_rank(smem, dst_block_rank);
    atomicAdd(dst_smem + dst_offset, 1);
  }
  cluster.sync();
  int *lbins = bins + cluster.block_rank() * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&lbins[i], smem[i]);
}
__global__ void __cluster_dims__(2, 1, 1) neighbours(const float *in, float *out) {
  __shared__ float mine[64];
  cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  cluster.sync();
  float *theirs = cluster.map_shared_rank(&mine[0], cluster.block_rank() ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = mine[threadIdx.x] + theirs[63 - threadIdx.x];
  cluster.sync();  // nobody leaves while the other still reads
}
int main() {
  const int n = 4096, nbins = 128, cluster_size = 2, threads = 64, blocks = 8;
  std::vector<int> h(n), want(nbins), got(nbins);
  for (int i = 0; i < n; ++i) h[i] = (i * 37) % 150, want[h[i] < nbins ? h[i] : nbins - 1]++;
  int *bins, *input;
  cudaMalloc(&bins, nbins * sizeof(int));
  cudaMalloc(&input, n * sizeof(int));
  cudaMemset(bins, 0, nbins * sizeof(int));
  cudaMemcpy(input, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaLaunchConfig_t config = {0};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = nbins / cluster_size * sizeof(int);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = cluster_size;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.numAttrs = 1;
  config.attrs = attribute;
  cudaFuncSetAttribute((void *)clusterHist_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, config.dynamicSmemBytes);
  cudaError_t e = cudaLaunchKernelEx(&config, clusterHist_kernel, bins, nbins, nbins / cluster_size, input, (size_t)n);
  if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e));
  cudaMemcpy(got.data(), bins, nbins * sizeof(int), cudaMemcpyDeviceToHost);
  printf("histogram %s\n", got == want ? "ok" : "wrong");
  std::vector<float> f(256), g(256);
  for (int i = 0; i < 256; ++i) f[i] = i;
  float *fi, *fo;
  cudaMalloc(&fi, 1024);
  cudaMalloc(&fo, 1024);
  cudaMemcpy(fi, f.data(), 1024, cudaMemcpyHostToDevice);
  neighbours<<<4, 64>>>(fi, fo);
  cudaMemcpy(g.data(), fo, 1024, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 256; ++i) wrong += g[i] != f[i] + f[((i / 64) ^ 1) * 64 + 63 - i % 64];
  printf("neighbours wrong %d\n", wrong);
  cudaFree(bins); cudaFree(input); cudaFree(fi); cudaFree(fo);
}
