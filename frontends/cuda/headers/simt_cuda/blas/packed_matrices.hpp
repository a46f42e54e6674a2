// SPDX-License-Identifier: Apache-2.0
// cuBLAS, level 2: bands and packed triangles; updates of rank two.
#pragma once

#include "handle.hpp"
#include "packed_storage.hpp"

namespace simt_cuda::blas {
inline bool is_upper(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER; }
inline meaning triangle_of(cublasDiagType_t unit) {
  return unit == CUBLAS_DIAG_UNIT ? meaning::unit_triangle : meaning::triangle;
}
template <class T>
cublasStatus_t stored_product(cublasHandle_t h, const char* name, const void* place, bool sizes, stored<T> s, form op,
                              const T* alpha, const T* x, int incx, const T* beta, T* y, int incy) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!sizes || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(h, name, place, [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {
    stored_and_vector(s, op, f.get(), x, incx, g.get(), y, incy);
  });
}
template <class T>
cublasStatus_t stored_triangle(cublasHandle_t h, const char* name, const void* place, bool sizes, bool solve,
                               stored<T> s, form op, T* x, int incx) {
  if (!sizes || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(h, name, place, [=]() { stored_triangle_and_vector(solve, s, op, x, incx); });
}
template <class T, class F>
cublasStatus_t stored_update(cublasHandle_t h, const char* name, const void* place, bool both, bool hermitian, layout l,
                             const F* alpha, const T* x, int incx, const T* y, int incy, T* a) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (l.n < 0 || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  return run(h, name, place, [=, f = factor_of<F>(h, alpha)]() {
    T factor{};
    if constexpr (std::is_same_v<T, F>)
      factor = f.get();
    else
      factor = from_real<T>(f.get());
    stored_rank_update(both, hermitian, l, factor, x, incx, y, incy, a);
  });
}
}  // namespace simt_cuda::blas

// Triangles of a band and packed ones, with vectors: products, and systems solved.
#define SIMT_CUBLAS_STORED_TRIANGLES(band_name, packed_name, T, solve)                                             \
  SIMT_LIBRARY_CALL cublasStatus_t band_name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,        \
                                             cublasDiagType_t unit, int n, int k, const T* a, int lda, T* x,       \
                                             int incx) {                                                           \
    using namespace simt_cuda::blas;                                                                               \
    return stored_triangle<T>(h, #band_name "()", SIMT_CALLED_FROM, n >= 0 && k >= 0 && lda > k, solve,            \
                              {a, triangle_of_band(n, k, is_upper(fill), lda), triangle_of(unit)}, form_of(op), x, \
                              incx);                                                                               \
  }                                                                                                                \
  SIMT_LIBRARY_CALL cublasStatus_t packed_name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,      \
                                               cublasDiagType_t unit, int n, const T* a, T* x, int incx) {         \
    using namespace simt_cuda::blas;                                                                               \
    return stored_triangle<T>(h, #packed_name "()", SIMT_CALLED_FROM, n >= 0, solve,                               \
                              {a, packed(n, is_upper(fill)), triangle_of(unit)}, form_of(op), x, incx);            \
  }
#define SIMT_CUBLAS_STORED_TRIANGLES_OF(X, T)                              \
  SIMT_CUBLAS_STORED_TRIANGLES(cublas##X##tbmv, cublas##X##tpmv, T, false) \
  SIMT_CUBLAS_STORED_TRIANGLES(cublas##X##tbsv, cublas##X##tpsv, T, true)
SIMT_CUBLAS_STORED_TRIANGLES_OF(S, float)
SIMT_CUBLAS_STORED_TRIANGLES_OF(D, double)
SIMT_CUBLAS_STORED_TRIANGLES_OF(C, cuComplex)
SIMT_CUBLAS_STORED_TRIANGLES_OF(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_STORED_TRIANGLES_OF
#undef SIMT_CUBLAS_STORED_TRIANGLES

#define SIMT_CUBLAS_BANDS(X, T)                                                                                       \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gbmv(cublasHandle_t h, cublasOperation_t op, int m, int n, int below,   \
                                                   int above, const T* alpha, const T* a, int lda, const T* x,        \
                                                   int incx, const T* beta, T* y, int incy) {                         \
    using namespace simt_cuda::blas;                                                                                  \
    return stored_product<T>(h, "cublas" #X "gbmv()", SIMT_CALLED_FROM,                                               \
                             m >= 0 && n >= 0 && below >= 0 && above >= 0 && lda > below + above,                     \
                             {a, band(m, n, below, above, lda), meaning::general}, form_of(op), alpha, x, incx, beta, \
                             y, incy);                                                                                \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##tpttr(cublasHandle_t h, cublasFillMode_t fill, int n, const T* from,    \
                                                    T* to, int lda) {                                                 \
    using namespace simt_cuda::blas;                                                                                  \
    if (n < 0 || lda < n) return CUBLAS_STATUS_INVALID_VALUE;                                                         \
    return run(h, "cublas" #X "tpttr()", SIMT_CALLED_FROM, [=]() {                                                    \
      change_storage(from, packed(n, is_upper(fill)), to, triangle_of_whole(n, is_upper(fill), lda));                 \
    });                                                                                                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##trttp(cublasHandle_t h, cublasFillMode_t fill, int n, const T* from,    \
                                                    int lda, T* to) {                                                 \
    using namespace simt_cuda::blas;                                                                                  \
    if (n < 0 || lda < n) return CUBLAS_STATUS_INVALID_VALUE;                                                         \
    return run(h, "cublas" #X "trttp()", SIMT_CALLED_FROM, [=]() {                                                    \
      change_storage(from, triangle_of_whole(n, is_upper(fill), lda), to, packed(n, is_upper(fill)));                 \
    });                                                                                                               \
  }
