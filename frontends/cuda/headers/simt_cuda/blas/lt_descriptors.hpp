// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: what describes a product, its matrices and the search for an algorithm. Attributes are set and read by
// number and size, as CUDA has them.
#pragma once

#include <cstdint>
#include <cstring>

#include "handle.hpp"

typedef struct cublasLtContext* cublasLtHandle_t;

typedef enum {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
  CUBLASLT_ORDER_COL32 = 2,
  CUBLASLT_ORDER_COL4_4R2_8C = 3,
  CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;
typedef enum {
  CUBLASLT_POINTER_MODE_HOST = 0,
  CUBLASLT_POINTER_MODE_DEVICE = 1,
  CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;
// Bits: 2 ReLU, 4 bias, 8 gradient of ReLU, 16 gradient of the bias, 32 GELU, 64 gradient of GELU, 128 auxiliary
// matrix, 256 and 512 gradients of the bias from A and B.
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_RELU_AUX = 2 | 128,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 2 | 4,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 2 | 4 | 128,
  CUBLASLT_EPILOGUE_DRELU = 8 | 128,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 8 | 16 | 128,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_AUX = 32 | 128,
  CUBLASLT_EPILOGUE_GELU_BIAS = 32 | 4,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 32 | 4 | 128,
  CUBLASLT_EPILOGUE_DGELU = 64 | 128,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 64 | 16 | 128,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
  CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;

struct cublasLtMatmulDescOpaque_t {
  std::int32_t compute = CUBLAS_COMPUTE_32F, scale = CUDA_R_32F, pointers = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t a_op = 0, b_op = 0, c_op = 0, fill = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  std::int64_t bias_step = 0;
  void* aux = nullptr;
  std::int64_t aux_ld = 0, aux_step = 0, alpha_step = 0;
  std::int32_t multiprocessors = 0;
  const void *a_scale = nullptr, *b_scale = nullptr, *c_scale = nullptr, *d_scale = nullptr;
  void* d_largest = nullptr;
  std::int32_t aux_type = -1;
  const void* aux_scale = nullptr;
  void* aux_largest = nullptr;
  std::int8_t fast_sums = 0;
  std::int32_t bias_type = -1;
};
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
struct cublasLtMatrixLayoutOpaque_t {
  std::uint32_t type = CUDA_R_32F;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t ld = 0;
  std::int32_t count = 1;
  std::int64_t step = 0;
};
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
struct cublasLtMatmulPreferenceOpaque_t {
  std::uint32_t search = 0, reductions = ~0u, a_alignment = 256, b_alignment = 256, c_alignment = 256,
                d_alignment = 256;
  std::uint64_t workspace = 0, implementations = ~0ull;
  float waves = 0;
};
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;

namespace simt_cuda::blas {
// Where an attribute lies; {null, 0}: there is none of that number.
struct attribute_place {
  void* at = nullptr;
  std::size_t bytes = 0;
};
template <class T>
attribute_place place_of(T& member) {
  return {const_cast<std::remove_const_t<T>*>(&member), sizeof(T)};
}
inline attribute_place attribute_of(cublasLtMatmulDescOpaque_t& d, int which) {
  switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return place_of(d.compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return place_of(d.scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return place_of(d.pointers);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return place_of(d.a_op);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return place_of(d.b_op);
    case CUBLASLT_MATMUL_DESC_TRANSC:
      return place_of(d.c_op);
    case CUBLASLT_MATMUL_DESC_FILL_MODE:
      return place_of(d.fill);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return place_of(d.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return place_of(d.bias);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
      return place_of(d.bias_step);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return place_of(d.aux);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return place_of(d.aux_ld);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
      return place_of(d.aux_step);
    case CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE:
      return place_of(d.alpha_step);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET:
      return place_of(d.multiprocessors);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return place_of(d.a_scale);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return place_of(d.b_scale);
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER:
      return place_of(d.c_scale);
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER:
      return place_of(d.d_scale);
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER:
      return place_of(d.d_largest);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
      return place_of(d.aux_type);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER:
      return place_of(d.aux_scale);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER:
      return place_of(d.aux_largest);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return place_of(d.fast_sums);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return place_of(d.bias_type);
    default:
      return {};
  }
}
inline attribute_place attribute_of(cublasLtMatrixLayoutOpaque_t& l, int which) {
  switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return place_of(l.type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return place_of(l.order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return place_of(l.rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return place_of(l.columns);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return place_of(l.ld);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return place_of(l.count);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return place_of(l.step);
    default:
      return {};
  }
}
inline attribute_place attribute_of(cublasLtMatmulPreferenceOpaque_t& p, int which) {
  switch (which) {
    case CUBLASLT_MATMUL_PREF_SEARCH_MODE:
      return place_of(p.search);
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return place_of(p.workspace);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return place_of(p.reductions);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
      return place_of(p.a_alignment);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
      return place_of(p.b_alignment);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
      return place_of(p.c_alignment);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return place_of(p.d_alignment);
    case CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT:
      return place_of(p.waves);
    case CUBLASLT_MATMUL_PREF_IMPL_MASK:
      return place_of(p.implementations);
    default:
      return {};
  }
}
template <class Opaque>
cublasStatus_t set_attribute(Opaque* d, int which, const void* value, std::size_t bytes) {
  if (d == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const attribute_place to = attribute_of(*d, which);
  if (to.at == nullptr || to.bytes != bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(to.at, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
template <class Opaque>
cublasStatus_t get_attribute(Opaque* d, int which, void* value, std::size_t room, std::size_t* bytes) {
  if (d == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const attribute_place from = attribute_of(*d, which);
  if (from.at == nullptr || (room == 0 && bytes == nullptr)) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes != nullptr) *bytes = from.bytes;
  if (room == 0) return CUBLAS_STATUS_SUCCESS;
  if (value == nullptr || room < from.bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, from.at, from.bytes);
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace simt_cuda::blas

inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t d, cublasComputeType_t compute, cudaDataType scale) {
  *d = cublasLtMatmulDescOpaque_t{};
  d->compute = compute;
  d->scale = scale;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t compute,
                                               cudaDataType scale) {
  return cublasLtMatmulDescInit(*d = new cublasLtMatmulDescOpaque_t, compute, scale);
}
inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t l, cudaDataType type, std::uint64_t rows,
                                               std::uint64_t columns, std::int64_t ld) {
  *l = cublasLtMatrixLayoutOpaque_t{};
  l->type = type;
  l->rows = rows;
  l->columns = columns;
  l->ld = ld;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* l, cudaDataType type, std::uint64_t rows,
                                                 std::uint64_t columns, std::int64_t ld) {
  return cublasLtMatrixLayoutInit(*l = new cublasLtMatrixLayoutOpaque_t, type, rows, columns, ld);
}
inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t p) {
  *p = cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* p) {
  *p = new cublasLtMatmulPreferenceOpaque_t;
  return CUBLAS_STATUS_SUCCESS;
}
#define SIMT_CUBLASLT_ATTRIBUTES(name, handle, attributes)                                                     \
  inline cublasStatus_t name##Destroy(handle d) {                                                              \
    delete d;                                                                                                  \
    return CUBLAS_STATUS_SUCCESS;                                                                              \
  }                                                                                                            \
  inline cublasStatus_t name##SetAttribute(handle d, attributes which, const void* value, std::size_t bytes) { \
    return simt_cuda::blas::set_attribute(d, which, value, bytes);                                             \
  }                                                                                                            \
  inline cublasStatus_t name##GetAttribute(handle d, attributes which, void* value, std::size_t room,          \
                                           std::size_t* bytes) {                                               \
    return simt_cuda::blas::get_attribute(d, which, value, room, bytes);                                       \
  }
SIMT_CUBLASLT_ATTRIBUTES(cublasLtMatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t)
SIMT_CUBLASLT_ATTRIBUTES(cublasLtMatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t)
SIMT_CUBLASLT_ATTRIBUTES(cublasLtMatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t)
#undef SIMT_CUBLASLT_ATTRIBUTES
