// SPDX-License-Identifier: Apache-2.0
// The arithmetic of cuBLAS on triangular and symmetric matrices, and on batches that are factored, on one device
// thread.
#pragma once

#include "kernels.hpp"

namespace simt_cuda::blas {

template <class T>
SIMT_UNWATCHED void triangle_is_read(const T* a, size n, size lda, bool upper) {
  for (size j = 0; j < n; ++j)
    reads(a + j * lda + (upper ? 0 : j), (upper ? j + 1 : n - j) * static_cast<size>(sizeof(T)));
}
template <class T>
SIMT_UNWATCHED void triangle_is_written(T* a, size n, size lda, bool upper) {
  for (size j = 0; j < n; ++j)
    writes(a + j * lda + (upper ? 0 : j), (upper ? j + 1 : n - j) * static_cast<size>(sizeof(T)));
}
template <class T>
SIMT_UNWATCHED void matrix_is_read(const T* a, size m, size n, size lda) {
  reads(a, m * static_cast<size>(sizeof(T)), n, lda * static_cast<size>(sizeof(T)));
}
template <class T>
SIMT_UNWATCHED void matrix_is_written(T* a, size m, size n, size lda) {
  writes(a, m * static_cast<size>(sizeof(T)), n, lda * static_cast<size>(sizeof(T)));
}

// Element (i, j) of op(A), where A is a triangle; zero on its other side.
template <class T>
struct triangle {
  const T* a;
  size lda;
  bool upper, unit;
  form op;

  SIMT_UNWATCHED bool is_upper() const { return upper == (op == form::plain); }
  SIMT_UNWATCHED T get(size i, size j) const {
    if (i == j && unit) return from_real<T>(1);
    const T v = op == form::plain ? a[j * lda + i] : a[i * lda + j];
    return conjugate(v, op == form::conjugated);
  }
};
// Element (i, j) of a matrix of which one triangle is given.
template <class T>
struct symmetric {
  const T* a;
  size lda;
  bool upper, hermitian;

