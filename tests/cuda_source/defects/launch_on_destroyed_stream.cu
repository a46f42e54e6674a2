// SPDX-License-Identifier: Apache-2.0
// A launch on a stream that has been destroyed never begins; stream_destroyed_last is the clean twin.
// options: --check all
// code: 2
// says: kernel fill: its stream does not exist .any more., at .*launch_on_destroyed_stream.cu:15 in main
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) { a[threadIdx.x] = 1; }
int main() {
  int *a, host[64] = {};
  cudaMalloc(&a, sizeof host);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamDestroy(s);
  fill<<<1, 64, 0, s>>>(a);
  cudaDeviceSynchronize();
  std::printf("%d\n", host[63]);
  cudaFree(a);
}
