// SPDX-License-Identifier: Apache-2.0
// With --default-stream per-thread the null stream no longer waits for other streams.
// options: --default-stream per-thread --check races
// code: 3
// says: default_stream_option.cu:11
// says: race-global
// says: --check races --default-stream per-thread
// says: 1 error
#include <cuda_runtime.h>

__global__ void set(int* x, int v) { x[threadIdx.x] = v; }

int main() {
  int *a, h[32];
  cudaMalloc(&a, sizeof h);
  cudaStream_t s;
  cudaStreamCreate(&s);
  set<<<1, 32, 0, s>>>(a, 1);
  set<<<1, 32>>>(a, 2);
  cudaDeviceSynchronize();
  set<<<1, 32, 0, cudaStreamLegacy>>>(a, 3);
  set<<<1, 32>>>(a, 4);  // waits for the legacy stream, as the stream of a thread does
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  cudaStreamDestroy(s);
  cudaFree(a);
}
