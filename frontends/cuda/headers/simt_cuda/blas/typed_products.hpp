// SPDX-License-Identifier: Apache-2.0
// cuBLAS: products whose types the program names, and those of halves.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "matrices.hpp"

namespace simt_cuda::blas {
// f(T, In, Out): computed with T, from In to Out; factors have T. Null where there is no such product.
template <class F>
cublasStatus_t with_types(cudaDataType a, cudaDataType b, cudaDataType c, F f) {
  if (a != b) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (a == CUDA_R_32F && c == a) return f(0.0f, 0.0f, 0.0f);
  if (a == CUDA_R_64F && c == a) return f(0.0, 0.0, 0.0);
  if (a == CUDA_C_32F && c == a) return f(cuComplex(), cuComplex(), cuComplex());
  if (a == CUDA_C_64F && c == a) return f(cuDoubleComplex(), cuDoubleComplex(), cuDoubleComplex());
  if (a == CUDA_R_16F && c == CUDA_R_32F) return f(0.0f, __half(), 0.0f);
  if (a == CUDA_R_16F && c == a) return f(0.0f, __half(), __half());
  if (a == CUDA_R_16BF && c == CUDA_R_32F) return f(0.0f, __nv_bfloat16(), 0.0f);
  if (a == CUDA_R_16BF && c == a) return f(0.0f, __nv_bfloat16(), __nv_bfloat16());
  if (a == CUDA_R_8I && c == CUDA_R_32I) return f(int(), static_cast<signed char>(0), int());
  if (a == CUDA_R_8I && c == CUDA_R_32F) return f(0.0f, static_cast<signed char>(0), 0.0f);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
// Factors are halves where the program computes in halves.
template <class T>
struct typed_factor {
  libraries::factor<T> wide;
  libraries::factor<__half> narrow;
  bool half;
  SIMT_UNWATCHED T get() const {
    if constexpr (std::is_same_v<T, float>)
      if (half) return static_cast<float>(narrow.get());
    return wide.get();
  }
};
template <class T>
typed_factor<T> typed_factor_of(cublasHandle_t h, const void* p, int compute) {
  const bool half =
      std::is_same_v<T, float> && (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC);
  if (half) return {{}, factor_of<__half>(h, p), true};
  return {factor_of<T>(h, p), {}, false};
}
// The older calls name a number format instead of a way to compute.
inline int compute_of(cublasComputeType_t c) { return c; }
inline int compute_of(cudaDataType t) { return t == CUDA_R_16F ? CUBLAS_COMPUTE_16F : CUBLAS_COMPUTE_32F; }

template <class At>
cublasStatus_t typed_products(cublasHandle_t h, const char* name, const void* place, cublasOperation_t oa,
                              cublasOperation_t ob, int m, int n, int k, const void* alpha, cudaDataType ta, int lda,
                              cudaDataType tb, int ldb, const void* beta, cudaDataType tc, int ldc, int count,
                              int compute, At at) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!are_sizes(oa, ob, m, n, k, lda, ldb, ldc)) return CUBLAS_STATUS_INVALID_VALUE;
  return with_types(ta, tb, tc, [&]<class T, class In, class Out>(T, In, Out) {
    return run(h, name, place,
               [=, f = typed_factor_of<T>(h, alpha, compute), g = typed_factor_of<T>(h, beta, compute)]() {
                 for (int i = 0; i < count; ++i) {
                   const auto p = at.template operator()<In, Out>(i);
                   gemm<T, In, Out>(form_of(oa), form_of(ob), m, n, k, f.get(), p.a, lda, p.b, ldb, g.get(), p.c, ldc);
                 }
               });
  });
}
template <class In, class Out>
struct operands {
  const In *a, *b;
  Out* c;
};
struct operands_in_steps {
  const void *a, *b;
  void* c;
  long long sa, sb, sc;
  template <class In, class Out>
  SIMT_UNWATCHED operands<In, Out> operator()(int i) const {
    return {static_cast<const In*>(a) + i * sa, static_cast<const In*>(b) + i * sb, static_cast<Out*>(c) + i * sc};
  }
};
struct operands_by_pointers {
  const void *const *a, *const *b;
  void* const* c;
  template <class In, class Out>
  SIMT_UNWATCHED operands<In, Out> operator()(int i) const {
    return {static_cast<const In*>(pointer_in(a, i)), static_cast<const In*>(pointer_in(b, i)),
            static_cast<Out*>(pointer_in(c, i))};
  }
};
template <bool Hermitian, class Factor>
cublasStatus_t rank_update_of(cublasHandle_t h, const char* name, const void* place, cublasFillMode_t fill,
                              cublasOperation_t op, int n, int k, const Factor* alpha, const cuComplex* a, int lda,
                              const Factor* beta, cuComplex* c, int ldc) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return run(h, name, place, [=, f = factor_of<Factor>(h, alpha), g = factor_of<Factor>(h, beta)]() {
    rank_update(fill == CUBLAS_FILL_MODE_UPPER, op == CUBLAS_OP_N, Hermitian, false, n, k,
                as_element<cuComplex>(f.get()), a, lda, a, lda, as_element<cuComplex>(g.get()), c, ldc);
  });
}
template <class... V>
cublasStatus_t symmetric_update(V... v) {
  return rank_update_of<false>(v...);
}
template <class... V>
cublasStatus_t hermitian_update(V... v) {
  return rank_update_of<true>(v...);
}
}  // namespace simt_cuda::blas

