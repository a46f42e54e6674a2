// SPDX-License-Identifier: Apache-2.0
// A library for programs of any language. Its barrier can be left out: -DDEFECT.
#include <cuda_runtime.h>

#include <vector>

constexpr int kThreads = 64;

__device__ int calls;

__global__ void sum(const float* values, int count, float* out) {
  __shared__ float parts[kThreads];
  float mine = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) mine += values[i];
  parts[threadIdx.x] = mine;
#ifndef DEFECT
  __syncthreads();
#endif
  if (threadIdx.x != 0) return;
  float all = 0;
  for (int i = 0; i < kThreads; ++i) all += parts[i];
  *out = all;
  ++calls;
}

extern "C" float sum_of_ones(int count) {
  const std::vector<float> ones(count, 1);
  float *values, *out, result;
  cudaMalloc(&values, count * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(values, ones.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, kThreads>>>(values, count, out);
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(out);
  return result;
}

extern "C" int calls_so_far() {
  int result;
  cudaMemcpyFromSymbol(&result, calls, sizeof result);
  return result;
}
