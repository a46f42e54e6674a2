// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: descriptors of matrices and vectors, made, asked and changed.
#pragma once

#include "cusparse_types.hpp"

namespace simt_cuda::libraries {
inline index_array indices_of(const void* at, cusparseIndexType_t type, cusparseIndexBase_t base) {
  return {const_cast<void*>(at), type == CUSPARSE_INDEX_64I, base};
}
inline cusparseIndexType_t index_type_of(const index_array& a) {
  return a.wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}
inline cusparseIndexBase_t index_base_of(const index_array& a) { return static_cast<cusparseIndexBase_t>(a.base); }
// Of offsets there is no base: they count from the same as the other indices.
template <class Made>
cusparseStatus_t make_sparse(Made* made, sparse_format format, std::int64_t rows, std::int64_t cols, std::int64_t n,
                             const index_array& outer, const index_array& inner, const void* values,
                             cudaDataType type) {
  if (made == nullptr || rows < 0 || cols < 0 || n < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  auto* const m = new cusparseSpMatDescr;
  m->format = format;
  m->rows = rows;
  m->cols = cols;
  m->entries = n;
  m->outer = outer;
  m->inner = inner;
  m->values = const_cast<void*>(values);
  m->type = type;
  *made = m;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Made>
cusparseStatus_t make_blocks(Made* made, std::int64_t block_rows, std::int64_t block_cols, std::int64_t n,
                             std::int64_t height, std::int64_t width, const index_array& outer,
                             const index_array& inner, const void* values, cudaDataType type, cusparseOrder_t order) {
  if (height <= 0 || width <= 0) return CUSPARSE_STATUS_INVALID_VALUE;
  cusparseSpMatDescr* m = nullptr;
  const cusparseStatus_t s = make_sparse(&m, sparse_format::blocks, block_rows * height, block_cols * width,
                                         n * height * width, outer, inner, values, type);
  if (s != CUSPARSE_STATUS_SUCCESS) return s;
  m->block_rows = height;
  m->block_cols = width;
  m->blocks_by_rows = order == CUSPARSE_ORDER_ROW;
  *made = m;
  return s;
}
template <class Made>
cusparseStatus_t make_padded_blocks(Made* made, std::int64_t rows, std::int64_t cols, std::int64_t block,
                                    std::int64_t padded_cols, const index_array& columns, const void* values,
                                    cudaDataType type) {
  if (block <= 0 || padded_cols < 0 || rows % block != 0 || cols % block != 0 || padded_cols % block != 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  cusparseSpMatDescr* m = nullptr;
  const cusparseStatus_t s =
      make_sparse(&m, sparse_format::padded_blocks, rows, cols, rows * padded_cols, {}, columns, values, type);
  if (s != CUSPARSE_STATUS_SUCCESS) return s;
  m->block_rows = m->block_cols = block;
  m->padded_cols = padded_cols;
  *made = m;
  return s;
}
template <class Made>
cusparseStatus_t make_slices(Made* made, std::int64_t rows, std::int64_t cols, std::int64_t n, std::int64_t stored,
                             std::int64_t slice, const index_array& offsets, const index_array& columns,
                             const void* values, cudaDataType type) {
  if (n < 0 || n > stored || slice <= 0) return CUSPARSE_STATUS_INVALID_VALUE;
  cusparseSpMatDescr* m = nullptr;
  const cusparseStatus_t s = make_sparse(&m, sparse_format::slices, rows, cols, stored, offsets, columns, values, type);
  if (s != CUSPARSE_STATUS_SUCCESS) return s;
  m->slice_rows = slice;
  m->told_entries = n;
  *made = m;
  return s;
}
template <class Made>
cusparseStatus_t make_dense(Made* made, std::int64_t rows, std::int64_t cols, std::int64_t leading, const void* values,
                            cudaDataType type, cusparseOrder_t order) {
  const bool by_rows = order == CUSPARSE_ORDER_ROW;
  if (made == nullptr || rows < 0 || cols < 0 || leading < (by_rows ? cols : rows))
    return CUSPARSE_STATUS_INVALID_VALUE;
  auto* const m = new cusparseDnMatDescr;
  m->rows = rows;
  m->cols = cols;
  m->leading = leading;
  m->values = const_cast<void*>(values);
  m->type = type;
  m->row_major = by_rows;
  *made = m;
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Made>
cusparseStatus_t make_dense_vector(Made* made, std::int64_t n, const void* values, cudaDataType type) {
  if (made == nullptr || n < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  *made = new cusparseDnVecDescr{n, const_cast<void*>(values), type};
  return CUSPARSE_STATUS_SUCCESS;
}
template <class Made>
cusparseStatus_t make_sparse_vector(Made* made, std::int64_t length, std::int64_t n, const void* places,
                                    const void* values, cusparseIndexType_t index, cusparseIndexBase_t base,
                                    cudaDataType type) {
  if (made == nullptr || length < 0 || n < 0 || n > length) return CUSPARSE_STATUS_INVALID_VALUE;
  *made = new cusparseSpVecDescr{{length, n, indices_of(places, index, base), const_cast<void*>(values), type}};
  return CUSPARSE_STATUS_SUCCESS;
}
}  // namespace simt_cuda::libraries

// Each twice: with pointers to change through, and Const.
#define SIMT_CUSPARSE_MAKE(Const, c, Sparse, Dense, SparseV, DenseV)                                                 \
  inline cusparseStatus_t cusparseCreate##Const##Csr(                                                                \
      Sparse* made, std::int64_t rows, std::int64_t cols, std::int64_t n, c void* offsets, c void* columns,          \
      c void* values, cusparseIndexType_t to, cusparseIndexType_t ti, cusparseIndexBase_t base, cudaDataType type) { \
    using namespace simt_cuda::libraries;                                                                            \
    return make_sparse(made, sparse_format::rows, rows, cols, n, indices_of(offsets, to, base),                      \
                       indices_of(columns, ti, base), values, type);                                                 \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##Csc(                                                                \
      Sparse* made, std::int64_t rows, std::int64_t cols, std::int64_t n, c void* offsets, c void* inner,            \
      c void* values, cusparseIndexType_t to, cusparseIndexType_t ti, cusparseIndexBase_t base, cudaDataType type) { \
    using namespace simt_cuda::libraries;                                                                            \
    return make_sparse(made, sparse_format::columns, rows, cols, n, indices_of(offsets, to, base),                   \
                       indices_of(inner, ti, base), values, type);                                                   \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##Coo(                                                                \
      Sparse* made, std::int64_t rows, std::int64_t cols, std::int64_t n, c void* row_of, c void* column_of,         \
      c void* values, cusparseIndexType_t ti, cusparseIndexBase_t base, cudaDataType type) {                         \
    using namespace simt_cuda::libraries;                                                                            \
    return make_sparse(made, sparse_format::coordinates, rows, cols, n, indices_of(row_of, ti, base),                \
                       indices_of(column_of, ti, base), values, type);                                               \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##Bsr(                                                                \
      Sparse* made, std::int64_t block_rows, std::int64_t block_cols, std::int64_t n, std::int64_t height,           \
      std::int64_t width, c void* offsets, c void* columns, c void* values, cusparseIndexType_t to,                  \
      cusparseIndexType_t ti, cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order) {                  \
    using namespace simt_cuda::libraries;                                                                            \
    return make_blocks(made, block_rows, block_cols, n, height, width, indices_of(offsets, to, base),                \
                       indices_of(columns, ti, base), values, type, order);                                          \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##BlockedEll(                                                         \
      Sparse* made, std::int64_t rows, std::int64_t cols, std::int64_t block, std::int64_t padded_cols,              \
      c void* columns, c void* values, cusparseIndexType_t ti, cusparseIndexBase_t base, cudaDataType type) {        \
    using namespace simt_cuda::libraries;                                                                            \
    return make_padded_blocks(made, rows, cols, block, padded_cols, indices_of(columns, ti, base), values, type);    \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##SlicedEll(                                                          \
      Sparse* made, std::int64_t rows, std::int64_t cols, std::int64_t n, std::int64_t stored, std::int64_t slice,   \
      c void* offsets, c void* columns, c void* values, cusparseIndexType_t to, cusparseIndexType_t ti,              \
      cusparseIndexBase_t base, cudaDataType type) {                                                                 \
    using namespace simt_cuda::libraries;                                                                            \
    return make_slices(made, rows, cols, n, stored, slice, indices_of(offsets, to, base),                            \
                       indices_of(columns, ti, base), values, type);                                                 \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##DnMat(Dense* made, std::int64_t rows, std::int64_t cols,            \
                                                       std::int64_t leading, c void* values, cudaDataType type,      \
                                                       cusparseOrder_t order) {                                      \
    return simt_cuda::libraries::make_dense(made, rows, cols, leading, values, type, order);                         \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##DnVec(DenseV* made, std::int64_t n, c void* values,                 \
                                                       cudaDataType type) {                                          \
    return simt_cuda::libraries::make_dense_vector(made, n, values, type);                                           \
  }                                                                                                                  \
  inline cusparseStatus_t cusparseCreate##Const##SpVec(SparseV* made, std::int64_t length, std::int64_t n,           \
                                                       c void* places, c void* values, cusparseIndexType_t index,    \
                                                       cusparseIndexBase_t base, cudaDataType type) {                \
    return simt_cuda::libraries::make_sparse_vector(made, length, n, places, values, index, base, type);             \
  }
SIMT_CUSPARSE_MAKE(, , cusparseSpMatDescr_t, cusparseDnMatDescr_t, cusparseSpVecDescr_t, cusparseDnVecDescr_t)
SIMT_CUSPARSE_MAKE(Const, const, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseConstSpVecDescr_t,
                   cusparseConstDnVecDescr_t)
#undef SIMT_CUSPARSE_MAKE

#define SIMT_CUSPARSE_DELETE(Name, T)                  \
  inline cusparseStatus_t cusparseDestroy##Name(T d) { \
    delete d;                                          \
    return CUSPARSE_STATUS_SUCCESS;                    \
  }
SIMT_CUSPARSE_DELETE(SpMat, cusparseConstSpMatDescr_t)
SIMT_CUSPARSE_DELETE(DnMat, cusparseConstDnMatDescr_t)
SIMT_CUSPARSE_DELETE(SpVec, cusparseConstSpVecDescr_t)
SIMT_CUSPARSE_DELETE(DnVec, cusparseConstDnVecDescr_t)
#undef SIMT_CUSPARSE_DELETE

#define SIMT_CUSPARSE_VALUES(Name)                                                                         \
  inline cusparseStatus_t cusparse##Name##GetValues(cusparse##Name##Descr_t d, void** v) {                 \
    *v = d->values;                                                                                        \
    return CUSPARSE_STATUS_SUCCESS;                                                                        \
  }                                                                                                        \
  inline cusparseStatus_t cusparseConst##Name##GetValues(cusparseConst##Name##Descr_t d, const void** v) { \
    *v = d->values;                                                                                        \
    return CUSPARSE_STATUS_SUCCESS;                                                                        \
  }                                                                                                        \
  inline cusparseStatus_t cusparse##Name##SetValues(cusparse##Name##Descr_t d, void* v) {                  \
    d->values = v;                                                                                         \
    return CUSPARSE_STATUS_SUCCESS;                                                                        \
  }
