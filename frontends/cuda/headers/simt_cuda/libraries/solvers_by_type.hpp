// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's calls that are told the types of their matrices, with sizes of 64 bits; matrices are not larger for it.
// Part of cusolverDn.h.
#pragma once

#include "eigen_calls.hpp"

namespace simt_cuda::libraries {
inline cusolverStatus_t solver_work(std::int64_t m, std::int64_t n, std::size_t* device, std::size_t* host) {
  *device = static_cast<std::size_t>(work_elements(static_cast<int>(m), static_cast<int>(n))) * 16;
  *host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
}  // namespace simt_cuda::libraries

inline cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t,
                                                    std::int64_t n, cudaDataType, const void*, std::int64_t,
                                                    cudaDataType, std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(n, n, device, host);
}
inline cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, std::int64_t m,
                                                    std::int64_t n, cudaDataType, const void*, std::int64_t,
                                                    cudaDataType, std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(m, n, device, host);
}
inline cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                                    cublasFillMode_t, std::int64_t n, cudaDataType, const void*,
                                                    std::int64_t, cudaDataType, const void*, cudaDataType,
                                                    std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(n, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t fill,
                                                    std::int64_t n, cudaDataType type, void* a, std::int64_t lda,
                                                    cudaDataType, void* room, std::size_t bytes, void*, std::size_t,
                                                    int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXpotrf()", place, n >= 0 && lda >= n, static_cast<char*>(room),
                       static_cast<int>(bytes), [=]() {
                         cholesky(fill == CUBLAS_FILL_MODE_UPPER, static_cast<int>(n), static_cast<T*>(a),
                                  static_cast<int>(lda), info);
                       });
  });
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t fill,
                                                    std::int64_t n, std::int64_t sides, cudaDataType type,
                                                    const void* a, std::int64_t lda, cudaDataType, void* b,
                                                    std::int64_t ldb, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXpotrs()", place, n >= 0 && lda >= n && ldb >= n, static_cast<char*>(b), 0, [=]() {
      cholesky_solve(fill == CUBLAS_FILL_MODE_UPPER, static_cast<int>(n), static_cast<int>(sides),
                     static_cast<const T*>(a), static_cast<int>(lda), static_cast<T*>(b), static_cast<int>(ldb), info);
    });
  });
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t, std::int64_t m,
                                                    std::int64_t n, cudaDataType type, void* a, std::int64_t lda,
                                                    std::int64_t* pivots, cudaDataType, void* room, std::size_t bytes,
                                                    void*, std::size_t, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXgetrf()", place, m >= 0 && n >= 0 && lda >= m, static_cast<char*>(room),
                       static_cast<int>(bytes), [=]() {
                         lu(static_cast<int>(m), static_cast<int>(n), static_cast<T*>(a), static_cast<int>(lda), pivots,
                            info);
                       });
  });
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t op,
                                                    std::int64_t n, std::int64_t sides, cudaDataType type,
                                                    const void* a, std::int64_t lda, const std::int64_t* pivots,
                                                    cudaDataType, void* b, std::int64_t ldb, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXgetrs()", place, n >= 0 && lda >= n && ldb >= n, static_cast<char*>(b), 0, [=]() {
      lu_solve(letter_of(op), static_cast<int>(n), static_cast<int>(sides), static_cast<const T*>(a),
               static_cast<int>(lda), pivots, static_cast<T*>(b), static_cast<int>(ldb), info);
    });
  });
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                                    cublasFillMode_t fill, std::int64_t n, cudaDataType type, void* a,
                                                    std::int64_t lda, cudaDataType, void* w, cudaDataType, void* room,
                                                    std::size_t bytes, void*, std::size_t, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(
        h, "cusolverDnXsyevd()", place, n >= 0 && lda >= n, static_cast<char*>(room), static_cast<int>(bytes), [=]() {
          eigenvalues(mode == CUSOLVER_EIG_MODE_VECTOR, fill == CUBLAS_FILL_MODE_UPPER, static_cast<int>(n),
                      static_cast<T*>(a), static_cast<int>(lda), static_cast<real<T>*>(w), info);
        });
  });
}
inline cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, std::int64_t m,
                                                    std::int64_t n, cudaDataType, const void*, std::int64_t,
                                                    cudaDataType, const void*, cudaDataType, std::size_t* device,
                                                    std::size_t* host) {
  return simt_cuda::libraries::solver_work(m, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, std::int64_t m,
                                                    std::int64_t n, cudaDataType type, void* a, std::int64_t lda,
                                                    cudaDataType, void* tau, cudaDataType, void* room,
                                                    std::size_t bytes, void*, std::size_t, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXgeqrf()", place, m >= 0 && n >= 0 && lda >= m, static_cast<char*>(room),
                       static_cast<int>(bytes), [=]() {
                         qr(static_cast<int>(m), static_cast<int>(n), static_cast<T*>(a), static_cast<int>(lda),
                            static_cast<T*>(tau), info);
                       });
  });
}
inline cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, cublasDiagType_t,
                                                    std::int64_t n, cudaDataType, void*, std::int64_t,
                                                    std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(n, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t h, cublasFillMode_t fill, cublasDiagType_t diag,
                                                    std::int64_t n, cudaDataType type, void* a, std::int64_t lda,
                                                    void* room, std::size_t bytes, void*, std::size_t, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXtrtri()", place, n >= 0 && lda >= n, static_cast<char*>(room),
                       static_cast<int>(bytes), [=]() {
                         triangle_invert(fill == CUBLAS_FILL_MODE_UPPER, diag == CUBLAS_DIAG_UNIT, static_cast<int>(n),
                                         static_cast<T*>(a), static_cast<int>(lda), info);
                       });
  });
}