SIMT_CUBLAS_BANDS(S, float)
SIMT_CUBLAS_BANDS(D, double)
SIMT_CUBLAS_BANDS(C, cuComplex)
SIMT_CUBLAS_BANDS(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_BANDS

// Symmetric (S and D) and hermitian matrices: sbmv and hbmv and so on.
#define SIMT_CUBLAS_SYMMETRIC_STORED(T, R, bmv, pmv, pr, pr2, r2, what)                                            \
  SIMT_LIBRARY_CALL cublasStatus_t bmv(cublasHandle_t h, cublasFillMode_t fill, int n, int k, const T* alpha,      \
                                       const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) { \
    using namespace simt_cuda::blas;                                                                               \
    return stored_product<T>(h, #bmv "()", SIMT_CALLED_FROM, n >= 0 && k >= 0 && lda > k,                          \
                             {a, triangle_of_band(n, k, is_upper(fill), lda), what}, form::plain, alpha, x, incx,  \
                             beta, y, incy);                                                                       \
  }                                                                                                                \
  SIMT_LIBRARY_CALL cublasStatus_t pmv(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* a, \
                                       const T* x, int incx, const T* beta, T* y, int incy) {                      \
    using namespace simt_cuda::blas;                                                                               \
    return stored_product<T>(h, #pmv "()", SIMT_CALLED_FROM, n >= 0, {a, packed(n, is_upper(fill)), what},         \
                             form::plain, alpha, x, incx, beta, y, incy);                                          \
  }                                                                                                                \
  SIMT_LIBRARY_CALL cublasStatus_t pr(cublasHandle_t h, cublasFillMode_t fill, int n, const R* alpha, const T* x,  \
                                      int incx, T* a) {                                                            \
    using namespace simt_cuda::blas;                                                                               \
    return stored_update<T, R>(h, #pr "()", SIMT_CALLED_FROM, false, what == meaning::hermitian,                   \
                               packed(n, is_upper(fill)), alpha, x, incx, x, incx, a);                             \
  }                                                                                                                \
  SIMT_LIBRARY_CALL cublasStatus_t pr2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* x, \
                                       int incx, const T* y, int incy, T* a) {                                     \
    using namespace simt_cuda::blas;                                                                               \
    return stored_update<T, T>(h, #pr2 "()", SIMT_CALLED_FROM, true, what == meaning::hermitian,                   \
                               packed(n, is_upper(fill)), alpha, x, incx, y, incy, a);                             \
  }                                                                                                                \
  SIMT_LIBRARY_CALL cublasStatus_t r2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* x,  \
                                      int incx, const T* y, int incy, T* a, int lda) {                             \
    using namespace simt_cuda::blas;                                                                               \
    return stored_update<T, T>(h, #r2 "()", SIMT_CALLED_FROM, true, what == meaning::hermitian,                    \
                               triangle_of_whole(n, is_upper(fill), lda), alpha, x, incx, y, incy, a);             \
  }
SIMT_CUBLAS_SYMMETRIC_STORED(float, float, cublasSsbmv, cublasSspmv, cublasSspr, cublasSspr2, cublasSsyr2,
                             meaning::symmetric)
SIMT_CUBLAS_SYMMETRIC_STORED(double, double, cublasDsbmv, cublasDspmv, cublasDspr, cublasDspr2, cublasDsyr2,
                             meaning::symmetric)
SIMT_CUBLAS_SYMMETRIC_STORED(cuComplex, float, cublasChbmv, cublasChpmv, cublasChpr, cublasChpr2, cublasCher2,
                             meaning::hermitian)
SIMT_CUBLAS_SYMMETRIC_STORED(cuDoubleComplex, double, cublasZhbmv, cublasZhpmv, cublasZhpr, cublasZhpr2, cublasZher2,
                             meaning::hermitian)
#undef SIMT_CUBLAS_SYMMETRIC_STORED

// Symmetric matrices of complex numbers that are stored whole.
#define SIMT_CUBLAS_SYR2(name, T)                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* x, \
                                        int incx, const T* y, int incy, T* a, int lda) {                            \
    using namespace simt_cuda::blas;                                                                                \
    return stored_update<T, T>(h, #name "()", SIMT_CALLED_FROM, true, false,                                        \
                               triangle_of_whole(n, is_upper(fill), lda), alpha, x, incx, y, incy, a);              \
  }
SIMT_CUBLAS_SYR2(cublasCsyr2, cuComplex)
SIMT_CUBLAS_SYR2(cublasZsyr2, cuDoubleComplex)
#undef SIMT_CUBLAS_SYR2
