// SPDX-License-Identifier: Apache-2.0
// cuBLAS: QR factors of batches of matrices, least squares by them, and inverses of small matrices.
#pragma once

#include "handle.hpp"
#include "triangles.hpp"

namespace simt_cuda::blas {

template <class T>
SIMT_UNWATCHED real<T> imaginary_part(T v) {
  if constexpr (is_complex<T>)
    return v.y;
  else
    return 0;
}
// A column of a QR factorisation, as LAPACK has it: x[0] becomes beta, what follows v (v[0] is 1, not stored), and
// (I - conj(tau) v v^H) takes the old column to (beta, 0, ...). The result is tau.
template <class T>
SIMT_UNWATCHED T make_reflection(size m, T* x) {
  real<T> tail = 0;
  for (size i = 1; i < m; ++i) tail += real_part(times(x[i], conjugate(x[i], true)));
  const real<T> re = real_part(x[0]), im = imaginary_part(x[0]);
  if (tail == 0 && im == 0) return T{};
  const real<T> length = std::sqrt(re * re + im * im + tail), beta = re < 0 ? length : -length;
  const T factor = over(from_real<T>(1), minus(x[0], from_real<T>(beta)));
  const T tau = over(minus(from_real<T>(beta), x[0]), from_real<T>(beta));
  for (size i = 1; i < m; ++i) x[i] = times(x[i], factor);
  x[0] = from_real<T>(beta);
  return tau;
}
// x = (I - factor v v^H) x
template <class T>
SIMT_UNWATCHED void reflect(size m, const T* v, T factor, T* x) {
  T sum = x[0];
  for (size i = 1; i < m; ++i) sum = plus(sum, times(conjugate(v[i], true), x[i]));
  sum = times(factor, sum);
  x[0] = minus(x[0], sum);
  for (size i = 1; i < m; ++i) x[i] = minus(x[i], times(v[i], sum));
}
// A = Q R in place: R above, the reflections below. tau has min(m, n) elements.
template <class T>
SIMT_UNWATCHED void factor_by_reflections(size m, size n, T* a, size lda, T* tau) {
  for (size k = 0; k < (m < n ? m : n); ++k) {
    T* const v = a + k * lda + k;
    tau[k] = make_reflection(m - k, v);
    for (size j = k + 1; j < n; ++j) reflect(m - k, v, conjugate(tau[k], true), a + j * lda + k);
  }
}
// The x with the smallest |A x - c|, m >= n, into the first n rows of C. The number of a column of A that depends on
// those before it, from 1, else 0.
template <class T>
SIMT_UNWATCHED int least_squares(size m, size n, size sides, T* a, size lda, T* c, size ldc) {
  matrix_is_read(a, m, n, lda);
  matrix_is_written(a, m, n, lda);
  matrix_is_read(c, m, sides, ldc);
  matrix_is_written(c, m, sides, ldc);
  const scratch<T> tau(n);
  factor_by_reflections(m, n, a, lda, tau.get());
  for (size k = 0; k < n; ++k)
    if (is_zero(a[k * lda + k])) return static_cast<int>(k) + 1;
  const triangle<T> r{a, lda, true, false, form::plain};
  for (size j = 0; j < sides; ++j) {
    T* const x = c + j * ldc;
    for (size k = 0; k < n; ++k) reflect(m - k, a + k * lda + k, conjugate(tau[k], true), x + k);
    solve_in_place(r, n, x, 1);
  }
  return 0;
}
// C = A^-1 by LU with pivots in room of the host; A stays.
template <class T>
SIMT_UNWATCHED int invert(size n, const T* a, size lda, T* c, size ldc) {
  matrix_is_read(a, n, n, lda);
  matrix_is_written(c, n, n, ldc);
  const scratch<T> lu(n * n);
  const scratch<int> pivots(n);
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < n; ++i) lu[j * n + i] = a[j * lda + i];
  const int singular = factor(n, lu.get(), n, pivots.get());
  if (singular == 0) inverse_of(n, lu.get(), n, pivots.get(), c, ldc);
  return singular;
}
}  // namespace simt_cuda::blas

// Pointers of the matrices, and geqrf's of tau, lie on the device; geqrf's info is one number of the host, that of the
// others is null or has a number on the device for each matrix.
#define SIMT_CUBLAS_LEAST_SQUARES(X, T)                                                                               \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##geqrfBatched(cublasHandle_t h, int m, int n, T* const a[], int lda,     \
                                                           T* const tau[], int* info, int count) {                    \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    *info = m < 0 ? -1 : n < 0 ? -2 : lda < (m > 1 ? m : 1) ? -4 : count < 0 ? -7 : 0;                                \
    if (*info != 0) return CUBLAS_STATUS_INVALID_VALUE;                                                               \
    return run(h, "cublas" #X "geqrfBatched()", SIMT_CALLED_FROM, [=]() {                                             \
      for (int i = 0; i < count; ++i) {                                                                               \
        T *const matrix = pointer_in(a, i), *const factors = pointer_in(tau, i);                                      \
        matrix_is_read(matrix, m, n, lda);                                                                            \
        matrix_is_written(matrix, m, n, lda);                                                                         \
        writes_array(factors, m < n ? m : n);                                                                         \
        factor_by_reflections(m, n, matrix, lda, factors);                                                            \
      }                                                                                                               \
    });                                                                                                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gelsBatched(cublasHandle_t h, cublasOperation_t op, int m, int n,       \
                                                          int sides, T* const a[], int lda, T* const c[], int ldc,    \
                                                          int* info, int* infos, int count) {                         \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    *info = 0;                                                                                                        \
    if (op != CUBLAS_OP_N || m < n) return CUBLAS_STATUS_NOT_SUPPORTED;                                               \
    *info = n < 0 ? -3 : sides < 0 ? -4 : lda < (m > 1 ? m : 1) ? -6 : ldc < (m > 1 ? m : 1) ? -8 : 0;                \
    if (*info != 0) return CUBLAS_STATUS_INVALID_VALUE;                                                               \
    return run(h, "cublas" #X "gelsBatched()", SIMT_CALLED_FROM, [=]() {                                              \
      for (int i = 0; i < count; ++i) {                                                                               \
        const int result = least_squares(m, n, sides, pointer_in(a, i), lda, pointer_in(c, i), ldc);                  \
        if (infos != nullptr) give(infos + i, result, true);                                                          \
      }                                                                                                               \
    });                                                                                                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##matinvBatched(cublasHandle_t h, int n, const T* const a[], int lda,     \
                                                            T* const c[], int ldc, int* infos, int count) {           \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (n < 0 || lda < n || ldc < n) return CUBLAS_STATUS_INVALID_VALUE;                                              \
    if (n > 32) return CUBLAS_STATUS_NOT_SUPPORTED;                                                                   \
    return run(h, "cublas" #X "matinvBatched()", SIMT_CALLED_FROM, [=]() {                                            \
      for (int i = 0; i < count; ++i) give(infos + i, invert(n, pointer_in(a, i), lda, pointer_in(c, i), ldc), true); \
    });                                                                                                               \
  }
SIMT_CUBLAS_LEAST_SQUARES(S, float)
SIMT_CUBLAS_LEAST_SQUARES(D, double)
SIMT_CUBLAS_LEAST_SQUARES(C, cuComplex)
SIMT_CUBLAS_LEAST_SQUARES(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_LEAST_SQUARES
