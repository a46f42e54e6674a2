// SPDX-License-Identifier: Apache-2.0
// cuSPARSE, computed by one device thread a call: the generic API for CSR, CSC, COO and BSR with values of float,
// double and complex numbers of both, and of the older calls conversions, blocks, sums and incomplete factorizations.
// It needs no other library.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include "simt_cuda/libraries/cusparse_blocks.hpp"
#include "simt_cuda/libraries/cusparse_descriptors.hpp"
#include "simt_cuda/libraries/cusparse_older.hpp"
#include "simt_cuda/libraries/cusparse_reuse.hpp"
#include "simt_cuda/libraries/cusparse_triangular.hpp"

namespace simt_cuda::libraries {
// A product of two compressed matrices is made on the host's memory first: the program asks for its size.
template <class T>
cusparseStatus_t sparse_product_of(cusparseHandle_t h, const void* place, const void* alpha,
                                   cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                   cusparseSpGEMMDescr_t kept) {
  sparse_product* const to = kept;
  const cusparseStatus_t s = sparse_call(h, "cusparseSpGEMM_compute()", place,
                                         [=, f = sparse_factor<T>(h, alpha), left = sparse_matrix(*a),
                                          right = sparse_matrix(*b)]() { sparse_times_sparse<T>(f, left, right, to); });
  if (s != CUSPARSE_STATUS_SUCCESS || cudaStreamSynchronize(h->stream) != cudaSuccess)
    return CUSPARSE_STATUS_EXECUTION_FAILED;
  c->entries = to->entries;
  return s;
}
}  // namespace simt_cuda::libraries

// y = alpha op(A) x + beta y. Buffers are asked for and not used; what an analysis would find is found again.
inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                                std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                                                cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                                const void* beta, cusparseDnVecDescr_t y, cudaDataType type,
                                                cusparseSpMVAlg_t, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (x->length != (turned ? a->rows : a->cols) || y->length != (turned ? a->cols : a->rows))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return with_sparse_type(type, {a->type, x->type, y->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseSpMV()", place,
                       [=, f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta), m = sparse_matrix(*a),
                        from = static_cast<const T*>(x->values), to = static_cast<T*>(y->values)]() {
                         sparse_times_vector<T>(sparse_op_of(op), f, m, from, g, to);
                       });
  });
}

// C = alpha op(A) op(B) + beta C
inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void*,
                                                cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                                std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void*,
                                                cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                                const void* alpha, cusparseConstSpMatDescr_t a,
                                                cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c,
                                                cudaDataType type, cusparseSpMMAlg_t, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  const bool ta = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE, tb = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if ((ta ? a->rows : a->cols) != (tb ? b->cols : b->rows) || c->rows != (ta ? a->cols : a->rows) ||
      c->cols != (tb ? b->rows : b->cols))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return with_sparse_type(type, {a->type, b->type, c->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseSpMM()", place,
                       [=, f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta), m = sparse_matrix(*a),
                        from = dense_matrix(*b), to = dense_matrix(*c)]() {
                         sparse_times_dense<T>(sparse_op_of(op_a), sparse_op_of(op_b), f, m, from, g, to);
                       });
  });
}

inline cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                 const void*, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                                 const void*, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                                 std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                 const void*, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                                 const void*, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                                 void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSDDMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                                 const void* alpha, cusparseConstDnMatDescr_t a,
                                                 cusparseConstDnMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                                 cudaDataType type, cusparseSDDMMAlg_t, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_sparse_type(type, {a->type, b->type, c->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseSDDMM()", place,
                       [=, f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta), m = sparse_matrix(*c),
                        left = dense_matrix(*a), right = dense_matrix(*b)]() {
                         dense_at_places<T>(sparse_op_of(op_a), sparse_op_of(op_b), f, left, right, g, m);
                       });
  });
}

// Triangular systems.
inline cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                                cusparseSpSVDescr_t, std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void*,
                                              cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                              cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                              cusparseSpSVDescr_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                                                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                                      cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t,
                                                      cusparseSpSVDescr_t) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (a->rows != a->cols || x->length != a->rows || y->length != a->rows) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_sparse_type(type, {a->type, x->type, y->type}, [&]<class T>(T) {
    return sparse_call(
        h, "cusparseSpSV_solve()", place,
        [=, f = sparse_factor<T>(h, alpha), m = sparse_matrix(*a), from = static_cast<const T*>(x->values),
         to = static_cast<T*>(y->values)]() { sparse_solve<T>(sparse_op_of(op), f, m, from, to); });
  });
}
inline cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                                cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t,
                                                cusparseSpSMDescr_t, std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                              cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                              cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t,
                                              cusparseSpSMDescr_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t h, cusparseOperation_t op_a,
                                                      cusparseOperation_t op_b, const void* alpha,
                                                      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                                      cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                                      cusparseSpSMDescr_t) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (a->rows != a->cols || c->rows != a->rows) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_sparse_type(type, {a->type, b->type, c->type}, [&]<class T>(T) {
    return sparse_call(
        h, "cusparseSpSM_solve()", place,
        [=, f = sparse_factor<T>(h, alpha), m = sparse_matrix(*a), from = dense_matrix(*b), to = dense_matrix(*c)]() {
          sparse_solve_many<T>(sparse_op_of(op_a), sparse_op_of(op_b), f, m, from, to);
        });
  });
}

