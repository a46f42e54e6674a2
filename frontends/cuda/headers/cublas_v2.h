// SPDX-License-Identifier: Apache-2.0
// cuBLAS, the part that programs use most: levels 1 to 3 for real numbers, gemm for complex ones and halves. Matrices
// are in columns. Each call is a kernel of one thread on the handle's stream.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <library_types.h>

#include "cuda_fp16.h"
#include "simt_cuda/blas/kernels.hpp"

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
// Guards of the Toolkit that helpers of samples ask for.
#define CUBLAS_API_H_
#define CUBLAS_V2_H_
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VERSION 130000

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};
typedef cublasContext* cublasHandle_t;

inline cublasStatus_t cublasCreate(cublasHandle_t* h) {
  *h = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t h) {
  delete h;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t s) {
  h->stream = s;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetStream(cublasHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetPointerMode(cublasHandle_t h, cublasPointerMode_t m) {
  h->mode = m;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetPointerMode(cublasHandle_t h, cublasPointerMode_t* m) {
  *m = h->mode;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetMathMode(cublasHandle_t h, cublasMath_t m) {
  h->math = m;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetMathMode(cublasHandle_t h, cublasMath_t* m) {
  *m = h->math;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int* v) {
  *v = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
inline const char* cublasGetStatusName(cublasStatus_t s) {
  switch (s) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}
inline const char* cublasGetStatusString(cublasStatus_t s) { return cublasGetStatusName(s); }

// Copies of vectors and matrices; on both sides elements may lie apart.
inline cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  if (n < 0 || size <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const std::size_t w = static_cast<std::size_t>(size), count = static_cast<std::size_t>(n);
  const cudaError_t e = incx == 1 && incy == 1
                            ? cudaMemcpy(y, x, count * w, cudaMemcpyDefault)
                            : cudaMemcpy2D(y, static_cast<std::size_t>(incy) * w, x, static_cast<std::size_t>(incx) * w,
                                           w, count, cudaMemcpyDefault);
  return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return cublasSetVector(n, size, x, incx, y, incy);
}
inline cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void* a, int lda, void* b, int ldb) {
  if (rows < 0 || cols < 0 || size <= 0 || lda < rows || ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
  const std::size_t w = static_cast<std::size_t>(size);
  return cudaMemcpy2D(b, static_cast<std::size_t>(ldb) * w, a, static_cast<std::size_t>(lda) * w,
                      static_cast<std::size_t>(rows) * w, static_cast<std::size_t>(cols),
                      cudaMemcpyDefault) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void* a, int lda, void* b, int ldb) {
  return cublasSetMatrix(rows, cols, size, a, lda, b, ldb);
}
inline cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                           cudaStream_t s) {
  const std::size_t w = static_cast<std::size_t>(size);
  if (incx == 1 && incy == 1)
    return cudaMemcpyAsync(y, x, static_cast<std::size_t>(n) * w, cudaMemcpyDefault, s) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_MAPPING_ERROR;
  return cudaMemcpy2DAsync(y, static_cast<std::size_t>(incy) * w, x, static_cast<std::size_t>(incx) * w, w,
                           static_cast<std::size_t>(n), cudaMemcpyDefault, s) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                           cudaStream_t s) {
  return cublasSetVectorAsync(n, size, x, incx, y, incy, s);
}

namespace simt_cuda::blas {
inline form form_of(cublasOperation_t o) {
  return o == CUBLAS_OP_N ? form::plain : o == CUBLAS_OP_T ? form::transposed : form::conjugated;
}
// A factor is read where the handle's mode says: now by the host, or by the kernel.
template <class T>
struct factor {
  T value;
  const T* place;
  T get() const { return place != nullptr ? *place : value; }
};
template <class T>
factor<T> factor_of(cublasHandle_t h, const T* p) {
  return h->mode == CUBLAS_POINTER_MODE_HOST ? factor<T>{*p, nullptr} : factor<T>{T{}, p};
}
template <class Work>
cublasStatus_t run(cublasHandle_t h, const char* name, Work work) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  configure(dim3(1), dim3(1), 0, h->stream);
  run_kernel(name, [=](const uint3, const uint3, const dim3, const dim3) mutable -> void { work(); });
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
// For what gives one number: to the host, which waits for it, or to device memory.
template <class R, class Work>
cublasStatus_t run_for(cublasHandle_t h, const char* name, R* result, Work work) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (h->mode == CUBLAS_POINTER_MODE_DEVICE) return run(h, name, [=]() mutable { *result = work(); });
  R* place = nullptr;
  name_next("the result of a cuBLAS call");
  if (cudaMalloc(&place, sizeof(R)) != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
  cublasStatus_t s = run(h, name, [=]() mutable { *place = work(); });
  if (cudaStreamSynchronize(h->stream) != cudaSuccess ||
      cudaMemcpy(result, place, sizeof(R), cudaMemcpyDeviceToHost) != cudaSuccess)
    s = CUBLAS_STATUS_EXECUTION_FAILED;
  (void)cudaFree(place);
  return s;
}
}  // namespace simt_cuda::blas

#define SIMT_CUBLAS_GEMM(X, T)                                                                                         \
  inline cublasStatus_t cublas##X##gemm(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n,    \
                                        int k, const T* alpha, const T* a, int lda, const T* b, int ldb,               \
                                        const T* beta, T* c, int ldc) {                                                \
    using namespace simt_cuda::blas;                                                                                   \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
    if (m < 0 || n < 0 || k < 0 || lda < (oa == CUBLAS_OP_N ? m : k) || ldb < (ob == CUBLAS_OP_N ? k : n) || ldc < m)  \
      return CUBLAS_STATUS_INVALID_VALUE;                                                                              \
    return run(h, "cublas" #X "gemm()", [=, f = factor_of(h, alpha), g = factor_of(h, beta)]() {                       \
      gemm<T, T, T>(form_of(oa), form_of(ob), m, n, k, f.get(), a, lda, b, ldb, g.get(), c, ldc);                      \
    });                                                                                                                \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##gemmStridedBatched(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob,    \
                                                      int m, int n, int k, const T* alpha, const T* a, int lda,        \
                                                      long long sa, const T* b, int ldb, long long sb, const T* beta,  \
                                                      T* c, int ldc, long long sc, int count) {                        \
    using namespace simt_cuda::blas;                                                                                   \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
    return run(h, "cublas" #X "gemmStridedBatched()", [=, f = factor_of(h, alpha), g = factor_of(h, beta)]() {         \
      for (int i = 0; i < count; ++i)                                                                                  \
        gemm<T, T, T>(form_of(oa), form_of(ob), m, n, k, f.get(), a + i * sa, lda, b + i * sb, ldb, g.get(),           \
                      c + i * sc, ldc);                                                                                \
    });                                                                                                                \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##gemmBatched(                                                                        \
      cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k, const T* alpha,               \
      const T* const a[], int lda, const T* const b[], int ldb, const T* beta, T* const c[], int ldc, int count) {     \
    using namespace simt_cuda::blas;                                                                                   \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
    return run(h, "cublas" #X "gemmBatched()", [=, f = factor_of(h, alpha), g = factor_of(h, beta)]() {                \
      for (int i = 0; i < count; ++i)                                                                                  \
        gemm<T, T, T>(form_of(oa), form_of(ob), m, n, k, f.get(), a[i], lda, b[i], ldb, g.get(), c[i], ldc);           \
    });                                                                                                                \
  }                                                                                                                    \
  inline cublasStatus_t cublas##X##geam(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n,    \
                                        const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, \
                                        int ldc) {                                                                     \
    using namespace simt_cuda::blas;                                                                                   \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                            \
    return run(h, "cublas" #X "geam()", [=, f = factor_of(h, alpha), g = factor_of(h, beta)]() {                       \
      geam(form_of(oa), form_of(ob), m, n, f.get(), a, lda, g.get(), b, ldb, c, ldc);                                  \
    });                                                                                                                \
  }
