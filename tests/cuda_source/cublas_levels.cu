// SPDX-License-Identifier: Apache-2.0
// cuBLAS beyond gemm: triangular and symmetric matrices, complex numbers, batches, halves, factors on the device.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

typedef std::complex<double> number;
typedef std::vector<number> numbers;

static cuDoubleComplex *on_device(const numbers &v) {
  cuDoubleComplex *d;
  checkCudaErrors(cudaMalloc((void **)&d, v.size() * sizeof(number)));
  checkCudaErrors(cudaMemcpy(d, v.data(), v.size() * sizeof(number), cudaMemcpyHostToDevice));
  return d;
}
static numbers on_host(const cuDoubleComplex *d, size_t n) {
  numbers v(n);
  checkCudaErrors(cudaMemcpy(v.data(), d, n * sizeof(number), cudaMemcpyDeviceToHost));
  return v;
}
template <class T>
static T *copied(const std::vector<T> &v) {
  T *d;
  checkCudaErrors(cudaMalloc((void **)&d, v.size() * sizeof(T)));
  checkCudaErrors(cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}
static number op_of(const numbers &a, int ld, int i, int j, cublasOperation_t op) {
  return op == CUBLAS_OP_N ? a[j * ld + i] : op == CUBLAS_OP_T ? a[i * ld + j] : std::conj(a[i * ld + j]);
}
// op(A) B where A is n x n and B n x k
static numbers product(const numbers &a, const numbers &b, int n, int k, cublasOperation_t op) {
  numbers c(n * k);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < n; ++i)
      for (int p = 0; p < n; ++p) c[j * n + i] += op_of(a, n, i, p, op) * b[j * n + p];
  return c;
}
static bool same(const numbers &a, const numbers &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) < 1e-10 * (1 + std::abs(b[i])))) return false;
  return a.size() == b.size();
}

