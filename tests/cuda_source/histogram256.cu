// SPDX-License-Identifier: Apache-2.0
// 256-bin histogram: per-warp sub-histograms in shared memory, then a merge kernel (as in the CUDA sample "histogram").
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned int uint;
typedef unsigned char uchar;
#define HISTOGRAM256_BIN_COUNT 256
#define LOG2_WARP_SIZE 5U
#define WARP_SIZE (1U << LOG2_WARP_SIZE)
#define WARP_COUNT 6
#define HISTOGRAM256_THREADBLOCK_SIZE (WARP_COUNT * WARP_SIZE)
#define HISTOGRAM256_THREADBLOCK_MEMORY (WARP_COUNT * HISTOGRAM256_BIN_COUNT)
#define MERGE_THREADBLOCK_SIZE 64
#define UMUL(a, b) ((a) * (b))

inline __device__ void addByte(uint *s_WarpHist, uint data) { atomicAdd(s_WarpHist + data, 1); }
inline __device__ void addWord(uint *s_WarpHist, uint data) {
  addByte(s_WarpHist, (data >> 0) & 0xFFU);
  addByte(s_WarpHist, (data >> 8) & 0xFFU);
  addByte(s_WarpHist, (data >> 16) & 0xFFU);
  addByte(s_WarpHist, (data >> 24) & 0xFFU);
}

__global__ void histogram256Kernel(uint *d_PartialHistograms, uint *d_Data, uint dataCount) {
  __shared__ uint s_Hist[HISTOGRAM256_THREADBLOCK_MEMORY];
  uint *s_WarpHist = s_Hist + (threadIdx.x >> LOG2_WARP_SIZE) * HISTOGRAM256_BIN_COUNT;
#pragma unroll
  for (uint i = 0; i < (HISTOGRAM256_THREADBLOCK_MEMORY / HISTOGRAM256_THREADBLOCK_SIZE); i++) {
    s_Hist[threadIdx.x + i * HISTOGRAM256_THREADBLOCK_SIZE] = 0;
  }
  __syncthreads();
  for (uint pos = UMUL(blockIdx.x, blockDim.x) + threadIdx.x; pos < dataCount; pos += UMUL(blockDim.x, gridDim.x)) {
    uint data = d_Data[pos];
    addWord(s_WarpHist, data);
  }
  __syncthreads();
  for (uint bin = threadIdx.x; bin < HISTOGRAM256_BIN_COUNT; bin += HISTOGRAM256_THREADBLOCK_SIZE) {
    uint sum = 0;
    for (uint i = 0; i < WARP_COUNT; i++) {
      sum += s_Hist[bin + i * HISTOGRAM256_BIN_COUNT] & 0xFFFFFFFFU;
    }
    d_PartialHistograms[blockIdx.x * HISTOGRAM256_BIN_COUNT + bin] = sum;
  }
}

__global__ void mergeHistogram256Kernel(uint *d_Histogram, uint *d_PartialHistograms, uint histogramCount) {
  uint sum = 0;
  for (uint i = threadIdx.x; i < histogramCount; i += MERGE_THREADBLOCK_SIZE) {
    sum += d_PartialHistograms[blockIdx.x + i * HISTOGRAM256_BIN_COUNT];
  }
  __shared__ uint data[MERGE_THREADBLOCK_SIZE];
  data[threadIdx.x] = sum;
  for (uint stride = MERGE_THREADBLOCK_SIZE / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (threadIdx.x < stride) {
      data[threadIdx.x] += data[threadIdx.x + stride];
    }
  }
  if (threadIdx.x == 0) {
    d_Histogram[blockIdx.x] = data[0];
  }
}

static const uint PARTIAL_HISTOGRAM256_COUNT = 24;

int main() {
  const uint byteCount = 64 * 1024;
  uchar *h_Data = (uchar *)malloc(byteCount);
  uint *h_CPU = (uint *)malloc(256 * sizeof(uint)), *h_GPU = (uint *)malloc(256 * sizeof(uint));
  unsigned s = 2009;
  for (uint i = 0; i < byteCount; i++) {
    s = s * 1664525u + 1013904223u;
    h_Data[i] = (uchar)(s >> 24);
  }
  memset(h_CPU, 0, 256 * sizeof(uint));
  for (uint i = 0; i < byteCount; i++) h_CPU[h_Data[i]]++;
  uchar *d_Data;
  uint *d_Histogram, *d_PartialHistograms;
  cudaMalloc((void **)&d_Data, byteCount);
  cudaMalloc((void **)&d_Histogram, HISTOGRAM256_BIN_COUNT * sizeof(uint));
  cudaMalloc((void **)&d_PartialHistograms, PARTIAL_HISTOGRAM256_COUNT * HISTOGRAM256_BIN_COUNT * sizeof(uint));
  cudaMemcpy(d_Data, h_Data, byteCount, cudaMemcpyHostToDevice);
  histogram256Kernel<<<PARTIAL_HISTOGRAM256_COUNT, HISTOGRAM256_THREADBLOCK_SIZE>>>(d_PartialHistograms, (uint *)d_Data,
                                                                                    byteCount / sizeof(uint));
  mergeHistogram256Kernel<<<HISTOGRAM256_BIN_COUNT, MERGE_THREADBLOCK_SIZE>>>(d_Histogram, d_PartialHistograms,
                                                                              PARTIAL_HISTOGRAM256_COUNT);
  cudaMemcpy(h_GPU, d_Histogram, HISTOGRAM256_BIN_COUNT * sizeof(uint), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 256; i++) bad += h_CPU[i] != h_GPU[i];
  printf("bins that differ: %d, bin 17 holds %u\n", bad, h_GPU[17]);
  cudaFree(d_PartialHistograms);
  cudaFree(d_Histogram);
  cudaFree(d_Data);
  free(h_Data);
  free(h_CPU);
  free(h_GPU);
  return bad != 0;
}
