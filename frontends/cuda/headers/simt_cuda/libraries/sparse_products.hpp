// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: products with sparse matrices, and triangular systems. Each function is what a kernel of one thread does.
#pragma once

#include "sparse_matrices.hpp"

namespace simt_cuda::libraries {

// y = alpha op(A) x + beta y
template <class T>
void sparse_times_vector(sparse_op op, factor<T> alpha, const sparse_matrix& m, const T* x, factor<T> beta, T* y) {
  const T by = alpha.get(), keep = beta.get();
  m.pattern_is_read();
  reads_array(static_cast<const T*>(m.values), m.entries);
  const by_rows<T> a(m, op);
  for_used_columns(a, [x](size first, size count) SIMT_UNWATCHED { reads_array(x + first, count); });
  if (!is_zero(keep)) reads_array(y, a.rows);
  writes_array(y, a.rows);
  [&]() SIMT_UNWATCHED {
    for (size i = 0; i < a.rows; ++i) {
      T sum{};
      for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k) sum = plus(sum, times(a.values[k], x[a.columns[k]]));
      y[i] = is_zero(keep) ? times(by, sum) : plus(times(by, sum), times(keep, y[i]));
    }
  }();
}

// C = alpha op(A) op(B) + beta C
template <class T>
void sparse_times_dense(sparse_op op_a, sparse_op op_b, factor<T> alpha, const sparse_matrix& m, const dense_matrix& in,
                        factor<T> beta, const dense_matrix& out) {
  const T by = alpha.get(), keep = beta.get();
  for (int b = 0; b < out.batch; ++b) {
    const sparse_matrix one = m.of_batch<T>(m.batch > 1 ? b : 0);
    const dense_view<T> from(in, op_b, in.batch > 1 ? b : 0), to(out, sparse_op::plain, b);
    one.pattern_is_read();
    reads_array(static_cast<const T*>(one.values), one.entries);
    const by_rows<T> a(one, op_a);
    for_used_columns(a, [&](size first, size count) SIMT_UNWATCHED {
      for (size i = first; i < first + count; ++i) from.row_is_read(i);
    });
    if (!is_zero(keep)) to.is_used(false);
    to.is_used(true);
    [&]() SIMT_UNWATCHED {
      for (size j = 0; j < to.cols; ++j)
        for (size i = 0; i < a.rows; ++i) {
          T sum{};
          for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
            sum = plus(sum, times(a.values[k], from.get(a.columns[k], j)));
          sum = times(by, sum);
          to.set(i, j, is_zero(keep) ? sum : plus(sum, times(keep, to.get(i, j))));
        }
    }();
  }
}

// C = alpha (op(A) op(B)) at the places of C + beta C
template <class T>
void dense_at_places(sparse_op op_a, sparse_op op_b, factor<T> alpha, const dense_matrix& left,
                     const dense_matrix& right, factor<T> beta, const sparse_matrix& c) {
  const T by = alpha.get(), keep = beta.get();
  const dense_view<T> a(left, op_a, 0), b(right, op_b, 0);
  c.pattern_is_read();
  a.is_used(false);
  b.is_used(false);
  T* const values = static_cast<T*>(c.values);
  if (!is_zero(keep)) reads_array(values, c.entries);
  writes_array(values, c.entries);
  c.for_entries([&](size i, size j, size k) SIMT_UNWATCHED {
    T sum{};
    for (size p = 0; p < a.cols; ++p) sum = plus(sum, times(a.get(i, p), b.get(p, j)));
    sum = times(by, sum);
    values[k] = is_zero(keep) ? sum : plus(sum, times(keep, values[k]));
  });
}

