// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's other eigenvalue problems: those of two matrices, of a range of values, and of matrices that are not
// symmetric. What the kernels of the calls do.
#pragma once

#include "dense_solvers.hpp"

namespace simt_cuda::libraries {

// A x = w B x, and the two other types of it. B is replaced by its Cholesky factor; with vectors, they replace A.
template <class T>
SIMT_UNWATCHED void generalised_eigenvalues(int type, bool vectors, bool upper, int n, T* a, int lda, T* b, int ldb,
                                            real<T>* w, int* info) {
  const part p = upper ? part::upper : part::lower;
  reads_matrix(a, n, n, lda, p);
  writes_matrix(a, n, n, lda, vectors ? part::all : p);
  changes_matrix(b, n, n, ldb, p);
  writes_array(w, n);
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           return lapack<T>::eigen_of_two(kByColumns, type, vectors ? 'V' : 'N', upper ? 'U' : 'L', n, a, lda, b, ldb,
                                          w);
         }));
}

// Which eigenvalues are wanted: all, those in (low, high], or the first-th to the last-th, counted from 1.
template <class R>
struct eigen_range {
  char kind;  // 'A', 'V' or 'I', as LAPACK has it
  R low, high;
  int first, last;
};
// The values of a range, in rising order; with vectors, they replace the first columns of A. `b` is the second matrix
// of a generalised problem, or none. `found` is the host's: how many there are.
template <class T>
SIMT_UNWATCHED void eigenvalues_in_range(int type, bool vectors, bool upper, eigen_range<real<T>> range, int n, T* a,
                                         int lda, T* b, int ldb, int* found, real<T>* w, int* info) {
  const part p = upper ? part::upper : part::lower;
  reads_matrix(a, n, n, lda, p);
  writes_matrix(a, n, n, lda, vectors ? part::all : p);
  if (b != nullptr) changes_matrix(b, n, n, ldb, p);
  const scratch<T> columns(vectors ? static_cast<size>(n) * n : 1);
  const scratch<real<T>> values(n);
  const scratch<int> failed(n);
  T* const z = columns.get();
  real<T>* const to = values.get();
  int *const fails = failed.get(), count = 0, *const counted = &count;
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           const char job = vectors ? 'V' : 'N', side = upper ? 'U' : 'L';
           return b == nullptr
                      ? lapack<T>::eigen_range(kByColumns, job, range.kind, side, n, a, lda, range.low, range.high,
                                               range.first, range.last, 0, counted, to, z, n, fails)
                      : lapack<T>::eigen_range_of_two(kByColumns, type, job, range.kind, side, n, a, lda, b, ldb,
                                                      range.low, range.high, range.first, range.last, 0, counted, to, z,
                                                      n, fails);
         }));
  if (found != nullptr) *found = count;
  writes_array(w, count);
  for (int i = 0; i < count; ++i) w[i] = to[i];
  for (size j = 0; vectors && j < count; ++j)
    for (size i = 0; i < n; ++i) a[j * lda + i] = z[j * n + i];
}

// Of a matrix that need not be symmetric. The values are complex numbers, or of a real matrix the real parts and then
// the imaginary ones (`apart`). Vectors are packed as LAPACK packs them. A is left undefined.
template <class T, class Complex>
SIMT_UNWATCHED void general_eigenvalues(bool left, bool right, int n, T* a, int lda, void* w, bool apart, T* vl,
                                        int ldvl, T* vr, int ldvr, int* info) {
  using R = real<T>;
  changes_matrix(a, n, n, lda);
  if (left) writes_matrix(vl, n, n, ldvl);
  if (right) writes_matrix(vr, n, n, ldvr);
  writes(w, n * static_cast<size>(sizeof(Complex)));
  const char job_l = left ? 'V' : 'N', job_r = right ? 'V' : 'N';
  const int step_l = left ? ldvl : 1, step_r = right ? ldvr : 1;
  auto* const values = static_cast<Complex*>(w);
  if constexpr (is_complex<T>) {
    report(info, by_lapack([=]() SIMT_UNWATCHED {
             return lapack_general<T>::eigen(kByColumns, job_l, job_r, n, a, lda, values, vl, step_l, vr, step_r);
           }));
  } else {
    const scratch<R> parts(2 * static_cast<size>(n));
    R *const re = parts.get(), *const im = re + n;
    report(info, by_lapack([=]() SIMT_UNWATCHED {
             return lapack_general<T>::eigen(kByColumns, job_l, job_r, n, a, lda, re, im, vl, step_l, vr, step_r);
           }));
    for (int i = 0; i < n; ++i) {
      if (apart) {
        static_cast<R*>(w)[i] = re[i];
        static_cast<R*>(w)[n + i] = im[i];
      } else {
        values[i] = Complex{re[i], im[i]};
      }
    }
  }
}

// The `rank` largest singular values and their vectors, in columns; A stays as it is.
template <class T>
SIMT_UNWATCHED void largest_singular_values(bool vectors, int rank, int m, int n, const T* a, int lda, real<T>* s, T* u,
                                            int ldu, T* v, int ldv, int* info) {
  const int few = m < n ? m : n;
  reads_matrix(a, m, n, lda);
  writes_array(s, rank);
  if (vectors) {
    writes_matrix(u, m, rank, ldu);
    writes_matrix(v, n, rank, ldv);
  }
  const scratch<T> copy(static_cast<size>(m) * n), left(static_cast<size>(m) * few), right(static_cast<size>(few) * n);
  const scratch<real<T>> values(few), left_over(few);
  T *const from = copy.get(), *const lefts = left.get(), *const rights = right.get();
  real<T>*const to = values.get(), *const room = left_over.get();
  for (size j = 0; j < n; ++j)
    for (size i = 0; i < m; ++i) from[j * m + i] = a[j * lda + i];
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           const char job = vectors ? 'S' : 'N';
           return lapack<T>::gesvd(kByColumns, job, job, m, n, from, m, to, lefts, m, rights, few, room);
         }));
  for (int k = 0; k < rank; ++k) s[k] = to[k];
  for (size k = 0; vectors && k < rank; ++k) {
    for (size i = 0; i < m; ++i) u[k * ldu + i] = lefts[k * m + i];
    for (size j = 0; j < n; ++j) v[k * ldv + j] = conjugate(rights[j * few + k], true);
  }
}

}  // namespace simt_cuda::libraries
