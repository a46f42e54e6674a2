// SPDX-License-Identifier: Apache-2.0
// The clean twin of launch_on_destroyed_stream: the stream goes when its work has been given to it.
// options: --check all
// code: 0
// says: no findings
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
int main() {
  int *a, host[64] = {};
  cudaMalloc(&a, sizeof host);
  cudaStream_t s;
  cudaStreamCreate(&s);
  fill<<<1, 64, 0, s>>>(a);
  cudaStreamDestroy(s);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[63]);
  cudaFree(a);
}
