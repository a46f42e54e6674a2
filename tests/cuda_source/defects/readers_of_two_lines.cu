// SPDX-License-Identifier: Apache-2.0
// A word that one thread reads to print it, and another to compute with it: each is said to have read at its own line, as
// loops and on fibers. Of two threads whose assertion fails, the one that is printed is reported, and printed once.
// options: --check all --workers 1
// code: 4
// says: :22, 19:[^!]*s.9.[^!]*.9,0,0.[^!]*.63,0,0.
// says: thread .23,0,0. of block .0,0,0. of kernel fails trapped
// says: ^1[^!]*cu:33: fails: block: .0,0,0., thread: .23,0,0. Assertion .s.63 - t. != 5. failed[^!]* on sim, all checks
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sums(int* a, int n) {
  __shared__ int s[64], u[64];
  int t = threadIdx.x;
  s[t] = a[t];
  u[t] = 0;
  __syncthreads();
  if (t == 63) printf("%d\n", s[9]);
  for (int r = 0; r < n; r++) {
    u[t] += s[(t + 2) & 63];
    s[t] = a[t] + r;
    __syncthreads();
  }
  a[t] = u[t];
}

__global__ void fails(const int* a, int* b) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  assert(s[63 - t] != 5);
  b[t] = s[t ^ 1];
}

int main() {
  int *a, *b, h[64];
  for (int i = 0; i < 64; i++) h[i] = i == 10 || i == 40 ? 5 : 1;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(a, 3);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  fails<<<1, 64>>>(a, b);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
