// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's sparse factorisations in steps: csrlu of the host, csrqr and csrchol of host and device. The factors stay
// inside, but for those of csrlu, which can be had. Matrices are square; work space is neither needed nor used.
#pragma once

#include <cusolverSp.h>

#include "simt_cuda/hide_names.hpp"

#include <variant>

#include "simt_cuda/libraries/sparse_factors.hpp"
#include "simt_cuda/libraries/sparse_steps.hpp"

#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

// ---- objects
struct csrluInfoHost {
  simt_cuda::libraries::kept_matrix kept;
  double threshold = 1;
  std::variant<std::monostate, simt_cuda::libraries::sparse_factors<float>,
               simt_cuda::libraries::sparse_factors<double>, simt_cuda::libraries::sparse_factors<cuComplex>,
               simt_cuda::libraries::sparse_factors<cuDoubleComplex>>
      factors;
};
struct csrqrInfoHost {
  simt_cuda::libraries::kept_matrix kept;
};
struct csrcholInfoHost {
  simt_cuda::libraries::kept_matrix kept;
};
struct csrcholInfo {
  simt_cuda::libraries::kept_matrix kept;
};
#define SIMT_CUSOLVER_OBJECT(Name, type)                           \
  typedef type* type##_t;                                          \
  inline cusolverStatus_t cusolverSpCreate##Name(type##_t* info) { \
    *info = new type;                                              \
    return CUSOLVER_STATUS_SUCCESS;                                \
  }                                                                \
  inline cusolverStatus_t cusolverSpDestroy##Name(type##_t info) { \
    delete info;                                                   \
    return CUSOLVER_STATUS_SUCCESS;                                \
  }
SIMT_CUSOLVER_OBJECT(CsrluInfoHost, csrluInfoHost)
SIMT_CUSOLVER_OBJECT(CsrqrInfoHost, csrqrInfoHost)
SIMT_CUSOLVER_OBJECT(CsrcholInfoHost, csrcholInfoHost)
SIMT_CUSOLVER_OBJECT(CsrcholInfo, csrcholInfo)
#undef SIMT_CUSOLVER_OBJECT

// ---- analyses: nothing is to be known beforehand
inline cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t h, int, int, const cusparseMatDescr_t,
                                                     const int*, const int*, csrluInfoHost_t info) {
  return h == nullptr || info == nullptr ? CUSOLVER_STATUS_NOT_INITIALIZED : CUSOLVER_STATUS_SUCCESS;
}
#define SIMT_CUSOLVER_ANALYSES(end)                                                                                 \
  inline cusolverStatus_t cusolverSpXcsrqrAnalysis##end(cusolverSpHandle_t h, int m, int n, int,                    \
                                                        const cusparseMatDescr_t, const int*, const int*,           \
                                                        csrqrInfo##end##_t info) {                                  \
    if (h == nullptr || info == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;                                    \
    return m == n ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;                                        \
  }                                                                                                                 \
  inline cusolverStatus_t cusolverSpXcsrcholAnalysis##end(cusolverSpHandle_t h, int, int, const cusparseMatDescr_t, \
                                                          const int*, const int*, csrcholInfo##end##_t info) {      \
    return h == nullptr || info == nullptr ? CUSOLVER_STATUS_NOT_INITIALIZED : CUSOLVER_STATUS_SUCCESS;             \
  }
SIMT_CUSOLVER_ANALYSES()
SIMT_CUSOLVER_ANALYSES(Host)
#undef SIMT_CUSOLVER_ANALYSES

