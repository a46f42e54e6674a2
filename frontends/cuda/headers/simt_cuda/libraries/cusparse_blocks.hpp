// SPDX-License-Identifier: Apache-2.0
// cuSPARSE's older calls for matrices by blocks (csr2bsr, bsr2csr, bsrmv, bsrmm) and for sums of matrices (csrgeam2).
#pragma once

#include "cusparse_older.hpp"
#include "sparse_blocks.hpp"
#include "sparse_products.hpp"

namespace simt_cuda::libraries {

// `block_rows` x `block_cols` blocks of dim x dim.
template <class T>
sparse_matrix older_blocks(cusparseDirection_t direction, int block_rows, int block_cols, int blocks, int dim,
                           cusparseIndexBase_t base, const T* values, const int* offsets, const int* columns) {
  sparse_matrix a = older_matrix(block_rows * dim, block_cols * dim, 0, base, values, offsets, columns);
  a.format = sparse_format::blocks;
  a.entries = static_cast<size>(blocks) * dim * dim;
  a.block_rows = a.block_cols = dim;
  a.blocks_by_rows = direction == CUSPARSE_DIRECTION_ROW;
  return a;
}
// A number that a call finds: for the host at once, or for the device.
inline cusparseStatus_t give_number(cusparseHandle_t h, cusparseStatus_t s, size found, int* to) {
  if (s != CUSPARSE_STATUS_SUCCESS) return s;
  if (cudaStreamSynchronize(h->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  if (to == nullptr) return s;
  const int n = static_cast<int>(found);
  if (h->mode == CUSPARSE_POINTER_MODE_HOST)
    *to = n;
  else if (cudaMemcpy(to, &n, sizeof n, cudaMemcpyHostToDevice) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  return s;
}
// Entries of a compressed matrix of which a call says only where its offsets lie, on the device.
inline int entries_of(cusparseHandle_t h, const int* offsets, int rows, cusparseIndexBase_t base) {
  int last = base;
  if (cudaMemcpyAsync(&last, offsets + rows, sizeof last, cudaMemcpyDeviceToHost, h->stream) != cudaSuccess ||
      cudaStreamSynchronize(h->stream) != cudaSuccess)
    return -1;
  return last - base;
}

}  // namespace simt_cuda::libraries

SIMT_LIBRARY_CALL cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t h, cusparseDirection_t, int m, int n,
                                                       const cusparseMatDescr_t d, const int* offsets,
                                                       const int* columns, int dim, const cusparseMatDescr_t to_d,
                                                       int* to_offsets, int* total) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (h == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || dim <= 0) return CUSPARSE_STATUS_INVALID_VALUE;
  const int entries = entries_of(h, offsets, m, d->base);
  if (entries < 0) return CUSPARSE_STATUS_EXECUTION_FAILED;
  size found = 0, *const to = &found;
  const sparse_matrix from = older_matrix(m, n, entries, d->base, static_cast<const float*>(nullptr), offsets, columns);
  const cusparseStatus_t s = sparse_call(h, "cusparseXcsr2bsrNnz()", place, [=, base = to_d->base]() {
    count_blocks(from, dim, {to_offsets, false, base}, to);
  });
  return give_number(h, s, found, total);
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t h, int m, int n, const cusparseMatDescr_t a,
                                                        int entries_a, const int* offsets_a, const int* columns_a,
                                                        const cusparseMatDescr_t b, int entries_b, const int* offsets_b,
                                                        const int* columns_b, const cusparseMatDescr_t c,
                                                        int* offsets_c, int* total, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (h == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const float* const none = nullptr;
  const sparse_matrix left = older_matrix(m, n, entries_a, a->base, none, offsets_a, columns_a);
  const sparse_matrix right = older_matrix(m, n, entries_b, b->base, none, offsets_b, columns_b);
  size found = 0, *const to = &found;
  const cusparseStatus_t s = sparse_call(h, "cusparseXcsrgeam2Nnz()", place, [=, base = c->base]() {
    count_sum(left, right, {offsets_c, false, base}, to);
  });
  return give_number(h, s, found, total);
}

#define SIMT_CUSPARSE_BLOCKS(X, T)                                                                                     \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##csr2bsr(                                                             \
      cusparseHandle_t h, cusparseDirection_t direction, int m, int n, const cusparseMatDescr_t d, const T* values,    \
      const int* offsets, const int* columns, int dim, const cusparseMatDescr_t to_d, T* to_values, int* to_offsets,   \
      int* to_columns) {                                                                                               \
    using namespace simt_cuda::libraries;                                                                              \
    const void* const place = SIMT_CALLED_FROM;                                                                        \
    if (h == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;                                                          \
    if (m < 0 || n < 0 || dim <= 0) return CUSPARSE_STATUS_INVALID_VALUE;                                              \
    const int entries = entries_of(h, offsets, m, d->base);                                                            \
    if (entries < 0) return CUSPARSE_STATUS_EXECUTION_FAILED;                                                          \
    const sparse_matrix from = older_matrix(m, n, entries, d->base, values, offsets, columns);                         \
    const sparse_matrix to = older_blocks<T>(direction, (m + dim - 1) / dim, (n + dim - 1) / dim, 0, dim, to_d->base,  \
                                             to_values, to_offsets, to_columns);                                       \
    return sparse_call(h, "cusparse" #X "csr2bsr()", place, [=]() { rows_to_blocks<T>(from, to); });                   \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##bsr2csr(                                                             \
      cusparseHandle_t h, cusparseDirection_t direction, int mb, int nb, const cusparseMatDescr_t d, const T* values,  \
      const int* offsets, const int* columns, int dim, const cusparseMatDescr_t to_d, T* to_values, int* to_offsets,   \
      int* to_columns) {                                                                                               \
    using namespace simt_cuda::libraries;                                                                              \
    const void* const place = SIMT_CALLED_FROM;                                                                        \
    if (h == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;                                                          \
    if (mb < 0 || nb < 0 || dim <= 0) return CUSPARSE_STATUS_INVALID_VALUE;                                            \
    const int blocks = entries_of(h, offsets, mb, d->base);                                                            \
    if (blocks < 0) return CUSPARSE_STATUS_EXECUTION_FAILED;                                                           \
    const sparse_matrix from = older_blocks(direction, mb, nb, blocks, dim, d->base, values, offsets, columns);        \
    const sparse_matrix to = older_matrix<T>(mb * dim, nb * dim, 0, to_d->base, to_values, to_offsets, to_columns);    \
    return sparse_call(h, "cusparse" #X "bsr2csr()", place, [=]() { blocks_to_rows<T>(from, to); });                   \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##bsrmv(                                                               \
      cusparseHandle_t h, cusparseDirection_t direction, cusparseOperation_t op, int mb, int nb, int blocks,           \
      const T* alpha, const cusparseMatDescr_t d, const T* values, const int* offsets, const int* columns, int dim,    \
      const T* x, const T* beta, T* y) {                                                                               \
    using namespace simt_cuda::libraries;                                                                              \
    const void* const place = SIMT_CALLED_FROM;                                                                        \
    if (mb < 0 || nb < 0 || blocks < 0 || dim <= 0) return CUSPARSE_STATUS_INVALID_VALUE;                              \
    return sparse_call(h, "cusparse" #X "bsrmv()", place,                                                              \
                       [=, f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta),                              \
                        a = older_blocks(direction, mb, nb, blocks, dim, d->base, values, offsets, columns)]() {       \
                         sparse_times_vector<T>(sparse_op_of(op), f, a, x, g, y);                                      \
                       });                                                                                             \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##bsrmm(                                                               \
      cusparseHandle_t h, cusparseDirection_t direction, cusparseOperation_t op_a, cusparseOperation_t op_b, int mb,   \
      int n, int kb, int blocks, const T* alpha, const cusparseMatDescr_t d, const T* values, const int* offsets,      \
      const int* columns, int dim, const T* b, int ldb, const T* beta, T* c, int ldc) {                                \
    using namespace simt_cuda::libraries;                                                                              \
    const void* const place = SIMT_CALLED_FROM;                                                                        \
    if (mb < 0 || n < 0 || kb < 0 || blocks < 0 || dim <= 0) return CUSPARSE_STATUS_INVALID_VALUE;                     \
    const bool turned = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;                                                      \
    dense_matrix from, to;                                                                                             \
    from.rows = turned ? n : kb * dim;                                                                                 \
    from.cols = turned ? kb * dim : n;                                                                                 \
    from.leading = ldb;                                                                                                \
    from.values = const_cast<T*>(b);                                                                                   \
    to.rows = mb * dim;                                                                                                \
    to.cols = n;                                                                                                       \
    to.leading = ldc;                                                                                                  \
    to.values = c;                                                                                                     \
    return sparse_call(h, "cusparse" #X "bsrmm()", place,                                                              \
                       [=, f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta),                              \
                        a = older_blocks(direction, mb, kb, blocks, dim, d->base, values, offsets, columns)]() {       \
                         sparse_times_dense<T>(sparse_op_of(op_a), sparse_op_of(op_b), f, a, from, g, to);             \
                       });                                                                                             \
  }                                                                                                                    \
  inline cusparseStatus_t cusparse##X##csrgeam2_bufferSizeExt(                                                         \
      cusparseHandle_t, int, int, const T*, const cusparseMatDescr_t, int, const T*, const int*, const int*, const T*, \
      const cusparseMatDescr_t, int, const T*, const int*, const int*, const cusparseMatDescr_t, const T*, const int*, \
      const int*, std::size_t* bytes) {                                                                                \
    *bytes = simt_cuda::libraries::kSparseBuffer;                                                                      \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##csrgeam2(                                                            \
      cusparseHandle_t h, int m, int n, const T* alpha, const cusparseMatDescr_t a, int entries_a, const T* values_a,  \
      const int* offsets_a, const int* columns_a, const T* beta, const cusparseMatDescr_t b, int entries_b,            \
      const T* values_b, const int* offsets_b, const int* columns_b, const cusparseMatDescr_t c, T* values_c,          \
      int* offsets_c, int* columns_c, void*) {                                                                         \
    using namespace simt_cuda::libraries;                                                                              \
    const void* const place = SIMT_CALLED_FROM;                                                                        \
    return sparse_call(h, "cusparse" #X "csrgeam2()", place,                                                           \
                       [=, f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta),                              \
                        left = older_matrix(m, n, entries_a, a->base, values_a, offsets_a, columns_a),                 \
                        right = older_matrix(m, n, entries_b, b->base, values_b, offsets_b, columns_b),                \
                        to = older_matrix<T>(m, n, 0, c->base, values_c, offsets_c, columns_c)]() {                    \
                         sum_of_sparse<T>(f, left, g, right, to);                                                      \
                       });                                                                                             \
  }
SIMT_CUSPARSE_BLOCKS(S, float)
SIMT_CUSPARSE_BLOCKS(D, double)
SIMT_CUSPARSE_BLOCKS(C, cuComplex)
SIMT_CUSPARSE_BLOCKS(Z, cuDoubleComplex)
#undef SIMT_CUSPARSE_BLOCKS
