// SPDX-License-Identifier: Apache-2.0
// A barrier in a loop of which threads make different numbers of turns: that comes first, and the race of those that go
// on with those that are still in the loop belongs to it.
// options: --check all --workers 1
// code: 3
// says: error.barrier-divergence.: threads wait at a barrier of their block that others can never reach
// says: same number of turns in the loop at line 13: guard
// says: 1 more finding with the same cause.*race-shared
#include <cstdio>
#include <cuda_runtime.h>
__global__ void sums(const int* in, int* out, int n) {
  __shared__ int s[64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = (i < 64 ? 0 : s[threadIdx.x]) + in[i];
    __syncthreads();
  }
  out[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}
int main() {
  int *a, *b, host[100];
  for (int& h : host) h = 1;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, 256);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(a, b, 100);
  cudaMemcpy(host, b, 256, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(a);
  cudaFree(b);
}