  SIMT_UNWATCHED T get(size i, size j) const {
    const bool given = upper ? i <= j : i >= j;
    T v = given ? a[j * lda + i] : conjugate(a[i * lda + j], hermitian);
    if (i == j && hermitian) v = from_real<T>(real_part(v));
    return v;
  }
};

// x = op(A)^-1 x, or op(A) x; elements of x lie `step` apart.
template <class T>
SIMT_UNWATCHED void solve_in_place(const triangle<T>& t, size n, T* x, size step) {
  for (size s = 0; s < n; ++s) {
    const size i = t.is_upper() ? n - 1 - s : s;
    T sum = x[i * step];
    for (size j = t.is_upper() ? i + 1 : 0; j < (t.is_upper() ? n : i); ++j)
      sum = minus(sum, times(t.get(i, j), x[j * step]));
    x[i * step] = t.unit ? sum : over(sum, t.get(i, i));
  }
}
template <class T>
SIMT_UNWATCHED void multiply_in_place(const triangle<T>& t, size n, T* x, size step) {
  for (size s = 0; s < n; ++s) {
    const size i = t.is_upper() ? s : n - 1 - s;
    T sum{};
    for (size j = t.is_upper() ? i : 0; j < (t.is_upper() ? n : i + 1); ++j)
      sum = plus(sum, times(t.get(i, j), x[j * step]));
    x[i * step] = sum;
  }
}
template <class T>
SIMT_UNWATCHED void triangle_and_vector(bool solve, const triangle<T>& t, size n, T* x, size incx) {
  triangle_is_read(t.a, n, t.lda, t.upper);
  reads_vector(x, n, incx);
  writes_vector(x, n, incx);
  T* const xs = first_of(x, n, incx);
  solve ? solve_in_place(t, n, xs, incx) : multiply_in_place(t, n, xs, incx);
}
// B = alpha op(A)^-1 B and its like, into C, which may be B. From the right it is the left of the transposed.
template <class T>
SIMT_UNWATCHED void triangle_and_matrix(bool solve, bool left, triangle<T> t, size m, size n, T alpha, const T* b,
                                        size ldb, T* c, size ldc) {
  if (m == 0 || n == 0) return;
  triangle_is_read(t.a, left ? m : n, t.lda, t.upper);
  matrix_is_read(b, m, n, ldb);
  matrix_is_written(c, m, n, ldc);
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < m; ++i) c[j * ldc + i] = times(alpha, b[j * ldb + i]);
  const bool conjugates = !left && t.op == form::conjugated;
  if (!left) t.op = t.op == form::plain ? form::transposed : form::plain;
  if (conjugates)  // X A^H = B is conj(A) X^T = B^T, which is A conj(X^T) = conj(B^T)
    for (size j = 0; j < n; ++j)
      for (size i = 0; i < m; ++i) c[j * ldc + i] = conjugate(c[j * ldc + i], true);
  for (size k = 0; k < (left ? n : m); ++k) {
    T* const x = left ? c + k * ldc : c + k;
    solve ? solve_in_place(t, left ? m : n, x, left ? 1 : ldc) : multiply_in_place(t, left ? m : n, x, left ? 1 : ldc);
  }
  if (conjugates)
    for (size j = 0; j < n; ++j)
      for (size i = 0; i < m; ++i) c[j * ldc + i] = conjugate(c[j * ldc + i], true);
}
// y = alpha A x + beta y, of a matrix of rows x cols whose elements get(i, j) gives.
template <class T, class Element>
SIMT_UNWATCHED void elements_and_vector(size rows, size cols, Element get, T alpha, const T* x, size incx, T beta, T* y,
                                        size incy) {
  reads_vector(x, cols, incx);
  if (!is_zero(beta)) reads_vector(y, rows, incy);
  writes_vector(y, rows, incy);
  const T* const xs = first_of(x, cols, incx);
  T* const ys = first_of(y, rows, incy);
  for (size i = 0; i < rows; ++i) {
    T sum{};
    for (size j = 0; j < cols; ++j) sum = plus(sum, times(get(i, j), xs[j * incx]));
    sum = times(alpha, sum);
    ys[i * incy] = is_zero(beta) ? sum : plus(sum, times(beta, ys[i * incy]));
  }
}
template <class T>
SIMT_UNWATCHED void symv(const symmetric<T>& s, size n, T alpha, const T* x, size incx, T beta, T* y, size incy) {
  triangle_is_read(s.a, n, s.lda, s.upper);
  elements_and_vector(
      n, n, [&](size i, size j) SIMT_UNWATCHED { return s.get(i, j); }, alpha, x, incx, beta, y, incy);
}
template <class T>
SIMT_UNWATCHED void symm(bool left, const symmetric<T>& s, size m, size n, T alpha, const T* b, size ldb, T beta, T* c,
                         size ldc) {
  triangle_is_read(s.a, left ? m : n, s.lda, s.upper);
  matrix_is_read(b, m, n, ldb);
  if (!is_zero(beta)) matrix_is_read(c, m, n, ldc);
  matrix_is_written(c, m, n, ldc);
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < m; ++i) {
      T sum{};
      for (size p = 0; p < (left ? m : n); ++p)
        sum = plus(sum, left ? times(s.get(i, p), b[j * ldb + p]) : times(b[p * ldb + i], s.get(p, j)));
      sum = times(alpha, sum);
      c[j * ldc + i] = is_zero(beta) ? sum : plus(sum, times(beta, c[j * ldc + i]));
    }
}
// One triangle of C = alpha op(A) op(B)^T + beta C, and with `both` the other product too (syr2k). hermitian: ^H.
template <class T>
SIMT_UNWATCHED void rank_update(bool upper, bool plain, bool hermitian, bool both, size n, size k, T alpha, const T* a,
                                size lda, const T* b, size ldb, T beta, T* c, size ldc) {
  matrix_is_read(a, plain ? n : k, plain ? k : n, lda);
  if (b != a) matrix_is_read(b, plain ? n : k, plain ? k : n, ldb);
  if (!is_zero(beta)) triangle_is_read(c, n, ldc, upper);
  triangle_is_written(c, n, ldc, upper);
  const auto element = [=](const T* m, size ld, size i, size p)
                           SIMT_UNWATCHED { return plain ? m[p * ld + i] : conjugate(m[i * ld + p], hermitian); };
  for (size j = 0; j < n; ++j)
    for (size i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i) {
      T sum{}, other{};
      for (size p = 0; p < k; ++p) {
        sum = plus(sum, times(element(a, lda, i, p), conjugate(element(b, ldb, j, p), hermitian)));
        if (both) other = plus(other, times(element(b, ldb, i, p), conjugate(element(a, lda, j, p), hermitian)));
      }
      sum = times(alpha, sum);
      if (both) sum = plus(sum, times(conjugate(alpha, hermitian), other));
      T& to = c[j * ldc + i];
      to = is_zero(beta) ? sum : plus(sum, times(beta, to));
      if (hermitian && i == j) to = from_real<T>(real_part(to));
    }
}
template <class T>
SIMT_UNWATCHED void rank_one(bool upper, bool hermitian, size n, T alpha, const T* x, size incx, T* a, size lda) {
  reads_vector(x, n, incx);
  triangle_is_read(a, n, lda, upper);
  triangle_is_written(a, n, lda, upper);
  const T* const xs = first_of(x, n, incx);
  for (size j = 0; j < n; ++j)
    for (size i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
      a[j * lda + i] = plus(a[j * lda + i], times(alpha, times(xs[i * incx], conjugate(xs[j * incx], hermitian))));
}
template <class T>
SIMT_UNWATCHED void dgmm(bool left, size m, size n, const T* a, size lda, const T* x, size incx, T* c, size ldc) {
  matrix_is_read(a, m, n, lda);
  reads_vector(x, left ? m : n, incx);
  matrix_is_written(c, m, n, ldc);
  const T* const xs = first_of(x, left ? m : n, incx);
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < m; ++i) c[j * ldc + i] = times(a[j * lda + i], xs[(left ? i : j) * incx]);
}
template <class T>
SIMT_UNWATCHED void rotate(size n, T* x, size incx, T* y, size incy, real<T> c, T s) {
  reads_vector(x, n, incx);
  reads_vector(y, n, incy);
  writes_vector(x, n, incx);
  writes_vector(y, n, incy);
  T *const xs = first_of(x, n, incx), *const ys = first_of(y, n, incy);
  for (size i = 0; i < n; ++i) {
    const T a = xs[i * incx], b = ys[i * incy];
    xs[i * incx] = plus(times(from_real<T>(c), a), times(s, b));
    ys[i * incy] = minus(times(from_real<T>(c), b), times(conjugate(s, true), a));
  }
}

