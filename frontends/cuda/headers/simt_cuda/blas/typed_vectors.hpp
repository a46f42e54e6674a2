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

namespace simt_cuda::blas {
template <class Wide, class T, class F>
SIMT_UNWATCHED size place_of(size n, const T* x, size incx, F better) {
  if (n <= 0 || incx <= 0) return 0;
  size best = 0;
  for (size i = 1; i < n; ++i)
    if (better(magnitude(static_cast<Wide>(x[i * incx])), magnitude(static_cast<Wide>(x[best * incx])))) best = i;
  return best + 1;
}
// The type of c and s: that of the vectors' elements, of complex ones the real type too, of halves float too.
template <class T, class Wide>
SIMT_UNWATCHED void wide_rotate(size n, T* x, size incx, T* y, size incy, real<Wide> c, Wide s) {
  T *const xs = first_of(x, n, incx), *const ys = first_of(y, n, incy);
  for (size i = 0; i < n; ++i) {
    const Wide a = static_cast<Wide>(xs[i * incx]), b = static_cast<Wide>(ys[i * incy]);
    xs[i * incx] = static_cast<T>(plus(times(from_real<Wide>(c), a), times(s, b)));
    ys[i * incy] = static_cast<T>(minus(times(from_real<Wide>(c), b), times(conjugate(s, true), a)));
  }
}
template <class C, class T, class Wide>
cublasStatus_t typed_rotation(cublasHandle_t h, const void* place, int n, T* x, int incx, T* y, int incy, const void* c,
                              const void* s) {
  return run(h, "cublasRotEx()", place, [=, f = factor_of<C>(h, c), g = factor_of<C>(h, s)]() {
    reads_vector(x, n, incx);
    reads_vector(y, n, incy);
    writes_vector(x, n, incx);
    writes_vector(y, n, incy);
    const auto cosine = static_cast<real<Wide>>(real_part(f.get()));
    if constexpr (is_complex<C> || !is_complex<Wide>)
      wide_rotate<T, Wide>(n, x, incx, y, incy, cosine, static_cast<Wide>(g.get()));
    else
      wide_rotate<T, Wide>(n, x, incx, y, incy, cosine, from_real<Wide>(g.get()));
  });
}
}  // namespace simt_cuda::blas

// The sum of magnitudes; of complex numbers that of both parts.
SIMT_LIBRARY_CALL cublasStatus_t cublasAsumEx(cublasHandle_t h, int n, const void* x, cudaDataType tx, int incx,
                                              void* result, cudaDataType tr, cudaDataType) {
  using namespace simt_cuda::blas;
  if (tr != (tx == CUDA_C_32F ? CUDA_R_32F : tx == CUDA_C_64F ? CUDA_R_64F : tx)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const void* const place = SIMT_CALLED_FROM;
  return with_element(tx, [&]<class T, class Wide>(T, Wide) {
    const T* const xs = static_cast<const T*>(x);
    return run_for(h, "cublasAsumEx()", place, static_cast<real<T>*>(result), [=]() {
      reads_vector(xs, n, incx);
      return [=]() SIMT_UNWATCHED {
        real<Wide> sum = 0;
        for (size i = 0; i < n && incx > 0; ++i) sum += magnitude(static_cast<Wide>(xs[i * incx]));
        return static_cast<real<T>>(sum);
      }();
    });
  });
}
// The first of the greatest or least magnitude, from 1.
#define SIMT_CUBLAS_PLACE(name, Index, order)                                                                          \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, int n, const void* x, cudaDataType tx, int incx, Index* r) { \
    using namespace simt_cuda::blas;                                                                                   \
    const void* const place = SIMT_CALLED_FROM;                                                                        \
    return with_element(tx, [&]<class T, class Wide>(T, Wide) {                                                        \
      const T* const xs = static_cast<const T*>(x);                                                                    \
      return run_for(h, #name "()", place, r, [=]() {                                                                  \
        reads_vector(xs, n, incx);                                                                                     \
        return static_cast<Index>(                                                                                     \
            place_of<Wide>(n, xs, incx, [](auto a, auto b) SIMT_UNWATCHED { return a order b; }));                     \
      });                                                                                                              \
    });                                                                                                                \
  }
SIMT_CUBLAS_PLACE(cublasIamaxEx, int, >)
SIMT_CUBLAS_PLACE(cublasIaminEx, int, <)
SIMT_CUBLAS_PLACE(cublasIamaxEx_64, std::int64_t, >)
SIMT_CUBLAS_PLACE(cublasIaminEx_64, std::int64_t, <)
#undef SIMT_CUBLAS_PLACE
SIMT_LIBRARY_CALL cublasStatus_t cublasRotEx(cublasHandle_t h, int n, void* x, cudaDataType tx, int incx, void* y,
                                             cudaDataType ty, int incy, const void* c, const void* s, cudaDataType tcs,
                                             cudaDataType) {
  using namespace simt_cuda::blas;
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (tx != ty) return CUBLAS_STATUS_NOT_SUPPORTED;
  const void* const place = SIMT_CALLED_FROM;
  return with_element(tx, [&]<class T, class Wide>(T, Wide) {
    T *const xs = static_cast<T*>(x), *const ys = static_cast<T*>(y);
    if (tcs == tx) return typed_rotation<T, T, Wide>(h, place, n, xs, incx, ys, incy, c, s);
    const bool of_reals = tcs == (tx == CUDA_C_64F ? CUDA_R_64F : CUDA_R_32F) && tx != CUDA_R_64F;
    return of_reals ? typed_rotation<real<Wide>, T, Wide>(h, place, n, xs, incx, ys, incy, c, s)
                    : CUBLAS_STATUS_NOT_SUPPORTED;
  });
}