// One right side of op(A) y = alpha x, where op(A) is triangular; entries on its other side do not count.
template <class T, class Get, class Set>
SIMT_UNWATCHED void solve_triangle(const by_rows<T>& a, bool upper, bool unit, T alpha, Get x, Set y,
                                   const scratch<T>& solved) {
  for (size step = 0; step < a.rows; ++step) {
    const size i = upper ? a.rows - 1 - step : step;
    T sum = times(alpha, x(i)), diagonal = from_real<T>(unit ? 1 : 0);
    for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      const size j = a.columns[k];
      if (j == i && !unit) diagonal = a.values[k];
      if (upper ? j > i : j < i) sum = minus(sum, times(a.values[k], solved[j]));
    }
    solved[i] = over(sum, diagonal);
  }
  for (size i = 0; i < a.rows; ++i) y(i, solved[i]);
}
template <class T>
void sparse_solve(sparse_op op, factor<T> alpha, const sparse_matrix& m, const T* x, T* y) {
  const T by = alpha.get();
  m.pattern_is_read();
  reads_array(static_cast<const T*>(m.values), m.entries);
  const by_rows<T> a(m, op);
  reads_array(x, a.rows);
  writes_array(y, a.rows);
  const scratch<T> solved(a.rows);
  solve_triangle(
      a, m.upper != (op != sparse_op::plain), m.unit_diagonal, by, [=](size i) SIMT_UNWATCHED { return x[i]; },
      [=](size i, T v) SIMT_UNWATCHED { y[i] = v; }, solved);
}
template <class T>
void sparse_solve_many(sparse_op op_a, sparse_op op_b, factor<T> alpha, const sparse_matrix& m, const dense_matrix& in,
                       const dense_matrix& out) {
  const T by = alpha.get();
  m.pattern_is_read();
  reads_array(static_cast<const T*>(m.values), m.entries);
  const by_rows<T> a(m, op_a);
  const dense_view<T> x(in, op_b, 0), y(out, sparse_op::plain, 0);
  x.is_used(false);
  y.is_used(true);
  const scratch<T> solved(a.rows);
  for (size j = 0; j < x.cols; ++j)
    solve_triangle(
        a, m.upper != (op_a != sparse_op::plain), m.unit_diagonal, by,
        [&](size i) SIMT_UNWATCHED { return x.get(i, j); }, [&](size i, T v) SIMT_UNWATCHED { y.set(i, j, v); },
        solved);
}

// The product of two sparse matrices, kept by the host until it is copied to its place.
struct sparse_product {
  size rows = 0, cols = 0, entries = 0;
  size *offsets = nullptr, *columns = nullptr;
  void* values = nullptr;

  sparse_product() = default;
  sparse_product(const sparse_product&) = delete;
  ~sparse_product() { forget(); }
  // It lies in the host's memory, which device threads do not read.
  SIMT_UNWATCHED size row_count() const { return rows; }
  SIMT_UNWATCHED size entry_count() const { return entries; }
  SIMT_UNWATCHED void forget() {
    for (void* p : {static_cast<void*>(offsets), static_cast<void*>(columns), values})
      if (p != nullptr) free_host_room(p);
    offsets = columns = nullptr;
    values = nullptr;
  }
};
template <class T>
SIMT_UNWATCHED void multiply_sparse(const by_rows<T>& a, const by_rows<T>& b, T alpha, sparse_product* c) {
  c->forget();
  c->rows = a.rows;
  c->cols = b.cols;
  c->offsets = static_cast<size*>(host_room(static_cast<std::size_t>(a.rows + 1) * sizeof(size)));
  scratch<size> seen_in(b.cols), list(b.cols);  // seen_in: the row, from 1, that a column was last seen in
  for (int fill = 0; fill < 2; ++fill) {
    const scratch<T> sums(b.cols);
    size count = 0;
    for (size i = 0; i < a.rows; ++i) {
      const size mark = fill * a.rows + i + 1, first = count;
      size n = 0;
      for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
        for (size l = b.offsets[a.columns[k]]; l < b.offsets[a.columns[k] + 1]; ++l) {
          const size j = b.columns[l];
          if (seen_in[j] != mark) {
            seen_in[j] = mark;
            list[n++] = j;
            sums[j] = T{};
          }
          sums[j] = plus(sums[j], times(a.values[k], b.values[l]));
        }
      count += n;
      c->offsets[i + 1] = count;
      if (fill == 0) continue;
      // Few at a time: into order by insertion, or by looking at all columns.
      size at = first;
      if (n < 32) {
        for (size p = 1; p < n; ++p)
          for (size q = p; q > 0 && list[q - 1] > list[q]; --q) {
            const size t = list[q];
            list[q] = list[q - 1];
            list[q - 1] = t;
          }
        for (size p = 0; p < n; ++p) c->columns[at++] = list[p];
      } else {
        for (size j = 0; j < b.cols; ++j)
          if (seen_in[j] == mark) c->columns[at++] = j;
      }
      for (size p = first; p < count; ++p) static_cast<T*>(c->values)[p] = times(alpha, sums[c->columns[p]]);
    }
    if (fill == 0) {
      c->entries = count;
      c->columns = static_cast<size*>(host_room(static_cast<std::size_t>(count) * sizeof(size)));
      c->values = host_room(static_cast<std::size_t>(count) * sizeof(T));
    }
  }
}
template <class T>
void sparse_times_sparse(factor<T> alpha, const sparse_matrix& left, const sparse_matrix& right, sparse_product* c) {
  const T by = alpha.get();
  for (const sparse_matrix* m : {&left, &right}) {
    m->pattern_is_read();
    if (m->values != nullptr) reads_array(static_cast<const T*>(m->values), m->entries);
  }
  multiply_sparse<T>(by_rows<T>(left, sparse_op::plain), by_rows<T>(right, sparse_op::plain), by, c);
}
inline void copy_pattern_of_product(const sparse_product* p, const sparse_matrix& to) {
  to.outer.are_written(p->row_count() + 1);
  to.inner.are_written(p->entry_count());
  [&]() SIMT_UNWATCHED {
    for (size i = 0; i <= p->rows; ++i) to.outer.set(i, p->offsets[i]);
    for (size k = 0; k < p->entries; ++k) to.inner.set(k, p->columns[k]);
  }();
}
template <class T>
void copy_values_of_product(const sparse_product* p, const sparse_matrix& to, factor<T> beta) {
  const T keep = beta.get();
  T* const values = static_cast<T*>(to.values);
  if (!is_zero(keep)) reads_array(values, p->entry_count());
  writes_array(values, p->entry_count());
  [&]() SIMT_UNWATCHED {
    for (size k = 0; k < p->entries; ++k) {
      const T v = static_cast<const T*>(p->values)[k];
      values[k] = is_zero(keep) ? v : plus(v, times(keep, values[k]));
    }
  }();
}