// ---- csrqr and csrchol. QR reads the matrix at its setup, Cholesky when it factorises.
#define SIMT_CUSOLVER_STEPS(X, T, R, end, on_host)                                                                     \
  inline cusolverStatus_t cusolverSp##X##csrqrBufferInfo##end(                                                         \
      cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const T*, const int*, const int*,                   \
      csrqrInfo##end##_t, std::size_t* internal, std::size_t* work) {                                                  \
    return simt_cuda::libraries::little_room(internal, work);                                                          \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrcholBufferInfo##end(                                                       \
      cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const T*, const int*, const int*, csrcholInfo##end##_t,  \
      std::size_t* internal, std::size_t* work) {                                                                      \
    return simt_cuda::libraries::little_room(internal, work);                                                          \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverSp##X##csrqrSetup##end(                                                   \
      cusolverSpHandle_t h, int m, int n, int entries, const cusparseMatDescr_t d, const T* values,                    \
      const int* offsets, const int* columns, T shift, csrqrInfo##end##_t info) {                                      \
    using namespace simt_cuda::libraries;                                                                              \
    if (m != n || !is_zero(shift)) return CUSOLVER_STATUS_NOT_SUPPORTED;                                               \
    return keep_matrix(info->kept, "cusolverSp" #X "csrqrSetup" #end "()", SIMT_CALLED_FROM, h->stream, on_host, n,    \
                       entries, d->base, values, offsets, columns)                                                     \
               ? CUSOLVER_STATUS_SUCCESS                                                                               \
               : CUSOLVER_STATUS_EXECUTION_FAILED;                                                                     \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverSp##X##csrqrSolve##end(cusolverSpHandle_t h, int, int n, T* b, T* x,      \
                                                                    csrqrInfo##end##_t info, void*) {                  \
    return simt_cuda::libraries::solve_kept<T>(info->kept, "cusolverSp" #X "csrqrSolve" #end "()", SIMT_CALLED_FROM,   \
                                               h->stream, on_host, false, 1, b, n, x, n);                              \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrqrFactor##end(cusolverSpHandle_t h, int m, int n, int, T* b, T* x,         \
                                                          csrqrInfo##end##_t info, void* work) {                       \
    if (!info->kept.has_values) return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
    if (b == nullptr || x == nullptr) return CUSOLVER_STATUS_SUCCESS;                                                  \
    return cusolverSp##X##csrqrSolve##end(h, m, n, b, x, info, work);                                                  \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrqrZeroPivot##end(cusolverSpHandle_t, csrqrInfo##end##_t info, R tolerance, \
                                                             int* position) {                                          \
    if (!info->kept.has_values) return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
    *position = simt_cuda::libraries::zero_pivot_of<T>(info->kept, false, tolerance);                                  \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverSp##X##csrcholFactor##end(                                                \
      cusolverSpHandle_t h, int n, int entries, const cusparseMatDescr_t d, const T* values, const int* offsets,       \
      const int* columns, csrcholInfo##end##_t info, void*) {                                                          \
    return simt_cuda::libraries::keep_matrix(info->kept, "cusolverSp" #X "csrcholFactor" #end "()", SIMT_CALLED_FROM,  \
                                             h->stream, on_host, n, entries, d->base, values, offsets, columns)        \
               ? CUSOLVER_STATUS_SUCCESS                                                                               \
               : CUSOLVER_STATUS_EXECUTION_FAILED;                                                                     \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverSp##X##csrcholSolve##end(cusolverSpHandle_t h, int n, const T* b, T* x,   \
                                                                      csrcholInfo##end##_t info, void*) {              \
    return simt_cuda::libraries::solve_kept<T>(info->kept, "cusolverSp" #X "csrcholSolve" #end "()", SIMT_CALLED_FROM, \
                                               h->stream, on_host, true, 1, b, n, x, n);                               \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrcholZeroPivot##end(cusolverSpHandle_t, csrcholInfo##end##_t info,          \
                                                               R tolerance, int* position) {                           \
    if (!info->kept.has_values) return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
    *position = simt_cuda::libraries::zero_pivot_of<T>(info->kept, true, tolerance);                                   \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }

