// SPDX-License-Identifier: Apache-2.0
// cuBLAS: vectors of named types, least squares, QR factors and inverses in batches, long sums of halves.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"

template <class T>
static void vectors(cublasHandle_t handle, const char *name, cudaDataType type, cudaDataType wide) {
  const int n = 500;
  std::vector<T> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = T(float(i % 4) * 0.5f);
    b[i] = T(float(i % 5) - 1.0f);
  }
  T *x = on_device(a), *y = on_device(b), *on_gpu = on_device(std::vector<T>(1)), dot, length;
  checkCudaErrors(cublasDotEx(handle, n, x, type, 1, y, type, 1, &dot, type, wide));
  checkCudaErrors(cublasNrm2Ex(handle, 25, y, type, 2, &length, type, wide));
  checkCudaErrors(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  checkCudaErrors(cublasDotcEx(handle, n / 2, x, type, 2, y, type, 2, on_gpu, type, wide));
  checkCudaErrors(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  const float single = 2;
  const double twice = 2;
  const void *factor = wide == CUDA_R_64F ? (const void *)&twice : &single;
  checkCudaErrors(cublasScalEx(handle, n, factor, wide, x, type, 1, wide));
  checkCudaErrors(cublasAxpyEx(handle, n, factor, wide, x, type, 1, y, type, 1, wide));
  checkCudaErrors(cublasSwapEx(handle, 1, x + 7, type, 1, y + 7, type, 1));
  checkCudaErrors(cublasCopyEx(handle, 1, y, type, 1, x + 1, type, 1));
  a = on_host(x, n);
  b = on_host(y, n);
  std::printf("%s: dot %g, every second %g, length %g; %g %g %g %g\n", name, (double)float(dot),
              (double)float(on_host(on_gpu, 1)[0]), (double)float(length), (double)float(a[1]), (double)float(a[7]),
              (double)float(b[7]), (double)float(b[498]));
  for (T *p : {x, y, on_gpu}) checkCudaErrors(cudaFree(p));
}

template <class T>
struct calls;
template <>
struct calls<float> {
  static constexpr auto gels = cublasSgelsBatched;
  static constexpr auto geqrf = cublasSgeqrfBatched;
  static constexpr auto matinv = cublasSmatinvBatched;
  typedef float element;
};
template <>
struct calls<std::complex<double>> {
  static constexpr auto gels = cublasZgelsBatched;
  static constexpr auto geqrf = cublasZgeqrfBatched;
  static constexpr auto matinv = cublasZmatinvBatched;
  typedef cuDoubleComplex element;
};

static float number(float a, float) { return a; }
static std::complex<double> number(double a, double b) { return {a, b}; }
static float element(float, int i, int j) { return (i * 7 + j * 3) % 11 * 0.5f - 2 + (i == j ? 4 : 0); }
static std::complex<double> element(std::complex<double>, int i, int j) {
  return number((i * 7 + j * 3) % 11 * 0.5 - 2 + (i == j ? 4 : 0), (i + j * 5) % 7 * 0.25 - 1);
}

template <class T>
static void matrices(cublasHandle_t handle, const char *name) {
  typedef typename calls<T>::element E;
  const int m = 9, n = 5, count = 3;
  std::vector<T> a(m * n * count), c(m * count), square(n * n * count);
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const T v = element(T(), i + b, j);
        a[(b * n + j) * m + i] = v;
        c[b * m + i] += v * T(j + 1 + b);  // so the solution is 1 + b, 2 + b, ...
        if (i < n) square[(b * n + j) * n + i] = v;
      }
  T *d_a = on_device(a), *d_c = on_device(c), *d_q = on_device(a), *d_tau = on_device(std::vector<T>(n * count)),
    *d_square = on_device(square), *d_inverse = on_device(square);
  std::vector<E *> as, cs, qs, taus, squares, inverses;
  for (int b = 0; b < count; ++b) {
    as.push_back((E *)(d_a + b * m * n));
    cs.push_back((E *)(d_c + b * m));
    qs.push_back((E *)(d_q + b * m * n));
    taus.push_back((E *)(d_tau + b * n));
    squares.push_back((E *)(d_square + b * n * n));
    inverses.push_back((E *)(d_inverse + b * n * n));
  }
  E **d_as = on_device(as), **d_cs = on_device(cs), **d_qs = on_device(qs), **d_taus = on_device(taus),
    **d_squares = on_device(squares), **d_inverses = on_device(inverses);
  int info = 7, *d_infos = on_device(std::vector<int>(count, 7));
  checkCudaErrors(calls<T>::gels(handle, CUBLAS_OP_N, m, n, 1, d_as, m, d_cs, m, &info, d_infos, count));
  double off = 0;
  c = on_host(d_c, c.size());
  for (int b = 0; b < count; ++b)
    for (int j = 0; j < n; ++j) off = std::max<double>(off, std::abs(c[b * m + j] - T(j + 1 + b)));
  std::printf("%s: least squares %d %d %d", name, info, on_host(d_infos, count)[2], off < 1e-3);

  // R^H R is A^H A.
  checkCudaErrors(calls<T>::geqrf(handle, m, n, d_qs, m, d_taus, &info, count));
  const std::vector<T> r = on_host(d_q, a.size());
  off = 0;
  for (int b = 0; b < count; ++b)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        T left = 0, right = 0;
        for (int k = 0; k < m; ++k) {
          const T x = a[(b * n + i) * m + k], y = r[(b * n + i) * m + k];
          left += number(std::real(x), -std::imag(x)) * a[(b * n + j) * m + k];
          if (k <= i && k <= j) right += number(std::real(y), -std::imag(y)) * r[(b * n + j) * m + k];
        }
        off = std::max<double>(off, std::abs(left - right));
      }
  std::printf(", factors %d %d", info, off < 1e-3);

  checkCudaErrors(calls<T>::matinv(handle, n, (const E *const *)d_squares, n, d_inverses, n, d_infos, count));
  const std::vector<T> inverse = on_host(d_inverse, square.size());
  off = 0;
  for (int b = 0; b < count; ++b)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        T sum = i == j ? -1 : 0;
        for (int k = 0; k < n; ++k) sum += square[(b * n + k) * n + i] * inverse[(b * n + j) * n + k];
        off = std::max<double>(off, std::abs(sum));
      }
  std::printf(", inverses %d %d\n", on_host(d_infos, count)[1], off < 1e-3);
  for (T *p : {d_a, d_c, d_q, d_tau, d_square, d_inverse}) checkCudaErrors(cudaFree(p));
  for (E **p : {d_as, d_cs, d_qs, d_taus, d_squares, d_inverses}) checkCudaErrors(cudaFree(p));
  checkCudaErrors(cudaFree(d_infos));
}

