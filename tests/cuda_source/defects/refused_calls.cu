// SPDX-License-Identifier: Apache-2.0
// What loops do not know is called by the user's name and line, checked as well as plain; an assert waits for nobody.
// options: --check all --explain-execution
// code: 0
// says: ran as fibers: a call of load_matrix_sync, which may wait \(refused_calls.cu:17\)
// says: asserts, grid 1, block 32[^a-z]+ran as loops
#include <mma.h>

#include <cassert>

using namespace nvcuda;

__global__ void multiply(float* out, const half* in) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(a, in, 16);
  __syncthreads();
  sum.x[0] = a.x[0];
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

__global__ void asserts(float* out) {
  __shared__ int s[32];
  s[threadIdx.x] = 3;
  __syncthreads();
  assert(s[31 - threadIdx.x] == 3);
  out[threadIdx.x] = 1;
}

int main() {
  float* out;
  half* in;
  cudaMalloc(&out, 1024);
  cudaMalloc(&in, 512);
  cudaMemset(in, 0, 512);
  multiply<<<1, 32>>>(out, in);
  asserts<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
