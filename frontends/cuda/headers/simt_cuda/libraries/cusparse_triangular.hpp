// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: triangular systems by its older interface (csrsv2), tridiagonal ones (gtsv2, gtsv2StridedBatch,
// gtsvInterleavedBatch) and those of five diagonals (gpsvInterleavedBatch). What programs bring as room is not used.
#pragma once

#include "cusparse_older.hpp"
#include "pentadiagonal.hpp"
#include "sparse_products.hpp"
#include "tridiagonal.hpp"

namespace simt_cuda::libraries {

// To the host: the first row, from 0, in whose diagonal a number is missing or zero; -1: there is none.
template <class T>
SIMT_UNWATCHED void note_broken_row(const sparse_matrix& m, size* broken) {
  *broken = -1;
  for (size i = 0; i < m.rows && !m.unit_diagonal && *broken < 0; ++i) {
    bool good = false;
    for (size k = m.outer.get(i); k < m.outer.get(i + 1); ++k)
      if (m.inner.get(k) == i) good = !is_zero(static_cast<const T*>(m.values)[k]);
    if (!good) *broken = i;
  }
}

}  // namespace simt_cuda::libraries

#define SIMT_CUSPARSE_TRIANGULAR(X, T)                                                                             \
  inline cusparseStatus_t cusparse##X##csrsv2_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int,          \
                                                         const cusparseMatDescr_t, T*, const int*, const int*,     \
                                                         csrsv2Info_t, int* bytes) {                               \
    *bytes = static_cast<int>(simt_cuda::libraries::kSparseBuffer);                                                \
    return CUSPARSE_STATUS_SUCCESS;                                                                                \
  }                                                                                                                \
  inline cusparseStatus_t cusparse##X##csrsv2_bufferSizeExt(cusparseHandle_t, cusparseOperation_t, int, int,       \
                                                            const cusparseMatDescr_t, T*, const int*, const int*,  \
                                                            csrsv2Info_t, std::size_t* bytes) {                    \
    *bytes = simt_cuda::libraries::kSparseBuffer;                                                                  \
    return CUSPARSE_STATUS_SUCCESS;                                                                                \
  }                                                                                                                \
  inline cusparseStatus_t cusparse##X##csrsv2_analysis(cusparseHandle_t, cusparseOperation_t, int, int,            \
                                                       const cusparseMatDescr_t, const T*, const int*, const int*, \
                                                       csrsv2Info_t info, cusparseSolvePolicy_t, void*) {          \
    info->broken = -1;                                                                                             \
    return CUSPARSE_STATUS_SUCCESS;                                                                                \
  }                                                                                                                \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##csrsv2_solve(                                                    \
      cusparseHandle_t h, cusparseOperation_t op, int m, int entries, const T* alpha, const cusparseMatDescr_t d,  \
      const T* values, const int* offsets, const int* columns, csrsv2Info_t info, const T* x, T* y,                \
      cusparseSolvePolicy_t, void*) {                                                                              \
    using namespace simt_cuda::libraries;                                                                          \
    const void* const place = SIMT_CALLED_FROM;                                                                    \
    sparse_matrix a = older_matrix(m, m, entries, d->base, values, offsets, columns);                              \
    a.upper = d->fill == CUSPARSE_FILL_MODE_UPPER;                                                                 \
    a.unit_diagonal = d->diagonal == CUSPARSE_DIAG_TYPE_UNIT;                                                      \
    return sparse_call(h, "cusparse" #X "csrsv2_solve()", place,                                                   \
                       [=, by = sparse_factor<T>(h, alpha), broken = &info->broken]() {                            \
                         sparse_solve<T>(sparse_op_of(op), by, a, x, y);                                           \
                         note_broken_row<T>(a, broken);                                                            \
                       });                                                                                         \
  }
SIMT_CUSPARSE_TRIANGULAR(S, float)
SIMT_CUSPARSE_TRIANGULAR(D, double)
SIMT_CUSPARSE_TRIANGULAR(C, cuComplex)
SIMT_CUSPARSE_TRIANGULAR(Z, cuDoubleComplex)
#undef SIMT_CUSPARSE_TRIANGULAR

#define SIMT_CUSPARSE_TRIDIAGONAL(X, T, name, pivots)                                                                 \
  inline cusparseStatus_t cusparse##X##name##_bufferSizeExt(cusparseHandle_t, int, int, const T*, const T*, const T*, \
                                                            const T*, int, std::size_t* bytes) {                      \
    *bytes = simt_cuda::libraries::kSparseBuffer;                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                                   \
  }                                                                                                                   \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##name(cusparseHandle_t h, int m, int n, const T* below,              \
                                                       const T* main, const T* above, T* b, int ldb, void*) {         \
    using namespace simt_cuda::libraries;                                                                             \
    const void* const place = SIMT_CALLED_FROM;                                                                       \
    if (m < 3 || n < 0 || ldb < m) return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    return sparse_call(h, "cusparse" #X #name "()", place, [=]() {                                                    \
      solve_tridiagonal_many(tridiagonal<T>{m, below, main, above}, pivots, n, b, ldb);                               \
    });                                                                                                               \
  }
