// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices: systems in CSR, solved as band matrices by LAPACK (csrlsvqr, csrlsvlu, csrlsvchol, of
// the device and of the host); several of one pattern, by QR.
#pragma once

#include "cusolver_common.h"

#include "simt_cuda/hide_names.hpp"

#include <cstdio>

#include <cusparse.h>

#include "simt_cuda/libraries/dense_solvers.hpp"
#include "simt_cuda/libraries/sparse_bands.hpp"
#include "simt_cuda/libraries/sparse_orders.hpp"
#include "simt_cuda/libraries/sparse_steps.hpp"

#define CUSOLVERSP_H_
struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};
typedef cusolverSpContext* cusolverSpHandle_t;
inline cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* h) {
  *h = new cusolverSpContext;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t h) {
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t h, cudaStream_t s) {
  h->stream = s;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

namespace simt_cuda::libraries {
template <class T>
cusolverStatus_t solve_sparse(cusolverSpHandle_t h, const char* name, const void* place, bool on_host, bool definite,
                              int n, int entries, const cusparseMatDescr_t d, const T* values, const int* offsets,
                              const int* columns, const T* b, real<T> tolerance, T* x, int* singular) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (n < 0 || entries < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  const sparse_matrix m = older_matrix(n, n, entries, d->base, values, offsets, columns);
  band_result result;
  if (on_host) {
    solve_as_band(m, definite, tolerance, b, x, &result);
  } else {
    band_result* const to = &result;
    const bool ran = run(name, h->stream, place, [=]() {
      m.pattern_is_read();
      reads_array(values, entries);
      reads_array(b, n);
      writes_array(x, n);
      solve_as_band(m, definite, tolerance, b, x, to);
    });
    if (!ran || cudaStreamSynchronize(h->stream) != cudaSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  if (!result.fits) {
    std::fprintf(stderr, "simt: %s: the band of this matrix is too wide for the simulator\n", name);
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
  *singular = result.singular;
  return CUSOLVER_STATUS_SUCCESS;
}
}  // namespace simt_cuda::libraries

#define SIMT_CUSOLVER_SPARSE(X, T, R, name, on_host, definite)                                                        \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverSp##X##name(                                                             \
      cusolverSpHandle_t h, int n, int entries, const cusparseMatDescr_t d, const T* values, const int* offsets,      \
      const int* columns, const T* b, R tolerance, int, T* x, int* singular) {                                        \
    return simt_cuda::libraries::solve_sparse<T>(h, "cusolverSp" #X #name "()", SIMT_CALLED_FROM, on_host, definite,  \
                                                 n, entries, d, values, offsets, columns, b, tolerance, x, singular); \
  }
#define SIMT_CUSOLVER_SPARSE_ALL(X, T, R)                  \
  SIMT_CUSOLVER_SPARSE(X, T, R, csrlsvqr, false, false)    \
  SIMT_CUSOLVER_SPARSE(X, T, R, csrlsvchol, false, true)   \
  SIMT_CUSOLVER_SPARSE(X, T, R, csrlsvqrHost, true, false) \
  SIMT_CUSOLVER_SPARSE(X, T, R, csrlsvluHost, true, false) \
  SIMT_CUSOLVER_SPARSE(X, T, R, csrlsvcholHost, true, true)
SIMT_CUSOLVER_SPARSE_ALL(S, float, float)
SIMT_CUSOLVER_SPARSE_ALL(D, double, double)
SIMT_CUSOLVER_SPARSE_ALL(C, cuComplex, float)
SIMT_CUSOLVER_SPARSE_ALL(Z, cuDoubleComplex, double)
#undef SIMT_CUSOLVER_SPARSE_ALL
#undef SIMT_CUSOLVER_SPARSE

// Patterns and orders, all on the host. Indices of orders begin at 0.
inline cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t h, int n, int, const cusparseMatDescr_t d,
                                                const int* begins, const int* ends, const int* columns,
                                                int* is_symmetric) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *is_symmetric = simt_cuda::libraries::has_symmetric_pattern(n, static_cast<int>(d->base), begins, ends, columns);
  return CUSOLVER_STATUS_SUCCESS;
}
#define SIMT_CUSOLVER_ORDER(name, order)                                                                         \
  inline cusolverStatus_t name(cusolverSpHandle_t h, int n, int, const cusparseMatDescr_t d, const int* offsets, \
                               const int* columns, int* p) {                                                     \
    using namespace simt_cuda::libraries;                                                                        \
    if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;                                                    \
    const std::vector<int> made = order(neighbours_of(n, static_cast<int>(d->base), offsets, columns));          \
    std::copy(made.begin(), made.end(), p);                                                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                                              \
  }
SIMT_CUSOLVER_ORDER(cusolverSpXcsrsymrcmHost, reverse_cuthill_mckee)
SIMT_CUSOLVER_ORDER(cusolverSpXcsrsymamdHost, minimum_degree)
SIMT_CUSOLVER_ORDER(cusolverSpXcsrsymmdqHost, minimum_degree)
inline cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t h, int n, int entries, const cusparseMatDescr_t d,
                                                  const int* offsets, const int* columns, const std::int64_t*, int* p) {
  return cusolverSpXcsrsymamdHost(h, n, entries, d, offsets, columns, p);
}
#undef SIMT_CUSOLVER_ORDER
inline cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t h, int, int, int entries,
                                                          const cusparseMatDescr_t, const int*, const int*, const int*,
                                                          const int*, std::size_t* bytes) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *bytes = sizeof(int) * (static_cast<std::size_t>(entries) + 1);
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t h, int m, int n, int, const cusparseMatDescr_t d,
                                               int* offsets, int* columns, const int* p, const int* q, int* places,
                                               void*) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  simt_cuda::libraries::reorder(m, n, static_cast<int>(d->base), offsets, columns, p, q, places);
  return CUSOLVER_STATUS_SUCCESS;
}