// Sums of 4096 halves in float: those of halves would stand still at 2048.
static void halves(cublasHandle_t handle, int m) {
  const int k = 4096;
  __half *a = on_device(std::vector<__half>(m * k, __float2half(1.0f))), *b = on_device(std::vector<__half>(k, __float2half(1.0f))),
         *c = on_device(std::vector<__half>(m));
  const float one = 1, zero = 0;
  checkCudaErrors(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, 1, k, &one, a, CUDA_R_16F, m, b, CUDA_R_16F, k,
                               &zero, c, CUDA_R_16F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  const std::vector<__half> sums = on_host(c, m);
  std::printf("%d sums of halves: %g %g\n", m, (double)float(sums[0]), (double)float(sums[m - 1]));
  for (__half *p : {a, b, c}) checkCudaErrors(cudaFree(p));
}

int main() {
  cublasHandle_t handle;
  checkCudaErrors(cublasCreate(&handle));
  vectors<__half>(handle, "halves", CUDA_R_16F, CUDA_R_32F);
  vectors<__nv_bfloat16>(handle, "bfloats", CUDA_R_16BF, CUDA_R_32F);
  vectors<float>(handle, "floats", CUDA_R_32F, CUDA_R_32F);
  vectors<double>(handle, "doubles", CUDA_R_64F, CUDA_R_64F);
  matrices<float>(handle, "float");
  matrices<std::complex<double>>(handle, "complex");
  halves(handle, 3);
  halves(handle, 100);
  checkCudaErrors(cublasDestroy(handle));
  return 0;
}
