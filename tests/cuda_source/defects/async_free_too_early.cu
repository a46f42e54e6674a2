// SPDX-License-Identifier: Apache-2.0
// Memory of one stream, used on a second one and freed on the first without an event between: a race with the free.
// options: --detect-races
// code: 3
// says: race-global
// says: free and write of x
// says: async_free_too_early.cu:21 in main
#include <cuda_runtime.h>
__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}
int main() {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  int* x;
  cudaMallocAsync(&x, 1000 * sizeof(int), a);
  cudaStreamSynchronize(a);
  fill<<<4, 256, 0, b>>>(x, 1000);
  cudaFreeAsync(x, a);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
