// SPDX-License-Identifier: Apache-2.0
// Two calls of CUB's that may run at the same time need storage of their own.
// options: --check races
// code: 3
// says: race-global.: two writes of shared_by_both
// says: cub_storage_of_two_streams.cu: 1 error;
#include <cub/cub.cuh>
#include <cuda_runtime.h>
int main() {
  int *x, *out;
  void *shared_by_both, *own;
  size_t bytes = 0;
  cudaMalloc(&x, 256 * sizeof(int));
  cudaMalloc(&out, 3 * sizeof(int));
  cudaMemset(x, 0, 256 * sizeof(int));
  cub::DeviceReduce::Sum(nullptr, bytes, x, out, 256);
  cudaMalloc(&shared_by_both, bytes);
  cudaMalloc(&own, bytes);
  cudaDeviceSynchronize();
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cub::DeviceReduce::Sum(shared_by_both, bytes, x, out, 256, a);
  cub::DeviceReduce::Sum(shared_by_both, bytes, x, out + 1, 256, b);
  cub::DeviceReduce::Sum(own, bytes, x, out + 2, 256, a);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(shared_by_both);
  cudaFree(own);
  cudaFree(x);
  cudaFree(out);
}
