// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: tridiagonal systems. Each function is what a kernel of one thread does.
#pragma once

#include "numbers.hpp"

namespace simt_cuda::libraries {

// Diagonals of a system of m equations, and where the elements of one lie: `step` apart. The first of `below` and the
// last of `above` do not count.
template <class T>
struct tridiagonal {
  size m;
  const T *below, *main, *above;
  size step = 1;
};

template <class T>
SIMT_UNWATCHED auto square_of(T v) {
  return real_part(times(v, conjugate(v, true)));
}
// Solves it for one right side in place, `step` apart too; pivots: rows change places where that is more exact.
template <class T>
SIMT_UNWATCHED void solve_tridiagonal(const tridiagonal<T>& a, bool pivots, T* x) {
  const size m = a.m;
  const scratch<T> d(m), u(m), v(m);  // of the upper triangle: its diagonals
  for (size i = 0; i < m; ++i) {
    d[i] = a.main[i * a.step];
    u[i] = i + 1 < m ? a.above[i * a.step] : T{};
    v[i] = T{};
  }
  for (size i = 0; i + 1 < m; ++i) {
    const T l = a.below[(i + 1) * a.step];
    T &here = x[i * a.step], &next = x[(i + 1) * a.step];
    if (!pivots || !(square_of(d[i]) < square_of(l))) {
      const T by = over(l, d[i]);
      d[i + 1] = minus(d[i + 1], times(by, u[i]));
      next = minus(next, times(by, here));
    } else {
      const T by = over(d[i], l), old = d[i + 1], side = here;
      d[i] = l;
      d[i + 1] = minus(u[i], times(by, old));
      v[i] = u[i + 1];
      u[i + 1] = minus(T{}, times(by, u[i + 1]));
      u[i] = old;
      here = next;
      next = minus(side, times(by, next));
    }
  }
  for (size i = m - 1; i >= 0; --i) {
    T sum = x[i * a.step];
    if (i + 1 < m) sum = minus(sum, times(u[i], x[(i + 1) * a.step]));
    if (i + 2 < m) sum = minus(sum, times(v[i], x[(i + 2) * a.step]));
    x[i * a.step] = over(sum, d[i]);
  }
}
template <class T>
void diagonals_are_read(const tridiagonal<T>& a) {
  const size gap = a.step * static_cast<size>(sizeof(T));
  if (a.m > 1) reads(a.below + a.step, sizeof(T), a.m - 1, gap);
  reads(a.main, sizeof(T), a.m, gap);
  if (a.m > 1) reads(a.above, sizeof(T), a.m - 1, gap);
}
// B = A^-1 B of n columns.
template <class T>
void solve_tridiagonal_many(const tridiagonal<T>& a, bool pivots, size n, T* b, size ldb) {
  diagonals_are_read(a);
  for (size j = 0; j < n; ++j) {
    reads_array(b + j * ldb, a.m);
    writes_array(b + j * ldb, a.m);
    solve_tridiagonal(a, pivots, b + j * ldb);
  }
}
// `count` systems, whose elements lie side by side or `distance` apart.
template <class T>
void solve_tridiagonal_batch(tridiagonal<T> a, bool pivots, size count, size distance, T* x) {
  for (size i = 0; i < count; ++i) {
    diagonals_are_read(a);
    reads(x, sizeof(T), a.m, a.step * static_cast<size>(sizeof(T)));
    writes(x, sizeof(T), a.m, a.step * static_cast<size>(sizeof(T)));
    solve_tridiagonal(a, pivots, x);
    a.below += distance;
    a.main += distance;
    a.above += distance;
    x += distance;
  }
}

}  // namespace simt_cuda::libraries
