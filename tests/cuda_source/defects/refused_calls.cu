// SPDX-License-Identifier: Apache-2.0
// What loops do not know is called by the user's name and line, checked as well as plain; an assert waits for nobody.
// options: --check all --explain-execution
// code: 0
// says: ran as fibers: a yield, which loops do not know \(refused_calls.cu:12\)
// says: asserts, grid 1, block 32[^a-z]+ran as loops
#include <cassert>

__global__ void pauses(float* out, const float* in) {
  __shared__ float s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __nanosleep(10);
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
  pauses<<<1, 32>>>(out, in);
  asserts<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
