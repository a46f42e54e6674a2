// SPDX-License-Identifier: Apache-2.0
// What loops do not know is called by the user's name and line, checked as well as plain; an assert waits for nobody.
// options: --check all --explain-execution
// code: 0
// says: ran as fibers: a call of copy_promise, which loops do not know \(refused_calls.cu:13\)
// says: asserts, grid 1, block 32[^a-z]+ran as loops
#include <cuda_pipeline.h>

#include <cassert>

__global__ void copies(float* out, const float* in) {
  __shared__ float s[32];
  __pipeline_memcpy_async(&s[threadIdx.x], in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void asserts(float* out) {
  __shared__ int s[32];
  s[threadIdx.x] = 3;
  __syncthreads();
  assert(s[31 - threadIdx.x] == 3);
  out[threadIdx.x] = 1;
}

int main() {
  float *out, *in;
  cudaMalloc(&out, 128);
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  copies<<<1, 32>>>(out, in);
  asserts<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
