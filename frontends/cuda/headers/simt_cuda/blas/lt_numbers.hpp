// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: matrices of any number format as ones of the type that is computed with, and back.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "lt_descriptors.hpp"

namespace simt_cuda::blas {
// f(U()) for the C++ type of a number format; false: none.
template <class F>
SIMT_UNWATCHED bool with_number(int type, F f) {
  switch (type) {
    case CUDA_R_32F:
      return f(float()), true;
    case CUDA_R_64F:
      return f(double()), true;
    case CUDA_C_32F:
      return f(cuComplex()), true;
    case CUDA_C_64F:
      return f(cuDoubleComplex()), true;
    case CUDA_R_16F:
      return f(__half()), true;
    case CUDA_R_16BF:
      return f(__nv_bfloat16()), true;
    case CUDA_R_8F_E4M3:
      return f(__nv_fp8_e4m3()), true;
    case CUDA_R_8F_E5M2:
      return f(__nv_fp8_e5m2()), true;
    case CUDA_R_8I:
      return f(static_cast<signed char>(0)), true;
    case CUDA_R_32I:
      return f(int()), true;
    default:
      return false;
  }
}
inline bool is_fp8(int type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
inline bool is_complex_type(int type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

// Complex and real numbers are not mixed by the calls; such a pair gives zero here.
template <class T, class U>
SIMT_UNWATCHED T to_wide(U v) {
  if constexpr (is_complex<T> && is_complex<U>)
    return T{static_cast<real<T>>(v.x), static_cast<real<T>>(v.y)};
  else if constexpr (is_complex<T> || is_complex<U>)
    return T{};
  else if constexpr (std::is_arithmetic_v<U>)
    return static_cast<T>(v);
  else
    return static_cast<T>(static_cast<float>(v));
}
template <class U, class T>
SIMT_UNWATCHED U to_narrow_number(T v) {
  if constexpr (is_complex<T> && is_complex<U>) {
    return U{static_cast<real<U>>(v.x), static_cast<real<U>>(v.y)};
  } else if constexpr (is_complex<T> || is_complex<U>) {
    return U{};
  } else if constexpr (std::is_same_v<U, signed char>) {
    const double whole = std::rint(static_cast<double>(v));
    return static_cast<U>(whole < -128 ? -128 : whole > 127 ? 127 : whole);
  } else if constexpr (std::is_same_v<U, int> && std::is_floating_point_v<T>) {
    return static_cast<int>(std::rint(v));
  } else {
    return static_cast<U>(v);
  }
}

// Matrix `batch` of a layout in columns of T, each without gaps; `scaled` by a factor.
template <class T>
SIMT_UNWATCHED void load(const cublasLtMatrixLayoutOpaque_t& l, const void* p, size batch, T scale, T* to) {
  const size rows = static_cast<size>(l.rows), columns = static_cast<size>(l.columns);
  const bool by_rows = l.order == CUBLASLT_ORDER_ROW;
  const size inner = by_rows ? columns : rows, outer = by_rows ? rows : columns;
  with_number(static_cast<int>(l.type), [=]<class U>(U) SIMT_UNWATCHED {
    const U* const from = static_cast<const U*>(p) + batch * l.step;
    reads(from, inner * static_cast<size>(sizeof(U)), outer, l.ld * static_cast<size>(sizeof(U)));
    for (size j = 0; j < outer; ++j)
      for (size i = 0; i < inner; ++i)
        to[by_rows ? i * rows + j : j * rows + i] = times(scale, to_wide<T>(from[j * l.ld + i]));
  });
}
template <class T>
SIMT_UNWATCHED void store(const cublasLtMatrixLayoutOpaque_t& l, void* p, size batch, const T* from) {
  const size rows = static_cast<size>(l.rows), columns = static_cast<size>(l.columns);
  const bool by_rows = l.order == CUBLASLT_ORDER_ROW;
  const size inner = by_rows ? columns : rows, outer = by_rows ? rows : columns;
  with_number(static_cast<int>(l.type), [=]<class U>(U) SIMT_UNWATCHED {
    U* const to = static_cast<U*>(p) + batch * l.step;
    writes(to, inner * static_cast<size>(sizeof(U)), outer, l.ld * static_cast<size>(sizeof(U)));
    for (size j = 0; j < outer; ++j)
      for (size i = 0; i < inner; ++i)
        to[j * l.ld + i] = to_narrow_number<U>(from[by_rows ? i * rows + j : j * rows + i]);
  });
}
// `n` numbers in a row: a bias, or a column of an auxiliary matrix.
template <class T>
SIMT_UNWATCHED void load_row(int type, const void* p, size first, size n, T* to) {
  with_number(type, [=]<class U>(U) SIMT_UNWATCHED {
    const U* const from = static_cast<const U*>(p) + first;
    reads_array(from, n);
    for (size i = 0; i < n; ++i) to[i] = to_wide<T>(from[i]);
  });
}
template <class T>
SIMT_UNWATCHED void store_row(int type, void* p, size first, size n, const T* from) {
  with_number(type, [=]<class U>(U) SIMT_UNWATCHED {
    U* const to = static_cast<U*>(p) + first;
    writes_array(to, n);
    for (size i = 0; i < n; ++i) to[i] = to_narrow_number<U>(from[i]);
  });
}
// A scale on the device; 1 where the program gave none.
template <class T>
SIMT_UNWATCHED T scale_at(const void* p) {
  if (p == nullptr) return from_real<T>(1);
  reads_array(static_cast<const float*>(p), 1);
  return from_real<T>(static_cast<real<T>>(*static_cast<const float*>(p)));
}
}  // namespace simt_cuda::blas
