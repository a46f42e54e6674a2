// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: matrices compressed by rows of square blocks, made and taken apart, and sums of two matrices. Each function
// is what a kernel of one thread does.
#pragma once

#include "sparse_matrices.hpp"

namespace simt_cuda::libraries {

// The entries of a matrix, sorted by the block of `dim` x `dim` that they lie in.
template <class T>
struct by_blocks {
  const size dim;
  const scratch<std::int64_t> row, col, block_row, block_col;  // of each entry, as it lies
  const by_rows<T> order;                                      // its places are those of the entries

  SIMT_UNWATCHED by_blocks(const sparse_matrix& m, size block)
      : dim(block),
        row(m.entries),
        col(m.entries),
        block_row(m.entries),
        block_col(m.entries),
        order(in_blocks(m), sparse_op::plain) {}
  // f(block row, block column) for each block that has an entry, in order, and g(place) for each of its entries.
  template <class F, class G>
  SIMT_UNWATCHED void for_blocks(F f, G g) const {
    for (size i = 0; i < order.rows; ++i) {
      size last = -1;
      for (size k = order.offsets[i]; k < order.offsets[i + 1]; ++k) {
        if (order.columns[k] != last) f(i, order.columns[k]);
        last = order.columns[k];
        g(order.places[k]);
      }
    }
  }

 private:
  SIMT_UNWATCHED sparse_matrix in_blocks(const sparse_matrix& m) const {
    m.for_entries([&](size i, size j, size k) SIMT_UNWATCHED {
      row[k] = i;
      col[k] = j;
      block_row[k] = i / dim;
      block_col[k] = j / dim;
    });
    sparse_matrix blocks;
    blocks.format = sparse_format::coordinates;
    blocks.rows = (m.rows + dim - 1) / dim;
    blocks.cols = (m.cols + dim - 1) / dim;
    blocks.entries = m.entries;
    blocks.outer = {block_row.get(), true, 0};
    blocks.inner = {block_col.get(), true, 0};
    return blocks;
  }
};

// How many blocks have entries: offsets for the device, the number for the host.
inline void count_blocks(const sparse_matrix& from, size dim, const index_array& offsets, size* found) {
  from.pattern_is_read();
  offsets.are_written((from.rows + dim - 1) / dim + 1);
  [&]() SIMT_UNWATCHED {
    const by_blocks<float> a(from, dim);
    size count = 0, next = 0;
    a.for_blocks(
        [&](size i, size) SIMT_UNWATCHED {
          for (; next <= i; ++next) offsets.set(next, count);
          ++count;
        },
        [](size) SIMT_UNWATCHED {});
    for (; next <= a.order.rows; ++next) offsets.set(next, count);
    *found = count;
  }();
}
// The same matrix by blocks; what a block has no entry for is zero.
template <class T>
void rows_to_blocks(const sparse_matrix& from, const sparse_matrix& to) {
  from.pattern_is_read();
  reads_array(static_cast<const T*>(from.values), from.entries);
  size blocks = 0;
  count_blocks(from, to.block_rows, to.outer, &blocks);
  const size area = to.block_rows * to.block_cols;
  T* const values = static_cast<T*>(to.values);
  to.inner.are_written(blocks);
  writes_array(values, blocks * area);
  [&]() SIMT_UNWATCHED {
    const by_blocks<T> a(from, to.block_rows);
    size at = -1;
    a.for_blocks(
        [&](size, size j) SIMT_UNWATCHED {
          ++at;
          to.inner.set(at, j);
          for (size e = 0; e < area; ++e) values[at * area + e] = T{};
        },
        [&](size place) SIMT_UNWATCHED {
          values[at * area + to.place_in_block(a.row[place] % a.dim, a.col[place] % a.dim)] =
              static_cast<const T*>(from.values)[place];
        });
  }();
}
// Every number of every block becomes an entry.
template <class T>
void blocks_to_rows(const sparse_matrix& from, const sparse_matrix& to) {
  from.pattern_is_read();
  reads_array(static_cast<const T*>(from.values), from.entries);
  to.outer.are_written(from.rows + 1);
  to.inner.are_written(from.entries);
  writes_array(static_cast<T*>(to.values), from.entries);
  [&]() SIMT_UNWATCHED {
    const by_rows<T> a(from, sparse_op::plain);
    for (size i = 0; i <= a.rows; ++i) to.outer.set(i, a.offsets[i]);
    for (size k = 0; k < a.entries; ++k) {
      to.inner.set(k, a.columns[k]);
      static_cast<T*>(to.values)[k] = a.values[k];
    }
  }();
}

// f(row, column, place in a, place in b) for each entry of a or b, in order; -1 where there is none.
template <class T, class F>
SIMT_UNWATCHED void for_entries_of_both(const by_rows<T>& a, const by_rows<T>& b, F f) {
  for (size i = 0; i < a.rows; ++i) {
    size k = a.offsets[i], l = b.offsets[i];
    while (k < a.offsets[i + 1] || l < b.offsets[i + 1]) {
      const size in_a = k < a.offsets[i + 1] ? a.columns[k] : a.cols;
      const size in_b = l < b.offsets[i + 1] ? b.columns[l] : b.cols;
      const size column = in_a < in_b ? in_a : in_b;
      const size from_a = in_a == column ? k++ : -1, from_b = in_b == column ? l++ : -1;
      f(i, column, from_a, from_b);
    }
  }
}
inline void count_sum(const sparse_matrix& left, const sparse_matrix& right, const index_array& offsets, size* found) {
  left.pattern_is_read();
  right.pattern_is_read();
  offsets.are_written(left.rows + 1);
  [&]() SIMT_UNWATCHED {
    const by_rows<float> a(left, sparse_op::plain), b(right, sparse_op::plain);
    size count = 0, next = 0;
    for_entries_of_both(a, b, [&](size i, size, size, size) SIMT_UNWATCHED {
      for (; next <= i; ++next) offsets.set(next, count);
      ++count;
    });
    for (; next <= a.rows; ++next) offsets.set(next, count);
    *found = count;
  }();
}
// C = alpha A + beta B; the offsets of C are there.
template <class T>
void sum_of_sparse(factor<T> alpha, const sparse_matrix& left, factor<T> beta, const sparse_matrix& right,
                   const sparse_matrix& to) {
  const T by = alpha.get(), and_by = beta.get();
  for (const sparse_matrix* m : {&left, &right}) {
    m->pattern_is_read();
    reads_array(static_cast<const T*>(m->values), m->entries);
  }
  to.outer.are_read(left.rows + 1);
  const size count = [&]() SIMT_UNWATCHED { return to.outer.get(left.rows); }();
  T* const values = static_cast<T*>(to.values);
  to.inner.are_written(count);
  writes_array(values, count);
  [&]() SIMT_UNWATCHED {
    const by_rows<T> a(left, sparse_op::plain), b(right, sparse_op::plain);
    size at = 0;
    for_entries_of_both(a, b, [&](size, size j, size k, size l) SIMT_UNWATCHED {
      if (at >= count) return;
      const T first = k < 0 ? T{} : times(by, a.values[k]), second = l < 0 ? T{} : times(and_by, b.values[l]);
      to.inner.set(at, j);
      values[at++] = plus(first, second);
    });
  }();
}

}  // namespace simt_cuda::libraries
