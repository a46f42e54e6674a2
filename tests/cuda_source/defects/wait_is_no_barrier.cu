// SPDX-License-Identifier: Apache-2.0
// Each thread waits for its own copy and reads another one's: a wait is no barrier. And a copy that its thread reads too
// early, and one that fills again what others still read.
// options: --check all
// code: 3
// says: put a barrier \(__syncthreads\(\)\) between line 18 and line 19
// says: each thread has waited for its own copies at line 18, and no barrier has run since
// says: nothing keeps the copy at line 40 from filling what line 39 still uses
#include <cuda_pipeline.h>

constexpr int kThreads = 128;

__global__ void others(const int* in, int* out) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[kThreads - 1 - t];
}

__global__ void early(const int* in, int* out) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x;
  s[t] = 0;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  out[t] = s[t];
  __pipeline_wait_prior(0);
}

__global__ void refill(const int* in, int* out) {
  __shared__ int s[kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[kThreads - 1 - t];
  __pipeline_memcpy_async(&s[t], &in[kThreads + t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] += s[kThreads - 1 - t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 2 * kThreads * sizeof(int));
  cudaMalloc(&out, kThreads * sizeof(int));
  cudaMemset(in, 0, 2 * kThreads * sizeof(int));
  others<<<1, kThreads>>>(in, out);
  early<<<1, kThreads>>>(in, out);
  refill<<<1, kThreads>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
