// SPDX-License-Identifier: Apache-2.0
// cuBLAS, level 3: products of matrices, triangular systems, symmetric ones.
#pragma once

#include "handle.hpp"
#include "triangles.hpp"

namespace simt_cuda::blas {
inline bool are_sizes(cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k, int lda, int ldb, int ldc) {
  return m >= 0 && n >= 0 && k >= 0 && lda >= (oa == CUBLAS_OP_N ? m : k) && ldb >= (ob == CUBLAS_OP_N ? k : n) &&
         ldc >= m;
}
}  // namespace simt_cuda::blas

#define SIMT_CUBLAS_MATRICES(X, T)                                                                                    \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gemm(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob,      \
                                                   int m, int n, int k, const T* alpha, const T* a, int lda,          \
                                                   const T* b, int ldb, const T* beta, T* c, int ldc) {               \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (!are_sizes(oa, ob, m, n, k, lda, ldb, ldc)) return CUBLAS_STATUS_INVALID_VALUE;                               \
    return run(h, "cublas" #X "gemm()", SIMT_CALLED_FROM,                                                             \
               [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {                                         \
                 gemm<T, T, T>(form_of(oa), form_of(ob), m, n, k, f.get(), a, lda, b, ldb, g.get(), c, ldc);          \
               });                                                                                                    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gemmStridedBatched(                                                     \
      cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k, const T* alpha, const T* a,  \
      int lda, long long sa, const T* b, int ldb, long long sb, const T* beta, T* c, int ldc, long long sc,           \
      int count) {                                                                                                    \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (!are_sizes(oa, ob, m, n, k, lda, ldb, ldc)) return CUBLAS_STATUS_INVALID_VALUE;                               \
    return run(h, "cublas" #X "gemmStridedBatched()", SIMT_CALLED_FROM,                                               \
               [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {                                         \
                 for (int i = 0; i < count; ++i)                                                                      \
                   gemm<T, T, T>(form_of(oa), form_of(ob), m, n, k, f.get(), a + i * sa, lda, b + i * sb, ldb,        \
                                 g.get(), c + i * sc, ldc);                                                           \
               });                                                                                                    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##gemmBatched(                                                            \
      cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k, const T* alpha,              \
      const T* const a[], int lda, const T* const b[], int ldb, const T* beta, T* const c[], int ldc, int count) {    \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (!are_sizes(oa, ob, m, n, k, lda, ldb, ldc)) return CUBLAS_STATUS_INVALID_VALUE;                               \
    return run(h, "cublas" #X "gemmBatched()", SIMT_CALLED_FROM,                                                      \
               [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {                                         \
                 for (int i = 0; i < count; ++i)                                                                      \
                   gemm<T, T, T>(form_of(oa), form_of(ob), m, n, k, f.get(), pointer_in(a, i), lda, pointer_in(b, i), \
                                 ldb, g.get(), pointer_in(c, i), ldc);                                                \
               });                                                                                                    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##geam(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob,      \
                                                   int m, int n, const T* alpha, const T* a, int lda, const T* beta,  \
                                                   const T* b, int ldb, T* c, int ldc) {                              \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "geam()", SIMT_CALLED_FROM,                                                             \
               [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {                                         \
                 geam(form_of(oa), form_of(ob), m, n, f.get(), a, lda, g.get(), b, ldb, c, ldc);                      \
               });                                                                                                    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a, \
                                                   int lda, const T* x, int incx, T* c, int ldc) {                    \
    using namespace simt_cuda::blas;                                                                                  \
    return run(h, "cublas" #X "dgmm()", SIMT_CALLED_FROM,                                                             \
               [=]() { dgmm(side == CUBLAS_SIDE_LEFT, m, n, a, lda, x, incx, c, ldc); });                             \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,    \
                                                   cublasOperation_t op, cublasDiagType_t unit, int m, int n,         \
                                                   const T* alpha, const T* a, int lda, T* b, int ldb) {              \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (m < 0 || n < 0 || lda < (side == CUBLAS_SIDE_LEFT ? m : n) || ldb < m) return CUBLAS_STATUS_INVALID_VALUE;    \
    return run(h, "cublas" #X "trsm()", SIMT_CALLED_FROM, [=, f = factor_of<T>(h, alpha)]() {                         \
      triangle_and_matrix(true, side == CUBLAS_SIDE_LEFT,                                                             \
                          triangle<T>{a, lda, fill == CUBLAS_FILL_MODE_UPPER, unit == CUBLAS_DIAG_UNIT, form_of(op)}, \
                          m, n, f.get(), b, ldb, b, ldb);                                                             \
    });                                                                                                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##trmm(                                                                   \
      cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t unit,    \
      int m, int n, const T* alpha, const T* a, int lda, const T* b, int ldb, T* c, int ldc) {                        \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "trmm()", SIMT_CALLED_FROM, [=, f = factor_of<T>(h, alpha)]() {                         \
      triangle_and_matrix(false, side == CUBLAS_SIDE_LEFT,                                                            \
                          triangle<T>{a, lda, fill == CUBLAS_FILL_MODE_UPPER, unit == CUBLAS_DIAG_UNIT, form_of(op)}, \
                          m, n, f.get(), b, ldb, c, ldc);                                                             \
    });                                                                                                               \
  }
SIMT_CUBLAS_MATRICES(S, float)
SIMT_CUBLAS_MATRICES(D, double)
SIMT_CUBLAS_MATRICES(C, cuComplex)
SIMT_CUBLAS_MATRICES(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_MATRICES

// Symmetric and hermitian matrices. A, B: the types of alpha and beta.
#define SIMT_CUBLAS_SYMMETRIC_PRODUCT(name, T, hermitian)                                                              \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,  \
                                        const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, \
                                        int ldc) {                                                                     \
    using namespace simt_cuda::blas;                                                                                   \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
    return run(h, #name "()", SIMT_CALLED_FROM, [=, f = factor_of<T>(h, alpha), g = factor_of<T>(h, beta)]() {         \
      symm(side == CUBLAS_SIDE_LEFT, symmetric<T>{a, lda, fill == CUBLAS_FILL_MODE_UPPER, hermitian}, m, n, f.get(),   \
           b, ldb, g.get(), c, ldc);                                                                                   \
    });                                                                                                                \
  }
#define SIMT_CUBLAS_RANK_UPDATE(name, T, A, B, hermitian)                                                            \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k, \
                                        const A* alpha, const T* a, int lda, const B* beta, T* c, int ldc) {         \
    using namespace simt_cuda::blas;                                                                                 \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                          \
    return run(h, #name "()", SIMT_CALLED_FROM, [=, f = factor_of<A>(h, alpha), g = factor_of<B>(h, beta)]() {       \
      rank_update(fill == CUBLAS_FILL_MODE_UPPER, op == CUBLAS_OP_N, hermitian, false, n, k, as_element<T>(f.get()), \
                  a, lda, a, lda, as_element<T>(g.get()), c, ldc);                                                   \
    });                                                                                                              \
  }
