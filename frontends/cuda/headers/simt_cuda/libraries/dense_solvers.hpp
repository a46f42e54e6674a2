// SPDX-License-Identifier: Apache-2.0
// cuSOLVER: what the kernels of its calls do. They announce matrices by columns and triangles, and compute by LAPACK on
// a stack of the host.
#pragma once

#include "lapack.hpp"

namespace simt_cuda::libraries {

// Matrices in columns, `leading` elements from one to the next. Part: all, or a triangle with the diagonal.
enum class part : unsigned char { all, lower, upper };
template <class T, class Announce>
SIMT_UNWATCHED void for_columns(part which, size rows, size cols, size leading, Announce announce) {
  if (which == part::all) return announce(size{0}, rows, cols, leading);
  for (size j = 0; j < cols; ++j) {
    const size first = which == part::lower ? j : 0, end = which == part::lower ? rows : (j + 1 < rows ? j + 1 : rows);
    if (end > first) announce(j * leading + first, end - first, size{1}, size{0});
  }
}
template <class T>
SIMT_UNWATCHED void reads_matrix(const T* a, size rows, size cols, size leading, part which = part::all) {
  for_columns<T>(which, rows, cols, leading, [a](size at, size n, size count, size step) SIMT_UNWATCHED {
    reads(a + at, n * static_cast<size>(sizeof(T)), count, step * static_cast<size>(sizeof(T)));
  });
}
template <class T>
SIMT_UNWATCHED void writes_matrix(T* a, size rows, size cols, size leading, part which = part::all) {
  for_columns<T>(which, rows, cols, leading, [a](size at, size n, size count, size step) SIMT_UNWATCHED {
    writes(a + at, n * static_cast<size>(sizeof(T)), count, step * static_cast<size>(sizeof(T)));
  });
}
template <class T>
SIMT_UNWATCHED void changes_matrix(T* a, size rows, size cols, size leading, part which = part::all) {
  reads_matrix(a, rows, cols, leading, which);
  writes_matrix(a, rows, cols, leading, which);
}

// LAPACK's own call. It would refuse matrices with a NaN, which cuSOLVER does not look for.
template <class Work>
SIMT_UNWATCHED int by_lapack(Work work) {
  int result = 0;
  auto all = [&]() SIMT_UNWATCHED {
    LAPACKE_set_nancheck(0);
    result = work();
  };
  outside(all);
  return result;
}
// What the program is told: 0, or LAPACK's number.
SIMT_UNWATCHED inline void report(int* info, int value) {
  if (info == nullptr) return;
  writes_array(info, 1);
  *info = value;
}

template <class T>
SIMT_UNWATCHED void cholesky(bool upper, int n, T* a, int lda, int* info) {
  const part p = upper ? part::upper : part::lower;
  changes_matrix(a, n, n, lda, p);
  report(info, by_lapack([=]() SIMT_UNWATCHED { return lapack<T>::potrf(kByColumns, upper ? 'U' : 'L', n, a, lda); }));
}
template <class T>
SIMT_UNWATCHED void cholesky_solve(bool upper, int n, int count, const T* a, int lda, T* b, int ldb, int* info) {
  reads_matrix(a, n, n, lda, upper ? part::upper : part::lower);
  changes_matrix(b, n, count, ldb);
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           return lapack<T>::potrs(kByColumns, upper ? 'U' : 'L', n, count, a, lda, b, ldb);
         }));
}
template <class T>
SIMT_UNWATCHED void cholesky_invert(bool upper, int n, T* a, int lda, int* info) {
  changes_matrix(a, n, n, lda, upper ? part::upper : part::lower);
  report(info, by_lapack([=]() SIMT_UNWATCHED { return lapack<T>::potri(kByColumns, upper ? 'U' : 'L', n, a, lda); }));
}
template <class T>
SIMT_UNWATCHED void triangle_invert(bool upper, bool unit, int n, T* a, int lda, int* info) {
  changes_matrix(a, n, n, lda, upper ? part::upper : part::lower);
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           return lapack<T>::trtri(kByColumns, upper ? 'U' : 'L', unit ? 'U' : 'N', n, a, lda);
         }));
}
// Without pivots, where the program asks for none.
template <class T>
SIMT_UNWATCHED int factor_in_order(int m, int n, T* a, size lda) {
  int broken = 0;
  for (size k = 0; k < m && k < n; ++k) {
    const T pivot = a[k * lda + k];
    if (is_zero(pivot) && broken == 0) broken = static_cast<int>(k) + 1;
    for (size i = k + 1; i < m; ++i) a[k * lda + i] = over(a[k * lda + i], pivot);
    for (size j = k + 1; j < n; ++j)
      for (size i = k + 1; i < m; ++i) a[j * lda + i] = minus(a[j * lda + i], times(a[k * lda + i], a[j * lda + k]));
  }
  return broken;
}
template <class T, class Index>
SIMT_UNWATCHED void lu(int m, int n, T* a, int lda, Index* pivots, int* info) {
  const int count = m < n ? m : n;
  changes_matrix(a, m, n, lda);
  if (pivots == nullptr) return report(info, factor_in_order(m, n, a, lda));
  writes_array(pivots, count);
  const scratch<int> found(count);
  int* const to = found.get();
  report(info, by_lapack([=]() SIMT_UNWATCHED { return lapack<T>::getrf(kByColumns, m, n, a, lda, to); }));
  for (int i = 0; i < count; ++i) pivots[i] = to[i];
}
template <class T, class Index>
SIMT_UNWATCHED void lu_solve(char op, int n, int count, const T* a, int lda, const Index* pivots, T* b, int ldb,
                             int* info) {
  reads_matrix(a, n, n, lda);
  if (pivots != nullptr) reads_array(pivots, n);
  changes_matrix(b, n, count, ldb);
  const scratch<int> order(n);
  int* const from = order.get();
  for (int i = 0; i < n; ++i) from[i] = pivots != nullptr ? static_cast<int>(pivots[i]) : i + 1;
  report(info,
         by_lapack([=]() SIMT_UNWATCHED { return lapack<T>::getrs(kByColumns, op, n, count, a, lda, from, b, ldb); }));
}
template <class T>
SIMT_UNWATCHED void qr(int m, int n, T* a, int lda, T* tau, int* info) {
  changes_matrix(a, m, n, lda);
  writes_array(tau, m < n ? m : n);
  report(info, by_lapack([=]() SIMT_UNWATCHED { return lapack<T>::geqrf(kByColumns, m, n, a, lda, tau); }));
}
template <class T>
SIMT_UNWATCHED void qr_multiply(bool left, char op, int m, int n, int k, const T* a, int lda, const T* tau, T* c,
                                int ldc, int* info) {
  reads_matrix(a, left ? m : n, k, lda);
  reads_array(tau, k);
  changes_matrix(c, m, n, ldc);
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           return lapack<T>::multiply_q(kByColumns, left ? 'L' : 'R', op, m, n, k, a, lda, tau, c, ldc);
         }));
}
template <class T>
SIMT_UNWATCHED void qr_make(int m, int n, int k, T* a, int lda, const T* tau, int* info) {
  reads_matrix(a, m, k, lda);
  reads_array(tau, k);
  writes_matrix(a, m, n, lda);
  report(info, by_lapack([=]() SIMT_UNWATCHED { return lapack<T>::make_q(kByColumns, m, n, k, a, lda, tau); }));
}
// Of a symmetric (Hermitian) matrix, in rising order; with vectors, they replace the matrix.
template <class T>
SIMT_UNWATCHED void eigenvalues(bool vectors, bool upper, int n, T* a, int lda, real<T>* w, int* info) {
  const part p = upper ? part::upper : part::lower;
  reads_matrix(a, n, n, lda, p);
  writes_matrix(a, n, n, lda, vectors ? part::all : p);
  writes_array(w, n);
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           return lapack<T>::eigen(kByColumns, vectors ? 'V' : 'N', upper ? 'U' : 'L', n, a, lda, w);
         }));
}
template <class T>
SIMT_UNWATCHED void singular_values(char job_u, char job_v, int m, int n, T* a, int lda, real<T>* s, T* u, int ldu,
                                    T* vt, int ldvt, int* info) {
  const int few = m < n ? m : n;
  changes_matrix(a, m, n, lda);
  writes_array(s, few);
  if (job_u == 'A' || job_u == 'S') writes_matrix(u, m, job_u == 'A' ? m : few, ldu);
  if (job_v == 'A' || job_v == 'S') writes_matrix(vt, job_v == 'A' ? n : few, n, ldvt);
  const scratch<real<T>> left_over(few);
  real<T>* const room = left_over.get();
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           return lapack<T>::gesvd(kByColumns, job_u, job_v, m, n, a, lda, s, u, ldu, vt, ldvt, room);
         }));
}
// gesvdj: V and not its transpose.
template <class T>
SIMT_UNWATCHED void singular_vectors(bool vectors, bool economic, int m, int n, T* a, int lda, real<T>* s, T* u,
                                     int ldu, T* v, int ldv, int* info) {
  const int few = m < n ? m : n, rows = economic ? few : n;
  changes_matrix(a, m, n, lda);
  writes_array(s, few);
  if (vectors) {
    writes_matrix(u, m, economic ? few : m, ldu);
    writes_matrix(v, n, rows, ldv);
  }
  const scratch<real<T>> left_over(few);
  const scratch<T> turned(vectors ? static_cast<size>(rows) * n : 0);
  real<T>* const room = left_over.get();
  T* const vt = turned.get();
  const char job = !vectors ? 'N' : economic ? 'S' : 'A';
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           return lapack<T>::gesvd(kByColumns, job, job, m, n, a, lda, s, u, ldu < m ? m : ldu, vt, rows, room);
         }));
  if (!vectors) return;
  for (size i = 0; i < rows; ++i)
    for (size j = 0; j < n; ++j) v[i * ldv + j] = conjugate(vt[j * rows + i], true);
}

}  // namespace simt_cuda::libraries
