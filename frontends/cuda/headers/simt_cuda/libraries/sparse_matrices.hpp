// SPDX-License-Identifier: Apache-2.0
// Matrices and vectors of cuSPARSE: what descriptors hold, what of it a call reads and writes, and the copy that the
// arithmetic works on: compressed by rows, from 0, with indices of 64 bits, whatever the program's format is.
#pragma once

#include <cstdint>

#include <library_types.h>

#include "numbers.hpp"

namespace simt_cuda::libraries {

// padded_blocks (blocked ELL): each row of blocks has the same number of them. slices (sliced ELL): rows of a slice
// have the same number of entries, and lie side by side. A column below 0 stands for none, and what is stored there is
// not the matrix's.
enum class sparse_format : unsigned char { rows, columns, coordinates, blocks, padded_blocks, slices };

// An array of indices, of 32 or 64 bits, counted from `base`.
struct index_array {
  void* at = nullptr;
  bool wide = false;
  int base = 0;

  SIMT_UNWATCHED size get(size i) const {
    return (wide ? static_cast<const std::int64_t*>(at)[i] : static_cast<const std::int32_t*>(at)[i]) - base;
  }
  SIMT_UNWATCHED void set(size i, size value) const {
    if (wide)
      static_cast<std::int64_t*>(at)[i] = value + base;
    else
      static_cast<std::int32_t*>(at)[i] = static_cast<std::int32_t>(value + base);
  }
  size bytes() const { return wide ? 8 : 4; }
  void are_read(size n) const { reads(at, n * bytes()); }
  void are_written(size n) const { writes(at, n * bytes()); }
};

struct sparse_matrix {
  sparse_format format = sparse_format::rows;
  size rows = 0, cols = 0, entries = 0;
  // Offsets and columns; offsets and rows; rows and columns; offsets and columns of blocks; columns of blocks alone;
  // offsets of slices and columns.
  index_array outer, inner;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
  bool upper = false, unit_diagonal = false;  // of a triangular one
  int batch = 1;
  size outer_distance = 0, entry_distance = 0;  // between matrices of a batch
  size block_rows = 1, block_cols = 1;          // of a matrix by blocks, all of whose numbers count as entries
  bool blocks_by_rows = true;                   // how a block lies
  size padded_cols = 0;                         // of padded blocks: what is stored of a row
  size slice_rows = 1, told_entries = 0;        // of slices; entries counts the padding, too

  size outer_count() const {
    switch (format) {
      case sparse_format::coordinates:
        return entries;
      case sparse_format::columns:
        return cols + 1;
      case sparse_format::padded_blocks:
        return 0;
      case sparse_format::slices:
        return (rows + slice_rows - 1) / slice_rows + 1;
      default:
        return rows / block_rows + 1;
    }
  }
  size inner_count() const { return entries / (block_rows * block_cols); }
  bool is_padded() const { return format == sparse_format::padded_blocks || format == sparse_format::slices; }
  // Without what stands for none.
  SIMT_UNWATCHED size real_entries() const {
    if (!is_padded()) return entries;
    size n = 0;
    for_entries([&n](size, size, size) SIMT_UNWATCHED { ++n; });
    return n;
  }
  void pattern_is_read() const {
    outer.are_read(outer_count());
    inner.are_read(inner_count());
  }
  SIMT_UNWATCHED size place_in_block(size i, size j) const {
    return blocks_by_rows ? i * block_cols + j : j * block_rows + i;
  }
  template <class T>
  sparse_matrix of_batch(int b) const {
    sparse_matrix m = *this;
    m.outer.at = static_cast<char*>(outer.at) + b * outer_distance * outer.bytes();
    m.inner.at = static_cast<char*>(inner.at) + b * entry_distance * inner.bytes();
    m.values = static_cast<T*>(values) + b * entry_distance;
    return m;
  }
  // f(row, column, place of the value), as they lie.
  template <class F>
  SIMT_UNWATCHED void for_entries(F f) const {
    if (format == sparse_format::coordinates) {
      for (size k = 0; k < entries; ++k) f(outer.get(k), inner.get(k), k);
      return;
    }
    if (format == sparse_format::blocks) {
      const size area = block_rows * block_cols;
      for (size b = 0; b < rows / block_rows; ++b)
        for (size k = outer.get(b); k < outer.get(b + 1); ++k) {
          const size first = inner.get(k) * block_cols;
          for (size i = 0; i < block_rows; ++i)
            for (size j = 0; j < block_cols; ++j) f(b * block_rows + i, first + j, k * area + place_in_block(i, j));
        }
      return;
    }
    if (is_padded()) return for_padded(f);
    const bool by_rows = format == sparse_format::rows;
    for (size i = 0; i < (by_rows ? rows : cols); ++i)
      for (size k = outer.get(i); k < outer.get(i + 1); ++k) {
        const size j = inner.get(k);
        f(by_rows ? i : j, by_rows ? j : i, k);
      }
  }