SIMT_CUBLAS_GEMM(S, float)
SIMT_CUBLAS_GEMM(D, double)
SIMT_CUBLAS_GEMM(C, cuComplex)
SIMT_CUBLAS_GEMM(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_GEMM

#define SIMT_CUBLAS_REAL(X, T)                                                                                        \
  inline cublasStatus_t cublas##X##gemv(cublasHandle_t h, cublasOperation_t o, int m, int n, const T* alpha,          \
                                        const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {   \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    if (m < 0 || n < 0 || lda < m || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;                      \
    return run(h, "cublas" #X "gemv()", [=, f = factor_of(h, alpha), g = factor_of(h, beta)]() {                      \
      gemv(o == CUBLAS_OP_N, m, n, f.get(), a, lda, x, incx, g.get(), y, incy);                                       \
    });                                                                                                               \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##ger(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,          \
                                       const T* y, int incy, T* a, int lda) {                                         \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "ger()",                                                                                \
               [=, f = factor_of(h, alpha)]() { ger(m, n, f.get(), x, incx, y, incy, a, lda); });                     \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y,          \
                                        int incy) {                                                                   \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "axpy()", [=, f = factor_of(h, alpha)]() { axpy(n, f.get(), x, incx, y, incy); });      \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##scal(cublasHandle_t h, int n, const T* alpha, T* x, int incx) {                    \
    using namespace simt_cuda::blas;                                                                                  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                           \
    return run(h, "cublas" #X "scal()", [=, f = factor_of(h, alpha)]() { scal(n, f.get(), x, incx); });               \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##copy(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {              \
    return simt_cuda::blas::run(h, "cublas" #X "copy()", [=]() { simt_cuda::blas::copy(n, x, incx, y, incy); });      \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##swap(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {                    \
    return simt_cuda::blas::run(h, "cublas" #X "swap()", [=]() { simt_cuda::blas::swap(n, x, incx, y, incy); });      \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##dot(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, T* r) {   \
    return simt_cuda::blas::run_for(h, "cublas" #X "dot()", r,                                                        \
                                    [=]() { return simt_cuda::blas::dot(n, x, incx, y, incy); });                     \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##nrm2(cublasHandle_t h, int n, const T* x, int incx, T* r) {                        \
    return simt_cuda::blas::run_for(h, "cublas" #X "nrm2()", r, [=]() { return simt_cuda::blas::nrm2(n, x, incx); }); \
  }                                                                                                                   \
  inline cublasStatus_t cublas##X##asum(cublasHandle_t h, int n, const T* x, int incx, T* r) {                        \
    return simt_cuda::blas::run_for(h, "cublas" #X "asum()", r, [=]() { return simt_cuda::blas::asum(n, x, incx); }); \
  }
SIMT_CUBLAS_REAL(S, float)
SIMT_CUBLAS_REAL(D, double)
#undef SIMT_CUBLAS_REAL
#define SIMT_CUBLAS_EXTREME(name, T, which)                                                                  \
  inline cublasStatus_t name(cublasHandle_t h, int n, const T* x, int incx, int* r) {                        \
    return simt_cuda::blas::run_for(h, #name "()", r, [=]() { return simt_cuda::blas::which(n, x, incx); }); \
  }
SIMT_CUBLAS_EXTREME(cublasIsamax, float, amax)
SIMT_CUBLAS_EXTREME(cublasIdamax, double, amax)
SIMT_CUBLAS_EXTREME(cublasIsamin, float, amin)
SIMT_CUBLAS_EXTREME(cublasIdamin, double, amin)
#undef SIMT_CUBLAS_EXTREME

inline cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k,
                                  const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                                  const __half* beta, __half* c, int ldc) {
  using namespace simt_cuda::blas;
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return run(h, "cublasHgemm()", [=, f = factor_of(h, alpha), g = factor_of(h, beta)]() {
    gemm<float, __half, __half>(form_of(oa), form_of(ob), m, n, k, static_cast<float>(f.get()), a, lda, b, ldb,
                                static_cast<float>(g.get()), c, ldc);
  });
}
// Real types; the factors have the type that is computed in.
template <class Compute>
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t oa, cublasOperation_t ob, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType ta, int lda, const void* b, cudaDataType tb,
                            int ldb, const void* beta, void* c, cudaDataType tc, int ldc, Compute, cublasGemmAlgo_t) {
  using namespace simt_cuda::blas;
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto with = [&]<class T, class In, class Out>(T, In, Out) {
    return run(h, "cublasGemmEx()",
               [=, f = factor_of(h, static_cast<const T*>(alpha)), g = factor_of(h, static_cast<const T*>(beta))]() {
                 gemm<T, In, Out>(form_of(oa), form_of(ob), m, n, k, f.get(), static_cast<const In*>(a), lda,
                                  static_cast<const In*>(b), ldb, g.get(), static_cast<Out*>(c), ldc);
               });
  };
  if (ta == CUDA_R_32F && tb == ta && tc == ta) return with(0.0f, 0.0f, 0.0f);
  if (ta == CUDA_R_64F && tb == ta && tc == ta) return with(0.0, 0.0, 0.0);
  if (ta == CUDA_R_16F && tb == ta && tc == CUDA_R_32F) return with(0.0f, __half(), 0.0f);
  if (ta == CUDA_R_16F && tb == ta && tc == ta) return with(0.0f, __half(), __half());
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

#include "simt_cuda/restore_names.hpp"
