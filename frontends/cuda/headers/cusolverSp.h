// SPDX-License-Identifier: Apache-2.0
// cuSOLVER for sparse matrices: systems in CSR, solved as band matrices by LAPACK (csrlsvqr, csrlsvlu, csrlsvchol, of
// the device and of the host). Orders that a program asks for are not needed; the band is what it is.
#pragma once

#include "cusolver_common.h"

#include "simt_cuda/hide_names.hpp"

#include <cstdio>

#include <cusparse.h>

#include "simt_cuda/libraries/dense_solvers.hpp"
#include "simt_cuda/libraries/sparse_orders.hpp"

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
struct band_result {
  int singular = -1;  // the row of a pivot that is too small
  bool fits = true;
};
// x = A^-1 b. Rows of the band are kept in columns, as LAPACK has them.
template <class T>
SIMT_UNWATCHED void solve_as_band(const sparse_matrix& m, bool definite, real<T> tolerance, const T* b, T* x,
                                  band_result* result) {
  const by_rows<T> a(m, sparse_op::plain);
  const size n = a.rows;
  size below = 0, above = 0;
  for (size i = 0; i < n; ++i)
    for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      if (i - a.columns[k] > below) below = i - a.columns[k];
      if (a.columns[k] - i > above) above = a.columns[k] - i;
    }
  const size height = definite ? below + 1 : 2 * below + above + 1, top = definite ? 0 : below + above;
  result->singular = -1;
  result->fits = n * height <= (size{1} << 28);
  if (!result->fits) return;
  const scratch<T> band(n * height), right(n);
  const scratch<int> pivots(n);
  for (size i = 0; i < n; ++i) {
    right[i] = b[i];
    for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      if (const size j = a.columns[k]; !definite || j <= i) band[j * height + top + i - j] = a.values[k];
  }
  T *const at = band.get(), *const to = right.get();
  int* const order = pivots.get();
  const int failed = by_lapack([=]() SIMT_UNWATCHED {
    const int rows = static_cast<int>(n), leading = static_cast<int>(height);
    return definite ? lapack<T>::solve_definite_band(kByColumns, 'L', rows, static_cast<int>(below), 1, at, leading, to,
                                                     rows)
                    : lapack<T>::solve_band(kByColumns, rows, static_cast<int>(below), static_cast<int>(above), 1, at,
                                            leading, order, to, rows);
  });
  if (failed > 0) result->singular = failed - 1;
  for (size j = 0; j < n && result->singular < 0; ++j) {
    const T pivot = band[j * height + top];
    const real<T> re = real_part(pivot), size_of = real_part(times(pivot, conjugate(pivot, true)));
    if (!(size_of > tolerance * tolerance) && !(re > tolerance)) result->singular = static_cast<int>(j);
  }
  for (size i = 0; i < n; ++i) x[i] = right[i];
}
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

#include "simt_cuda/restore_names.hpp"