// Products of two sparse matrices: sizes are asked for by calls without a buffer.
inline cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                      const void*, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                                      const void*, cusparseSpMatDescr_t, cudaDataType,
                                                      cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, std::size_t* bytes,
                                                      void* buffer) {
  if (buffer == nullptr) *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t h, cusparseOperation_t op_a,
                                                          cusparseOperation_t op_b, const void* alpha,
                                                          cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                                          const void*, cusparseSpMatDescr_t c, cudaDataType type,
                                                          cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t kept,
                                                          std::size_t* bytes, void* buffer) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || op_b != CUSPARSE_OPERATION_NON_TRANSPOSE ||
      c->format != sparse_format::rows)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (a->cols != b->rows || c->rows != a->rows || c->cols != b->cols) return CUSPARSE_STATUS_INVALID_VALUE;
  if (buffer == nullptr) {
    *bytes = kSparseBuffer;
    return CUSPARSE_STATUS_SUCCESS;
  }
  return with_sparse_type(type, {a->type, b->type, c->type},
                          [&]<class T>(T) { return sparse_product_of<T>(h, place, alpha, a, b, c, kept); });
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t h, cusparseOperation_t, cusparseOperation_t,
                                                       const void*, cusparseConstSpMatDescr_t,
                                                       cusparseConstSpMatDescr_t, const void* beta,
                                                       cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t,
                                                       cusparseSpGEMMDescr_t kept) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  const sparse_product* const from = kept;
  if (from->offsets == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_sparse_type(type, {c->type, c->type, c->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseSpGEMM_copy()", place, [=, g = sparse_factor<T>(h, beta), m = sparse_matrix(*c)]() {
      copy_pattern_of_product(from, m);
      copy_values_of_product<T>(from, m, g);
    });
  });
}

// Between dense and sparse matrices.
inline cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t,
                                                         cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t,
                                                         std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a,
                                                         cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_sparse_type(a->type, {b->type, b->type, b->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseSparseToDense()", place,
                       [m = sparse_matrix(*a), to = dense_matrix(*b)]() { sparse_to_dense<T>(m, to); });
  });
}
inline cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseConstDnMatDescr_t,
                                                         cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t,
                                                         std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                                                  cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                                                  void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (b->format == sparse_format::padded_blocks) return CUSPARSE_STATUS_SUCCESS;
  if (b->format == sparse_format::blocks || b->format == sparse_format::slices) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_sparse_type(a->type, {b->type, b->type, b->type}, [&]<class T>(T) {
    size* const count = &b->entries;
    const cusparseStatus_t s =
        sparse_call(h, "cusparseDenseToSparse_analysis()", place,
                    [=, m = sparse_matrix(*b), from = dense_matrix(*a)]() { count_dense<T>(from, m, count); });
    return cudaStreamSynchronize(h->stream) == cudaSuccess ? s : CUSPARSE_STATUS_EXECUTION_FAILED;
  });
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                                                 cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                                                 void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  if (b->format == sparse_format::blocks || b->format == sparse_format::slices) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_sparse_type(a->type, {b->type, b->type, b->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseDenseToSparse_convert()", place, [m = sparse_matrix(*b), from = dense_matrix(*a)]() {
      m.is_padded() ? dense_to_padded<T>(from, m) : dense_to_sparse<T>(from, m);
    });
  });
}

// Sparse vectors.
SIMT_LIBRARY_CALL cusparseStatus_t cusparseAxpby(cusparseHandle_t h, const void* alpha, cusparseConstSpVecDescr_t x,
                                                 const void* beta, cusparseDnVecDescr_t y) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_sparse_type(x->type, {y->type, y->type, y->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseAxpby()", place,
                       [f = sparse_factor<T>(h, alpha), g = sparse_factor<T>(h, beta), v = sparse_vector(*x),
                        to = static_cast<T*>(y->values)]() { add_sparse_vector<T>(f, v, g, to); });
  });
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseGather(cusparseHandle_t h, cusparseConstDnVecDescr_t y,
                                                  cusparseSpVecDescr_t x) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_sparse_type(x->type, {y->type, y->type, y->type}, [&]<class T>(T) {
    return sparse_call(
        h, "cusparseGather()", place,
        [v = sparse_vector(*x), from = static_cast<const T*>(y->values)]() { gather_vector<T>(from, v); });
  });
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseScatter(cusparseHandle_t h, cusparseConstSpVecDescr_t x,
                                                   cusparseDnVecDescr_t y) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_sparse_type(x->type, {y->type, y->type, y->type}, [&]<class T>(T) {
    return sparse_call(h, "cusparseScatter()", place,
                       [v = sparse_vector(*x), to = static_cast<T*>(y->values)]() { scatter_vector<T>(v, to); });
  });
}
inline cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
                                                cusparseConstDnVecDescr_t, const void*, cudaDataType,
                                                std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseSpVV(cusparseHandle_t h, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                                                cusparseConstDnVecDescr_t y, void* result, cudaDataType type, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_sparse_type(type, {x->type, y->type, y->type}, [&]<class T>(T) {
    const bool on_device = h->mode == CUSPARSE_POINTER_MODE_DEVICE;
    const cusparseStatus_t s = sparse_call(
        h, "cusparseSpVV()", place,
        [=, v = sparse_vector(*x), from = static_cast<const T*>(y->values), to = static_cast<T*>(result)]() {
          const T dot = sparse_dot<T>(v, from, op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
          if (on_device) writes_array(to, 1);
          [=]() SIMT_UNWATCHED { *to = dot; }();
        });
    if (on_device || s != CUSPARSE_STATUS_SUCCESS) return s;
    return cudaStreamSynchronize(h->stream) == cudaSuccess ? s : CUSPARSE_STATUS_EXECUTION_FAILED;
  });
}

#include "simt_cuda/restore_names.hpp"
