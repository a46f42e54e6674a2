// SPDX-License-Identifier: Apache-2.0
// The barrier stands in a function that some threads do not call: they end behind the call, which no early return
// explains.
// options: --check all
// code: 3
// says: error.barrier-divergence.: 32 of 64 threads went past a barrier of their block
// says: barrier_in_call_gone_around.cu:11 in exchanged
// says: barrier_in_call_gone_around.cu: 1 error;
#include <cuda_runtime.h>
__device__ int exchanged(int* s, int i) {
  s[i] = i, __syncthreads();
  return s[i ^ 1];
}
template <bool All>
__global__ void k(int* out, int n) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  const int all = All ? exchanged(s, i) : 0;
  out[i] = All ? all : i < n ? exchanged(s, i) : 0;
}
int main() {
  int *d, h[64];
  cudaMalloc(&d, sizeof h);
  k<true><<<1, 64>>>(d, 32);
  k<false><<<1, 64>>>(d, 32);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
}