// ---- csrlu: P A Q^T = L U, where Q changes nothing.
#define SIMT_CUSOLVER_LU(X, T, R)                                                                                      \
  inline cusolverStatus_t cusolverSp##X##csrluBufferInfoHost(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,   \
                                                             const T*, const int*, const int*, csrluInfoHost_t,        \
                                                             std::size_t* internal, std::size_t* work) {               \
    return simt_cuda::libraries::little_room(internal, work);                                                          \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrluFactorHost(                                                              \
      cusolverSpHandle_t, int n, int entries, const cusparseMatDescr_t d, const T* values, const int* offsets,         \
      const int* columns, csrluInfoHost_t info, R threshold, void*) {                                                  \
    using namespace simt_cuda::libraries;                                                                              \
    kept_matrix& k = info->kept;                                                                                       \
    keep_matrix(k, "", nullptr, nullptr, true, n, entries, d->base, values, offsets, columns);                         \
    info->factors = factorise<T>(n, k.offsets.data(), k.columns.data(), values, threshold);                            \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrluZeroPivotHost(cusolverSpHandle_t, csrluInfoHost_t info, R tolerance,     \
                                                            int* position) {                                           \
    if (!info->kept.has_values) return CUSOLVER_STATUS_INVALID_VALUE;                                                  \
    *position = simt_cuda::libraries::zero_pivot_of<T>(info->kept, false, tolerance);                                  \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrluSolveHost(cusolverSpHandle_t, int n, const T* b, T* x,                   \
                                                        csrluInfoHost_t info, void*) {                                 \
    return simt_cuda::libraries::solve_kept<T>(info->kept, "cusolverSp" #X "csrluSolveHost()", nullptr, nullptr, true, \
                                               false, 1, b, n, x, n);                                                  \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverSp##X##csrluExtractHost(                                                             \
      cusolverSpHandle_t, int* p, int* q, const cusparseMatDescr_t lower, T* lower_values, int* lower_offsets,         \
      int* lower_columns, const cusparseMatDescr_t upper, T* upper_values, int* upper_offsets, int* upper_columns,     \
      csrluInfoHost_t info, void*) {                                                                                   \
    using namespace simt_cuda::libraries;                                                                              \
    const auto* const f = std::get_if<sparse_factors<T>>(&info->factors);                                              \
    if (f == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;                                                            \
    for (int i = 0; i < info->kept.n; ++i) {                                                                           \
      p[i] = f->rows[static_cast<std::size_t>(i)];                                                                     \
      q[i] = i;                                                                                                        \
    }                                                                                                                  \
    write_rows(f->lower, lower->base, lower_values, lower_offsets, lower_columns);                                     \
    write_rows(f->upper, upper->base, upper_values, upper_offsets, upper_columns);                                     \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }
#define SIMT_CUSOLVER_STEPS_ALL(X, T, R)   \
  SIMT_CUSOLVER_STEPS(X, T, R, , false)    \
  SIMT_CUSOLVER_STEPS(X, T, R, Host, true) \
  SIMT_CUSOLVER_LU(X, T, R)
SIMT_CUSOLVER_STEPS_ALL(S, float, float)
SIMT_CUSOLVER_STEPS_ALL(D, double, double)
SIMT_CUSOLVER_STEPS_ALL(C, cuComplex, float)
SIMT_CUSOLVER_STEPS_ALL(Z, cuDoubleComplex, double)
#undef SIMT_CUSOLVER_STEPS_ALL
#undef SIMT_CUSOLVER_LU
#undef SIMT_CUSOLVER_STEPS

inline cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t, int* lower, int* upper, csrluInfoHost_t info) {
  return std::visit(
      [&](const auto& f) {
        if constexpr (requires { f.lower; }) {
          *lower = simt_cuda::libraries::entries_of(f.lower);
          *upper = simt_cuda::libraries::entries_of(f.upper);
          return CUSOLVER_STATUS_SUCCESS;
        } else {
          return CUSOLVER_STATUS_INVALID_VALUE;
        }
      },
      info->factors);
}

#include "simt_cuda/restore_names.hpp"