// Compute: cublasComputeType_t, or a cudaDataType as older programs have it.
template <class Compute>
[[gnu::noinline]] cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m,
                                              int n, int k, const void* alpha, const void* a, cudaDataType ta, int lda,
                                              const void* b, cudaDataType tb, int ldb, const void* beta, void* c,
                                              cudaDataType tc, int ldc, Compute compute, cublasGemmAlgo_t) {
  using namespace simt_cuda::blas;
  return typed_products(h, "cublasGemmEx()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, ta, lda, tb, ldb, beta, tc, ldc,
                        1, compute_of(compute), operands_in_steps{a, b, c, 0, 0, 0});
}
template <class Compute>
[[gnu::noinline]] cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k, const void* alpha, const void* a,
    cudaDataType ta, int lda, long long sa, const void* b, cudaDataType tb, int ldb, long long sb, const void* beta,
    void* c, cudaDataType tc, int ldc, long long sc, int count, Compute compute, cublasGemmAlgo_t) {
  using namespace simt_cuda::blas;
  return typed_products(h, "cublasGemmStridedBatchedEx()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, ta, lda, tb, ldb,
                        beta, tc, ldc, count, compute_of(compute), operands_in_steps{a, b, c, sa, sb, sc});
}
template <class Compute>
[[gnu::noinline]] cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob,
                                                     int m, int n, int k, const void* alpha, const void* const a[],
                                                     cudaDataType ta, int lda, const void* const b[], cudaDataType tb,
                                                     int ldb, const void* beta, void* const c[], cudaDataType tc,
                                                     int ldc, int count, Compute compute, cublasGemmAlgo_t) {
  using namespace simt_cuda::blas;
  return typed_products(h, "cublasGemmBatchedEx()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, ta, lda, tb, ldb, beta,
                        tc, ldc, count, compute_of(compute), operands_by_pointers{a, b, c});
}
SIMT_LIBRARY_CALL cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m,
                                               int n, int k, const float* alpha, const void* a, cudaDataType ta,
                                               int lda, const void* b, cudaDataType tb, int ldb, const float* beta,
                                               void* c, cudaDataType tc, int ldc) {
  using namespace simt_cuda::blas;
  return typed_products(h, "cublasSgemmEx()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, ta, lda, tb, ldb, beta, tc, ldc,
                        1, CUBLAS_COMPUTE_32F, operands_in_steps{a, b, c, 0, 0, 0});
}
// The older names for complex numbers; with 3m there are fewer multiplications on a GPU.
#define SIMT_CUBLAS_COMPLEX_PRODUCT(name)                                                                              \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n,    \
                                        int k, const cuComplex* alpha, const void* a, cudaDataType ta, int lda,        \
                                        const void* b, cudaDataType tb, int ldb, const cuComplex* beta, void* c,       \
                                        cudaDataType tc, int ldc) {                                                    \
    using namespace simt_cuda::blas;                                                                                   \
    if (ta != CUDA_C_32F) return CUBLAS_STATUS_NOT_SUPPORTED;                                                          \
    return typed_products(h, #name "()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, ta, lda, tb, ldb, beta, tc, ldc, 1, \
                          CUBLAS_COMPUTE_32F, operands_in_steps{a, b, c, 0, 0, 0});                                    \
  }
