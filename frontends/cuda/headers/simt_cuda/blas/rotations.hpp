// SPDX-License-Identifier: Apache-2.0
// cuBLAS: rotations of the plane, Givens' and modified ones, made and applied. The formulas are those of the reference
// BLAS.
#pragma once

#include <cmath>

#include "handle.hpp"
#include "triangles.hpp"

namespace simt_cuda::blas {

template <class T>
SIMT_UNWATCHED real<T> length_of(T v) {
  if constexpr (is_complex<T>)
    return std::hypot(v.x, v.y);
  else
    return std::fabs(v);
}

// (a, b) to (r, 0) by c and s; a becomes r, and b of real numbers the one that c and s can be made of again.
template <class T>
SIMT_UNWATCHED void make_rotation(T* a, T* b, real<T>* c, T* s) {
  const T x = *a, y = *b;
  const real<T> scale = length_of(x) + length_of(y);
  if constexpr (is_complex<T>) {
    if (is_zero(x)) {
      *c = 0;
      *s = from_real<T>(1);
      *a = y;
      return;
    }
    const real<T> p = length_of(x) / scale, q = length_of(y) / scale, norm = scale * std::sqrt(p * p + q * q);
    const T direction = over(x, from_real<T>(length_of(x)));
    *c = length_of(x) / norm;
    *s = over(times(direction, conjugate(y, true)), from_real<T>(norm));
    *a = times(direction, from_real<T>(norm));
  } else {
    if (scale == 0) {
      *c = 1;
      *s = *a = *b = 0;
      return;
    }
    const bool first = std::fabs(x) > std::fabs(y);
    const T p = x / scale, q = y / scale;
    const T r = std::copysign(scale * std::sqrt(p * p + q * q), first ? x : y);
    *c = x / r;
    *s = y / r;
    *a = r;
    *b = first ? *s : *c != 0 ? 1 / *c : T(1);
  }
}

// What the first of a modified rotation's five numbers says of the other four, which stand in columns.
enum : int { kWhole = -1, kOnesInDiagonal = 0, kOnesBeside = 1, kNothing = -2 };
template <class T>
SIMT_UNWATCHED void apply_modified(size n, T* x, size incx, T* y, size incy, const T* p) {
  const int flag = static_cast<int>(p[0]);
  if (n <= 0 || flag == kNothing) return;
  reads_vector(x, n, incx);
  reads_vector(y, n, incy);
  writes_vector(x, n, incx);
  writes_vector(y, n, incy);
  const T h11 = flag == kOnesInDiagonal ? 1 : p[1], h21 = flag == kOnesBeside ? -1 : p[2],
          h12 = flag == kOnesBeside ? 1 : p[3], h22 = flag == kOnesInDiagonal ? 1 : p[4];
  T *const xs = first_of(x, n, incx), *const ys = first_of(y, n, incy);
  for (size i = 0; i < n; ++i) {
    const T a = xs[i * incx], b = ys[i * incy];
    xs[i * incx] = a * h11 + b * h12;
    ys[i * incy] = a * h21 + b * h22;
  }
}
template <class T>
SIMT_UNWATCHED void make_modified(T* d1, T* d2, T* x1, T y1, T* p) {
  constexpr T kScale = 4096;
  T h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  int flag = kWhole;
  const T p2 = *d2 * y1, p1 = *d1 * *x1;
  if (*d1 >= 0 && p2 == 0) {
    p[0] = kNothing;
    return;
  }
  const bool first = *d1 >= 0 && std::fabs(p1 * *x1) > std::fabs(p2 * y1);
  const T u = first ? 1 + y1 / *x1 * (p2 / p1) : 1 + p1 / p2 * (*x1 / y1);
  if (*d1 < 0 || (first ? u <= 0 : p2 * y1 < 0)) {
    *d1 = *d2 = *x1 = 0;
  } else {
    if (first) {
      flag = kOnesInDiagonal;
      h21 = -y1 / *x1;
      h12 = p2 / p1;
      *d1 /= u;
      *d2 /= u;
      *x1 *= u;
    } else {
      flag = kOnesBeside;
      h11 = p1 / p2;
      h22 = *x1 / y1;
      const T other = *d2 / u;
      *d2 = *d1 / u;
      *d1 = other;
      *x1 = y1 * u;
    }
    // Keeps both scales near 1: then all four numbers count.
    const auto rescale = [&](T& d, T& h, T& k, T* x) {
      while (d != 0 && (std::fabs(d) <= 1 / (kScale * kScale) || std::fabs(d) >= kScale * kScale)) {
        if (flag == kOnesInDiagonal) h11 = h22 = 1;
        if (flag == kOnesBeside) {
          h21 = -1;
          h12 = 1;
        }
        flag = kWhole;
        const bool grows = std::fabs(d) <= 1 / (kScale * kScale);
        const T by = grows ? kScale : 1 / kScale;
        d *= by * by;
        if (x != nullptr) *x /= by;
        h /= by;
        k /= by;
      }
    };
    rescale(*d1, h11, h12, x1);
    rescale(*d2, h21, h22, nullptr);
  }
  p[0] = static_cast<T>(flag);
  if (flag != kOnesInDiagonal) p[1] = h11;
  if (flag != kOnesBeside) p[2] = h21;
  if (flag != kOnesBeside) p[3] = h12;
  if (flag != kOnesInDiagonal) p[4] = h22;
}

template <class T>
struct five_numbers {
  T v[5];
};
template <class T>
SIMT_UNWATCHED five_numbers<T> numbers_at(const T* p) {
  return {{p[0], p[1], p[2], p[3], p[4]}};
}

// With the numbers in device memory.
template <class T>
SIMT_UNWATCHED void make_rotation_there(T* a, T* b, real<T>* c, T* s) {
  reads_array(a, 1);
  reads_array(b, 1);
  writes_array(a, 1);
  writes_array(b, 1);
  writes_array(c, 1);
  writes_array(s, 1);
  make_rotation(a, b, c, s);
}
template <class T>
SIMT_UNWATCHED void apply_modified_there(size n, T* x, size incx, T* y, size incy, const T* p) {
  reads_array(p, 5);
  apply_modified(n, x, incx, y, incy, p);
}
template <class T>
SIMT_UNWATCHED void make_modified_there(T* d1, T* d2, T* x1, const T* y1, T* p) {
  reads_array(y1, 1);
  for (T* const one : {d1, d2, x1}) {
    reads_array(one, 1);
    writes_array(one, 1);
  }
  writes_array(p, 5);
  make_modified(d1, d2, x1, *y1, p);
}
}  // namespace simt_cuda::blas

