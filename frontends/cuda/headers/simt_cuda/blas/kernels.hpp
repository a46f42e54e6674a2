// SPDX-License-Identifier: Apache-2.0
// The arithmetic of cuBLAS on one device thread. What is read and written is announced to the checks in whole columns,
// as accesses of the stream that the call runs on; the arithmetic itself is not watched.
#pragma once

#include <cmath>
#include <cstddef>

#include <cuda_runtime.h>
#include <cuComplex.h>

#include "../libraries/call.hpp"
#include "../libraries/numbers.hpp"
#if __has_include(<openblas-pthread/cblas.h>) || __has_include(<openblas-openmp/cblas.h>) || \
    __has_include(<openblas-serial/cblas.h>)
#define SIMT_HOST_BLAS 1
#include "../libraries/host_blas.hpp"
#endif

namespace simt_cuda::blas {

using namespace simt_cuda::libraries;

// A vector with elements `inc` apart. Of a negative one the first element is the last in memory, as BLAS has it.
template <class T>
T* first_of(T* x, size n, size inc) {
  return inc < 0 ? x + (1 - n) * inc : x;
}
template <class T>
void reads_vector(const T* x, size n, size inc) {
  const size step = inc < 0 ? -inc : inc;
  if (step == 1)
    reads(x, n * static_cast<size>(sizeof(T)));
  else
    reads(x, sizeof(T), n, step * static_cast<size>(sizeof(T)));
}
template <class T>
void writes_vector(T* x, size n, size inc) {
  const size step = inc < 0 ? -inc : inc;
  if (step == 1)
    writes(x, n * static_cast<size>(sizeof(T)));
  else
    writes(x, sizeof(T), n, step * static_cast<size>(sizeof(T)));
}

// A pointer of a batch: an array of them lies on the device.
template <class T>
SIMT_UNWATCHED T* pointer_in(T* const* pointers, size i) {
  reads_array(pointers + i, 1);
  return pointers[i];
}

enum class form : unsigned char { plain, transposed, conjugated };

// C = alpha op(A) op(B) + beta C, column by column. In is what A and B hold, T what is computed with: a column of
// another type is rounded to Out once, at its end.
template <class T, class In, class Out>
SIMT_UNWATCHED void multiply(form fa, form fb, size m, size n, size k, T alpha, const In* a, size lda, const In* b,
                             size ldb, T beta, Out* c, size ldc) {
  constexpr bool same = std::is_same_v<T, Out>;
  const scratch<T> room(same ? 0 : m);
  for (size j = 0; j < n; ++j) {
    Out* const column = c + j * ldc;
    T* to = room.get();
    if constexpr (same) to = column;
    for (size i = 0; i < m; ++i) to[i] = is_zero(beta) ? T{} : times(beta, static_cast<T>(column[i]));
    const auto factor = [&](size p) SIMT_UNWATCHED {
      const In v = fb == form::plain ? b[j * ldb + p] : b[p * ldb + j];
      return conjugate(static_cast<T>(v), fb == form::conjugated);
    };
    if (fa == form::plain) {
      for (size p = 0; p < k; ++p) {
        const T v = times(alpha, factor(p));
        const In* const from = a + p * lda;
        for (size i = 0; i < m; ++i) to[i] = plus(to[i], times(v, static_cast<T>(from[i])));
      }
    } else {
      for (size i = 0; i < m; ++i) {
        const In* const row = a + i * lda;
        T sums[4] = {};
        size p = 0;
        for (; p + 4 <= k; p += 4)
          for (size l = 0; l < 4; ++l)
            sums[l] =
                plus(sums[l], times(conjugate(static_cast<T>(row[p + l]), fa == form::conjugated), factor(p + l)));
        for (; p < k; ++p)
          sums[0] = plus(sums[0], times(conjugate(static_cast<T>(row[p]), fa == form::conjugated), factor(p)));
        const T sum = plus(plus(sums[0], sums[1]), plus(sums[2], sums[3]));
        to[i] = plus(to[i], times(alpha, sum));
      }
    }
    if constexpr (!same)
      for (size i = 0; i < m; ++i) column[i] = static_cast<Out>(to[i]);
  }
}
#if defined(SIMT_HOST_BLAS)
// A matrix of U as one of T: itself where they are one type, else a copy in the host's memory.
template <class T, class U>
struct wider {
  static constexpr bool same = std::is_same_v<T, U>;
  size rows, columns, ld;
  scratch<T> room;
  T* at;
  SIMT_UNWATCHED wider(const U* from, size m, size n, size from_ld, bool with_values)
      : rows(m), columns(n), ld(same ? from_ld : m), room(same ? 0 : m * n), at(room.get()) {
    if constexpr (same)
      at = const_cast<T*>(from);
    else
      for (size j = 0; j < n && with_values; ++j)
        for (size i = 0; i < m; ++i) at[j * m + i] = static_cast<T>(from[j * from_ld + i]);
  }
  SIMT_UNWATCHED void give_back(U* to, size to_ld) const {
    if constexpr (!same)
      for (size j = 0; j < columns; ++j)
        for (size i = 0; i < rows; ++i) to[j * to_ld + i] = static_cast<U>(at[j * rows + i]);
  }
};
#endif
// The same, by OpenBLAS where that is installed and the matrices are large: small ones are done before it would have
// begun. Halves and bytes are made float for it, and back. Nothing is announced.
template <class T, class In, class Out>
SIMT_UNWATCHED void multiply_fast(form fa, form fb, size m, size n, size k, T alpha, const In* a, size lda, const In* b,
                                  size ldb, T beta, Out* c, size ldc) {
#if defined(SIMT_HOST_BLAS)
  if constexpr (std::is_floating_point_v<real<T>>)
    if (m * n * k >= 64 * 64 * 64) {
      const wider<T, In> wide_a(a, fa == form::plain ? m : k, fa == form::plain ? k : m, lda, true);
      const wider<T, In> wide_b(b, fb == form::plain ? k : n, fb == form::plain ? n : k, ldb, true);
      const wider<T, Out> wide_c(c, m, n, ldc, !is_zero(beta));
      const auto number = [](size v) { return static_cast<int>(v); };
      host_product<T> work{number(static_cast<size>(fa)),
                           number(static_cast<size>(fb)),
                           number(m),
                           number(n),
                           number(k),
                           alpha,
                           wide_a.at,
                           number(wide_a.ld),
                           wide_b.at,
                           number(wide_b.ld),
                           beta,
                           wide_c.at,
                           number(wide_c.ld)};
      outside(work);
      return wide_c.give_back(c, ldc);
    }
#endif
  multiply<T, In, Out>(fa, fb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

template <class T, class In, class Out>
void gemm(form fa, form fb, size m, size n, size k, T alpha, const In* a, size lda, const In* b, size ldb, T beta,
          Out* c, size ldc) {
  if (m == 0 || n == 0) return;
  const size in = sizeof(In), out = sizeof(Out);
  const bool a_plain = fa == form::plain, b_plain = fb == form::plain;
  reads(a, (a_plain ? m : k) * in, a_plain ? k : m, lda * in);
  reads(b, (b_plain ? k : n) * in, b_plain ? n : k, ldb * in);
  if (!is_zero(beta)) reads(c, m * out, n, ldc * out);
  writes(c, m * out, n, ldc * out);
  multiply_fast<T, In, Out>(fa, fb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

template <class T>
SIMT_UNWATCHED void multiply_vector(form op, size m, size n, T alpha, const T* a, size lda, const T* x, size incx,
                                    T beta, T* y, size incy) {
  const bool plain = op == form::plain;
  const size rows = plain ? m : n, inner = plain ? n : m;
  const T* const xs = first_of(x, inner, incx);
  T* const ys = first_of(y, rows, incy);
  for (size i = 0; i < rows; ++i) {
    T sum{};
    for (size p = 0; p < inner; ++p)
      sum = plus(sum, times(plain ? a[p * lda + i] : conjugate(a[i * lda + p], op == form::conjugated), xs[p * incx]));
    T& to = ys[i * incy];
    to = is_zero(beta) ? times(alpha, sum) : plus(times(alpha, sum), times(beta, to));
  }
}
template <class T>
void gemv(form op, size m, size n, T alpha, const T* a, size lda, const T* x, size incx, T beta, T* y, size incy) {
  const bool plain = op == form::plain;
  reads(a, m * static_cast<size>(sizeof(T)), n, lda * static_cast<size>(sizeof(T)));
  reads_vector(x, plain ? n : m, incx);
  if (!is_zero(beta)) reads_vector(y, plain ? m : n, incy);
  writes_vector(y, plain ? m : n, incy);
  multiply_vector(op, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

// Level 1: elements in turn, watched where they are few or apart, else as ranges.
template <class T>
SIMT_UNWATCHED void add_scaled(size n, T alpha, const T* x, size incx, T* y, size incy) {
  const T* const xs = first_of(x, n, incx);
  T* const ys = first_of(y, n, incy);
  for (size i = 0; i < n; ++i) ys[i * incy] = plus(ys[i * incy], times(alpha, xs[i * incx]));
}
template <class T>
void axpy(size n, T alpha, const T* x, size incx, T* y, size incy) {
  reads_vector(x, n, incx);
  reads_vector(y, n, incy);
  writes_vector(y, n, incy);
  add_scaled(n, alpha, x, incx, y, incy);
}
template <class T>
SIMT_UNWATCHED void scale(size n, T alpha, T* x, size incx) {
  for (size i = 0; i < n; ++i) x[i * incx] = times(alpha, x[i * incx]);
}
template <class T>
void scal(size n, T alpha, T* x, size incx) {
  if (incx <= 0) return;
  reads_vector(x, n, incx);
  writes_vector(x, n, incx);
  scale(n, alpha, x, incx);
}
template <class T>
SIMT_UNWATCHED void move(size n, T* x, size incx, T* y, size incy, bool both) {
  T* const xs = first_of(x, n, incx);
  T* const ys = first_of(y, n, incy);
  for (size i = 0; i < n; ++i) {
    const T old = ys[i * incy];
    ys[i * incy] = xs[i * incx];
    if (both) xs[i * incx] = old;
  }
}
template <class T>
void copy(size n, const T* x, size incx, T* y, size incy) {
  reads_vector(x, n, incx);
  writes_vector(y, n, incy);
  move(n, const_cast<T*>(x), incx, y, incy, false);
}
template <class T>
void swap(size n, T* x, size incx, T* y, size incy) {
  reads_vector(x, n, incx);
  reads_vector(y, n, incy);
  writes_vector(x, n, incx);
  writes_vector(y, n, incy);
  move(n, x, incx, y, incy, true);
}
// Sums in double, so that long vectors of float keep their digits.
template <class T>
SIMT_UNWATCHED T sum_of_products(size n, const T* x, size incx, const T* y, size incy, bool conjugated) {
  const T* const xs = first_of(x, n, incx);
  const T* const ys = first_of(y, n, incy);
  if constexpr (is_complex<T>) {
    cuDoubleComplex sum{};
    for (size i = 0; i < n; ++i) {
      const T a = conjugate(xs[i * incx], conjugated), b = ys[i * incy];
      sum = plus(sum, times(cuDoubleComplex{a.x, a.y}, cuDoubleComplex{b.x, b.y}));
    }
    return T{static_cast<real<T>>(sum.x), static_cast<real<T>>(sum.y)};
  } else {
    double sum = 0;
    for (size i = 0; i < n; ++i) sum += static_cast<double>(xs[i * incx]) * static_cast<double>(ys[i * incy]);
    return static_cast<T>(sum);
  }
}
template <class T>
T dot(size n, const T* x, size incx, const T* y, size incy, bool conjugated) {
  reads_vector(x, n, incx);
  reads_vector(y, n, incy);
  return sum_of_products(n, x, incx, y, incy, conjugated);
}
template <class T>
SIMT_UNWATCHED real<T> length_of(size n, const T* x, size incx) {
  double sum = 0;
  for (size i = 0; i < n; ++i) {
    const T v = x[i * incx];
    if constexpr (is_complex<T>)
      sum += static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y;
    else
      sum += static_cast<double>(v) * v;
  }
  return static_cast<real<T>>(std::sqrt(sum));
}
template <class T>
real<T> nrm2(size n, const T* x, size incx) {
  reads_vector(x, n, incx);
  return length_of(n, x, incx);
}
// |x|, of a complex number |re| + |im|, as BLAS has it.
template <class T>
SIMT_UNWATCHED real<T> size_of_number(T v) {
  if constexpr (is_complex<T>)
    return (v.x < 0 ? -v.x : v.x) + (v.y < 0 ? -v.y : v.y);
  else
    return v < 0 ? -v : v;
}
template <class T>
SIMT_UNWATCHED real<T> sum_of_sizes(size n, const T* x, size incx) {
  double sum = 0;
  for (size i = 0; i < n; ++i) sum += static_cast<double>(size_of_number(x[i * incx]));
  return static_cast<real<T>>(sum);
}
template <class T>
real<T> asum(size n, const T* x, size incx) {
  reads_vector(x, n, incx);
  return sum_of_sizes(n, x, incx);
}
template <class T>
SIMT_UNWATCHED int extreme(size n, const T* x, size incx, bool largest) {
  int found = 0;
  real<T> best{};
  for (size i = 0; i < n; ++i) {
    const real<T> v = size_of_number(x[i * incx]);
    if (i != 0 && !(largest ? v > best : v < best)) continue;
    best = v;
    found = static_cast<int>(i) + 1;  // counted from 1, as in Fortran
  }
  return found;
}
template <class T>
int amax(size n, const T* x, size incx) {
  reads_vector(x, n, incx);
  return extreme(n, x, incx, true);
}
template <class T>
int amin(size n, const T* x, size incx) {
  reads_vector(x, n, incx);
  return extreme(n, x, incx, false);
}
template <class T>
SIMT_UNWATCHED void add_product(size m, size n, T alpha, const T* x, size incx, const T* y, size incy, T* a, size lda,
                                bool conjugated) {
  const T* const xs = first_of(x, m, incx);
  const T* const ys = first_of(y, n, incy);
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < m; ++i)
      a[j * lda + i] = plus(a[j * lda + i], times(times(alpha, xs[i * incx]), conjugate(ys[j * incy], conjugated)));
}
template <class T>
void ger(size m, size n, T alpha, const T* x, size incx, const T* y, size incy, T* a, size lda, bool conjugated) {
  reads_vector(x, m, incx);
  reads_vector(y, n, incy);
  reads(a, m * static_cast<size>(sizeof(T)), n, lda * static_cast<size>(sizeof(T)));
  writes(a, m * static_cast<size>(sizeof(T)), n, lda * static_cast<size>(sizeof(T)));
  add_product(m, n, alpha, x, incx, y, incy, a, lda, conjugated);
}
template <class T>
SIMT_UNWATCHED void add_matrices(form fa, form fb, size m, size n, T alpha, const T* a, size lda, T beta, const T* b,
                                 size ldb, T* c, size ldc) {
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < m; ++i) {
      const T x = is_zero(alpha) ? T{}
                                 : times(alpha, fa == form::plain ? a[j * lda + i]
                                                                  : conjugate(a[i * lda + j], fa == form::conjugated));
      const T y = is_zero(beta) ? T{}
                                : times(beta, fb == form::plain ? b[j * ldb + i]
                                                                : conjugate(b[i * ldb + j], fb == form::conjugated));
      c[j * ldc + i] = plus(x, y);
    }
}
template <class T>
void geam(form fa, form fb, size m, size n, T alpha, const T* a, size lda, T beta, const T* b, size ldb, T* c,
          size ldc) {
  const size s = sizeof(T);
  const bool a_plain = fa == form::plain, b_plain = fb == form::plain;
  if (!is_zero(alpha)) reads(a, (a_plain ? m : n) * s, a_plain ? n : m, lda * s);
  if (!is_zero(beta)) reads(b, (b_plain ? m : n) * s, b_plain ? n : m, ldb * s);
  writes(c, m * s, n, ldc * s);
  add_matrices(fa, fb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}

}  // namespace simt_cuda::blas