// ---- systems of one pattern, by QR, on the device
struct csrqrInfo {
  simt_cuda::libraries::kept_matrix kept;  // of cusolverSp_LOWLEVEL_PREVIEW.h
};
typedef csrqrInfo* csrqrInfo_t;
inline cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t* info) {
  *info = new csrqrInfo;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info) {
  delete info;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t h, int m, int n, int,
                                                        const cusparseMatDescr_t, const int*, const int*, csrqrInfo_t) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return m == n ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}

namespace simt_cuda::libraries {
template <class T>
cusolverStatus_t solve_batch(cusolverSpHandle_t h, const char* name, const void* place, int n, int entries,
                             const cusparseMatDescr_t d, const T* values, const int* offsets, const int* columns,
                             const T* b, T* x, int count) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (n < 0 || entries < 0 || count < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  band_result result;
  band_result* const to = &result;
  const sparse_matrix first = older_matrix(n, n, entries, d->base, values, offsets, columns);
  const auto solve = [=]() SIMT_UNWATCHED {
    sparse_matrix m = first;
    for (int i = 0; i < count && to->fits; ++i) {
      m.values = const_cast<T*>(values) + size{i} * entries;
      solve_as_band(m, false, real<T>(0), b + size{i} * n, x + size{i} * n, to);
    }
  };
  const bool ran = run(name, h->stream, place, [=]() {
    first.pattern_is_read();
    reads_array(values, size{count} * entries);
    reads_array(b, size{count} * n);
    writes_array(x, size{count} * n);
    solve();
  });
  if (!ran || cudaStreamSynchronize(h->stream) != cudaSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  return result.fits ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_SUPPORTED;
}
}  // namespace simt_cuda::libraries
#define SIMT_CUSOLVER_BATCH(X, T)                                                                                      \
  inline cusolverStatus_t cusolverSp##X##csrqrBufferInfoBatched(                                                       \
      cusolverSpHandle_t, int, int, int, const cusparseMatDescr_t, const T*, const int*, const int*, int, csrqrInfo_t, \
      std::size_t* internal, std::size_t* work) {                                                                      \
    return simt_cuda::libraries::little_room(internal, work);                                                          \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverSp##X##csrqrsvBatched(                                                    \
      cusolverSpHandle_t h, int m, int n, int entries, const cusparseMatDescr_t d, const T* values,                    \
      const int* offsets, const int* columns, const T* b, T* x, int count, csrqrInfo_t, void*) {                       \
    if (m != n) return CUSOLVER_STATUS_NOT_SUPPORTED;                                                                  \
    return simt_cuda::libraries::solve_batch<T>(h, "cusolverSp" #X "csrqrsvBatched()", SIMT_CALLED_FROM, n, entries,   \
                                                d, values, offsets, columns, b, x, count);                             \
  }
SIMT_CUSOLVER_BATCH(S, float)
SIMT_CUSOLVER_BATCH(D, double)
SIMT_CUSOLVER_BATCH(C, cuComplex)
SIMT_CUSOLVER_BATCH(Z, cuDoubleComplex)
#undef SIMT_CUSOLVER_BATCH

#include "simt_cuda/restore_names.hpp"
