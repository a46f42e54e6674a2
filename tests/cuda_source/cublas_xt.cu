// SPDX-License-Identifier: Apache-2.0
// Products of matrices of the host by cublasXt, and transforms of data in descriptors of several devices (cufftXt), of
// which there is one here.
// needs: fftw3.h of libfftw3-dev
#include <cublasXt.h>
#include <cuda_runtime.h>
#include <cufftXt.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(e)                                                           \
  do {                                                                     \
    if (const int r = static_cast<int>(e)) {                               \
      std::printf("line %d: error %d\n", __LINE__, r);                     \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

int main() {
  constexpr int m = 24, n = 17, k = 31, lda = 40, ldb = 20, ldc = 30;
  std::vector<double> a(lda * m), b(ldb * k), c(ldc * n, 2), before;
  for (int i = 0; i < lda * m; ++i) a[i] = i % 11 - 5;
  for (int i = 0; i < ldb * k; ++i) b[i] = i % 7 - 3;
  before = c;
  cublasXtHandle_t h;
  int device = 0;
  CHECK(cublasXtCreate(&h));
  CHECK(cublasXtDeviceSelect(h, 1, &device));
  CHECK(cublasXtSetBlockDim(h, 16));
  const double alpha = 2, beta = -1;
  CHECK(cublasXtDgemm(h, CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, &alpha, a.data(), lda, b.data(), ldb, &beta, c.data(), ldc));
  int wrong = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < ldc; ++i) {
      double sum = before[j * ldc + i];
      if (i < m) {
        sum = -sum;
        for (int l = 0; l < k; ++l) sum += 2 * a[i * lda + l] * b[l * ldb + j];
      }
      wrong += c[j * ldc + i] != sum;
    }
  std::printf("gemm: %d wrong\n", wrong);
  // A triangle of A solved for what it was multiplied with.
  std::vector<double> triangle(n * n), right(n * 3), x(n * 3);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) triangle[j * n + i] = i == j ? 4 : 1;
  for (int i = 0; i < n * 3; ++i) x[i] = i % 5;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < n; ++i)
      for (int l = 0; l <= i; ++l) right[j * n + i] += triangle[l * n + i] * x[j * n + l];
  const double one = 1;
  CHECK(cublasXtDtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, 3, &one,
                      triangle.data(), n, right.data(), n));
  double most = 0;
  for (int i = 0; i < n * 3; ++i) most = std::fmax(most, std::fabs(right[i] - x[i]));
  std::printf("trsm: %s\n", most < 1e-12 ? "right" : "WRONG");
  CHECK(cublasXtDestroy(h));

  constexpr int size = 128;
  std::vector<cufftComplex> signal(size), back(size);
  for (int i = 0; i < size; ++i) signal[i] = {static_cast<float>(i % 5), 0};
  cufftHandle plan;
  size_t work;
  cudaLibXtDesc* data;
  CHECK(cufftCreate(&plan));
  CHECK(cufftXtSetGPUs(plan, 1, &device));
  CHECK(cufftMakePlan1d(plan, size, CUFFT_C2C, 1, &work));
  CHECK(cufftXtMalloc(plan, &data, CUFFT_XT_FORMAT_INPLACE));
  CHECK(cufftXtMemcpy(plan, data, signal.data(), CUFFT_COPY_HOST_TO_DEVICE));
  CHECK(cufftXtExecDescriptorC2C(plan, data, data, CUFFT_FORWARD));
  CHECK(cufftXtExecDescriptorC2C(plan, data, data, CUFFT_INVERSE));
  CHECK(cufftXtMemcpy(plan, back.data(), data, CUFFT_COPY_DEVICE_TO_HOST));
  most = 0;
  for (int i = 0; i < size; ++i) most = std::fmax(most, std::hypot(back[i].x / size - signal[i].x, back[i].y / size));
  std::printf("there and back on %d device: %s\n", data->descriptor->nGPUs, most < 1e-5 ? "right" : "WRONG");
  CHECK(cufftXtFree(data));
  CHECK(cufftDestroy(plan));
  return 0;
}
