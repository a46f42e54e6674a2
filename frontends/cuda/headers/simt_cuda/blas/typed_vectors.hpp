// SPDX-License-Identifier: Apache-2.0
// cuBLAS: calls on vectors whose element type the program names. Vectors of one call have one type; those of halves are
// computed in float.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "vectors.hpp"

namespace simt_cuda::blas {
// f(T(), Wide()): what vectors hold, and what is computed with.
template <class F>
cublasStatus_t with_element(cudaDataType t, F f) {
  switch (t) {
    case CUDA_R_16F:
      return f(__half(), float());
    case CUDA_R_16BF:
      return f(__nv_bfloat16(), float());
    default:
      return with_value_type(t, CUBLAS_STATUS_NOT_SUPPORTED, [&]<class T>(T) { return f(T(), T()); });
  }
}
// The type that a factor has: that of the elements, for halves float.
inline bool is_factor_of(cudaDataType factor, cudaDataType elements) {
  return factor == (elements == CUDA_R_16F || elements == CUDA_R_16BF ? CUDA_R_32F : elements);
}
template <class Wide, class T>
SIMT_UNWATCHED Wide wide_sum(size n, const T* x, size incx, const T* y, size incy, bool conjugated) {
  if constexpr (std::is_same_v<Wide, T>) {
    return sum_of_products(n, x, incx, y, incy, conjugated);
  } else {
    const T *const xs = first_of(x, n, incx), *const ys = first_of(y, n, incy);
    double sum = 0;
    for (size i = 0; i < n; ++i) sum += double{static_cast<Wide>(xs[i * incx])} * static_cast<Wide>(ys[i * incy]);
    return static_cast<Wide>(sum);
  }
}
template <class Wide, class T>
SIMT_UNWATCHED void wide_scale(size n, Wide alpha, T* x, size incx) {
  for (size i = 0; i < n; ++i) x[i * incx] = static_cast<T>(times(alpha, static_cast<Wide>(x[i * incx])));
}
template <class Wide, class T>
SIMT_UNWATCHED void wide_add(size n, Wide alpha, const T* x, size incx, T* y, size incy) {
  const T* const xs = first_of(x, n, incx);
  T* const ys = first_of(y, n, incy);
  for (size i = 0; i < n; ++i)
    ys[i * incy] = static_cast<T>(plus(static_cast<Wide>(ys[i * incy]), times(alpha, static_cast<Wide>(xs[i * incx]))));
}
inline cublasStatus_t typed_dot(cublasHandle_t h, const char* name, const void* place, int n, const void* x, int incx,
                                const void* y, int incy, void* result, cudaDataType type, bool conjugated) {
  return with_element(type, [&]<class T, class Wide>(T, Wide) {
    const T *const xs = static_cast<const T*>(x), *const ys = static_cast<const T*>(y);
    return run_for(h, name, place, static_cast<T*>(result), [=]() {
      reads_vector(xs, n, incx);
      reads_vector(ys, n, incy);
      return static_cast<T>(wide_sum<Wide>(n, xs, incx, ys, incy, conjugated));
    });
  });
}
inline cublasStatus_t typed_move(cublasHandle_t h, const char* name, const void* place, int n, void* x, int incx,
                                 void* y, int incy, cudaDataType type, bool both) {
  return with_element(type, [&]<class T, class Wide>(T, Wide) {
    T *const xs = static_cast<T*>(x), *const ys = static_cast<T*>(y);
    return run(h, name, place, [=]() { both ? swap(n, xs, incx, ys, incy) : copy(n, xs, incx, ys, incy); });
  });
}
}  // namespace simt_cuda::blas

