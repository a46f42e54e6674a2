// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the libraries on the four types that they have: real numbers as they are, cuComplex by its parts.
#pragma once

#include <cmath>
#include <cstdlib>
#include <type_traits>

#include <cuComplex.h>
#include <library_types.h>

#include "call.hpp"

namespace simt_cuda::libraries {

template <class T>
inline constexpr bool is_complex = std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;
template <class T>
struct real_of {
  using type = T;
};
template <>
struct real_of<cuComplex> {
  using type = float;
};
template <>
struct real_of<cuDoubleComplex> {
  using type = double;
};
template <class T>
using real = typename real_of<T>::type;

// f(T()) for the type that a program names; `refused` for all but the four.
template <class Status, class F>
Status with_value_type(cudaDataType type, Status refused, F f) {
  switch (type) {
    case CUDA_R_32F:
      return f(float());
    case CUDA_R_64F:
      return f(double());
    case CUDA_C_32F:
      return f(cuComplex());
    case CUDA_C_64F:
      return f(cuDoubleComplex());
    default:
      return refused;
  }
}

template <class T>
SIMT_UNWATCHED inline T times(T a, T b) {
  if constexpr (is_complex<T>)
    return T{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  else
    return a * b;
}
template <class T>
SIMT_UNWATCHED inline T plus(T a, T b) {
  if constexpr (is_complex<T>)
    return T{a.x + b.x, a.y + b.y};
  else
    return a + b;
}
template <class T>
SIMT_UNWATCHED inline T minus(T a, T b) {
  if constexpr (is_complex<T>)
    return T{a.x - b.x, a.y - b.y};
  else
    return a - b;
}
template <class T>
SIMT_UNWATCHED inline T over(T a, T b) {
  if constexpr (is_complex<T>) {
    const auto size = b.x * b.x + b.y * b.y;
    return T{(a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size};
  } else {
    return a / b;
  }
}
template <class T>
SIMT_UNWATCHED inline T conjugate(T a, bool wanted) {
  if constexpr (is_complex<T>)
    if (wanted) a.y = -a.y;
  return a;
}
template <class T>
SIMT_UNWATCHED inline real<T> real_part(T a) {
  if constexpr (is_complex<T>)
    return a.x;
  else
    return a;
}
template <class T>
SIMT_UNWATCHED inline bool is_zero(T a) {
  if constexpr (is_complex<T>)
    return a.x == 0 && a.y == 0;
  else
    return a == T(0);
}
template <class T>
SIMT_UNWATCHED inline T from_real(real<T> a) {
  if constexpr (is_complex<T>)
    return T{a, 0};
  else
    return a;
}
// A number that is a T or a real one, as a T.
template <class T, class V>
SIMT_UNWATCHED inline T as_element(V v) {
  if constexpr (std::is_same_v<T, V>)
    return v;
  else
    return from_real<T>(v);
}

// Room of the host for one call: zeros.
template <class T>
class scratch {
 public:
  SIMT_UNWATCHED explicit scratch(size n) : at_(static_cast<T*>(host_room(static_cast<std::size_t>(n) * sizeof(T)))) {}
  SIMT_UNWATCHED ~scratch() { free_host_room(at_); }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  SIMT_UNWATCHED T& operator[](size i) const { return at_[i]; }
  SIMT_UNWATCHED T* get() const { return at_; }

 private:
  T* at_;
};

}  // namespace simt_cuda::libraries