#define SIMT_CUSPARSE_TRIDIAGONALS(X, T)                                                                             \
  SIMT_CUSPARSE_TRIDIAGONAL(X, T, gtsv2, true)                                                                       \
  SIMT_CUSPARSE_TRIDIAGONAL(X, T, gtsv2_nopivot, false)                                                              \
  inline cusparseStatus_t cusparse##X##gtsv2StridedBatch_bufferSizeExt(                                              \
      cusparseHandle_t, int, const T*, const T*, const T*, const T*, int, int, std::size_t* bytes) {                 \
    *bytes = simt_cuda::libraries::kSparseBuffer;                                                                    \
    return CUSPARSE_STATUS_SUCCESS;                                                                                  \
  }                                                                                                                  \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##gtsv2StridedBatch(cusparseHandle_t h, int m, const T* below,       \
                                                                    const T* main, const T* above, T* x, int count,  \
                                                                    int distance, void*) {                           \
    using namespace simt_cuda::libraries;                                                                            \
    const void* const place = SIMT_CALLED_FROM;                                                                      \
    if (m < 3 || count < 0 || distance < m) return CUSPARSE_STATUS_INVALID_VALUE;                                    \
    return sparse_call(h, "cusparse" #X "gtsv2StridedBatch()", place, [=]() {                                        \
      solve_tridiagonal_batch(tridiagonal<T>{m, below, main, above}, false, count, distance, x);                     \
    });                                                                                                              \
  }                                                                                                                  \
  inline cusparseStatus_t cusparse##X##gtsvInterleavedBatch_bufferSizeExt(                                           \
      cusparseHandle_t, int, int, const T*, const T*, const T*, const T*, int, std::size_t* bytes) {                 \
    *bytes = simt_cuda::libraries::kSparseBuffer;                                                                    \
    return CUSPARSE_STATUS_SUCCESS;                                                                                  \
  }                                                                                                                  \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##gtsvInterleavedBatch(cusparseHandle_t h, int way, int m, T* below, \
                                                                       T* main, T* above, T* x, int count, void*) {  \
    using namespace simt_cuda::libraries;                                                                            \
    const void* const place = SIMT_CALLED_FROM;                                                                      \
    if (m < 3 || count < 0 || way < 0 || way > 2) return CUSPARSE_STATUS_INVALID_VALUE;                              \
    return sparse_call(h, "cusparse" #X "gtsvInterleavedBatch()", place, [=]() {                                     \
      solve_tridiagonal_batch(tridiagonal<T>{m, below, main, above, count}, way != 0, count, 1, x);                  \
    });                                                                                                              \
  }                                                                                                                  \
  inline cusparseStatus_t cusparse##X##gpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const T*,      \
                                                                          const T*, const T*, const T*, const T*,    \
                                                                          const T*, int, std::size_t* bytes) {       \
    *bytes = simt_cuda::libraries::kSparseBuffer;                                                                    \
    return CUSPARSE_STATUS_SUCCESS;                                                                                  \
  }                                                                                                                  \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##gpsvInterleavedBatch(cusparseHandle_t h, int way, int m,           \
                                                                       T* two_below, T* below, T* main, T* above,    \
                                                                       T* two_above, T* x, int count, void*) {       \
    using namespace simt_cuda::libraries;                                                                            \
    const void* const place = SIMT_CALLED_FROM;                                                                      \
    if (m < 3 || count < 0 || way != 0) return CUSPARSE_STATUS_INVALID_VALUE;                                        \
    return sparse_call(h, "cusparse" #X "gpsvInterleavedBatch()", place, [=]() {                                     \
      solve_pentadiagonal_batch(pentadiagonal<T>{m, {two_below, below, main, above, two_above}, count}, count, x);   \
    });                                                                                                              \
  }
SIMT_CUSPARSE_TRIDIAGONALS(S, float)
SIMT_CUSPARSE_TRIDIAGONALS(D, double)
SIMT_CUSPARSE_TRIDIAGONALS(C, cuComplex)
SIMT_CUSPARSE_TRIDIAGONALS(Z, cuDoubleComplex)
#undef SIMT_CUSPARSE_TRIDIAGONALS
#undef SIMT_CUSPARSE_TRIDIAGONAL
