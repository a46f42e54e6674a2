// SPDX-License-Identifier: Apache-2.0
// L and U of a sparse matrix, on the host: rows change places for their pivots, columns stay. Right-looking elimination
// in rows that are sorted by columns.
#pragma once

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "numbers.hpp"

namespace simt_cuda::libraries {

template <class T>
struct sparse_factors {
  std::vector<int> rows;                       // row i of PA is row rows[i] of A
  std::vector<std::map<int, T>> lower, upper;  // by rows of PA; the diagonal of ones of the lower one is left out
};

template <class T>
real<T> size_of(T v) {
  return std::sqrt(real_part(times(v, conjugate(v, true))));
}

// A row on the diagonal stays where its pivot is at least `threshold` of the largest in its column. A column without a
// pivot is left as it is.
template <class T>
sparse_factors<T> factorise(int n, const int* offsets, const int* columns, const T* values, real<T> threshold) {
  std::vector<std::map<int, T>> left(static_cast<std::size_t>(n)), lower(static_cast<std::size_t>(n));
  std::vector<std::set<int>> rows_of(static_cast<std::size_t>(n));  // that are left, by column
  for (int i = 0; i < n; ++i)
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
      left[static_cast<std::size_t>(i)][columns[k]] = values[k];
      rows_of[static_cast<std::size_t>(columns[k])].insert(i);
    }
  std::set<int> all;
  for (int i = 0; i < n; ++i) all.insert(all.end(), i);
  sparse_factors<T> f;
  for (int k = 0; k < n; ++k) {
    const auto of_row = [&](int i) { return left[static_cast<std::size_t>(i)].at(k); };
    const std::set<int> candidates = rows_of[static_cast<std::size_t>(k)];
    int pivot = -1;
    for (const int i : candidates)
      if (pivot < 0 || size_of(of_row(i)) > size_of(of_row(pivot))) pivot = i;
    if (candidates.contains(k) && size_of(of_row(k)) >= threshold * size_of(of_row(pivot))) pivot = k;
    if (pivot < 0) pivot = all.contains(k) ? k : *all.begin();
    all.erase(pivot);
    f.rows.push_back(pivot);
    f.upper.push_back(std::move(left[static_cast<std::size_t>(pivot)]));
    const std::map<int, T>& row = f.upper.back();
    for (const auto& [j, v] : row) rows_of[static_cast<std::size_t>(j)].erase(pivot);
    const auto at = row.find(k);
    if (at == row.end() || is_zero(at->second)) continue;
    for (const int i : candidates) {
      if (i == pivot) continue;
      std::map<int, T>& other = left[static_cast<std::size_t>(i)];
      const T factor = over(other.at(k), at->second);
      lower[static_cast<std::size_t>(i)][k] = factor;
      other.erase(k);
      for (auto next = std::next(at); next != row.end(); ++next) {
        const auto [place, is_new] = other.try_emplace(next->first, from_real<T>(0));
        place->second = minus(place->second, times(factor, next->second));
        if (is_new) rows_of[static_cast<std::size_t>(next->first)].insert(i);
      }
    }
  }
  for (const int i : f.rows) f.lower.push_back(std::move(lower[static_cast<std::size_t>(i)]));
  return f;
}

template <class T>
int entries_of(const std::vector<std::map<int, T>>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0,
                         [](int sum, const std::map<int, T>& row) { return sum + static_cast<int>(row.size()); });
}
template <class T>
void write_rows(const std::vector<std::map<int, T>>& rows, int base, T* values, int* offsets, int* columns) {
  int at = 0;
  for (const std::map<int, T>& row : rows) {
    *offsets++ = at + base;
    for (const auto& [column, value] : row) {
      columns[at] = column + base;
      values[at++] = value;
    }
  }
  *offsets = at + base;
}

}  // namespace simt_cuda::libraries