// Of two matrices: of their product, or of both products of the one with the other.
#define SIMT_CUBLAS_RANK_UPDATE_OF_TWO(name, T, B, hermitian, both)                                                    \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,   \
                                        const T* alpha, const T* a, int lda, const T* b, int ldb, const B* beta, T* c, \
                                        int ldc) {                                                                     \
    using namespace simt_cuda::blas;                                                                                   \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
    return run(h, #name "()", SIMT_CALLED_FROM, [=, f = factor_of<T>(h, alpha), g = factor_of<B>(h, beta)]() {         \
      rank_update(fill == CUBLAS_FILL_MODE_UPPER, op == CUBLAS_OP_N, hermitian, both, n, k, f.get(), a, lda, b, ldb,   \
                  as_element<T>(g.get()), c, ldc);                                                                     \
    });                                                                                                                \
  }
#define SIMT_CUBLAS_SYMMETRIC_MATRICES(X, T)                           \
  SIMT_CUBLAS_SYMMETRIC_PRODUCT(cublas##X##symm, T, false)             \
  SIMT_CUBLAS_RANK_UPDATE(cublas##X##syrk, T, T, T, false)             \
  SIMT_CUBLAS_RANK_UPDATE_OF_TWO(cublas##X##syrkx, T, T, false, false) \
  SIMT_CUBLAS_RANK_UPDATE_OF_TWO(cublas##X##syr2k, T, T, false, true)
#define SIMT_CUBLAS_HERMITIAN_MATRICES(X, T, R)                       \
  SIMT_CUBLAS_SYMMETRIC_PRODUCT(cublas##X##hemm, T, true)             \
  SIMT_CUBLAS_RANK_UPDATE(cublas##X##herk, T, R, R, true)             \
  SIMT_CUBLAS_RANK_UPDATE_OF_TWO(cublas##X##herkx, T, R, true, false) \
  SIMT_CUBLAS_RANK_UPDATE_OF_TWO(cublas##X##her2k, T, R, true, true)
SIMT_CUBLAS_SYMMETRIC_MATRICES(S, float)
SIMT_CUBLAS_SYMMETRIC_MATRICES(D, double)
SIMT_CUBLAS_SYMMETRIC_MATRICES(C, cuComplex)
SIMT_CUBLAS_SYMMETRIC_MATRICES(Z, cuDoubleComplex)
SIMT_CUBLAS_HERMITIAN_MATRICES(C, cuComplex, float)
SIMT_CUBLAS_HERMITIAN_MATRICES(Z, cuDoubleComplex, double)
#undef SIMT_CUBLAS_HERMITIAN_MATRICES
#undef SIMT_CUBLAS_SYMMETRIC_MATRICES
#undef SIMT_CUBLAS_RANK_UPDATE_OF_TWO
#undef SIMT_CUBLAS_RANK_UPDATE
#undef SIMT_CUBLAS_SYMMETRIC_PRODUCT

// Batches of small matrices; pointers, pivots and infos lie on the device.
#define SIMT_CUBLAS_BATCHES(X, T)                                                                                      \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda,             \
                                                           int* pivots, int* info, int count) {                        \
    using namespace simt_cuda::blas;                                                                                   \
    return run(h, "cublas" #X "getrfBatched()", SIMT_CALLED_FROM, [=]() {                                              \
      for (int i = 0; i < count; ++i)                                                                                  \
        factor_in_place(n, pointer_in(a, i), lda, pivots == nullptr ? nullptr : pivots + i * n, info + i);             \
    });                                                                                                                \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##getriBatched(cublasHandle_t h, int n, const T* const a[], int lda,       \
                                                           const int* pivots, T* const c[], int ldc, int* info,        \
                                                           int count) {                                                \
    using namespace simt_cuda::blas;                                                                                   \
    return run(h, "cublas" #X "getriBatched()", SIMT_CALLED_FROM, [=]() {                                              \
      for (int i = 0; i < count; ++i)                                                                                  \
        invert_factored(n, pointer_in(a, i), lda, pivots == nullptr ? nullptr : pivots + i * n, pointer_in(c, i), ldc, \
                        info + i);                                                                                     \
    });                                                                                                                \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int sides,   \
                                                           const T* const a[], int lda, const int* pivots,             \
                                                           T* const b[], int ldb, int* info, int count) {              \
    using namespace simt_cuda::blas;                                                                                   \
    *info = 0;                                                                                                         \
    return run(h, "cublas" #X "getrsBatched()", SIMT_CALLED_FROM, [=]() {                                              \
      for (int i = 0; i < count; ++i) {                                                                                \
        matrix_is_read(pointer_in(a, i), n, n, lda);                                                                   \
        if (pivots != nullptr) reads_array(pivots + i * n, n);                                                         \
        matrix_is_read(pointer_in(b, i), n, sides, ldb);                                                               \
        matrix_is_written(pointer_in(b, i), n, sides, ldb);                                                            \
        solve_factored(form_of(op), n, sides, pointer_in(a, i), lda, pivots == nullptr ? nullptr : pivots + i * n,     \
                       pointer_in(b, i), ldb);                                                                         \
      }                                                                                                                \
    });                                                                                                                \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cublasStatus_t cublas##X##trsmBatched(                                                             \
      cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t unit,     \
      int m, int n, const T* alpha, const T* const a[], int lda, T* const b[], int ldb, int count) {                   \
    using namespace simt_cuda::blas;                                                                                   \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
    return run(h, "cublas" #X "trsmBatched()", SIMT_CALLED_FROM, [=, f = factor_of<T>(h, alpha)]() {                   \
      for (int i = 0; i < count; ++i)                                                                                  \
        triangle_and_matrix(                                                                                           \
            true, side == CUBLAS_SIDE_LEFT,                                                                            \
            triangle<T>{pointer_in(a, i), lda, fill == CUBLAS_FILL_MODE_UPPER, unit == CUBLAS_DIAG_UNIT, form_of(op)}, \
            m, n, f.get(), static_cast<const T*>(pointer_in(b, i)), ldb, pointer_in(b, i), ldb);                       \
    });                                                                                                                \
  }
SIMT_CUBLAS_BATCHES(S, float)
SIMT_CUBLAS_BATCHES(D, double)
SIMT_CUBLAS_BATCHES(C, cuComplex)
SIMT_CUBLAS_BATCHES(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_BATCHES
