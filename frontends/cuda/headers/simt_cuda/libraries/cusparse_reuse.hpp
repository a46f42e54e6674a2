// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: products of two sparse matrices whose pattern is found once and whose values are computed again and again.
#pragma once

#include "cusparse_older.hpp"
#include "sparse_products.hpp"

inline cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                           cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                                           cusparseSpMatDescr_t, cusparseSpGEMMAlg_t,
                                                           cusparseSpGEMMDescr_t, std::size_t* bytes, void* buffer) {
  if (buffer == nullptr) *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
// The pattern of C is found on the host's memory: the program asks for its size. Values are not looked at.
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t h, cusparseOperation_t op_a,
                                                           cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                                           cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                                           cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t kept,
                                                           std::size_t* bytes_2, void* buffer_2, std::size_t* bytes_3,
                                                           void* buffer_3, std::size_t* bytes_4, void* buffer_4) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || op_b != CUSPARSE_OPERATION_NON_TRANSPOSE ||
      c->format != sparse_format::rows)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (a->cols != b->rows || c->rows != a->rows || c->cols != b->cols) return CUSPARSE_STATUS_INVALID_VALUE;
  if (buffer_2 == nullptr || buffer_3 == nullptr || buffer_4 == nullptr) {
    *bytes_2 = *bytes_3 = *bytes_4 = kSparseBuffer;
    return CUSPARSE_STATUS_SUCCESS;
  }
  sparse_matrix left(*a), right(*b);
  left.values = right.values = nullptr;
  sparse_product* const to = kept;
  const cusparseStatus_t s = sparse_call(h, "cusparseSpGEMMreuse_nnz()", place, [=]() {
    sparse_times_sparse<float>(factor<float>{1.0f, nullptr}, left, right, to);
  });
  if (s != CUSPARSE_STATUS_SUCCESS || cudaStreamSynchronize(h->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  c->entries = to->entries;
  return s;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t h, cusparseOperation_t,
                                                            cusparseOperation_t, cusparseConstSpMatDescr_t,
                                                            cusparseConstSpMatDescr_t, cusparseSpMatDescr_t c,
                                                            cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t kept,
                                                            std::size_t* bytes, void* buffer) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  const sparse_product* const from = kept;
  if (from->offsets == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  if (buffer == nullptr) {
    *bytes = kSparseBuffer;
    return CUSPARSE_STATUS_SUCCESS;
  }
  return sparse_call(h, "cusparseSpGEMMreuse_copy()", place,
                     [=, m = sparse_matrix(*c)]() { copy_pattern_of_product(from, m); });
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t h, cusparseOperation_t,
                                                               cusparseOperation_t, const void* alpha,
                                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                                               const void* beta, cusparseSpMatDescr_t c,
                                                               cudaDataType type, cusparseSpGEMMAlg_t,
                                                               cusparseSpGEMMDescr_t kept) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  sparse_product* const product = kept;
  if (product->offsets == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_sparse_type(type, {a->type, b->type, c->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseSpGEMMreuse_compute()", place,
                       [=, f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta), left = sparse_matrix(*a),
                        right = sparse_matrix(*b), to = sparse_matrix(*c)]() {
                         sparse_times_sparse<T>(f, left, right, product);
                         copy_values_of_product<T>(product, to, g);
                       });
  });
}
