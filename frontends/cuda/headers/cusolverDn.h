// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for dense matrices on LAPACK: factorizations and solutions by Cholesky, LU and QR, eigenvalues, singular
// values, for the four types. Each call is a kernel of one thread on the handle's stream.
#pragma once

#include "cusolver_common.h"

#include "simt_cuda/hide_names.hpp"

#include "simt_cuda/libraries/dense_solvers.hpp"

#define CUSOLVERDN_H_
struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};
typedef cusolverDnContext* cusolverDnHandle_t;
struct cusolverDnParams {};
typedef cusolverDnParams* cusolverDnParams_t;
// Of the methods by rotations (Jacobi): what a program sets has no meaning for LAPACK's.
struct syevjInfo {};
struct gesvdjInfo {};
typedef syevjInfo* syevjInfo_t;
typedef gesvdjInfo* gesvdjInfo_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2 } cusolverDnFunction_t;

#define SIMT_CUSOLVER_NEW_AND_DELETE(New, Delete, T) \
  inline cusolverStatus_t New(T* made) {             \
    *made = new std::remove_pointer_t<T>;            \
    return CUSOLVER_STATUS_SUCCESS;                  \
  }                                                  \
  inline cusolverStatus_t Delete(T d) {              \
    delete d;                                        \
    return CUSOLVER_STATUS_SUCCESS;                  \
  }
SIMT_CUSOLVER_NEW_AND_DELETE(cusolverDnCreate, cusolverDnDestroy, cusolverDnHandle_t)
SIMT_CUSOLVER_NEW_AND_DELETE(cusolverDnCreateParams, cusolverDnDestroyParams, cusolverDnParams_t)
SIMT_CUSOLVER_NEW_AND_DELETE(cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo, syevjInfo_t)
SIMT_CUSOLVER_NEW_AND_DELETE(cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo, gesvdjInfo_t)
#undef SIMT_CUSOLVER_NEW_AND_DELETE
#define SIMT_CUSOLVER_JACOBI(name)                                                                                  \
  inline cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t, double) { return CUSOLVER_STATUS_SUCCESS; } \
  inline cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t, int) { return CUSOLVER_STATUS_SUCCESS; }    \
  inline cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t, int) { return CUSOLVER_STATUS_SUCCESS; }      \
  inline cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t, name##Info_t, int* sweeps) {             \
    *sweeps = 0;                                                                                                    \
    return CUSOLVER_STATUS_SUCCESS;                                                                                 \
  }                                                                                                                 \
  inline cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t, name##Info_t, double* residual) {      \
    *residual = 0;                                                                                                  \
    return CUSOLVER_STATUS_SUCCESS;                                                                                 \
  }
SIMT_CUSOLVER_JACOBI(syevj)
SIMT_CUSOLVER_JACOBI(gesvdj)
#undef SIMT_CUSOLVER_JACOBI

inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t h, cudaStream_t s) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  h->stream = s;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t, cusolverDeterministicMode_t) {
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t, cusolverDnFunction_t, cusolverAlgMode_t) {
  return CUSOLVER_STATUS_SUCCESS;
}

namespace simt_cuda::libraries {
// Elements of the work space that programs are told to bring. A call writes to it, as on a GPU, and has its own
// besides.
inline int work_elements(int m, int n) { return 32 + (m > n ? m : n) * 8; }
inline char letter_of(cublasOperation_t op) { return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C'; }
template <class Real, class Work>
cusolverStatus_t solver_call(cusolverDnHandle_t h, const char* name, const void* place, bool valid, Real* room,
                             int elements, Work work) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!valid) return CUSOLVER_STATUS_INVALID_VALUE;
  const bool ran = run(name, h->stream, place, [=]() {
    if (room != nullptr) writes_array(room, elements);
    work();
  });
  return ran ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}
}  // namespace simt_cuda::libraries

