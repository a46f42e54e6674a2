// SPDX-License-Identifier: Apache-2.0
// cuBLAS, levels 1 and 2: vectors, and matrices with vectors.
#pragma once

#include "handle.hpp"
#include "rotations.hpp"
#include "triangles.hpp"

// X: the letter of the type; h is looked at before factors are read.
#define SIMT_CUBLAS_VECTORS(X, T)                                                                                     \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int incx,     \
                                                   T* y, int incy) {                                                  \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "axpy()", SIMT_CALLED_FROM,                                                             \
               [=, f = factor_of<T>(h, alpha)]() { axpy(n, f.get(), x, incx, y, incy); });                            \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##scal(cublasHandle_t h, int n, const T* alpha, T* x, int incx) {         \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "scal()", SIMT_CALLED_FROM,                                                             \
               [=, f = factor_of<T>(h, alpha)]() { scal(n, f.get(), x, incx); });                                     \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##copy(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {   \
    return simt_cuda::blas::run(h, "cublas" #X "copy()", SIMT_CALLED_FROM,                                            \
                                [=]() { simt_cuda::blas::copy(n, x, incx, y, incy); });                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##swap(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {         \
    return simt_cuda::blas::run(h, "cublas" #X "swap()", SIMT_CALLED_FROM,                                            \
                                [=]() { simt_cuda::blas::swap(n, x, incx, y, incy); });                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n,              \
                                                   const T* alpha, const T* a, int lda, const T* x, int incx,         \
                                                   const T* beta, T* y, int incy) {                                   \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (m < 0 || n < 0 || lda < m || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;                      \
    return run(h, "cublas" #X "gemv()", SIMT_CALLED_FROM,                                                             \
               [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {                                         \
                 gemv(form_of(op), m, n, f.get(), a, lda, x, incx, g.get(), y, incy);                                 \
               });                                                                                                    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gemvBatched(                                                            \
      cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha, const T* const a[], int lda,              \
      const T* const x[], int incx, const T* beta, T* const y[], int incy, int count) {                               \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (m < 0 || n < 0 || lda < m || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;                      \
    return run(h, "cublas" #X "gemvBatched()", SIMT_CALLED_FROM,                                                      \
               [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {                                         \
                 for (int i = 0; i < count; ++i)                                                                      \
                   gemv(form_of(op), m, n, f.get(), pointer_in(a, i), lda, pointer_in(x, i), incx, g.get(),           \
                        pointer_in(y, i), incy);                                                                      \
               });                                                                                                    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gemvStridedBatched(                                                     \
      cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda, long long sa,        \
      const T* x, int incx, long long sx, const T* beta, T* y, int incy, long long sy, int count) {                   \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "gemvStridedBatched()", SIMT_CALLED_FROM,                                               \
               [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {                                         \
                 for (int i = 0; i < count; ++i)                                                                      \
                   gemv(form_of(op), m, n, f.get(), a + i * sa, lda, x + i * sx, incx, g.get(), y + i * sy, incy);    \
               });                                                                                                    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,     \
                                                   cublasDiagType_t unit, int n, const T* a, int lda, T* x,           \
                                                   int incx) {                                                        \
    using namespace simt_cuda::blas;                                                                                  \
    return run(h, "cublas" #X "trsv()", SIMT_CALLED_FROM, [=]() {                                                     \
      triangle_and_vector(true,                                                                                       \
                          triangle<T>{a, lda, fill == CUBLAS_FILL_MODE_UPPER, unit == CUBLAS_DIAG_UNIT, form_of(op)}, \
                          n, x, incx);                                                                                \
    });                                                                                                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##trmv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,     \
                                                   cublasDiagType_t unit, int n, const T* a, int lda, T* x,           \
                                                   int incx) {                                                        \
    using namespace simt_cuda::blas;                                                                                  \
    return run(h, "cublas" #X "trmv()", SIMT_CALLED_FROM, [=]() {                                                     \
      triangle_and_vector(false,                                                                                      \
                          triangle<T>{a, lda, fill == CUBLAS_FILL_MODE_UPPER, unit == CUBLAS_DIAG_UNIT, form_of(op)}, \
                          n, x, incx);                                                                                \
    });                                                                                                               \
  }
SIMT_CUBLAS_VECTORS(S, float)
SIMT_CUBLAS_VECTORS(D, double)
SIMT_CUBLAS_VECTORS(C, cuComplex)
SIMT_CUBLAS_VECTORS(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_VECTORS

// One number of vectors.
#define SIMT_CUBLAS_DOT(name, T, conjugated)                                                                         \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, T* r) { \
    return simt_cuda::blas::run_for(h, #name "()", SIMT_CALLED_FROM, r,                                              \
                                    [=]() { return simt_cuda::blas::dot(n, x, incx, y, incy, conjugated); });        \
  }
SIMT_CUBLAS_DOT(cublasSdot, float, false)
SIMT_CUBLAS_DOT(cublasDdot, double, false)
SIMT_CUBLAS_DOT(cublasCdotu, cuComplex, false)
SIMT_CUBLAS_DOT(cublasCdotc, cuComplex, true)
SIMT_CUBLAS_DOT(cublasZdotu, cuDoubleComplex, false)
SIMT_CUBLAS_DOT(cublasZdotc, cuDoubleComplex, true)
#undef SIMT_CUBLAS_DOT
#define SIMT_CUBLAS_NUMBER(name, T, R, which)                                                  \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, int n, const T* x, int incx, R* r) { \
    return simt_cuda::blas::run_for(h, #name "()", SIMT_CALLED_FROM, r,                        \
                                    [=]() { return R{simt_cuda::blas::which(n, x, incx)}; });  \
  }
#define SIMT_CUBLAS_NUMBERS(X, T, R, nrm2_name, asum_name)       \
  SIMT_CUBLAS_NUMBER(nrm2_name, T, R, nrm2)                      \
  SIMT_CUBLAS_NUMBER(asum_name, T, R, asum)                      \
  SIMT_CUBLAS_NUMBER(cublasI##X##amax, T, int, amax)             \
  SIMT_CUBLAS_NUMBER(cublasI##X##amin, T, int, amin)             \
  SIMT_CUBLAS_NUMBER(cublasI##X##amax_64, T, std::int64_t, amax) \
  SIMT_CUBLAS_NUMBER(cublasI##X##amin_64, T, std::int64_t, amin)
SIMT_CUBLAS_NUMBERS(s, float, float, cublasSnrm2, cublasSasum)
SIMT_CUBLAS_NUMBERS(d, double, double, cublasDnrm2, cublasDasum)
SIMT_CUBLAS_NUMBERS(c, cuComplex, float, cublasScnrm2, cublasScasum)
SIMT_CUBLAS_NUMBERS(z, cuDoubleComplex, double, cublasDznrm2, cublasDzasum)
#undef SIMT_CUBLAS_NUMBERS
#undef SIMT_CUBLAS_NUMBER

#define SIMT_CUBLAS_SCALE_BY_REAL(name, T, R)                                                      \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, int n, const R* alpha, T* x, int incx) { \
    using namespace simt_cuda::blas;                                                               \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                        \
    return run(h, #name "()", SIMT_CALLED_FROM,                                                    \
               [=, f = factor_of<R>(h, alpha)]() { scal(n, from_real<T>(f.get()), x, incx); });    \
  }
SIMT_CUBLAS_SCALE_BY_REAL(cublasCsscal, cuComplex, float)
SIMT_CUBLAS_SCALE_BY_REAL(cublasZdscal, cuDoubleComplex, double)
#undef SIMT_CUBLAS_SCALE_BY_REAL

#define SIMT_CUBLAS_GER(name, T, conjugated)                                                                     \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,    \
                                        const T* y, int incy, T* a, int lda) {                                   \
    using namespace simt_cuda::blas;                                                                             \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                      \
    return run(h, #name "()", SIMT_CALLED_FROM,                                                                  \
               [=, f = factor_of<T>(h, alpha)]() { ger(m, n, f.get(), x, incx, y, incy, a, lda, conjugated); }); \
  }
SIMT_CUBLAS_GER(cublasSger, float, false)
SIMT_CUBLAS_GER(cublasDger, double, false)
SIMT_CUBLAS_GER(cublasCgeru, cuComplex, false)
SIMT_CUBLAS_GER(cublasCgerc, cuComplex, true)
SIMT_CUBLAS_GER(cublasZgeru, cuDoubleComplex, false)
SIMT_CUBLAS_GER(cublasZgerc, cuDoubleComplex, true)
#undef SIMT_CUBLAS_GER

#define SIMT_CUBLAS_SYMMETRIC(X, T, R, symv_name, syr_name, hermitian)                                              \
  SIMT_LIBRARY_CALL cublasStatus_t symv_name(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha,        \
                                             const T* a, int lda, const T* x, int incx, const T* beta, T* y,        \
                                             int incy) {                                                            \
    using namespace simt_cuda::blas;                                                                                \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                         \
    return run(h, #symv_name "()", SIMT_CALLED_FROM, [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() { \
      symv(symmetric<T>{a, lda, fill == CUBLAS_FILL_MODE_UPPER, hermitian}, n, f.get(), x, incx, g.get(), y, incy); \
    });                                                                                                             \
  }                                                                                                                 \
  SIMT_LIBRARY_CALL cublasStatus_t syr_name(cublasHandle_t h, cublasFillMode_t fill, int n, const R* alpha,         \
                                            const T* x, int incx, T* a, int lda) {                                  \
    using namespace simt_cuda::blas;                                                                                \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                         \
    return run(h, #syr_name "()", SIMT_CALLED_FROM, [=, f = factor_of<R>(h, alpha)]() {                             \
      rank_one(fill == CUBLAS_FILL_MODE_UPPER, hermitian, n, as_element<T>(f.get()), x, incx, a, lda);              \
    });                                                                                                             \
  }
SIMT_CUBLAS_SYMMETRIC(S, float, float, cublasSsymv, cublasSsyr, false)
SIMT_CUBLAS_SYMMETRIC(D, double, double, cublasDsymv, cublasDsyr, false)
SIMT_CUBLAS_SYMMETRIC(C, cuComplex, float, cublasChemv, cublasCher, true)
SIMT_CUBLAS_SYMMETRIC(Z, cuDoubleComplex, double, cublasZhemv, cublasZher, true)
SIMT_CUBLAS_SYMMETRIC(C, cuComplex, cuComplex, cublasCsymv, cublasCsyr, false)
SIMT_CUBLAS_SYMMETRIC(Z, cuDoubleComplex, cuDoubleComplex, cublasZsymv, cublasZsyr, false)
#undef SIMT_CUBLAS_SYMMETRIC
