// SPDX-License-Identifier: Apache-2.0
// Racing reads whose values nobody needs in the end: clang drops the reads where it simplifies the kernels' loops once
// more. They are found all the same, as on fibers. The reads of their own elements beside them are right.
// options: --check races --execution loops
// code: 3
// says: dropped_in_loops.cu:16
// says: dropped_in_loops.cu:28
#include <cuda_runtime.h>

// A store that the next one overwrites, and the read that feeds it.
__global__ void overwritten(int* g, int* h, const int* x) {
  __shared__ int s[64];
  const int me = threadIdx.x;
  s[me] = x[me];
  if (x[me] >= 0) {
    g[me] = s[(me + 1) % 64];
    h[me] = 3;
    g[me] = 5;
  }
  __syncthreads();
  g[me] += s[me];
}
// An operation of a warp that nobody uses.
__global__ void unused(int* g, const int* x) {
  __shared__ int s[64];
  const int me = threadIdx.x;
  s[me] = x[me];
  __shfl_sync(0xffffffff, s[(me + 1) % 64], 3);
  __syncthreads();
  g[me] = s[me];
}
__global__ void own(int* g, int* h, const int* x) {
  __shared__ int s[64];
  const int me = threadIdx.x;
  s[me] = x[me];
  if (x[me] >= 0) {
    g[me] = s[me];
    h[me] = 3;
    g[me] = 5;
  }
  __shfl_sync(0xffffffff, s[me], 3);
  __syncthreads();
  g[me] += s[me];
}
int main() {
  int *g, *h, *x;
  for (int** p : {&g, &h, &x}) {
    cudaMalloc(p, 256);
    cudaMemset(*p, 0, 256);
  }
  own<<<1, 64>>>(g, h, x);
  overwritten<<<1, 64>>>(g, h, x);
  unused<<<1, 64>>>(g, x);
  cudaDeviceSynchronize();
  for (int* p : {g, h, x}) cudaFree(p);
}
