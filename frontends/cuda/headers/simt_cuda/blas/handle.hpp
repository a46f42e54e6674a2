// SPDX-License-Identifier: Apache-2.0
// cuBLAS: handles, copies of vectors and matrices, and how a call becomes a kernel.
#pragma once

#include <library_types.h>

#include "cublas_types.hpp"
#include "kernels.hpp"

// Guards of the Toolkit that helpers of samples ask for.
#define CUBLAS_API_H_
#define CUBLAS_V2_H_
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VERSION 130000

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  int processors = 0;
  cublasEmulationStrategy_t emulation = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  cudaEmulationSpecialValuesSupport_t special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  cudaEmulationMantissaControl_t mantissa = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int most_mantissa_bits = 0, mantissa_offset = 0;
  int* mantissa_bits = nullptr;
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
// What a handle keeps and gives back.
#define SIMT_CUBLAS_SETTING(Name, T, field)                           \
  inline cublasStatus_t cublasSet##Name(cublasHandle_t h, T value) {  \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;           \
    h->field = value;                                                 \
    return CUBLAS_STATUS_SUCCESS;                                     \
  }                                                                   \
  inline cublasStatus_t cublasGet##Name(cublasHandle_t h, T* value) { \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;           \
    *value = h->field;                                                \
    return CUBLAS_STATUS_SUCCESS;                                     \
  }
SIMT_CUBLAS_SETTING(PointerMode, cublasPointerMode_t, mode)
SIMT_CUBLAS_SETTING(MathMode, cublasMath_t, math)
SIMT_CUBLAS_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics)
SIMT_CUBLAS_SETTING(SmCountTarget, int, processors)
SIMT_CUBLAS_SETTING(EmulationStrategy, cublasEmulationStrategy_t, emulation)
SIMT_CUBLAS_SETTING(EmulationSpecialValuesSupport, cudaEmulationSpecialValuesSupport_t, special_values)
SIMT_CUBLAS_SETTING(FixedPointEmulationMantissaControl, cudaEmulationMantissaControl_t, mantissa)
SIMT_CUBLAS_SETTING(FixedPointEmulationMaxMantissaBitCount, int, most_mantissa_bits)
SIMT_CUBLAS_SETTING(FixedPointEmulationMantissaBitOffset, int, mantissa_offset)
SIMT_CUBLAS_SETTING(FixedPointEmulationMantissaBitCountPointer, int*, mantissa_bits)
#undef SIMT_CUBLAS_SETTING
inline cublasStatus_t cublasGetProperty(libraryPropertyType type, int* v) {
  *v = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : 0;
  return CUBLAS_STATUS_SUCCESS;
}
inline std::size_t cublasGetCudartVersion() { return CUDART_VERSION; }
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

inline cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void* a, int lda, void* b, int ldb,
                                           cudaStream_t s) {
  if (rows < 0 || cols < 0 || size <= 0 || lda < rows || ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
  const std::size_t w = static_cast<std::size_t>(size);
  return cudaMemcpy2DAsync(b, static_cast<std::size_t>(ldb) * w, a, static_cast<std::size_t>(lda) * w,
                           static_cast<std::size_t>(rows) * w, static_cast<std::size_t>(cols), cudaMemcpyDefault,
                           s) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void* a, int lda, void* b, int ldb,
                                           cudaStream_t s) {
  return cublasSetMatrixAsync(rows, cols, size, a, lda, b, ldb, s);
}

namespace simt_cuda::blas {
inline form form_of(cublasOperation_t o) {
  return o == CUBLAS_OP_N ? form::plain : o == CUBLAS_OP_T ? form::transposed : form::conjugated;
}
template <class T>
libraries::factor<T> factor_of(cublasHandle_t h, const void* p) {
  return libraries::factor_of<T>(h->mode == CUBLAS_POINTER_MODE_DEVICE, p);
}
template <class Work>
cublasStatus_t run(cublasHandle_t h, const char* name, const void* place, Work work) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return libraries::run(name, h->stream, place, work) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
template <class R>
SIMT_UNWATCHED void give(R* to, R value, bool on_device) {
  if (on_device) writes_array(to, 1);
  *to = value;
}
// For what gives one number: to the host, which waits for it, or to device memory.
template <class R, class Work>
cublasStatus_t run_for(cublasHandle_t h, const char* name, const void* place, R* result, Work work) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool on_device = h->mode == CUBLAS_POINTER_MODE_DEVICE;
  R value{};
  R* const to = on_device ? result : &value;
  const cublasStatus_t s = run(h, name, place, [=]() { give(to, work(), on_device); });
  if (on_device || s != CUBLAS_STATUS_SUCCESS) return s;
  if (cudaStreamSynchronize(h->stream) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  *result = value;
  return s;
}
}  // namespace simt_cuda::blas
