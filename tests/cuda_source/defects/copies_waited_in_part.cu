// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies. Of one wait that is missing, all that follows is one finding; where each thread has waited for
// its own copies, what is missing is a barrier; and a wait may be for too few batches. Each kernel with its twin.
// options: --check all
// code: 3
// says: wait for the copy \(__pipeline_wait_prior\(0\) behind __pipeline_commit\(\)\) in front of the
// says: barrier at line 23
// says: put a barrier \(__syncthreads\(\)\) between line 37 and line 39
// says: let line 50 leave fewer batches under way, 1
// says: errors of 3 causes;
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

template <bool Right>
__global__ void tiles(const float* in, float* out, int n) {
  __shared__ float a[2][64], b[64];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&a[t % 2][i], &in[t * 64 + i], 4), __pipeline_memcpy_async(&b[i], &in[i], 4);
    __pipeline_commit();
    if (Right) __pipeline_wait_prior(0);
    __syncthreads();
    sum += a[t % 2][63 - i];
    sum += b[63 - i] * a[t % 2][i];
    sum -= b[i];
    __syncthreads();
  }
  out[i] = sum;
}

template <bool Right>
__global__ void own(const float* in, float* out) {
  __shared__ float a[64];
  __pipeline_memcpy_async(&a[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (Right) __syncthreads();
  out[threadIdx.x] = a[63 - threadIdx.x];
}

template <int Left>
__global__ void ahead(const float* in, float* out, int n) {
  __shared__ float a[2][64];
  const int i = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&a[0][i], &in[i], 4), __pipeline_commit();
  for (int t = 0; t < n; ++t) {
    if (t + 1 < n) __pipeline_memcpy_async(&a[(t + 1) % 2][i], &in[(t + 1) * 64 + i], 4);
    __pipeline_commit(), Left == 1 ? __pipeline_wait_prior(1) : __pipeline_wait_prior(2), __syncthreads();
    sum += a[t % 2][63 - i];
    __syncthreads();
  }
  out[i] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024), cudaMalloc(&out, 256);
  cudaMemset(in, 0, 1024);
  tiles<true><<<1, 64>>>(in, out, 4), own<true><<<1, 64>>>(in, out), ahead<1><<<1, 64>>>(in, out, 4);
  tiles<false><<<1, 64>>>(in, out, 4), own<false><<<1, 64>>>(in, out), ahead<2><<<1, 64>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in), cudaFree(out);
}
