// SPDX-License-Identifier: Apache-2.0
// cuBLAS: products of matrices and vectors against the host's, in columns, with transposition, strides and both modes.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

#include <cmath>
#include <cstdio>
#include <vector>

static bool close_to(const std::vector<float> &a, const std::vector<float> &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > 1e-4f * (1 + std::fabs(b[i]))) return false;
  return a.size() == b.size();
}

int main() {
  const int m = 37, n = 23, k = 41;
  std::vector<float> a(m * k), b(k * n), c(m * n), want(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = (i % 13) - 6;
  for (int i = 0; i < k * n; ++i) b[i] = (i % 7) * 0.5f - 1;
  for (int i = 0; i < m * n; ++i) c[i] = i % 3;
  float *d_a, *d_b, *d_c;
  cudaMalloc((void **)&d_a, a.size() * sizeof(float));
  cudaMalloc((void **)&d_b, b.size() * sizeof(float));
  cudaMalloc((void **)&d_c, c.size() * sizeof(float));
  cublasHandle_t handle;
  checkCudaErrors(cublasCreate(&handle));
  cublasSetMatrix(m, k, sizeof(float), a.data(), m, d_a, m);
  cublasSetVector(k * n, sizeof(float), b.data(), 1, d_b, 1);
  cublasSetMatrix(m, n, sizeof(float), c.data(), m, d_c, m);
  const float alpha = 2.0f, beta = 0.5f;
  cublasStatus_t s = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, d_a, m, d_b, k, &beta, d_c, m);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += a[p * m + i] * b[j * k + p];
      want[j * m + i] = alpha * sum + beta * c[j * m + i];
    }
  cublasGetMatrix(m, n, sizeof(float), d_c, m, c.data(), m);
  std::printf("gemm %d %d\n", (int)s, close_to(c, want));
  // The same product with both sides transposed: C^T = B^T A^T, by its transposed operands.
  std::vector<float> ct(n * m), want_t(n * m);
  const float one = 1.0f, zero = 0.0f;
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, n, m, k, &one, d_b, k, d_a, m, &zero, d_c, n);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += b[i * k + p] * a[p * m + j];
      want_t[j * n + i] = sum;
    }
  cudaMemcpy(ct.data(), d_c, ct.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("transposed %d\n", close_to(ct, want_t));
  // Vectors.
  float dot, length, sum;
  int largest;
  cublasSdot(handle, m, d_a, 1, d_a, 1, &dot);
  cublasSnrm2(handle, m, d_a, 1, &length);
  cublasSasum(handle, m, d_a, 1, &sum);
  cublasIsamax(handle, m, d_a, 1, &largest);
  std::printf("dot %g, length %.4f, sum %g, largest at %d\n", dot, length, sum, largest);
  cublasSaxpy(handle, 10, &alpha, d_a, 2, d_b, 1);
  cublasSscal(handle, 10, &beta, d_b, 1);
  cublasSgemv(handle, CUBLAS_OP_T, m, k, &one, d_a, m, d_c, 1, &zero, d_b + 20, 1);
  cudaMemcpy(b.data(), d_b, 70 * sizeof(float), cudaMemcpyDeviceToHost);
  float row = 0;
  for (int i = 0; i < m; ++i) row += a[3 * m + i] * ct[i];
  std::printf("axpy and scal %g, gemv %d\n", b[3], std::fabs(b[23] - row) < 1e-2f);
  // The result stays on the device.
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSdot(handle, m, d_a, 1, d_a, 1, d_c);
  cudaMemcpy(&dot, d_c, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("dot %g, wrong size %d\n", dot, (int)cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, d_a, 1, d_b, k, &zero, d_c, m));
  cublasDestroy(handle);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return 0;
}
