// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's calls for eigenvalues of two matrices, in a range, and of batches, and for singular values of batches.
// Part of cusolverDn.h.
#pragma once

#include "eigen_problems.hpp"

typedef enum {
  CUSOLVER_EIG_RANGE_ALL = 1001,
  CUSOLVER_EIG_RANGE_I = 1002,
  CUSOLVER_EIG_RANGE_V = 1003
} cusolverEigRange_t;

namespace simt_cuda::libraries {
inline char letter_of(cusolverEigRange_t range) {
  return range == CUSOLVER_EIG_RANGE_ALL ? 'A' : range == CUSOLVER_EIG_RANGE_V ? 'V' : 'I';
}
// How many of a range there are is known when the call returns, as with cuSOLVER.
template <class T, class Work>
cusolverStatus_t range_call(cusolverDnHandle_t h, const char* name, const void* place, bool valid, T* room, int count,
                            int* found, Work work) {
  int counted = 0;
  int* const to = &counted;
  const cusolverStatus_t s = solver_call(h, name, place, valid, room, count, [=]() { work(to); });
  if (s != CUSOLVER_STATUS_SUCCESS || cudaStreamSynchronize(h->stream) != cudaSuccess) return s;
  if (found != nullptr) *found = counted;
  return s;
}
}  // namespace simt_cuda::libraries

#define SIMT_CUSOLVER_SIZE(name, m, n, ...)                       \
  inline cusolverStatus_t name(cusolverDnHandle_t, __VA_ARGS__) { \
    *count = simt_cuda::libraries::work_elements(m, n);           \
    return CUSOLVER_STATUS_SUCCESS;                               \
  }
// The two methods of a problem of two matrices: by division and by rotations.
#define SIMT_CUSOLVER_OF_TWO(X, T, R, name, how)                                                                     \
  SIMT_CUSOLVER_SIZE(cusolverDn##X##name##_bufferSize, n, n, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, \
                     int n, const T*, int, const T*, int, const R*, int* count how)                                  \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##name(                                                            \
      cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T* a,      \
      int lda, T* b, int ldb, R* w, T* room, int count, int* info how) {                                             \
    using namespace simt_cuda::libraries;                                                                            \
    return solver_call(h, "cusolverDn" #X #name "()", SIMT_CALLED_FROM, n >= 0 && lda >= n && ldb >= n, room, count, \
                       [=]() {                                                                                       \
                         generalised_eigenvalues(type, mode == CUSOLVER_EIG_MODE_VECTOR,                             \
                                                 fill == CUBLAS_FILL_MODE_UPPER, n, a, lda, b, ldb, w, info);        \
                       });                                                                                           \
  }