// Eigenvalues in a range. How many there are is known when the call returns.
inline cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                                     cusolverEigRange_t, cublasFillMode_t, std::int64_t n, cudaDataType,
                                                     const void*, std::int64_t, void*, void*, std::int64_t,
                                                     std::int64_t, std::int64_t*, cudaDataType, const void*,
                                                     cudaDataType, std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(n, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                                     cusolverEigRange_t range, cublasFillMode_t fill, std::int64_t n,
                                                     cudaDataType type, void* a, std::int64_t lda, void* low,
                                                     void* high, std::int64_t first, std::int64_t last,
                                                     std::int64_t* found, cudaDataType, void* w, cudaDataType,
                                                     void* room, std::size_t bytes, void*, std::size_t, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    using R = real<T>;
    const bool by_value = range == CUSOLVER_EIG_RANGE_V;
    const eigen_range<R> wanted{letter_of(range), by_value ? *static_cast<R*>(low) : R{},
                                by_value ? *static_cast<R*>(high) : R{}, static_cast<int>(first),
                                static_cast<int>(last)};
    int counted = 0;
    const cusolverStatus_t s =
        range_call(h, "cusolverDnXsyevdx()", place, n >= 0 && lda >= n, static_cast<char*>(room),
                   static_cast<int>(bytes), &counted, [=](int* to) {
                     eigenvalues_in_range(0, mode == CUSOLVER_EIG_MODE_VECTOR, fill == CUBLAS_FILL_MODE_UPPER, wanted,
                                          static_cast<int>(n), static_cast<T*>(a), static_cast<int>(lda),
                                          static_cast<T*>(nullptr), 0, to, static_cast<R*>(w), info);
                   });
    if (found != nullptr) *found = counted;
    return s;
  });
}
inline cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                                   cusolverEigMode_t, std::int64_t n, cudaDataType, const void*,
                                                   std::int64_t, cudaDataType, const void*, cudaDataType, const void*,
                                                   std::int64_t, cudaDataType, const void*, std::int64_t, cudaDataType,
                                                   std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(n, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t left,
                                                   cusolverEigMode_t right, std::int64_t n, cudaDataType type, void* a,
                                                   std::int64_t lda, cudaDataType type_w, void* w, cudaDataType type_l,
                                                   void* vl, std::int64_t ldvl, cudaDataType type_r, void* vr,
                                                   std::int64_t ldvr, cudaDataType, void* room, std::size_t bytes,
                                                   void*, std::size_t, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  const bool with_left = left == CUSOLVER_EIG_MODE_VECTOR, with_right = right == CUSOLVER_EIG_MODE_VECTOR;
  if ((with_left && type_l != type) || (with_right && type_r != type)) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    using C = std::conditional_t<std::is_same_v<real<T>, float>, cuComplex, cuDoubleComplex>;
    return solver_call(
        h, "cusolverDnXgeev()", place, n >= 0 && lda >= n, static_cast<char*>(room), static_cast<int>(bytes), [=]() {
          general_eigenvalues<T, C>(with_left, with_right, static_cast<int>(n), static_cast<T*>(a),
                                    static_cast<int>(lda), w, type_w == type && !is_complex<T>, static_cast<T*>(vl),
                                    static_cast<int>(ldvl), static_cast<T*>(vr), static_cast<int>(ldvr), info);
        });
  });
}