 private:
  template <class F>
  SIMT_UNWATCHED void for_padded(F f) const {
    if (format == sparse_format::slices) {
      for (size i = 0; i < rows; ++i) {
        const size slice = i / slice_rows;
        for (size k = outer.get(slice) + i % slice_rows; k < outer.get(slice + 1); k += slice_rows)
          if (const size j = inner.get(k); j >= 0) f(i, j, k);
      }
      return;
    }
    const size in_row = padded_cols / block_cols;
    for (size i = 0; i < rows; ++i)
      for (size b = 0; b < in_row; ++b)
        if (const size first = inner.get(i / block_rows * in_row + b) * block_cols; first >= 0)
          for (size j = 0; j < block_cols; ++j) f(i, first + j, i * padded_cols + b * block_cols + j);
  }
};

enum class sparse_op : unsigned char { plain, transposed, conjugated };

// op(matrix), sorted by rows and in a row by columns.
template <class T>
struct by_rows {
  const size rows, cols, entries;
  scratch<size> offsets, columns, places;  // places: of the values in the program's array
  scratch<T> values;

  SIMT_UNWATCHED by_rows(const sparse_matrix& m, sparse_op op)
      : rows(op == sparse_op::plain ? m.rows : m.cols),
        cols(op == sparse_op::plain ? m.cols : m.rows),
        entries(m.real_entries()),
        offsets(rows + 1),
        columns(entries),
        places(entries),
        values(entries) {
    const bool turned = op != sparse_op::plain;
    // Twice through a sort by counting: by columns, then by rows.
    scratch<size> at(cols + 1), row_of(entries), column_of(entries), place_of(entries);
    m.for_entries([&](size r, size c, size) SIMT_UNWATCHED { ++at[in_range(turned ? r : c, cols) + 1]; });
    for (size i = 0; i < cols; ++i) at[i + 1] += at[i];
    m.for_entries([&](size r, size c, size k) SIMT_UNWATCHED {
      const size j = in_range(turned ? r : c, cols), to = at[j]++;
      row_of[to] = in_range(turned ? c : r, rows);
      column_of[to] = j;
      place_of[to] = k;
    });
    for (size k = 0; k < entries; ++k) ++offsets[row_of[k] + 1];
    for (size i = 0; i < rows; ++i) offsets[i + 1] += offsets[i];
    scratch<size> next(rows + 1);
    for (size i = 0; i < rows; ++i) next[i] = offsets[i];
    for (size k = 0; k < entries; ++k) {
      const size to = next[row_of[k]]++;
      columns[to] = column_of[k];
      places[to] = place_of[k];
      if (m.values != nullptr)
        values[to] = conjugate(static_cast<const T*>(m.values)[place_of[k]], op == sparse_op::conjugated);
    }
  }

 private:
  // An index that lies outside of the matrix ends the call as a trap: what a GPU would read there is unknown.
  SIMT_UNWATCHED static size in_range(size i, size n) {
    if (i < 0 || i >= n) __builtin_trap();
    return i;
  }
};

struct dense_matrix {
  size rows = 0, cols = 0, leading = 0;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
  bool row_major = false;
  int batch = 1;
  size distance = 0;
};

// op(matrix) in place: element (i, j), and what is used of it.
template <class T>
struct dense_view {
  T* at;
  size rows, cols, row_step, col_step;
  bool conjugated;

  SIMT_UNWATCHED dense_view(const dense_matrix& m, sparse_op op, int b)
      : at(static_cast<T*>(m.values) + b * m.distance),
        rows(op == sparse_op::plain ? m.rows : m.cols),
        cols(op == sparse_op::plain ? m.cols : m.rows),
        row_step(m.row_major == (op == sparse_op::plain) ? m.leading : 1),
        col_step(m.row_major == (op == sparse_op::plain) ? 1 : m.leading),
        conjugated(op == sparse_op::conjugated) {}
  SIMT_UNWATCHED T get(size i, size j) const { return conjugate(at[i * row_step + j * col_step], conjugated); }
  SIMT_UNWATCHED void set(size i, size j, T v) const { at[i * row_step + j * col_step] = v; }
  SIMT_UNWATCHED void row_is_read(size i) const {
    const size s = sizeof(T);
    reads(at + i * row_step, s, cols, col_step * s);
  }
  SIMT_UNWATCHED void is_used(bool written) const {
    const size s = sizeof(T), lines = row_step == 1 ? cols : rows, length = row_step == 1 ? rows : cols;
    const size step = (row_step == 1 ? col_step : row_step) * s;
    if (written)
      writes(at, length * s, lines, step);
    else
      reads(at, length * s, lines, step);
  }
};

// Which of the columns have entries; f(first, count) for each run of them.
template <class T, class F>
SIMT_UNWATCHED void for_used_columns(const by_rows<T>& a, F f) {
  scratch<char> used(a.cols);
  for (size k = 0; k < a.entries; ++k) used[a.columns[k]] = 1;
  for (size i = 0; i < a.cols; ++i) {
    if (used[i] == 0) continue;
    size end = i;
    while (end < a.cols && used[end] != 0) ++end;
    f(i, end - i);
    i = end;
  }
}

}  // namespace simt_cuda::libraries