#define SIMT_CUSOLVER_ROTATIONS , syevjInfo_t
#define SIMT_CUSOLVER_EIGEN(X, T, R, symmetric)                                                                       \
  SIMT_CUSOLVER_OF_TWO(X, T, R, symmetric##gvd, )                                                                     \
  SIMT_CUSOLVER_OF_TWO(X, T, R, symmetric##gvj, SIMT_CUSOLVER_ROTATIONS)                                              \
  SIMT_CUSOLVER_SIZE(cusolverDn##X##symmetric##evdx_bufferSize, n, n, cusolverEigMode_t, cusolverEigRange_t,          \
                     cublasFillMode_t, int n, const T*, int, R, R, int, int, int*, const R*, int* count)              \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##symmetric##evdx(                                                  \
      cusolverDnHandle_t h, cusolverEigMode_t mode, cusolverEigRange_t range, cublasFillMode_t fill, int n, T* a,     \
      int lda, R low, R high, int first, int last, int* found, R* w, T* room, int count, int* info) {                 \
    using namespace simt_cuda::libraries;                                                                             \
    const eigen_range<R> wanted{letter_of(range), low, high, first, last};                                            \
    return range_call(h, "cusolverDn" #X #symmetric "evdx()", SIMT_CALLED_FROM, n >= 0 && lda >= n, room, count,      \
                      found, [=](int* to) {                                                                           \
                        eigenvalues_in_range(0, mode == CUSOLVER_EIG_MODE_VECTOR, fill == CUBLAS_FILL_MODE_UPPER,     \
                                             wanted, n, a, lda, static_cast<T*>(nullptr), 0, to, w, info);            \
                      });                                                                                             \
  }                                                                                                                   \
  SIMT_CUSOLVER_SIZE(cusolverDn##X##symmetric##gvdx_bufferSize, n, n, cusolverEigType_t, cusolverEigMode_t,           \
                     cusolverEigRange_t, cublasFillMode_t, int n, const T*, int, const T*, int, R, R, int, int, int*, \
                     const R*, int* count)                                                                            \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##symmetric##gvdx(                                                  \
      cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t mode, cusolverEigRange_t range,                 \
      cublasFillMode_t fill, int n, T* a, int lda, T* b, int ldb, R low, R high, int first, int last, int* found,     \
      R* w, T* room, int count, int* info) {                                                                          \
    using namespace simt_cuda::libraries;                                                                             \
    const eigen_range<R> wanted{letter_of(range), low, high, first, last};                                            \
    return range_call(h, "cusolverDn" #X #symmetric "gvdx()", SIMT_CALLED_FROM, n >= 0 && lda >= n && ldb >= n, room, \
                      count, found, [=](int* to) {                                                                    \
                        eigenvalues_in_range(type, mode == CUSOLVER_EIG_MODE_VECTOR, fill == CUBLAS_FILL_MODE_UPPER,  \
                                             wanted, n, a, lda, b, ldb, to, w, info);                                 \
                      });                                                                                             \
  }                                                                                                                   \
  SIMT_CUSOLVER_SIZE(cusolverDn##X##symmetric##evjBatched_bufferSize, n, n, cusolverEigMode_t, cublasFillMode_t,      \
                     int n, const T*, int, const R*, int* count, syevjInfo_t, int)                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##symmetric##evjBatched(                                            \
      cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t fill, int n, T* a, int lda, R* w, T* room,       \
      int count, int* info, syevjInfo_t, int batch) {                                                                 \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X #symmetric "evjBatched()", SIMT_CALLED_FROM,                                \
                       n >= 0 && lda >= n && batch >= 0, room, count, [=]() {                                         \
                         for (size i = 0; i < batch; ++i)                                                             \
                           eigenvalues(mode == CUSOLVER_EIG_MODE_VECTOR, fill == CUBLAS_FILL_MODE_UPPER, n,           \
                                       a + i * lda * n, lda, w + i * n, info + i);                                    \
                       });                                                                                            \
  }                                                                                                                   \
  SIMT_CUSOLVER_SIZE(cusolverDn##X##gesvdjBatched_bufferSize, m, n, cusolverEigMode_t, int m, int n, const T*, int,   \
                     const R*, const T*, int, const T*, int, int* count, gesvdjInfo_t, int)                           \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##gesvdjBatched(                                                    \
      cusolverDnHandle_t h, cusolverEigMode_t mode, int m, int n, T* a, int lda, R* s, T* u, int ldu, T* v, int ldv,  \
      T* room, int count, int* info, gesvdjInfo_t, int batch) {                                                       \
    using namespace simt_cuda::libraries;                                                                             \
    return solver_call(h, "cusolverDn" #X "gesvdjBatched()", SIMT_CALLED_FROM,                                        \
                       m >= 0 && n >= 0 && lda >= m && batch >= 0, room, count, [=]() {                               \
                         for (size i = 0; i < batch; ++i)                                                             \
                           singular_vectors(mode == CUSOLVER_EIG_MODE_VECTOR, false, m, n, a + i * lda * n, lda,      \
                                            s + i * (m < n ? m : n), u + i * ldu * m, ldu, v + i * ldv * n, ldv,      \
                                            info + i);                                                                \
                       });                                                                                            \
  }                                                                                                                   \
  SIMT_CUSOLVER_SIZE(cusolverDn##X##gesvdaStridedBatched_bufferSize, m, n, cusolverEigMode_t, int, int m, int n,      \
                     const T*, int, long long, const R*, long long, const T*, int, long long, const T*, int,          \
                     long long, int* count, int)                                                                      \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##X##gesvdaStridedBatched(                                             \
      cusolverDnHandle_t h, cusolverEigMode_t mode, int rank, int m, int n, const T* a, int lda, long long stride_a,  \
      R* s, long long stride_s, T* u, int ldu, long long stride_u, T* v, int ldv, long long stride_v, T* room,        \
      int count, int* info, double* residuals, int batch) {                                                           \
    using namespace simt_cuda::libraries;                                                                             \
    for (int i = 0; residuals != nullptr && i < batch; ++i) residuals[i] = 0;                                         \
    return solver_call(h, "cusolverDn" #X "gesvdaStridedBatched()", SIMT_CALLED_FROM,                                 \
                       m >= n && n >= rank && rank >= 0 && lda >= m && batch >= 0, room, count, [=]() {               \
                         for (size i = 0; i < batch; ++i)                                                             \
                           largest_singular_values(mode == CUSOLVER_EIG_MODE_VECTOR, rank, m, n, a + i * stride_a,    \
                                                   lda, s + i * stride_s, u + i * stride_u, ldu, v + i * stride_v,    \
                                                   ldv, info + i);                                                    \
                       });                                                                                            \
  }
SIMT_CUSOLVER_EIGEN(S, float, float, sy)
SIMT_CUSOLVER_EIGEN(D, double, double, sy)
SIMT_CUSOLVER_EIGEN(C, cuComplex, float, he)
SIMT_CUSOLVER_EIGEN(Z, cuDoubleComplex, double, he)
#undef SIMT_CUSOLVER_EIGEN
#undef SIMT_CUSOLVER_ROTATIONS
#undef SIMT_CUSOLVER_OF_TWO
#undef SIMT_CUSOLVER_SIZE
