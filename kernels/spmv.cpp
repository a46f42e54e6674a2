// SPDX-License-Identifier: Apache-2.0
// y = A x with a sparse matrix in compressed rows: row i holds entries row_start[i] to row_start[i + 1] - 1. A thread
// takes a row; rows differ in length.
#include <random>
#include <simt/program.hpp>

namespace {

SIMT_DEVICE void spmv(simt::thread t, simt::view<const int> row_start, simt::view<const int> columns,
                      simt::view<const float> values, simt::view<const float> x, simt::view<float> y) {
  const std::int64_t row = t.grid<1>();
  if (row >= y.size()) return;
  float sum = 0;
  for (std::int64_t i = row_start[row]; i < row_start[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

void run_spmv(simt::run& r) {
  const std::int64_t n = r.size("n"), most = r.option("row");
  if (r.elements({n, most}) > 2'000'000'000)
    throw simt::error(simt::error_kind::invalid_argument,
                      "--n times --row may be at most 2,000,000,000: positions of entries are 32-bit");
  std::mt19937 engine(11);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<int> row_start{0}, columns;
  std::vector<float> values, x(n), wanted(n);
  for (float& v : x) v = uniform(engine);
  for (std::int64_t row = 0; row < n; ++row) {
    const std::int64_t entries = engine() % (most + 1);
    for (std::int64_t i = 0; i < entries; ++i) {
      columns.push_back(static_cast<int>(engine() % n));
      values.push_back(uniform(engine));
      wanted[row] += values.back() * x[columns.back()];
    }
    row_start.push_back(static_cast<int>(columns.size()));
  }
  auto starts = r.input("row_start", std::move(row_start));
  auto where = r.input("columns", std::move(columns));
  auto entries = r.input("values", std::move(values));
  auto in = r.input("x", std::move(x));
  auto out = r.output<float>("y", n);
  r.launch([&] { simt::launch<spmv>(r.stream(), r.cover<1>(n, 128), starts, where, entries, in, out); });
  r.expect(out, wanted, 1e-5);
}

const simt::program spmv_program{
    {.name = "spmv",
     .summary = "sparse matrix (compressed rows) times vector",
     .options = {{"n", "rows and columns", 16384, 1}, {"row", "most entries in a row", 32, 0}},
     .geometry = "covers --n with blocks of 128"},
    run_spmv};

}  // namespace