SIMT_CUSPARSE_VALUES(SpMat)
SIMT_CUSPARSE_VALUES(DnMat)
SIMT_CUSPARSE_VALUES(SpVec)
SIMT_CUSPARSE_VALUES(DnVec)
#undef SIMT_CUSPARSE_VALUES

inline cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t m, cusparseFormat_t* f) {
  static constexpr cusparseFormat_t kFormats[] = {CUSPARSE_FORMAT_CSR,         CUSPARSE_FORMAT_CSC,
                                                  CUSPARSE_FORMAT_COO,         CUSPARSE_FORMAT_BSR,
                                                  CUSPARSE_FORMAT_BLOCKED_ELL, CUSPARSE_FORMAT_SLICED_ELLPACK};
  *f = kFormats[static_cast<unsigned>(m->format)];
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t m, cusparseIndexBase_t* base) {
  *base = simt_cuda::libraries::index_base_of(m->inner);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t m, std::int64_t* rows, std::int64_t* cols,
                                             std::int64_t* n) {
  *rows = m->rows;
  *cols = m->cols;
  *n = m->format == simt_cuda::libraries::sparse_format::slices ? m->told_entries : m->entries;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t m, std::int64_t* rows, std::int64_t* cols,
                                              std::int64_t* block, std::int64_t* padded_cols, void** columns,
                                              void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                              cudaDataType* type) {
  *rows = m->rows;
  *cols = m->cols;
  *block = m->block_rows;
  *padded_cols = m->padded_cols;
  *columns = m->inner.at;
  *values = m->values;
  *index = simt_cuda::libraries::index_type_of(m->inner);
  *base = simt_cuda::libraries::index_base_of(m->inner);
  *type = m->type;
  return CUSPARSE_STATUS_SUCCESS;
}
// CSR, CSC and COO keep the same three arrays.
#define SIMT_CUSPARSE_POINTERS(Name)                                                                            \
  inline cusparseStatus_t cusparse##Name##SetPointers(cusparseSpMatDescr_t m, void* a, void* b, void* values) { \
    m->outer.at = a;                                                                                            \
    m->inner.at = b;                                                                                            \
    m->values = values;                                                                                         \
    return CUSPARSE_STATUS_SUCCESS;                                                                             \
  }
