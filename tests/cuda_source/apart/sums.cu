// SPDX-License-Identifier: Apache-2.0
// Its barrier can be left out: -DDEFECT.
#include "sums.h"

__device__ float scaled(float x);  // of scale.cu: linked with -rdc=true

__global__ void sum(const float* values, int count, float* out) {
  __shared__ float parts[kThreads];
  float mine = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) mine += scaled(values[i]);
  parts[threadIdx.x] = mine;
#ifndef DEFECT
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < kThreads; ++i) all += parts[i];
    *out = all;
  }
}

float sum_of(const float* values, int count) {
  float *out, result;
  cudaMalloc(&out, sizeof(float));
  sum<<<1, kThreads>>>(values, count, out);
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return result;
}
