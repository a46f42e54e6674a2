// SPDX-License-Identifier: Apache-2.0
// An event that is asked for its time and was never recorded; nobody looks at the results. Its twin in
// tests/cuda_source/streams.cu records both.
// options: --detect-races
// code: 3
// says: error.unchecked-error.: cudaEventElapsedTime failed, and nobody looked at
// says: event_never_recorded.cu:20 in main
// says: 1 error
#include <cstdio>

__global__ void work(int* a) { a[threadIdx.x] = 1; }

int main() {
  int* a;
  cudaEvent_t start, stop;
  cudaMalloc(&a, 32 * sizeof(int));
  cudaEventCreate(&start), cudaEventCreate(&stop);
  float ms = -1;
  work<<<1, 32>>>(a);
  cudaEventElapsedTime(&ms, start, stop);
  std::printf("%g\n", ms);
  cudaFree(a);
  cudaEventDestroy(start), cudaEventDestroy(stop);
}
