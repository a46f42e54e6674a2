// SPDX-License-Identifier: Apache-2.0
// The arithmetic of cuBLAS on matrices of which only a band or a packed triangle is stored, on one device thread.
#pragma once

#include "triangles.hpp"

namespace simt_cuda::blas {

// How an m x n matrix is stored: its diagonals from `below` under the main one to `above` over it. Element (i, j) lies
// at start + i + j * step; packed: a whole triangle, one column behind the other.
struct layout {
  size m, n, below, above;
  size start, step;
  bool packed = false;

  SIMT_UNWATCHED bool holds(size i, size j) const { return j - i <= above && i - j <= below; }
  SIMT_UNWATCHED size first(size j) const { return j > above ? j - above : 0; }
  SIMT_UNWATCHED size end(size j) const { return j + below + 1 < m ? j + below + 1 : m; }
  SIMT_UNWATCHED size at(size i, size j) const {
    if (!packed) return start + i + j * step;
    return above != 0 ? i + j * (j + 1) / 2 : i + (2 * n - j - 1) * j / 2;
  }
};
SIMT_UNWATCHED inline layout band(size m, size n, size below, size above, size lda) {
  return {m, n, below, above, above, lda - 1};
}
SIMT_UNWATCHED inline layout triangle_of_band(size n, size k, bool upper, size lda) {
  return band(n, n, upper ? 0 : k, upper ? k : 0, lda);
}
SIMT_UNWATCHED inline layout packed(size n, bool upper) { return {n, n, upper ? 0 : n, upper ? n : 0, 0, 0, true}; }
// Of a whole matrix.
SIMT_UNWATCHED inline layout triangle_of_whole(size n, bool upper, size lda) {
  return {n, n, upper ? 0 : n, upper ? n : 0, 0, lda};
}
template <class T>
SIMT_UNWATCHED void stored_is_read(const T* a, const layout& l) {
  for (size j = 0; j < l.n; ++j)
    if (l.end(j) > l.first(j)) reads(a + l.at(l.first(j), j), (l.end(j) - l.first(j)) * static_cast<size>(sizeof(T)));
}
template <class T>
SIMT_UNWATCHED void stored_is_written(T* a, const layout& l) {
  for (size j = 0; j < l.n; ++j)
    if (l.end(j) > l.first(j)) writes(a + l.at(l.first(j), j), (l.end(j) - l.first(j)) * static_cast<size>(sizeof(T)));
}

// Element (i, j) of the matrix that is meant by what is stored.
enum class meaning : unsigned char { general, symmetric, hermitian, triangle, unit_triangle };
template <class T>
struct stored {
  const T* a;
  layout l;
  meaning is;

  SIMT_UNWATCHED T get(size i, size j) const {
    if (is == meaning::unit_triangle && i == j) return from_real<T>(1);
    if (l.holds(i, j)) {
      const T v = a[l.at(i, j)];
      return is == meaning::hermitian && i == j ? from_real<T>(real_part(v)) : v;
    }
    const bool mirrored = is == meaning::symmetric || is == meaning::hermitian;
    return mirrored && l.holds(j, i) ? conjugate(a[l.at(j, i)], is == meaning::hermitian) : T{};
  }
  SIMT_UNWATCHED T get(form op, size i, size j) const {
    return op == form::plain ? get(i, j) : conjugate(get(j, i), op == form::conjugated);
  }
};

// y = alpha op(A) x + beta y
template <class T>
SIMT_UNWATCHED void stored_and_vector(const stored<T>& s, form op, T alpha, const T* x, size incx, T beta, T* y,
                                      size incy) {
  const size rows = op == form::plain ? s.l.m : s.l.n, cols = op == form::plain ? s.l.n : s.l.m;
  stored_is_read(s.a, s.l);
  elements_and_vector(
      rows, cols, [&](size i, size j) SIMT_UNWATCHED { return s.get(op, i, j); }, alpha, x, incx, beta, y, incy);
}
// x = op(A) x, or op(A)^-1 x, of a triangle
template <class T>
SIMT_UNWATCHED void stored_triangle_and_vector(bool solve, const stored<T>& s, form op, T* x, size incx) {
  const size n = s.l.n;
  stored_is_read(s.a, s.l);
  reads_vector(x, n, incx);
  writes_vector(x, n, incx);
  T* const xs = first_of(x, n, incx);
  const bool upper = (s.l.below == 0) == (op == form::plain);
  for (size k = 0; k < n; ++k) {
    const size i = upper == solve ? n - 1 - k : k;
    T sum = solve ? xs[i * incx] : times(s.get(op, i, i), xs[i * incx]);
    for (size j = upper ? i + 1 : 0; j < (upper ? n : i); ++j) {
      const T part = times(s.get(op, i, j), xs[j * incx]);
      sum = solve ? minus(sum, part) : plus(sum, part);
    }
    xs[i * incx] = solve ? over(sum, s.get(op, i, i)) : sum;
  }
}
// A += alpha x y^T, and with `both` conj(alpha) y x^T too, in the triangle that is stored.
template <class T>
SIMT_UNWATCHED void stored_rank_update(bool both, bool hermitian, const layout& l, T alpha, const T* x, size incx,
                                       const T* y, size incy, T* a) {
  reads_vector(x, l.n, incx);
  if (both) reads_vector(y, l.n, incy);
  stored_is_read(a, l);
  stored_is_written(a, l);
  const T *const xs = first_of(x, l.n, incx), *const ys = first_of(y, l.n, incy);
  for (size j = 0; j < l.n; ++j)
    for (size i = l.first(j); i < l.end(j); ++i) {
      T& to = a[l.at(i, j)];
      to = plus(to, times(alpha, times(xs[i * incx], conjugate(ys[j * incy], hermitian))));
      if (both)
        to = plus(to, times(conjugate(alpha, hermitian), times(ys[i * incy], conjugate(xs[j * incx], hermitian))));
      if (hermitian && i == j) to = from_real<T>(real_part(to));
    }
}
template <class T>
SIMT_UNWATCHED void change_storage(const T* from, const layout& f, T* to, const layout& t) {
  stored_is_read(from, f);
  stored_is_written(to, t);
  for (size j = 0; j < f.n; ++j)
    for (size i = f.first(j); i < f.end(j); ++i) to[t.at(i, j)] = from[f.at(i, j)];
}

}  // namespace simt_cuda::blas
