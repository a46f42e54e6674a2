// SPDX-License-Identifier: Apache-2.0
// A product of matrices on one stream is still read by a kernel's changes on another.
// options: --check all
// code: 3
// says: race-global
// says: cublas_two_streams.cu:32 in main
// says: kernel cublasSgemm on stream
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void scale(float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] *= 2;
}

int main() {
  const int n = 8;
  const float one = 1, zero = 0;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMemset(a, 0, n * n * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cublasHandle_t h;
  cublasCreate(&h);
  cublasSetStream(h, s);
  cudaDeviceSynchronize();
  cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  scale<<<1, n * n, 0, t>>>(c, n * n);
  cudaDeviceSynchronize();
  cublasDestroy(h);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}