SIMT_LIBRARY_CALL cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void* x, cudaDataType tx, int incx,
                                             const void* y, cudaDataType ty, int incy, void* result, cudaDataType tr,
                                             cudaDataType) {
  if (ty != tx || tr != tx) return CUBLAS_STATUS_NOT_SUPPORTED;
  return simt_cuda::blas::typed_dot(h, "cublasDotEx()", SIMT_CALLED_FROM, n, x, incx, y, incy, result, tx, false);
}
SIMT_LIBRARY_CALL cublasStatus_t cublasDotcEx(cublasHandle_t h, int n, const void* x, cudaDataType tx, int incx,
                                              const void* y, cudaDataType ty, int incy, void* result, cudaDataType tr,
                                              cudaDataType) {
  if (ty != tx || tr != tx) return CUBLAS_STATUS_NOT_SUPPORTED;
  return simt_cuda::blas::typed_dot(h, "cublasDotcEx()", SIMT_CALLED_FROM, n, x, incx, y, incy, result, tx, true);
}
SIMT_LIBRARY_CALL cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void* x, cudaDataType tx, int incx,
                                              void* result, cudaDataType tr, cudaDataType) {
  using namespace simt_cuda::blas;
  if (tr != (tx == CUDA_C_32F ? CUDA_R_32F : tx == CUDA_C_64F ? CUDA_R_64F : tx)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_element(tx, [&]<class T, class Wide>(T, Wide) {
    const T* const xs = static_cast<const T*>(x);
    return run_for(h, "cublasNrm2Ex()", SIMT_CALLED_FROM, static_cast<real<T>*>(result), [=]() {
      reads_vector(xs, n, incx);
      return static_cast<real<T>>(std::sqrt(real_part(wide_sum<Wide>(n, xs, incx, xs, incx, true))));
    });
  });
}
SIMT_LIBRARY_CALL cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void* alpha, cudaDataType ta, void* x,
                                              cudaDataType tx, int incx, cudaDataType) {
  using namespace simt_cuda::blas;
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_factor_of(ta, tx)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_element(tx, [&]<class T, class Wide>(T, Wide) {
    T* const xs = static_cast<T*>(x);
    return run(h, "cublasScalEx()", SIMT_CALLED_FROM, [=, f = factor_of<Wide>(h, alpha)]() {
      if (incx <= 0) return;
      reads_vector(xs, n, incx);
      writes_vector(xs, n, incx);
      wide_scale<Wide>(n, f.get(), xs, incx);
    });
  });
}
SIMT_LIBRARY_CALL cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void* alpha, cudaDataType ta,
                                              const void* x, cudaDataType tx, int incx, void* y, cudaDataType ty,
                                              int incy, cudaDataType) {
  using namespace simt_cuda::blas;
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (tx != ty || !is_factor_of(ta, tx)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_element(tx, [&]<class T, class Wide>(T, Wide) {
    const T* const xs = static_cast<const T*>(x);
    T* const ys = static_cast<T*>(y);
    return run(h, "cublasAxpyEx()", SIMT_CALLED_FROM, [=, f = factor_of<Wide>(h, alpha)]() {
      reads_vector(xs, n, incx);
      reads_vector(ys, n, incy);
      writes_vector(ys, n, incy);
      wide_add<Wide>(n, f.get(), xs, incx, ys, incy);
    });
  });
}
SIMT_LIBRARY_CALL cublasStatus_t cublasCopyEx(cublasHandle_t h, int n, const void* x, cudaDataType tx, int incx,
                                              void* y, cudaDataType ty, int incy) {
  if (tx != ty) return CUBLAS_STATUS_NOT_SUPPORTED;
  return simt_cuda::blas::typed_move(h, "cublasCopyEx()", SIMT_CALLED_FROM, n, const_cast<void*>(x), incx, y, incy, tx,
                                     false);
}
SIMT_LIBRARY_CALL cublasStatus_t cublasSwapEx(cublasHandle_t h, int n, void* x, cudaDataType tx, int incx, void* y,
                                              cudaDataType ty, int incy) {
  if (tx != ty) return CUBLAS_STATUS_NOT_SUPPORTED;
  return simt_cuda::blas::typed_move(h, "cublasSwapEx()", SIMT_CALLED_FROM, n, x, incx, y, incy, tx, true);
}
