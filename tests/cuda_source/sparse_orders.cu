// SPDX-License-Identifier: Apache-2.0
// cuSOLVER's orders of sparse matrices on the host: the equations of a grid, numbered at random, in an order that keeps
// the band narrow, and solved in it. With nvcc: -lcusolver -lcusparse
#include <cuda_runtime.h>
#include <cusolverSp.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#define MUST(call)                                                               \
  do {                                                                           \
    const int result = (int)(call);                                              \
    if (result != 0) std::printf("line %d: %s is %d\n", __LINE__, #call, result); \
  } while (0)

static int band_of(int n, int base, const std::vector<int> &offsets, const std::vector<int> &columns) {
  int band = 0;
  for (int i = 0; i < n; ++i)
    for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) band = std::max(band, std::abs(columns[k] - base - i));
  return band;
}

int main() {
  const int side = 12, n = side * side, base = 1;
  std::vector<int> number(n), offsets{base}, columns;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) number[i] = i * 89 % n;  // n and 89 have no common factor
  std::vector<int> at(n);
  for (int i = 0; i < n; ++i) at[number[i]] = i;
  for (int row = 0; row < n; ++row) {
    const int x = at[row] % side, y = at[row] / side;
    std::vector<int> all{row};
    if (x > 0) all.push_back(number[at[row] - 1]);
    if (x + 1 < side) all.push_back(number[at[row] + 1]);
    if (y > 0) all.push_back(number[at[row] - side]);
    if (y + 1 < side) all.push_back(number[at[row] + side]);
    std::sort(all.begin(), all.end());
    for (int column : all) {
      columns.push_back(column + base);
      values.push_back(column == row ? 4.5 : -1);
    }
    offsets.push_back((int)columns.size() + base);
  }
  const int entries = (int)columns.size();
  cusolverSpHandle_t h;
  cusparseMatDescr_t d;
  MUST(cusolverSpCreate(&h));
  MUST(cusparseCreateMatDescr(&d));
  MUST(cusparseSetMatType(d, CUSPARSE_MATRIX_TYPE_GENERAL));
  MUST(cusparseSetMatIndexBase(d, CUSPARSE_INDEX_BASE_ONE));
  int symmetric = -1;
  MUST(cusolverSpXcsrissymHost(h, n, entries, d, offsets.data(), offsets.data() + 1, columns.data(), &symmetric));
  std::printf("symmetric %d, band wide %d\n", symmetric, band_of(n, base, offsets, columns) > 3 * side);

  typedef cusolverStatus_t (*order_of)(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const int *, const int *, int *);
  const order_of orders[3] = {cusolverSpXcsrsymrcmHost, cusolverSpXcsrsymamdHost, cusolverSpXcsrsymmdqHost};
  for (int which = 0; which < 3; ++which) {
    std::vector<int> p(n), sorted, map(entries), new_offsets = offsets, new_columns = columns;
    MUST(orders[which](h, n, entries, d, offsets.data(), columns.data(), p.data()));
    sorted = p;
    std::sort(sorted.begin(), sorted.end());
    bool is_order = true;
    for (int i = 0; i < n; ++i) is_order = is_order && sorted[i] == i;
    size_t bytes = 0;
    MUST(cusolverSpXcsrperm_bufferSizeHost(h, n, n, entries, d, offsets.data(), columns.data(), p.data(), p.data(), &bytes));
    std::vector<char> buffer(bytes + 1);
    std::iota(map.begin(), map.end(), 0);
    MUST(cusolverSpXcsrpermHost(h, n, n, entries, d, new_offsets.data(), new_columns.data(), p.data(), p.data(), map.data(), buffer.data()));
    // The permuted system, solved, put back.
    std::vector<double> new_values(entries), b(n), x(n), back(n);
    for (int k = 0; k < entries; ++k) new_values[k] = values[map[k]];
    for (int i = 0; i < n; ++i) b[i] = 1 + p[i] % 3;
    int singular = 99;
    MUST(cusolverSpDcsrlsvcholHost(h, n, entries, d, new_values.data(), new_offsets.data(), new_columns.data(), b.data(), 1e-12, 0, x.data(), &singular));
    for (int i = 0; i < n; ++i) back[p[i]] = x[i];
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      double sum = -(1 + i % 3);
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) sum += values[k] * back[columns[k] - base];
      worst = std::max(worst, std::fabs(sum));
    }
    std::printf("order %d: a permutation %d, solved %d %d", which, is_order, singular, worst < 1e-9);
    if (which == 0) std::printf(", band narrow %d", band_of(n, base, new_offsets, new_columns) <= 2 * side);
    std::printf("\n");
  }
  columns[1] = columns[0] == 1 ? 3 : columns[1];
  MUST(cusolverSpXcsrissymHost(h, n, entries, d, offsets.data(), offsets.data() + 1, columns.data(), &symmetric));
  std::printf("no longer symmetric %d\n", symmetric == 0);
  MUST(cusparseDestroyMatDescr(d));
  MUST(cusolverSpDestroy(h));
  return 0;
}