// Singular values: by QR, by the polar decomposition, and the largest ones only.
inline cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                                    std::int64_t m, std::int64_t n, cudaDataType, const void*,
                                                    std::int64_t, cudaDataType, const void*, cudaDataType, const void*,
                                                    std::int64_t, cudaDataType, const void*, std::int64_t, cudaDataType,
                                                    std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(m, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                                    signed char job_v, std::int64_t m, std::int64_t n,
                                                    cudaDataType type, void* a, std::int64_t lda, cudaDataType, void* s,
                                                    cudaDataType, void* u, std::int64_t ldu, cudaDataType, void* vt,
                                                    std::int64_t ldvt, cudaDataType, void* room, std::size_t bytes,
                                                    void*, std::size_t, int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXgesvd()", place, m >= n && n >= 0 && lda >= m, static_cast<char*>(room),
                       static_cast<int>(bytes), [=]() {
                         singular_values(static_cast<char>(job_u), static_cast<char>(job_v), static_cast<int>(m),
                                         static_cast<int>(n), static_cast<T*>(a), static_cast<int>(lda),
                                         static_cast<real<T>*>(s), static_cast<T*>(u), static_cast<int>(ldu),
                                         static_cast<T*>(vt), static_cast<int>(ldvt), info);
                       });
  });
}
inline cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t, int,
                                                     std::int64_t m, std::int64_t n, cudaDataType, const void*,
                                                     std::int64_t, cudaDataType, const void*, cudaDataType, const void*,
                                                     std::int64_t, cudaDataType, const void*, std::int64_t,
                                                     cudaDataType, std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(m, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                                     int economic, std::int64_t m, std::int64_t n, cudaDataType type,
                                                     void* a, std::int64_t lda, cudaDataType, void* s, cudaDataType,
                                                     void* u, std::int64_t ldu, cudaDataType, void* v, std::int64_t ldv,
                                                     cudaDataType, void* room, std::size_t bytes, void*, std::size_t,
                                                     int* info, double* change) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (change != nullptr) *change = 0;  // nothing was added to the matrix to make it regular
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXgesvdp()", place, m >= 0 && n >= 0 && lda >= m, static_cast<char*>(room),
                       static_cast<int>(bytes), [=]() {
                         singular_vectors(mode == CUSOLVER_EIG_MODE_VECTOR, economic != 0, static_cast<int>(m),
                                          static_cast<int>(n), static_cast<T*>(a), static_cast<int>(lda),
                                          static_cast<real<T>*>(s), static_cast<T*>(u), static_cast<int>(ldu),
                                          static_cast<T*>(v), static_cast<int>(ldv), info);
                       });
  });
}
inline cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                                     std::int64_t m, std::int64_t n, std::int64_t, std::int64_t,
                                                     std::int64_t, cudaDataType, const void*, std::int64_t,
                                                     cudaDataType, const void*, cudaDataType, const void*, std::int64_t,
                                                     cudaDataType, const void*, std::int64_t, cudaDataType,
                                                     std::size_t* device, std::size_t* host) {
  return simt_cuda::libraries::solver_work(m, n, device, host);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                                     signed char, std::int64_t m, std::int64_t n, std::int64_t rank,
                                                     std::int64_t, std::int64_t, cudaDataType type, void* a,
                                                     std::int64_t lda, cudaDataType, void* s, cudaDataType, void* u,
                                                     std::int64_t ldu, cudaDataType, void* v, std::int64_t ldv,
                                                     cudaDataType, void* room, std::size_t bytes, void*, std::size_t,
                                                     int* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_value_type(type, CUSOLVER_STATUS_NOT_SUPPORTED, [&]<class T>(T) {
    return solver_call(h, "cusolverDnXgesvdr()", place, m >= 0 && n >= 0 && rank >= 0 && rank <= m && rank <= n,
                       static_cast<char*>(room), static_cast<int>(bytes), [=]() {
                         largest_singular_values(job_u == 'S', static_cast<int>(rank), static_cast<int>(m),
                                                 static_cast<int>(n), static_cast<const T*>(a), static_cast<int>(lda),
                                                 static_cast<real<T>*>(s), static_cast<T*>(u), static_cast<int>(ldu),
                                                 static_cast<T*>(v), static_cast<int>(ldv), info);
                       });
  });
}
