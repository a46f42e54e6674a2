// SPDX-License-Identifier: Apache-2.0
// Orders of the rows of sparse matrices in CSR, on the host: reverse Cuthill and McKee (Liu and Sherman 1976) and
// minimum degree (Tinney's second scheme); whether a pattern is symmetric; a matrix in another order.
#pragma once

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace simt_cuda::libraries {

// Who stands beside whom in the pattern of A + A^T, without the diagonal.
inline std::vector<std::vector<int>> neighbours_of(int n, int base, const int* offsets, const int* columns) {
  std::vector<std::vector<int>> beside(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
      if (const int j = columns[k] - base; j != i) {
        beside[static_cast<std::size_t>(i)].push_back(j);
        beside[static_cast<std::size_t>(j)].push_back(i);
      }
  for (std::vector<int>& all : beside) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  return beside;
}

// Level by level from `first`, neighbours of few neighbours first; what it reaches is appended. Gives the last of them.
inline int append_levels(const std::vector<std::vector<int>>& beside, int first, std::vector<bool>& reached,
                         std::vector<int>& order) {
  const auto degree = [&](int i) { return beside[static_cast<std::size_t>(i)].size(); };
  reached[static_cast<std::size_t>(first)] = true;
  order.push_back(first);
  for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
    const std::size_t begin = order.size();
    for (const int j : beside[static_cast<std::size_t>(order[at])])
      if (!reached[static_cast<std::size_t>(j)]) {
        reached[static_cast<std::size_t>(j)] = true;
        order.push_back(j);
      }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(),
                     [&](int i, int j) { return degree(i) < degree(j); });
  }
  return order.back();
}
inline std::vector<int> reverse_cuthill_mckee(const std::vector<std::vector<int>>& beside) {
  const std::size_t n = beside.size();
  std::vector<bool> reached(n, false);
  std::vector<int> order;
  for (std::size_t i = 0; i < n; ++i) {
    if (reached[i]) continue;
    int first = static_cast<int>(i);
    for (int again = 0; again < 4; ++again) {  // from one end to the other: the last that is reached lies far out
      std::vector<bool> tried = reached;
      std::vector<int> levels;
      first = append_levels(beside, first, tried, levels);
    }
    append_levels(beside, first, reached, order);
  }
  std::reverse(order.begin(), order.end());
  return order;
}
// The row with the fewest neighbours goes, and its neighbours become neighbours of each other.
inline std::vector<int> minimum_degree(const std::vector<std::vector<int>>& beside) {
  std::vector<std::set<int>> left;
  std::set<std::pair<std::size_t, int>> by_degree;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    left.emplace_back(beside[i].begin(), beside[i].end());
    by_degree.emplace(beside[i].size(), static_cast<int>(i));
  }
  std::vector<int> order;
  while (!by_degree.empty()) {
    const int row = by_degree.begin()->second;
    by_degree.erase(by_degree.begin());
    order.push_back(row);
    const std::set<int> around = std::move(left[static_cast<std::size_t>(row)]);
    for (const int i : around) {
      std::set<int>& own = left[static_cast<std::size_t>(i)];
      by_degree.erase({own.size(), i});
      own.erase(row);
      for (const int j : around)
        if (j != i) own.insert(j);
      by_degree.emplace(own.size(), i);
    }
  }
  return order;
}

inline bool has_symmetric_pattern(int n, int base, const int* begins, const int* ends, const int* columns) {
  std::vector<std::pair<int, int>> entries, turned;
  for (int i = 0; i < n; ++i)
    for (int k = begins[i] - base; k < ends[i] - base; ++k) {
      entries.emplace_back(i, columns[k] - base);
      turned.emplace_back(columns[k] - base, i);
    }
  std::sort(entries.begin(), entries.end());
  std::sort(turned.begin(), turned.end());
  return entries == turned;
}

// Row i of the new matrix is row p[i], its column j is column q[j]; columns of a row in order. `places` goes along with
// the entries.
inline void reorder(int m, int n, int base, int* offsets, int* columns, const int* p, const int* q, int* places) {
  std::vector<int> column_to(static_cast<std::size_t>(n)), new_offsets{base}, new_columns, new_places;
  for (int j = 0; j < n; ++j) column_to[static_cast<std::size_t>(q[j])] = j;
  for (int i = 0; i < m; ++i) {
    std::vector<std::pair<int, int>> row;
    for (int k = offsets[p[i]] - base; k < offsets[p[i] + 1] - base; ++k)
      row.emplace_back(column_to[static_cast<std::size_t>(columns[k] - base)], places[k]);
    std::sort(row.begin(), row.end());
    for (const auto& [column, place] : row) {
      new_columns.push_back(column + base);
      new_places.push_back(place);
    }
    new_offsets.push_back(static_cast<int>(new_columns.size()) + base);
  }
  std::copy(new_offsets.begin(), new_offsets.end(), offsets);
  std::copy(new_columns.begin(), new_columns.end(), columns);
  std::copy(new_places.begin(), new_places.end(), places);
}

}  // namespace simt_cuda::libraries