int main() {
  const int n = 9, k = 4;
  const cuDoubleComplex one = {1, 0}, zero = {0, 0}, two = {2, 1};
  const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
  cublasHandle_t handle;
  checkCudaErrors(cublasCreate(&handle));
  numbers full(n * n), lower(n * n), hermitian(n * n), b(n * k);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      full[j * n + i] = number((i * 3 + j * 5) % 7 - 3, (i + 2 * j) % 5 - 2) + (i == j ? 9.0 : 0.0);
      if (i >= j) lower[j * n + i] = full[j * n + i];
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) hermitian[j * n + i] = i > j ? full[j * n + i] : i == j ? number(full[j * n + i].real()) : std::conj(full[i * n + j]);
  for (int i = 0; i < n * k; ++i) b[i] = number(i % 5 - 2, i % 3);
  cuDoubleComplex *d_a = on_device(full), *d_h = on_device(hermitian), *d_b = on_device(b), *d_c = on_device(numbers(n * n));

  for (cublasOperation_t op : ops) {
    checkCudaErrors(cublasZcopy(handle, n * k, d_b, 1, d_c, 1));
    checkCudaErrors(cublasZtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, n, k, &one, d_a, n, d_c, n));
    const bool left = same(product(lower, on_host(d_c, n * k), n, k, op), b);
    // X op(L) = B^T, so op(L)^T X^T = B.
    numbers turned(n * k);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < k; ++j) turned[i * k + j] = b[j * n + i];
    cuDoubleComplex *d_t = on_device(turned);
    checkCudaErrors(cublasZtrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, k, n, &one, d_a, n, d_t, k));
    const numbers x = on_host(d_t, n * k);
    numbers back(n * k);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < k; ++j)
        for (int p = 0; p < n; ++p) back[i * k + j] += x[p * k + j] * op_of(lower, n, p, i, op);
    const bool right = same(back, turned);
    checkCudaErrors(cublasZtrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, n, k, &one, d_a, n, d_b, n, d_c, n));
    const bool times = same(on_host(d_c, n * k), product(lower, b, n, k, op));
    checkCudaErrors(cublasZgemm(handle, op, CUBLAS_OP_N, n, k, n, &one, d_a, n, d_b, n, &zero, d_c, n));
    const bool gemm = same(on_host(d_c, n * k), product(full, b, n, k, op));
    checkCudaErrors(cublasZgemv(handle, op, n, n, &one, d_a, n, d_b, 1, &zero, d_c, 1));
    const bool gemv = same(on_host(d_c, n), product(full, numbers(b.begin(), b.begin() + n), n, 1, op));
    checkCudaErrors(cublasZcopy(handle, n, d_b, 1, d_c, 1));
    checkCudaErrors(cublasZtrsv(handle, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_NON_UNIT, n, d_a, n, d_c, 1));
    const bool trsv = same(product(lower, on_host(d_c, n), n, 1, op), numbers(b.begin(), b.begin() + n));
    std::printf("op %d: trsm %d %d, trmm %d, gemm %d, gemv %d, trsv %d\n", (int)op, left, right, times, gemm, gemv, trsv);
    cudaFree(d_t);
  }
  checkCudaErrors(cublasZhemm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, n, k, &one, d_a, n, d_b, n, &zero, d_c, n));
  const bool hemm = same(on_host(d_c, n * k), product(hermitian, b, n, k, CUBLAS_OP_N));
  checkCudaErrors(cublasZhemv(handle, CUBLAS_FILL_MODE_LOWER, n, &one, d_a, n, d_b, 1, &zero, d_c, 1));
  const bool hemv = same(on_host(d_c, n), product(hermitian, numbers(b.begin(), b.begin() + n), n, 1, CUBLAS_OP_N));
  const double half_of = 0.5, none = 0;
  checkCudaErrors(cudaMemset(d_c, 0, n * n * sizeof(number)));
  checkCudaErrors(cublasZherk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, n, k, &half_of, d_b, n, &none, d_c, n));
  numbers got = on_host(d_c, n * n), want(n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      for (int p = 0; p < k; ++p) want[j * n + i] += 0.5 * b[p * n + i] * std::conj(b[p * n + j]);
  const bool herk = same(got, want);
  checkCudaErrors(cudaMemset(d_c, 0, n * n * sizeof(number)));
  checkCudaErrors(cublasZsyr2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &two, d_b, n, d_h, n, &zero, d_c, n));
  got = on_host(d_c, n * n);
  want.assign(n * n, 0);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      for (int p = 0; p < k; ++p) want[j * n + i] += number(2, 1) * (b[p * n + i] * hermitian[p * n + j] + hermitian[p * n + i] * b[p * n + j]);
  std::printf("hemm %d, hemv %d, herk %d, syr2k %d\n", hemm, hemv, herk, same(got, want));

  cuDoubleComplex dot, plain;
  double length, sum;
  int largest, smallest;
  checkCudaErrors(cublasZdotc(handle, n, d_a, 1, d_b, 1, &dot));
  checkCudaErrors(cublasZdotu(handle, n, d_a, 1, d_b, 1, &plain));
  checkCudaErrors(cublasDznrm2(handle, n, d_a, 1, &length));
  checkCudaErrors(cublasDzasum(handle, n, d_a, 1, &sum));
  checkCudaErrors(cublasIzamax(handle, n, d_a, 1, &largest));
  checkCudaErrors(cublasIzamin(handle, n, d_a, 1, &smallest));
  std::printf("dotc %g %g, dotu %g %g, length %.4f, sum %g, largest %d, smallest %d\n", dot.x, dot.y, plain.x, plain.y, length, sum, largest, smallest);

  // Factors on the device.
  cuDoubleComplex *d_f = on_device({number(0, 1)});
  checkCudaErrors(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  checkCudaErrors(cublasZscal(handle, 2, d_f, d_b, 1));
  checkCudaErrors(cublasZaxpy(handle, 1, d_f, d_b, 1, d_b + 1, 1));
  checkCudaErrors(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  got = on_host(d_b, 2);
  std::printf("scal %g %g, axpy %g %g\n", got[0].real() + 0.0, got[0].imag(), got[1].real(), got[1].imag());
  for (cuDoubleComplex *p : {d_a, d_h, d_b, d_c, d_f}) cudaFree(p);

  // Batches: inverses of small matrices, and products that show it.
  const int size = 5, count = 6;
  std::vector<float> all(size * size * count);
  for (size_t i = 0; i < all.size(); ++i) all[i] = (i * 11 % 17) * 0.25f - 2 + (i % (size * size) % (size + 1) == 0 ? 3 : 0);
  float *d_all = copied(all), *d_lu = copied(all), *d_inverse = copied(all), *d_unit = copied(all);
  std::vector<float *> lus, inverses, units, alls;
  for (int i = 0; i < count; ++i) {
    alls.push_back(d_all + i * size * size);
    lus.push_back(d_lu + i * size * size);
    inverses.push_back(d_inverse + i * size * size);
    units.push_back(d_unit + i * size * size);
  }
  float **d_lus = copied(lus), **d_inverses = copied(inverses), **d_units = copied(units), **d_alls = copied(alls);
  int *d_pivots = copied(std::vector<int>(size * count)), *d_info = copied(std::vector<int>(count, 7));
  checkCudaErrors(cublasSgetrfBatched(handle, size, d_lus, size, d_pivots, d_info, count));
  checkCudaErrors(cublasSgetriBatched(handle, size, d_lus, size, d_pivots, d_inverses, size, d_info, count));
  const float f_one = 1, f_zero = 0;
  std::vector<float> unit(all.size());
  double off[2] = {0, 0};
  for (int how = 0; how < 2; ++how) {
    if (how == 0)
      checkCudaErrors(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &f_one, d_alls, size, d_inverses, size, &f_zero, d_units, size, count));
    else
      checkCudaErrors(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &f_one, d_inverse, size, size * size, d_all, size, size * size, &f_zero, d_unit, size, size * size, count));
    checkCudaErrors(cudaMemcpy(unit.data(), d_unit, unit.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < unit.size(); ++i) off[how] = std::max(off[how], (double)std::fabs(unit[i] - (i % (size * size) % (size + 1) == 0 ? 1 : 0)));
  }
  std::printf("inverses %d %d\n", off[0] < 1e-3, off[1] < 1e-3);
  for (float *p : {d_all, d_lu, d_inverse, d_unit}) cudaFree(p);
  for (float **p : {d_lus, d_inverses, d_units, d_alls}) cudaFree(p);
  cudaFree(d_pivots);
  cudaFree(d_info);

  // Halves, computed in float.
  const int h = 16;
  std::vector<__half> left(h * h), right(h * h);
  for (int i = 0; i < h * h; ++i) {
    left[i] = __float2half((i % 5) * 0.5f);
    right[i] = __float2half((i % 7) * 0.25f - 0.5f);
  }
  __half *d_left = copied(left), *d_right = copied(right);
  float *d_out = copied(std::vector<float>(h * h));
  checkCudaErrors(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, h, h, h, &f_one, d_left, CUDA_R_16F, h, d_right, CUDA_R_16F, h, &f_zero, d_out, CUDA_R_32F, h, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  float out[2];
  checkCudaErrors(cudaMemcpy(out, d_out + 21, sizeof out, cudaMemcpyDeviceToHost));
  std::printf("halves %g %g\n", out[0], out[1]);
  cudaFree(d_left);
  cudaFree(d_right);
  cudaFree(d_out);
  checkCudaErrors(cublasDestroy(handle));
  return 0;
}