#define SIMT_CUBLAS_ROTATE(name, T, C, S)                                                                    \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const C* c, \
                                        const S* s) {                                                        \
    using namespace simt_cuda::blas;                                                                         \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
    return run(h, #name "()", SIMT_CALLED_FROM, [=, f = factor_of<C>(h, c), g = factor_of<S>(h, s)]() {      \
      rotate(n, x, incx, y, incy, f.get(), as_element<T>(g.get()));                                          \
    });                                                                                                      \
  }
SIMT_CUBLAS_ROTATE(cublasSrot, float, float, float)
SIMT_CUBLAS_ROTATE(cublasDrot, double, double, double)
SIMT_CUBLAS_ROTATE(cublasCrot, cuComplex, float, cuComplex)
SIMT_CUBLAS_ROTATE(cublasCsrot, cuComplex, float, float)
SIMT_CUBLAS_ROTATE(cublasZrot, cuDoubleComplex, double, cuDoubleComplex)
SIMT_CUBLAS_ROTATE(cublasZdrot, cuDoubleComplex, double, double)
#undef SIMT_CUBLAS_ROTATE
// Numbers on the host are made at once.
#define SIMT_CUBLAS_MAKE_ROTATION(name, T, C)                                                  \
  SIMT_LIBRARY_CALL cublasStatus_t name(cublasHandle_t h, T* a, T* b, C* c, T* s) {            \
    using namespace simt_cuda::blas;                                                           \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                    \
    if (h->mode == CUBLAS_POINTER_MODE_DEVICE)                                                 \
      return run(h, #name "()", SIMT_CALLED_FROM, [=]() { make_rotation_there(a, b, c, s); }); \
    make_rotation(a, b, c, s);                                                                 \
    return CUBLAS_STATUS_SUCCESS;                                                              \
  }
SIMT_CUBLAS_MAKE_ROTATION(cublasSrotg, float, float)
SIMT_CUBLAS_MAKE_ROTATION(cublasDrotg, double, double)
SIMT_CUBLAS_MAKE_ROTATION(cublasCrotg, cuComplex, float)
SIMT_CUBLAS_MAKE_ROTATION(cublasZrotg, cuDoubleComplex, double)
#undef SIMT_CUBLAS_MAKE_ROTATION
#define SIMT_CUBLAS_MODIFIED(rotm_name, rotmg_name, T)                                                              \
  SIMT_LIBRARY_CALL cublasStatus_t rotm_name(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* p) { \
    using namespace simt_cuda::blas;                                                                                \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                         \
    if (h->mode == CUBLAS_POINTER_MODE_DEVICE)                                                                      \
      return run(h, #rotm_name "()", SIMT_CALLED_FROM, [=]() { apply_modified_there(n, x, incx, y, incy, p); });    \
    return run(h, #rotm_name "()", SIMT_CALLED_FROM,                                                                \
               [=, all = numbers_at(p)]() { apply_modified(n, x, incx, y, incy, all.v); });                         \
  }                                                                                                                 \
  SIMT_LIBRARY_CALL cublasStatus_t rotmg_name(cublasHandle_t h, T* d1, T* d2, T* x1, const T* y1, T* p) {           \
    using namespace simt_cuda::blas;                                                                                \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                                         \
    if (h->mode == CUBLAS_POINTER_MODE_DEVICE)                                                                      \
      return run(h, #rotmg_name "()", SIMT_CALLED_FROM, [=]() { make_modified_there(d1, d2, x1, y1, p); });         \
    make_modified(d1, d2, x1, *y1, p);                                                                              \
    return CUBLAS_STATUS_SUCCESS;                                                                                   \
  }
SIMT_CUBLAS_MODIFIED(cublasSrotm, cublasSrotmg, float)
SIMT_CUBLAS_MODIFIED(cublasDrotm, cublasDrotmg, double)
#undef SIMT_CUBLAS_MODIFIED