// X: S, D, C or Z; R: the real type of T.
#define SIMT_CUSOLVER_FACTORS(X, T)                                                                                   \
  inline cusolverStatus_t cusolverDn##X##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T*, int,       \
                                                          int* count) {                                               \
    *count = simt_cuda::libraries::work_elements(n, n);                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                                   \
  }                                                                                                                   \
  inline cusolverStatus_t cusolverDn##X##potri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T*, int,       \
                                                          int* count) {                                               \
    *count = simt_cuda::libraries::work_elements(n, n);                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                                   \
  }                                                                                                                   \
  inline cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t, int m, int n, T*, int, int* count) {    \
    *count = simt_cuda::libraries::work_elements(m, n);                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                                   \
  }                                                                                                                   \
  inline cusolverStatus_t cusolverDn##X##geqrf_bufferSize(cusolverDnHandle_t, int m, int n, T*, int, int* count) {    \
    *count = simt_cuda::libraries::work_elements(m, n);                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                                   \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T* a,   \
                                                          int lda, T* room, int count, int* info) {                   \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "potrf()", SIMT_CALLED_FROM, n >= 0 && lda >= n, room, count,               \
                       [=]() { cholesky(fill == CUBLAS_FILL_MODE_UPPER, n, a, lda, info); });                         \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##potrs(cusolverDnHandle_t h, cublasFillMode_t fill, int n,         \
                                                          int sides, const T* a, int lda, T* b, int ldb, int* info) { \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "potrs()", SIMT_CALLED_FROM, n >= 0 && lda >= n && ldb >= n, b, 0,          \
                       [=]() { cholesky_solve(fill == CUBLAS_FILL_MODE_UPPER, n, sides, a, lda, b, ldb, info); });    \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##potrfBatched(cusolverDnHandle_t h, cublasFillMode_t fill, int n,  \
                                                                 T* a[], int lda, int* info, int count) {             \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "potrfBatched()", SIMT_CALLED_FROM, n >= 0 && lda >= n && count >= 0, a, 0, \
                       [=]() {                                                                                        \
                         for (int i = 0; i < count; ++i) {                                                            \
                           reads_array(a + i, 1);                                                                     \
                           cholesky(fill == CUBLAS_FILL_MODE_UPPER, n, a[i], lda, info + i);                          \
                         }                                                                                            \
                       });                                                                                            \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##potrsBatched(cusolverDnHandle_t h, cublasFillMode_t fill, int n,  \
                                                                 int sides, T* a[], int lda, T* b[], int ldb,         \
                                                                 int* info, int count) {                              \
    using namespace simt_cuda::libraries;                                                                             \
    if (sides != 1) return CUSOLVER_STATUS_INVALID_VALUE; /* as cuSOLVER has it */                                    \
    return solver_call(h, "cusolverDn" #X "potrsBatched()", SIMT_CALLED_FROM, n >= 0 && lda >= n && ldb >= n, a, 0,   \
                       [=]() {                                                                                        \
                         for (int i = 0; i < count; ++i) {                                                            \
                           reads_array(a + i, 1);                                                                     \
                           reads_array(b + i, 1);                                                                     \
                           cholesky_solve(fill == CUBLAS_FILL_MODE_UPPER, n, 1, static_cast<const T*>(a[i]), lda,     \
                                          b[i], ldb, i == 0 ? info : static_cast<int*>(nullptr));                     \
                         }                                                                                            \
                       });                                                                                            \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##potri(cusolverDnHandle_t h, cublasFillMode_t fill, int n, T* a,   \
                                                          int lda, T* room, int count, int* info) {                   \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "potri()", SIMT_CALLED_FROM, n >= 0 && lda >= n, room, count,               \
                       [=]() { cholesky_invert(fill == CUBLAS_FILL_MODE_UPPER, n, a, lda, info); });                  \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* room, \
                                                          int* pivots, int* info) {                                   \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "getrf()", SIMT_CALLED_FROM, m >= 0 && n >= 0 && lda >= m, room,            \
                       work_elements(m, n), [=]() { lu(m, n, a, lda, pivots, info); });                               \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##getrs(cusolverDnHandle_t h, cublasOperation_t op, int n,          \
                                                          int sides, const T* a, int lda, const int* pivots, T* b,    \
                                                          int ldb, int* info) {                                       \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "getrs()", SIMT_CALLED_FROM, n >= 0 && lda >= n && ldb >= n, b, 0,          \
                       [=]() { lu_solve(letter_of(op), n, sides, a, lda, pivots, b, ldb, info); });                   \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##geqrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* tau,  \
                                                          T* room, int count, int* info) {                            \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "geqrf()", SIMT_CALLED_FROM, m >= 0 && n >= 0 && lda >= m, room, count,     \
                       [=]() { qr(m, n, a, lda, tau, info); });                                                       \
  }
SIMT_CUSOLVER_FACTORS(S, float)
SIMT_CUSOLVER_FACTORS(D, double)
SIMT_CUSOLVER_FACTORS(C, cuComplex)
SIMT_CUSOLVER_FACTORS(Z, cuDoubleComplex)
#undef SIMT_CUSOLVER_FACTORS

