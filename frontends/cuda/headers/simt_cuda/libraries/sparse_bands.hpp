// SPDX-License-Identifier: Apache-2.0
// A sparse system as one of a band matrix, which LAPACK solves. Orders that a program asks for are not needed; the band
// is what it is.
#pragma once

#include "lapack.hpp"
#include "sparse_matrices.hpp"

namespace simt_cuda::libraries {

struct band_result {
  int singular = -1;  // the row of a pivot that is too small
  bool fits = true;
};
// x = A^-1 b. Rows of the band are kept in columns, as LAPACK has them.
template <class T>
SIMT_UNWATCHED void solve_as_band(const sparse_matrix& m, bool definite, real<T> tolerance, const T* b, T* x,
                                  band_result* result) {
  const by_rows<T> a(m, sparse_op::plain);
  const size n = a.rows;
  size below = 0, above = 0;
  for (size i = 0; i < n; ++i)
    for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      if (i - a.columns[k] > below) below = i - a.columns[k];
      if (a.columns[k] - i > above) above = a.columns[k] - i;
    }
  const size height = definite ? below + 1 : 2 * below + above + 1, top = definite ? 0 : below + above;
  result->singular = -1;
  result->fits = n * height <= (size{1} << 28);
  if (!result->fits) return;
  const scratch<T> band(n * height), right(n);
  const scratch<int> pivots(n);
  for (size i = 0; i < n; ++i) {
    right[i] = b[i];
    for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      if (const size j = a.columns[k]; !definite || j <= i) band[j * height + top + i - j] = a.values[k];
  }
  T *const at = band.get(), *const to = right.get();
  int* const order = pivots.get();
  const int failed = by_lapack([=]() SIMT_UNWATCHED {
    const int rows = static_cast<int>(n), leading = static_cast<int>(height);
    return definite ? lapack<T>::solve_definite_band(kByColumns, 'L', rows, static_cast<int>(below), 1, at, leading, to,
                                                     rows)
                    : lapack<T>::solve_band(kByColumns, rows, static_cast<int>(below), static_cast<int>(above), 1, at,
                                            leading, order, to, rows);
  });
  if (failed > 0) result->singular = failed - 1;
  for (size j = 0; j < n && result->singular < 0; ++j) {
    const T pivot = band[j * height + top];
    const real<T> re = real_part(pivot), size_of = real_part(times(pivot, conjugate(pivot, true)));
    if (!(size_of > tolerance * tolerance) && !(re > tolerance)) result->singular = static_cast<int>(j);
  }
  for (size i = 0; i < n; ++i) x[i] = right[i];
}

}  // namespace simt_cuda::libraries