SIMT_CUSPARSE_POINTERS(Csr)
SIMT_CUSPARSE_POINTERS(Csc)
SIMT_CUSPARSE_POINTERS(Coo)
#undef SIMT_CUSPARSE_POINTERS
#define SIMT_CUSPARSE_GET(Name)                                                                               \
  inline cusparseStatus_t cusparse##Name##Get(cusparseSpMatDescr_t m, std::int64_t* rows, std::int64_t* cols, \
                                              std::int64_t* n, void** outer, void** inner, void** values,     \
                                              cusparseIndexType_t* to, cusparseIndexType_t* ti,               \
                                              cusparseIndexBase_t* base, cudaDataType* type) {                \
    cusparseSpMatGetSize(m, rows, cols, n);                                                                   \
    *outer = m->outer.at;                                                                                     \
    *inner = m->inner.at;                                                                                     \
    *values = m->values;                                                                                      \
    *to = simt_cuda::libraries::index_type_of(m->outer);                                                      \
    *ti = simt_cuda::libraries::index_type_of(m->inner);                                                      \
    *base = simt_cuda::libraries::index_base_of(m->inner);                                                    \
    *type = m->type;                                                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                                                           \
  }
SIMT_CUSPARSE_GET(Csr)
SIMT_CUSPARSE_GET(Csc)
#undef SIMT_CUSPARSE_GET
inline cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t m, std::int64_t* rows, std::int64_t* cols, std::int64_t* n,
                                       void** outer, void** inner, void** values, cusparseIndexType_t* index,
                                       cusparseIndexBase_t* base, cudaDataType* type) {
  cusparseIndexType_t same;
  return cusparseCsrGet(m, rows, cols, n, outer, inner, values, &same, index, base, type);
}
inline cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t m, cusparseSpMatAttribute_t attribute,
                                                  const void* data, std::size_t bytes) {
  if (bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    m->upper = *static_cast<const cusparseFillMode_t*>(data) == CUSPARSE_FILL_MODE_UPPER;
  else
    m->unit_diagonal = *static_cast<const cusparseDiagType_t*>(data) == CUSPARSE_DIAG_TYPE_UNIT;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t m, cusparseSpMatAttribute_t attribute,
                                                  void* data, std::size_t bytes) {
  if (bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  *static_cast<int*>(data) = attribute == CUSPARSE_SPMAT_FILL_MODE ? m->upper : m->unit_diagonal;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t m, int count, std::int64_t outer,
                                                   std::int64_t entries) {
  if (count < 1) return CUSPARSE_STATUS_INVALID_VALUE;
  m->batch = count;
  m->outer_distance = outer;
  m->entry_distance = entries;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t m, int count, std::int64_t entries) {
  return cusparseCsrSetStridedBatch(m, count, entries, entries);
}
inline cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t m, int* count) {
  *count = m->batch;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t m, int count, std::int64_t distance) {
  if (count < 1) return CUSPARSE_STATUS_INVALID_VALUE;
  m->batch = count;
  m->distance = distance;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t m, int* count, std::int64_t* distance) {
  *count = m->batch;
  *distance = m->distance;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t m, std::int64_t* rows, std::int64_t* cols,
                                         std::int64_t* leading, void** values, cudaDataType* type,
                                         cusparseOrder_t* order) {
  *rows = m->rows;
  *cols = m->cols;
  *leading = m->leading;
  *values = m->values;
  *type = m->type;
  *order = m->row_major ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t v, std::int64_t* n, void** values, cudaDataType* type) {
  *n = v->length;
  *values = v->values;
  *type = v->type;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t v, cusparseIndexBase_t* base) {
  *base = simt_cuda::libraries::index_base_of(v->places);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t v, std::int64_t* length, std::int64_t* n, void** places,
                                         void** values, cusparseIndexType_t* index, cusparseIndexBase_t* base,
                                         cudaDataType* type) {
  *length = v->length;
  *n = v->entries;
  *places = v->places.at;
  *values = v->values;
  *index = simt_cuda::libraries::index_type_of(v->places);
  *base = simt_cuda::libraries::index_base_of(v->places);
  *type = v->type;
  return CUSPARSE_STATUS_SUCCESS;
}
