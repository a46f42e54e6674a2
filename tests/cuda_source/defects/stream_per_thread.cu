// SPDX-License-Identifier: Apache-2.0
// The stream per thread waits for the legacy stream and for no other.
// options: --check races
// code: 3
// says: race-global
// says: of b\[0\]
// says: 1 error
#include <cuda_runtime.h>
__global__ void set(int* x, int v) { x[threadIdx.x] = v; }
int main() {
  int *a, *b;
  cudaMalloc(&a, 32 * sizeof(int));
  cudaMalloc(&b, 32 * sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  set<<<1, 32>>>(a, 1);
  set<<<1, 32, 0, cudaStreamPerThread>>>(a, 2);
  set<<<1, 32>>>(a, 3);
  set<<<1, 32, 0, s>>>(b, 1);
  set<<<1, 32, 0, cudaStreamPerThread>>>(b, 2);
  cudaDeviceSynchronize();
  cudaStreamDestroy(s);
  cudaFree(a);
  cudaFree(b);
}
