// SPDX-License-Identifier: Apache-2.0
// Types of cusparse.h, and the calls that make, ask and change descriptors.
#pragma once

#include "sparse_conversions.hpp"
#include "sparse_products.hpp"

// Guards and numbers of the Toolkit that programs and helpers of samples ask for.
#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6,
  CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_SPMV_SELL_ALG1 = 5,
  CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12,
  CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
typedef cusparseContext* cusparseHandle_t;
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
typedef cusparseMatDescr* cusparseMatDescr_t;

struct cusparseSpVecDescr : simt_cuda::libraries::sparse_vector {};
struct cusparseDnVecDescr {
  simt_cuda::libraries::size length = 0;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
};
struct cusparseSpMatDescr : simt_cuda::libraries::sparse_matrix {};
struct cusparseDnMatDescr : simt_cuda::libraries::dense_matrix {};
struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};
struct cusparseSpGEMMDescr : simt_cuda::libraries::sparse_product {};
// Of an incomplete factorization: the row of a pivot that is missing or zero; -1: none.
struct csrilu02Info {
  simt_cuda::libraries::size broken = -1;
};
struct csric02Info {
  simt_cuda::libraries::size broken = -1;
};
typedef csrilu02Info* csrilu02Info_t;
// Of a triangular system.
struct csrsv2Info {
  simt_cuda::libraries::size broken = -1;
};
typedef csrsv2Info* csrsv2Info_t;
typedef csric02Info* csric02Info_t;
typedef cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef const cusparseSpVecDescr* cusparseConstSpVecDescr_t;
typedef const cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef const cusparseSpMatDescr* cusparseConstSpMatDescr_t;
typedef const cusparseDnMatDescr* cusparseConstDnMatDescr_t;
typedef cusparseSpSVDescr* cusparseSpSVDescr_t;
typedef cusparseSpSMDescr* cusparseSpSMDescr_t;
typedef cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;

#define SIMT_CUSPARSE_NEW_AND_DELETE(New, Delete, T) \
  inline cusparseStatus_t New(T* made) {             \
    *made = new std::remove_pointer_t<T>;            \
    return CUSPARSE_STATUS_SUCCESS;                  \
  }                                                  \
  inline cusparseStatus_t Delete(T d) {              \
    delete d;                                        \
    return CUSPARSE_STATUS_SUCCESS;                  \
  }
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseCreate, cusparseDestroy, cusparseHandle_t)
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseCreateMatDescr, cusparseDestroyMatDescr, cusparseMatDescr_t)
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseCreateCsrilu02Info, cusparseDestroyCsrilu02Info, csrilu02Info_t)
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseCreateCsrsv2Info, cusparseDestroyCsrsv2Info, csrsv2Info_t)
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseCreateCsric02Info, cusparseDestroyCsric02Info, csric02Info_t)
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseSpSV_createDescr, cusparseSpSV_destroyDescr, cusparseSpSVDescr_t)
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseSpSM_createDescr, cusparseSpSM_destroyDescr, cusparseSpSMDescr_t)
SIMT_CUSPARSE_NEW_AND_DELETE(cusparseSpGEMM_createDescr, cusparseSpGEMM_destroyDescr, cusparseSpGEMMDescr_t)
#undef SIMT_CUSPARSE_NEW_AND_DELETE

inline cusparseStatus_t cusparseSetStream(cusparseHandle_t h, cudaStream_t s) {
  if (h == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  h->stream = s;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetStream(cusparseHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t h, cusparsePointerMode_t m) {
  if (h == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  h->mode = m;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t h, cusparsePointerMode_t* m) {
  *m = h->mode;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int* v) {
  *v = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* v) {
  *v = type == MAJOR_VERSION ? CUSPARSE_VER_MAJOR : type == MINOR_VERSION ? CUSPARSE_VER_MINOR : CUSPARSE_VER_PATCH;
  return CUSPARSE_STATUS_SUCCESS;
}
inline const char* cusparseGetErrorName(cusparseStatus_t s) {
  static constexpr const char* kNames[] = {"CUSPARSE_STATUS_SUCCESS",
                                           "CUSPARSE_STATUS_NOT_INITIALIZED",
                                           "CUSPARSE_STATUS_ALLOC_FAILED",
                                           "CUSPARSE_STATUS_INVALID_VALUE",
                                           "CUSPARSE_STATUS_ARCH_MISMATCH",
                                           "CUSPARSE_STATUS_MAPPING_ERROR",
                                           "CUSPARSE_STATUS_EXECUTION_FAILED",
                                           "CUSPARSE_STATUS_INTERNAL_ERROR",
                                           "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_ZERO_PIVOT",
                                           "CUSPARSE_STATUS_NOT_SUPPORTED",
                                           "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
  return static_cast<unsigned>(s) < 12 ? kNames[s] : "unrecognized error code";
}
inline const char* cusparseGetErrorString(cusparseStatus_t s) {
  static constexpr const char* kTexts[] = {"success",          "initialization error",    "out of memory",
                                           "invalid value",    "architecture mismatch",   "mapping error",
                                           "execution failed", "internal error",          "matrix type not supported",
                                           "zero pivot",       "operation not supported", "insufficient resources"};
  return static_cast<unsigned>(s) < 12 ? kTexts[s] : "unrecognized error code";
}

// Descriptors of matrices of the older calls.
#define SIMT_CUSPARSE_FIELD(Name, Type, field)                                 \
  inline cusparseStatus_t cusparseSetMat##Name(cusparseMatDescr_t d, Type v) { \
    d->field = v;                                                              \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  inline Type cusparseGetMat##Name(const cusparseMatDescr_t d) { return d->field; }
SIMT_CUSPARSE_FIELD(Type, cusparseMatrixType_t, type)
SIMT_CUSPARSE_FIELD(FillMode, cusparseFillMode_t, fill)
SIMT_CUSPARSE_FIELD(DiagType, cusparseDiagType_t, diagonal)
SIMT_CUSPARSE_FIELD(IndexBase, cusparseIndexBase_t, base)
#undef SIMT_CUSPARSE_FIELD