SIMT_CUBLAS_COMPLEX_PRODUCT(cublasCgemmEx)
SIMT_CUBLAS_COMPLEX_PRODUCT(cublasCgemm3mEx)
#undef SIMT_CUBLAS_COMPLEX_PRODUCT
// C = alpha A A^T + beta C, or A A^H, in one triangle. Bytes are not taken.
#define SIMT_CUBLAS_TYPED_RANK_UPDATE(name, Factor, call)                                                            \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k, \
                                        const Factor* alpha, const void* a, cudaDataType ta, int lda,                \
                                        const Factor* beta, void* c, cudaDataType tc, int ldc) {                     \
    using namespace simt_cuda::blas;                                                                                 \
    if (ta != CUDA_C_32F || tc != CUDA_C_32F) return CUBLAS_STATUS_NOT_SUPPORTED;                                    \
    return call(h, #name "()", SIMT_CALLED_FROM, fill, op, n, k, alpha, static_cast<const cuComplex*>(a), lda, beta, \
                static_cast<cuComplex*>(c), ldc);                                                                    \
  }
SIMT_CUBLAS_TYPED_RANK_UPDATE(cublasCsyrkEx, cuComplex, symmetric_update)
SIMT_CUBLAS_TYPED_RANK_UPDATE(cublasCsyrk3mEx, cuComplex, symmetric_update)
SIMT_CUBLAS_TYPED_RANK_UPDATE(cublasCherkEx, float, hermitian_update)
SIMT_CUBLAS_TYPED_RANK_UPDATE(cublasCherk3mEx, float, hermitian_update)
#undef SIMT_CUBLAS_TYPED_RANK_UPDATE
SIMT_LIBRARY_CALL cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n,
                                             int k, const __half* alpha, const __half* a, int lda, const __half* b,
                                             int ldb, const __half* beta, __half* c, int ldc) {
  using namespace simt_cuda::blas;
  return typed_products(h, "cublasHgemm()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, CUDA_R_16F, lda, CUDA_R_16F, ldb,
                        beta, CUDA_R_16F, ldc, 1, CUBLAS_COMPUTE_16F, operands_in_steps{a, b, c, 0, 0, 0});
}
SIMT_LIBRARY_CALL cublasStatus_t cublasHgemmBatched(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m,
                                                    int n, int k, const __half* alpha, const __half* const a[], int lda,
                                                    const __half* const b[], int ldb, const __half* beta,
                                                    __half* const c[], int ldc, int count) {
  using namespace simt_cuda::blas;
  return typed_products(
      h, "cublasHgemmBatched()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, CUDA_R_16F, lda, CUDA_R_16F, ldb, beta,
      CUDA_R_16F, ldc, count, CUBLAS_COMPUTE_16F,
      operands_by_pointers{reinterpret_cast<const void* const*>(a), reinterpret_cast<const void* const*>(b),
                           reinterpret_cast<void* const*>(c)});
}
SIMT_LIBRARY_CALL cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob,
                                                           int m, int n, int k, const __half* alpha, const __half* a,
                                                           int lda, long long sa, const __half* b, int ldb,
                                                           long long sb, const __half* beta, __half* c, int ldc,
                                                           long long sc, int count) {
  using namespace simt_cuda::blas;
  return typed_products(h, "cublasHgemmStridedBatched()", SIMT_CALLED_FROM, oa, ob, m, n, k, alpha, CUDA_R_16F, lda,
                        CUDA_R_16F, ldb, beta, CUDA_R_16F, ldc, count, CUBLAS_COMPUTE_16F,
                        operands_in_steps{a, b, c, sa, sb, sc});
}
