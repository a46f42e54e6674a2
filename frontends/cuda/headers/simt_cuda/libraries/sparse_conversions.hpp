// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: from one format to another, and sparse vectors. Each function is what a kernel of one thread does.
#pragma once

#include "sparse_matrices.hpp"

namespace simt_cuda::libraries {

template <class T>
void sparse_to_dense(const sparse_matrix& m, const dense_matrix& to) {
  const dense_view<T> d(to, sparse_op::plain, 0);
  m.pattern_is_read();
  const T* const values = static_cast<const T*>(m.values);
  reads_array(values, m.entries);
  d.is_used(true);
  [&]() SIMT_UNWATCHED {
    for (size i = 0; i < d.rows; ++i)
      for (size j = 0; j < d.cols; ++j) d.set(i, j, T{});
    m.for_entries([&](size i, size j, size k) SIMT_UNWATCHED { d.set(i, j, values[k]); });
  }();
}

// First the offsets (and the number of entries, for the host), then the rest.
template <class T>
SIMT_UNWATCHED size count_of_dense(const dense_view<T>& d, const sparse_matrix& m) {
  const bool by_columns = m.format == sparse_format::columns;
  const size lines = by_columns ? d.cols : d.rows, length = by_columns ? d.rows : d.cols;
  size count = 0;
  for (size i = 0; i < lines; ++i) {
    if (m.format != sparse_format::coordinates) m.outer.set(i, count);
    for (size j = 0; j < length; ++j) count += is_zero(by_columns ? d.get(j, i) : d.get(i, j)) ? 0 : 1;
  }
  if (m.format != sparse_format::coordinates) m.outer.set(lines, count);
  return count;
}
template <class T>
void count_dense(const dense_matrix& from, const sparse_matrix& m, size* entries) {
  const dense_view<T> d(from, sparse_op::plain, 0);
  d.is_used(false);
  if (m.format != sparse_format::coordinates) m.outer.are_written(m.outer_count());
  [&]() SIMT_UNWATCHED { *entries = count_of_dense(d, m); }();
}
// Where the program says which blocks there are.
template <class T>
void dense_to_padded(const dense_matrix& from, const sparse_matrix& m) {
  const dense_view<T> d(from, sparse_op::plain, 0);
  d.is_used(false);
  m.pattern_is_read();
  T* const values = static_cast<T*>(m.values);
  m.for_entries([&](size i, size j, size k) SIMT_UNWATCHED {
    writes_array(values + k, 1);
    values[k] = d.get(i, j);
  });
}
template <class T>
void dense_to_sparse(const dense_matrix& from, const sparse_matrix& m) {
  const dense_view<T> d(from, sparse_op::plain, 0);
  d.is_used(false);
  T* const values = static_cast<T*>(m.values);
  if (m.format == sparse_format::coordinates) m.outer.are_written(m.entries);
  m.inner.are_written(m.entries);
  writes_array(values, m.entries);
  [&]() SIMT_UNWATCHED {
    const bool by_columns = m.format == sparse_format::columns;
    size at = 0;
    for (size i = 0; i < (by_columns ? d.cols : d.rows); ++i)
      for (size j = 0; j < (by_columns ? d.rows : d.cols); ++j) {
        const T v = by_columns ? d.get(j, i) : d.get(i, j);
        if (is_zero(v) || at >= m.entries) continue;
        if (m.format == sparse_format::coordinates) m.outer.set(at, i);
        m.inner.set(at, j);
        values[at++] = v;
      }
  }();
}

// The same matrix, compressed by columns. Without values: the pattern only.
template <class T>
void rows_to_columns(const sparse_matrix& from, const sparse_matrix& to) {
  from.pattern_is_read();
  if (from.values != nullptr) reads_array(static_cast<const T*>(from.values), from.entries);
  to.outer.are_written(from.cols + 1);
  to.inner.are_written(from.entries);
  if (from.values != nullptr) writes_array(static_cast<T*>(to.values), from.entries);
  const by_rows<T> a(from, sparse_op::transposed);
  [&]() SIMT_UNWATCHED {
    for (size i = 0; i <= a.rows; ++i) to.outer.set(i, a.offsets[i]);
    for (size k = 0; k < a.entries; ++k) {
      to.inner.set(k, a.columns[k]);
      if (from.values != nullptr) static_cast<T*>(to.values)[k] = a.values[k];
    }
  }();
}
inline void coordinates_to_offsets(const index_array& rows, size entries, size m, const index_array& offsets) {
  rows.are_read(entries);
  offsets.are_written(m + 1);
  [&]() SIMT_UNWATCHED {
    size k = 0;
    for (size i = 0; i <= m; ++i) {
      while (k < entries && rows.get(k) < i) ++k;
      offsets.set(i, k);
    }
  }();
}
inline void offsets_to_coordinates(const index_array& offsets, size m, const index_array& rows, size entries) {
  offsets.are_read(m + 1);
  rows.are_written(entries);
  [&]() SIMT_UNWATCHED {
    for (size i = 0; i < m; ++i)
      for (size k = offsets.get(i); k < offsets.get(i + 1) && k < entries; ++k) rows.set(k, i);
  }();
}
// Into the order of (first, second), stable; `order`, where there is one, goes along.
inline void sort_coordinates(int* first, int* second, int* order, size entries) {
  reads_array(first, entries);
  reads_array(second, entries);
  writes_array(first, entries);
  writes_array(second, entries);
  if (order != nullptr) {
    reads_array(order, entries);
    writes_array(order, entries);
  }
  const scratch<int> room(entries * 3);
  [&]() SIMT_UNWATCHED {
    int *const f = room.get(), *const s = f + entries, *const o = s + entries;
    for (size width = 1; width < entries; width *= 2) {  // merges of longer and longer runs
      for (size begin = 0; begin < entries; begin += 2 * width) {
        const size middle = begin + width < entries ? begin + width : entries;
        const size end = begin + 2 * width < entries ? begin + 2 * width : entries;
        size a = begin, b = middle;
        for (size at = begin; at < end; ++at) {
          const bool left =
              b >= end || (a < middle && (first[a] < first[b] || (first[a] == first[b] && second[a] <= second[b])));
          const size from = left ? a++ : b++;
          f[at] = first[from];
          s[at] = second[from];
          o[at] = order != nullptr ? order[from] : 0;
        }
      }
      for (size i = 0; i < entries; ++i) {
        first[i] = f[i];
        second[i] = s[i];
        if (order != nullptr) order[i] = o[i];
      }
    }
  }();
}

// A sparse vector: places in a dense one, and values.
struct sparse_vector {
  size length = 0, entries = 0;
  index_array places;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
};
template <class T>
SIMT_UNWATCHED void places_in(const sparse_vector& v, T* dense, bool written) {
  for (size k = 0; k < v.entries; ++k) {
    T* const at = dense + v.places.get(k);
    if (written)
      writes_array(at, 1);
    else
      reads_array(at, 1);
  }
}
// y = alpha x + beta y, all of y
template <class T>
void add_sparse_vector(factor<T> alpha, const sparse_vector& x, factor<T> beta, T* y) {
  const T by = alpha.get(), keep = beta.get();
  const T* const values = static_cast<const T*>(x.values);
  x.places.are_read(x.entries);
  reads_array(values, x.entries);
  reads_array(y, x.length);
  writes_array(y, x.length);
  [&]() SIMT_UNWATCHED {
    for (size i = 0; i < x.length; ++i) y[i] = times(keep, y[i]);
    for (size k = 0; k < x.entries; ++k) y[x.places.get(k)] = plus(y[x.places.get(k)], times(by, values[k]));
  }();
}
template <class T>
void gather_vector(const T* y, const sparse_vector& x) {
  x.places.are_read(x.entries);
  places_in(x, const_cast<T*>(y), false);
  writes_array(static_cast<T*>(x.values), x.entries);
  [&]() SIMT_UNWATCHED {
    for (size k = 0; k < x.entries; ++k) static_cast<T*>(x.values)[k] = y[x.places.get(k)];
  }();
}
template <class T>
void scatter_vector(const sparse_vector& x, T* y) {
  x.places.are_read(x.entries);
  reads_array(static_cast<const T*>(x.values), x.entries);
  places_in(x, y, true);
  [&]() SIMT_UNWATCHED {
    for (size k = 0; k < x.entries; ++k) y[x.places.get(k)] = static_cast<const T*>(x.values)[k];
  }();
}
template <class T>
T sparse_dot(const sparse_vector& x, const T* y, bool conjugated) {
  x.places.are_read(x.entries);
  reads_array(static_cast<const T*>(x.values), x.entries);
  places_in(x, const_cast<T*>(y), false);
  T sum{};
  [&]() SIMT_UNWATCHED {
    for (size k = 0; k < x.entries; ++k)
      sum = plus(sum, times(conjugate(static_cast<const T*>(x.values)[k], conjugated), y[x.places.get(k)]));
  }();
  return sum;
}

}  // namespace simt_cuda::libraries