// Incomplete factorizations without fill-in, in place: IC(0) or ILU(0), with sorted columns. The row, from 0, of a
// pivot that is missing or zero, else -1.
template <class T>
SIMT_UNWATCHED size factor_in_pattern(const by_rows<T>& a, bool cholesky) {
  scratch<size> where(a.cols), diagonal(a.rows);  // where: places in row i, from 1
  size broken = -1;
  for (size i = 0; i < a.rows; ++i) {
    diagonal[i] = -1;
    for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      where[a.columns[k]] = k + 1;
      if (a.columns[k] == i) diagonal[i] = k;
    }
    for (size k = a.offsets[i]; k < a.offsets[i + 1] && a.columns[k] < i; ++k) {
      const size p = a.columns[k];
      if (diagonal[p] < 0) continue;
      if (cholesky) {
        // l(i, p) = (a(i, p) - sum of l(i, q) conj(l(p, q))) / l(p, p)
        T sum = a.values[k];
        for (size l = a.offsets[p]; l < diagonal[p]; ++l)
          if (const size q = where[a.columns[l]]; q != 0)
            sum = minus(sum, times(a.values[q - 1], conjugate(a.values[l], true)));
        a.values[k] = over(sum, a.values[diagonal[p]]);
      } else {
        const T by = a.values[k] = over(a.values[k], a.values[diagonal[p]]);
        for (size l = diagonal[p] + 1; l < a.offsets[p + 1]; ++l)
          if (const size q = where[a.columns[l]]; q != 0)
            a.values[q - 1] = minus(a.values[q - 1], times(by, a.values[l]));
      }
    }
    if (cholesky && diagonal[i] >= 0) {
      auto sum = real_part(a.values[diagonal[i]]);
      for (size k = a.offsets[i]; k < diagonal[i]; ++k)
        sum -= real_part(times(a.values[k], conjugate(a.values[k], true)));
      a.values[diagonal[i]] = from_real<T>(sum > 0 ? __builtin_sqrt(sum) : sum);
      if (!(sum > 0) && broken < 0) broken = i;
    }
    if (broken < 0 && (diagonal[i] < 0 || is_zero(a.values[diagonal[i]]))) broken = i;
    for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k) where[a.columns[k]] = 0;
  }
  return broken;
}
template <class T>
void incomplete_factors(const sparse_matrix& m, bool cholesky, size* broken) {
  m.pattern_is_read();
  T* const values = static_cast<T*>(m.values);
  reads_array(values, m.entries);
  writes_array(values, m.entries);
  const by_rows<T> a(m, sparse_op::plain);
  [&]() SIMT_UNWATCHED {
    *broken = factor_in_pattern(a, cholesky);
    for (size i = 0; i < a.rows; ++i)
      for (size k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
        if (!cholesky || a.columns[k] <= i) values[a.places[k]] = a.values[k];
  }();
}

}  // namespace simt_cuda::libraries
