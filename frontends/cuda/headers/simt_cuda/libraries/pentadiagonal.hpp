// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: systems of five diagonals. Each function is what a kernel of one thread does.
#pragma once

#include "tridiagonal.hpp"

namespace simt_cuda::libraries {

// Diagonals of a system of m equations, from two below to two above the main one; elements lie `step` apart. What
// stands outside of the matrix does not count.
template <class T>
struct pentadiagonal {
  size m;
  const T* diagonals[5];
  size step;

  SIMT_UNWATCHED T get(size i, size j) const {
    return j < i - 2 || j > i + 2 || j < 0 || j >= m ? T{} : diagonals[j - i + 2][i * step];
  }
};

// By LU with rows that change places: the upper triangle then has two diagonals more.
template <class T>
SIMT_UNWATCHED void solve_pentadiagonal(const pentadiagonal<T>& a, T* x) {
  constexpr size kWidth = 7;
  const size m = a.m;
  const scratch<T> rows(m * kWidth);  // element (i, j) at [i * kWidth + j - i + 2]
  const auto at = [&](size i, size j) -> T& { return rows[i * kWidth + j - i + 2]; };
  for (size i = 0; i < m; ++i)
    for (size j = i - 2; j <= i + 2; ++j)
      if (j >= 0 && j < m) at(i, j) = a.get(i, j);
  for (size k = 0; k < m; ++k) {
    const size last = k + 2 < m ? k + 2 : m - 1, end = k + 4 < m ? k + 4 : m - 1;
    size pivot = k;
    for (size i = k + 1; i <= last; ++i)
      if (square_of(at(pivot, k)) < square_of(at(i, k))) pivot = i;
    if (pivot != k) {
      for (size j = k; j <= end; ++j) {
        const T t = at(k, j);
        at(k, j) = at(pivot, j);
        at(pivot, j) = t;
      }
      const T t = x[k * a.step];
      x[k * a.step] = x[pivot * a.step];
      x[pivot * a.step] = t;
    }
    for (size i = k + 1; i <= last; ++i) {
      const T by = over(at(i, k), at(k, k));
      for (size j = k + 1; j <= end; ++j) at(i, j) = minus(at(i, j), times(by, at(k, j)));
      x[i * a.step] = minus(x[i * a.step], times(by, x[k * a.step]));
    }
  }
  for (size i = m - 1; i >= 0; --i) {
    T sum = x[i * a.step];
    for (size j = i + 1; j <= i + 4 && j < m; ++j) sum = minus(sum, times(at(i, j), x[j * a.step]));
    x[i * a.step] = over(sum, at(i, i));
  }
}
// `count` systems whose elements lie side by side.
template <class T>
void solve_pentadiagonal_batch(pentadiagonal<T> a, size count, T* x) {
  const size gap = a.step * static_cast<size>(sizeof(T));
  for (size b = 0; b < count; ++b) {
    for (size d = 0; d < 5; ++d) {
      const size first = d < 2 ? 2 - d : 0, end = d > 2 ? a.m - (d - 2) : a.m;
      if (end > first) reads(a.diagonals[d] + first * a.step, sizeof(T), end - first, gap);
    }
    reads(x, sizeof(T), a.m, gap);
    writes(x, sizeof(T), a.m, gap);
    solve_pentadiagonal(a, x);
    for (const T*& d : a.diagonals) ++d;
    ++x;
  }
}

}  // namespace simt_cuda::libraries
