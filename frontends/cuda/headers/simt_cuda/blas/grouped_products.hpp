// SPDX-License-Identifier: Apache-2.0
// cuBLAS: products of many matrices in groups. Sizes and factors are the group's, in arrays of the host; the matrices'
// addresses stand one after the other in arrays of the device.
#pragma once

#include <cstdint>

#include "typed_products.hpp"

namespace simt_cuda::blas {
// One kernel for each group, in their order on the stream.
template <class Index>
cublasStatus_t grouped_products(cublasHandle_t h, const char* name, const void* place, const cublasOperation_t oa[],
                                const cublasOperation_t ob[], const Index m[], const Index n[], const Index k[],
                                const void* alpha, const void* const a[], cudaDataType ta, const Index lda[],
                                const void* const b[], cudaDataType tb, const Index ldb[], const void* beta,
                                void* const c[], cudaDataType tc, const Index ldc[], Index groups, const Index count[],
                                int compute) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (groups < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const std::size_t width = ta == CUDA_R_64F ? sizeof(double) : sizeof(float);
  for (Index g = 0; g < groups; ++g) {
    const std::size_t at = static_cast<std::size_t>(g) * width;
    const cublasStatus_t s =
        typed_products(h, name, place, oa[g], ob[g], static_cast<int>(m[g]), static_cast<int>(n[g]),
                       static_cast<int>(k[g]), static_cast<const char*>(alpha) + at, ta, static_cast<int>(lda[g]), tb,
                       static_cast<int>(ldb[g]), static_cast<const char*>(beta) + at, tc, static_cast<int>(ldc[g]),
                       static_cast<int>(count[g]), compute, operands_by_pointers{a, b, c});
    if (s != CUBLAS_STATUS_SUCCESS) return s;
    a += count[g];
    b += count[g];
    c += count[g];
  }
  return CUBLAS_STATUS_SUCCESS;
}
}  // namespace simt_cuda::blas

#define SIMT_CUBLAS_GROUPED(name, T, type, how, Index)                                                                 \
  SIMT_LIBRARY_CALL cublasStatus_t name(                                                                               \
      cublasHandle_t h, const cublasOperation_t oa[], const cublasOperation_t ob[], const Index m[], const Index n[],  \
      const Index k[], const T alpha[], const T* const a[], const Index lda[], const T* const b[], const Index ldb[],  \
      const T beta[], T* const c[], const Index ldc[], Index groups, const Index count[]) {                            \
    return simt_cuda::blas::grouped_products<Index>(h, #name "()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha,           \
                                                    reinterpret_cast<const void* const*>(a), type, lda,                \
                                                    reinterpret_cast<const void* const*>(b), type, ldb, beta,          \
                                                    reinterpret_cast<void* const*>(c), type, ldc, groups, count, how); \
  }
#define SIMT_CUBLAS_GROUPED_BY_TYPE(name, Index)                                                                      \
  SIMT_LIBRARY_CALL cublasStatus_t name(                                                                              \
      cublasHandle_t h, const cublasOperation_t oa[], const cublasOperation_t ob[], const Index m[], const Index n[], \
      const Index k[], const void* alpha, const void* const a[], cudaDataType ta, const Index lda[],                  \
      const void* const b[], cudaDataType tb, const Index ldb[], const void* beta, void* const c[], cudaDataType tc,  \
      const Index ldc[], Index groups, const Index count[], cublasComputeType_t compute) {                            \
    return simt_cuda::blas::grouped_products<Index>(h, #name "()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, a, ta,   \
                                                    lda, b, tb, ldb, beta, c, tc, ldc, groups, count, compute);       \
  }
SIMT_CUBLAS_GROUPED(cublasSgemmGroupedBatched, float, CUDA_R_32F, CUBLAS_COMPUTE_32F, int)
SIMT_CUBLAS_GROUPED(cublasDgemmGroupedBatched, double, CUDA_R_64F, CUBLAS_COMPUTE_64F, int)
SIMT_CUBLAS_GROUPED(cublasSgemmGroupedBatched_64, float, CUDA_R_32F, CUBLAS_COMPUTE_32F, std::int64_t)
SIMT_CUBLAS_GROUPED(cublasDgemmGroupedBatched_64, double, CUDA_R_64F, CUBLAS_COMPUTE_64F, std::int64_t)
SIMT_CUBLAS_GROUPED_BY_TYPE(cublasGemmGroupedBatchedEx, int)
SIMT_CUBLAS_GROUPED_BY_TYPE(cublasGemmGroupedBatchedEx_64, std::int64_t)
#undef SIMT_CUBLAS_GROUPED
#undef SIMT_CUBLAS_GROUPED_BY_TYPE
