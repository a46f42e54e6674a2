// SPDX-License-Identifier: Apache-2.0
// Single-pass reduction: the last block that finishes sums the partial results (CUDA sample threadFenceReduction).
#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__device__ unsigned int retirementCount = 0;
cudaError_t setRetirementCount(int retCnt) { return cudaMemcpyToSymbol(retirementCount, &retCnt, sizeof(unsigned int), 0, cudaMemcpyHostToDevice); }
__device__ void reduceBlock(float *sdata, float mySum, const unsigned int tid, cg::thread_block cta) {
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  sdata[tid] = mySum;
  cg::sync(tile32);
  const int VEC = 32;
  const int vid = tid & (VEC - 1);
  float beta = mySum;
  float temp;
  for (int i = VEC / 2; i > 0; i >>= 1) {
    if (vid < i) {
      temp = sdata[tid + i];
      beta += temp;
      sdata[tid] = beta;
    }
    cg::sync(tile32);
  }
  cg::sync(cta);
  if (cta.thread_rank() == 0) {
    beta = 0;
    for (int i = 0; i < blockDim.x; i += VEC) beta += sdata[i];
    sdata[0] = beta;
  }
  cg::sync(cta);
}
template <unsigned int blockSize, bool nIsPow2>
__device__ void reduceBlocks(const float *g_idata, float *g_odata, unsigned int n, cg::thread_block cta) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  float mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  reduceBlock(sdata, mySum, tid, cta);
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
template <unsigned int blockSize, bool nIsPow2>
__global__ void reduceSinglePass(const float *g_idata, float *g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  reduceBlocks<blockSize, nIsPow2>(g_idata, g_odata, n, cta);
  if (gridDim.x > 1) {
    const unsigned int tid = threadIdx.x;
    __shared__ bool amLast;
    extern float __shared__ smem[];
    // wait until all outstanding memory instructions in this thread are finished
    __threadfence();
    if (tid == 0) {
      unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
      amLast = (ticket == gridDim.x - 1);
    }
    cg::sync(cta);
    if (amLast) {
      int i = tid;
      float mySum = 0;
      while (i < gridDim.x) {
        mySum += g_odata[i];
        i += blockSize;
      }
      reduceBlock(smem, mySum, tid, cta);
      if (tid == 0) {
        g_odata[0] = smem[0];
        retirementCount = 0;
      }
    }
  }
}
int main() {
  const int n = 10000, blocks = 16;
  float *h = (float *)malloc(n * sizeof(float));
  double want = 0;
  for (int i = 0; i < n; i++) want += h[i] = (float)(i % 17);
  float *d_i, *d_o, got;
  cudaMalloc((void **)&d_i, n * sizeof(float));
  cudaMalloc((void **)&d_o, blocks * sizeof(float));
  cudaMemcpy(d_i, h, n * sizeof(float), cudaMemcpyHostToDevice);
  setRetirementCount(0);
  for (int rep = 0; rep < 3; rep++) {
    reduceSinglePass<128, false><<<blocks, 128, 128 * sizeof(float)>>>(d_i, d_o, n);
    cudaDeviceSynchronize();
    cudaMemcpy(&got, d_o, sizeof(float), cudaMemcpyDeviceToHost);
    printf("pass %d: %s\n", rep, got == want ? "ok" : "wrong");
  }
  cudaFree(d_i);
  cudaFree(d_o);
  free(h);
}
