// SPDX-License-Identifier: Apache-2.0
// What a library is given: a matrix that is too small for the sizes, and a vector of the host. The advice names the call
// and what it is about. The last call is right.
// options: --check memory
// code: 3
// says: out-of-bounds.: write of 16384 bytes at c
// says: fix: c is too small for what cublasSgemm is told to do with it
// says: host-memory.: cublasSaxpy reads memory of the host
// says: pass that to cublasSaxpy
// says: out-of-bounds.: read of 4 bytes at v.400.
// says: v is too small for what thrust::reduce is told
// says: out-of-bounds.: a copy of 4 bytes from 'a' at byte 16384 reaches past its end
// says: fix: begin the copy inside the allocation
// says: library_sizes.cu: 4 errors;
#include <cublas_v2.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <vector>
int main() {
  const int n = 64;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float) / 2);
  cudaMemset(a, 0, n * n * sizeof(float));
  cudaMemset(b, 0, n * n * sizeof(float));
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  std::vector<float> on_host(n);
  cublasSaxpy(handle, n, &one, on_host.data(), 1, b, 1);
  thrust::device_vector<float> v(400, 1.0f);
  float sum = thrust::reduce(v.begin(), v.end() + 1);
  if (cudaMemcpy(&sum, a + n * n, sizeof sum, cudaMemcpyDeviceToHost) == cudaSuccess) return 1;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, b, n, &zero, a, n);
  cublasDestroy(handle);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