// orthogonal: or of real matrices, un of complex ones; symmetric: sy, he.
#define SIMT_CUSOLVER_VALUES(X, T, R, orthogonal, symmetric)                                                           \
  inline cusolverStatus_t cusolverDn##X##orthogonal##mqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t,              \
                                                                    cublasOperation_t, int m, int n, int, const T*,    \
                                                                    int, const T*, const T*, int, int* count) {        \
    *count = simt_cuda::libraries::work_elements(m, n);                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##orthogonal##mqr(                                                   \
      cusolverDnHandle_t h, cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T* a, int lda,     \
      const T* tau, T* c, int ldc, T* room, int count, int* info) {                                                    \
    using namespace simt_cuda::libraries;                                                                              \
    return solver_call(                                                                                                \
        h, "cusolverDn" #X #orthogonal "mqr()", SIMT_CALLED_FROM, m >= 0 && n >= 0 && ldc >= m, room, count,           \
        [=]() { qr_multiply(side == CUBLAS_SIDE_LEFT, letter_of(op), m, n, k, a, lda, tau, c, ldc, info); });          \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##X##orthogonal##gqr_bufferSize(cusolverDnHandle_t, int m, int n, int, const T*,   \
                                                                    int, const T*, int* count) {                       \
    *count = simt_cuda::libraries::work_elements(m, n);                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##orthogonal##gqr(                                                   \
      cusolverDnHandle_t h, int m, int n, int k, T* a, int lda, const T* tau, T* room, int count, int* info) {         \
    using namespace simt_cuda::libraries;                                                                              \
    return solver_call(h, "cusolverDn" #X #orthogonal "gqr()", SIMT_CALLED_FROM,                                       \
                       m >= n && n >= k && k >= 0 && lda >= m, room, count,                                            \
                       [=]() { qr_make(m, n, k, a, lda, tau, info); });                                                \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##X##symmetric##evd_bufferSize(                                                    \
      cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int, const R*, int* count) {           \
    *count = simt_cuda::libraries::work_elements(n, n);                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##symmetric##evd(cusolverDnHandle_t h, cusolverEigMode_t mode,       \
                                                                   cublasFillMode_t fill, int n, T* a, int lda, R* w,  \
                                                                   T* room, int count, int* info) {                    \
    using namespace simt_cuda::libraries;                                                                              \
    return solver_call(                                                                                                \
        h, "cusolverDn" #X #symmetric "evd()", SIMT_CALLED_FROM, n >= 0 && lda >= n, room, count,                      \
        [=]() { eigenvalues(mode == CUSOLVER_EIG_MODE_VECTOR, fill == CUBLAS_FILL_MODE_UPPER, n, a, lda, w, info); }); \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##X##symmetric##evj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,              \
                                                                   cublasFillMode_t, int n, const T*, int, const R*,   \
                                                                   int* count, syevjInfo_t) {                          \
    *count = simt_cuda::libraries::work_elements(n, n);                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##symmetric##evj(cusolverDnHandle_t h, cusolverEigMode_t mode,       \
                                                                   cublasFillMode_t fill, int n, T* a, int lda, R* w,  \
                                                                   T* room, int count, int* info, syevjInfo_t) {       \
    using namespace simt_cuda::libraries;                                                                              \
    return solver_call(                                                                                                \
        h, "cusolverDn" #X #symmetric "evj()", SIMT_CALLED_FROM, n >= 0 && lda >= n, room, count,                      \
        [=]() { eigenvalues(mode == CUSOLVER_EIG_MODE_VECTOR, fill == CUBLAS_FILL_MODE_UPPER, n, a, lda, w, info); }); \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##X##gesvd_bufferSize(cusolverDnHandle_t, int m, int n, int* count) {              \
    *count = simt_cuda::libraries::work_elements(m, n);                                                                \
    return m >= n ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;                                           \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##gesvd(cusolverDnHandle_t h, signed char job_u, signed char job_v,  \
                                                          int m, int n, T* a, int lda, R* s, T* u, int ldu, T* vt,     \
                                                          int ldvt, T* room, int count, R*, int* info) {               \
    using namespace simt_cuda::libraries;                                                                              \
    return solver_call(h, "cusolverDn" #X "gesvd()", SIMT_CALLED_FROM, m >= n && n >= 0 && lda >= m, room, count,      \
                       [=]() {                                                                                         \
                         singular_values(static_cast<char>(job_u), static_cast<char>(job_v), m, n, a, lda, s, u, ldu,  \
                                         vt, ldvt, info);                                                              \
                       });                                                                                             \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##X##gesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int m, int n,   \
                                                           const T*, int, const R*, const T*, int, const T*, int,      \
                                                           int* count, gesvdjInfo_t) {                                 \
    *count = simt_cuda::libraries::work_elements(m, n);                                                                \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##gesvdj(cusolverDnHandle_t h, cusolverEigMode_t mode, int economic, \
                                                           int m, int n, T* a, int lda, R* s, T* u, int ldu, T* v,     \
                                                           int ldv, T* room, int count, int* info, gesvdjInfo_t) {     \
    using namespace simt_cuda::libraries;                                                                              \
    return solver_call(                                                                                                \
        h, "cusolverDn" #X "gesvdj()", SIMT_CALLED_FROM, m >= 0 && n >= 0 && lda >= m, room, count, [=]() {            \
          singular_vectors(mode == CUSOLVER_EIG_MODE_VECTOR, economic != 0, m, n, a, lda, s, u, ldu, v, ldv, info);    \
        });                                                                                                            \
  }
SIMT_CUSOLVER_VALUES(S, float, float, or, sy)
SIMT_CUSOLVER_VALUES(D, double, double, or, sy)
SIMT_CUSOLVER_VALUES(C, cuComplex, float, un, he)
SIMT_CUSOLVER_VALUES(Z, cuDoubleComplex, double, un, he)
#undef SIMT_CUSOLVER_VALUES

#include "simt_cuda/libraries/eigen_calls.hpp"
#include "simt_cuda/libraries/refined_solvers.hpp"
#include "simt_cuda/libraries/solvers_by_type.hpp"

#include "simt_cuda/restore_names.hpp"
