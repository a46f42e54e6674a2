// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: how a call is made, and its older functions: conversions, and incomplete factorizations with their
// analysis.
#pragma once

#include <initializer_list>

#include "cusparse_types.hpp"

namespace simt_cuda::libraries {

inline constexpr std::size_t kSparseBuffer = 256;  // what programs are told to bring; it is not used

inline sparse_op sparse_op_of(cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? sparse_op::plain
         : op == CUSPARSE_OPERATION_TRANSPOSE   ? sparse_op::transposed
                                                : sparse_op::conjugated;
}
// f(T()) for the type that is computed with, which all operands have.
template <class F>
cusparseStatus_t with_sparse_type(cudaDataType type, std::initializer_list<cudaDataType> operands, F f) {
  for (const cudaDataType o : operands)
    if (o != type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_value_type(type, CUSPARSE_STATUS_NOT_SUPPORTED, f);
}
template <class T>
factor<T> sparse_factor(cusparseHandle_t h, const void* p) {
  return factor_of<T>(h != nullptr && h->mode == CUSPARSE_POINTER_MODE_DEVICE, p);
}
template <class Work>
cusparseStatus_t sparse_call(cusparseHandle_t h, const char* name, const void* place, Work work) {
  if (h == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return run(name, h->stream, place, work) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
template <class T>
constexpr cudaDataType type_of_numbers() {
  return std::is_same_v<T, float>       ? CUDA_R_32F
         : std::is_same_v<T, double>    ? CUDA_R_64F
         : std::is_same_v<T, cuComplex> ? CUDA_C_32F
                                        : CUDA_C_64F;
}
template <class T>
sparse_matrix older_matrix(int m, int n, int entries, cusparseIndexBase_t base, const T* values, const int* offsets,
                           const int* columns) {
  sparse_matrix a;
  a.rows = m;
  a.cols = n;
  a.entries = entries;
  a.outer = {const_cast<int*>(offsets), false, base};
  a.inner = {const_cast<int*>(columns), false, base};
  a.values = const_cast<T*>(values);
  a.type = type_of_numbers<T>();
  return a;
}

}  // namespace simt_cuda::libraries

#define SIMT_CUSPARSE_INCOMPLETE(X, T, name, Info, cholesky)                                                           \
  inline cusparseStatus_t cusparse##X##name##_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, T*,     \
                                                         const int*, const int*, Info, int* bytes) {                   \
    *bytes = static_cast<int>(simt_cuda::libraries::kSparseBuffer);                                                    \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  inline cusparseStatus_t cusparse##X##name##_bufferSizeExt(cusparseHandle_t, int, int, const cusparseMatDescr_t, T*,  \
                                                            const int*, const int*, Info, std::size_t* bytes) {        \
    *bytes = simt_cuda::libraries::kSparseBuffer;                                                                      \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  inline cusparseStatus_t cusparse##X##name##_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t, const T*, \
                                                       const int*, const int*, Info info, cusparseSolvePolicy_t,       \
                                                       void*) {                                                        \
    info->broken = -1;                                                                                                 \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusparseStatus_t cusparse##X##name(cusparseHandle_t h, int m, int entries,                         \
                                                       const cusparseMatDescr_t d, T* values, const int* offsets,      \
                                                       const int* columns, Info info, cusparseSolvePolicy_t, void*) {  \
    using namespace simt_cuda::libraries;                                                                              \
    const void* const place = SIMT_CALLED_FROM;                                                                        \
    return sparse_call(h, "cusparse" #X #name "()", place,                                                             \
                       [a = older_matrix(m, m, entries, d->base, values, offsets, columns),                            \
                        broken = &info->broken]() { incomplete_factors<T>(a, cholesky, broken); });                    \
  }
#define SIMT_CUSPARSE_INCOMPLETE_BOTH(X, T)                       \
  SIMT_CUSPARSE_INCOMPLETE(X, T, csrilu02, csrilu02Info_t, false) \
  SIMT_CUSPARSE_INCOMPLETE(X, T, csric02, csric02Info_t, true)
SIMT_CUSPARSE_INCOMPLETE_BOTH(S, float)
SIMT_CUSPARSE_INCOMPLETE_BOTH(D, double)
SIMT_CUSPARSE_INCOMPLETE_BOTH(C, cuComplex)
SIMT_CUSPARSE_INCOMPLETE_BOTH(Z, cuDoubleComplex)
#undef SIMT_CUSPARSE_INCOMPLETE_BOTH
#undef SIMT_CUSPARSE_INCOMPLETE
// The program asks on the host, whatever the mode: the position is there when the stream has ended.
#define SIMT_CUSPARSE_PIVOT(name, Info)                                                               \
  inline cusparseStatus_t cusparseX##name##_zeroPivot(cusparseHandle_t h, Info info, int* position) { \
    if (cudaStreamSynchronize(h->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;     \
    const int row = static_cast<int>(info->broken);                                                   \
    if (h->mode == CUSPARSE_POINTER_MODE_HOST)                                                        \
      *position = row;                                                                                \
    else if (cudaMemcpy(position, &row, sizeof row, cudaMemcpyHostToDevice) != cudaSuccess)           \
      return CUSPARSE_STATUS_EXECUTION_FAILED;                                                        \
    return row < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;                            \
  }
SIMT_CUSPARSE_PIVOT(csrilu02, csrilu02Info_t)
SIMT_CUSPARSE_PIVOT(csric02, csric02Info_t)
SIMT_CUSPARSE_PIVOT(csrsv2, csrsv2Info_t)
#undef SIMT_CUSPARSE_PIVOT

SIMT_LIBRARY_CALL cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t h, const int* rows, int entries, int m,
                                                    int* offsets, cusparseIndexBase_t base) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return sparse_call(h, "cusparseXcoo2csr()", place, [=]() {
    coordinates_to_offsets({const_cast<int*>(rows), false, base}, entries, m, {offsets, false, base});
  });
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t h, const int* offsets, int entries, int m,
                                                    int* rows, cusparseIndexBase_t base) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return sparse_call(h, "cusparseXcsr2coo()", place, [=]() {
    offsets_to_coordinates({const_cast<int*>(offsets), false, base}, m, {rows, false, base}, entries);
  });
}
inline cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void*, const int*,
                                                      const int*, void*, int*, int*, cudaDataType, cusparseAction_t,
                                                      cusparseIndexBase_t, cusparseCsr2CscAlg_t, std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t h, int m, int n, int entries, const void* values,
                                                      const int* offsets, const int* columns, void* to_values,
                                                      int* to_offsets, int* to_rows, cudaDataType type,
                                                      cusparseAction_t action, cusparseIndexBase_t base,
                                                      cusparseCsr2CscAlg_t, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  const bool with_values = action == CUSPARSE_ACTION_NUMERIC;
  return with_sparse_type(type, {}, [&]<class T>(T) {
    const sparse_matrix from =
        older_matrix(m, n, entries, base, with_values ? static_cast<const T*>(values) : nullptr, offsets, columns);
    const sparse_matrix to = older_matrix(n, m, entries, base, static_cast<const T*>(to_values), to_offsets, to_rows);
    return sparse_call(h, "cusparseCsr2cscEx2()", place, [=]() { rows_to_columns<T>(from, to); });
  });
}

SIMT_LIBRARY_CALL cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t h, int n, int* order) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return sparse_call(h, "cusparseCreateIdentityPermutation()", place, [=]() {
    writes_array(order, n);
    [=]() SIMT_UNWATCHED {
      for (int i = 0; i < n; ++i) order[i] = i;
    }();
  });
}
inline cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t, int, int, int, const int*, const int*,
                                                       std::size_t* bytes) {
  *bytes = simt_cuda::libraries::kSparseBuffer;
  return CUSPARSE_STATUS_SUCCESS;
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t h, int, int, int entries, int* rows,
                                                         int* cols, int* order, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return sparse_call(h, "cusparseXcoosortByRow()", place, [=]() { sort_coordinates(rows, cols, order, entries); });
}
SIMT_LIBRARY_CALL cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t h, int, int, int entries, int* rows,
                                                            int* cols, int* order, void*) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return sparse_call(h, "cusparseXcoosortByColumn()", place, [=]() { sort_coordinates(cols, rows, order, entries); });
}