// Batches: LU with pivots of small matrices, in place, and what is made of it.
template <class T>
SIMT_UNWATCHED real<T> magnitude(T v) {
  if constexpr (is_complex<T>)
    return (v.x < 0 ? -v.x : v.x) + (v.y < 0 ? -v.y : v.y);
  else
    return v < 0 ? -v : v;
}
// The number of a pivot that is zero, from 1, else 0.
template <class T>
SIMT_UNWATCHED int factor(size n, T* a, size lda, int* pivots) {
  int singular = 0;
  for (size k = 0; k < n; ++k) {
    size at = k;
    for (size i = k + 1; i < n && pivots != nullptr; ++i)
      if (magnitude(a[k * lda + i]) > magnitude(a[k * lda + at])) at = i;
    if (pivots != nullptr) pivots[k] = static_cast<int>(at) + 1;
    if (at != k)
      for (size j = 0; j < n; ++j) {
        const T t = a[j * lda + k];
        a[j * lda + k] = a[j * lda + at];
        a[j * lda + at] = t;
      }
    const T pivot = a[k * lda + k];
    if (is_zero(pivot)) {
      if (singular == 0) singular = static_cast<int>(k) + 1;
      continue;
    }
    for (size i = k + 1; i < n; ++i) a[k * lda + i] = over(a[k * lda + i], pivot);
    for (size j = k + 1; j < n; ++j)
      for (size i = k + 1; i < n; ++i) a[j * lda + i] = minus(a[j * lda + i], times(a[k * lda + i], a[j * lda + k]));
  }
  return singular;
}
template <class T>
SIMT_UNWATCHED void factor_in_place(size n, T* a, size lda, int* pivots, int* info) {
  matrix_is_read(a, n, n, lda);
  matrix_is_written(a, n, n, lda);
  if (pivots != nullptr) writes_array(pivots, n);
  writes_array(info, 1);
  *info = factor(n, a, lda, pivots);
}
// B = op(A)^-1 B of a matrix that was factored; b has `count` columns.
template <class T>
SIMT_UNWATCHED void solve_factored(form op, size n, size count, const T* a, size lda, const int* pivots, T* b,
                                   size ldb) {
  const triangle<T> l{a, lda, false, true, op}, u{a, lda, true, false, op};
  for (size j = 0; j < count; ++j) {
    T* const x = b + j * ldb;
    const auto exchange = [=](size i) SIMT_UNWATCHED {
      const size to = pivots[i] - 1;
      const T t = x[i];
      x[i] = x[to];
      x[to] = t;
    };
    if (op == form::plain && pivots != nullptr)
      for (size i = 0; i < n; ++i) exchange(i);
    solve_in_place(op == form::plain ? l : u, n, x, 1);
    solve_in_place(op == form::plain ? u : l, n, x, 1);
    if (op != form::plain && pivots != nullptr)
      for (size i = n - 1; i >= 0; --i) exchange(i);
  }
}
template <class T>
SIMT_UNWATCHED void inverse_of(size n, const T* a, size lda, const int* pivots, T* c, size ldc) {
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < n; ++i) c[j * ldc + i] = from_real<T>(i == j ? 1 : 0);
  solve_factored(form::plain, n, n, a, lda, pivots, c, ldc);
}
template <class T>
SIMT_UNWATCHED void invert_factored(size n, const T* a, size lda, const int* pivots, T* c, size ldc, int* info) {
  matrix_is_read(a, n, n, lda);
  if (pivots != nullptr) reads_array(pivots, n);
  matrix_is_written(c, n, n, ldc);
  writes_array(info, 1);
  *info = 0;
  for (size k = n - 1; k >= 0; --k)
    if (is_zero(a[k * lda + k])) *info = static_cast<int>(k) + 1;
  if (*info == 0) inverse_of(n, a, lda, pivots, c, ldc);
}

}  // namespace simt_cuda::blas
