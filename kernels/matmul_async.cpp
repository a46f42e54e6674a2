// SPDX-License-Identifier: Apache-2.0
// C = A B with double-buffered tiles: while one pair of tiles is used, asynchronous copies bring the next one.
//
// matmul-async-racy leaves out the wait for the copies: the product reads tiles that may not have arrived.
#include <simt/program.hpp>

#include "matrix_data.hpp"

namespace {

constexpr int kStage = 16;

template <bool Wait>
SIMT_DEVICE void matmul_async(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                              simt::view<float, 2> c) {
  auto& a_tile = t.shared<"a_tile", float[2][kStage][kStage]>();
  auto& b_tile = t.shared<"b_tile", float[2][kStage][kStage]>();
  const auto [column, row] = t.grid<2>();
  const std::int64_t tx = t.thread_idx().x, ty = t.thread_idx().y, depth = a.extent(1);
  // Starts the copies of the tiles that begin at `first` into the buffers of their turn; cells outside become 0 at
  // once.
  const auto load = [&, column = column, row = row](std::int64_t first) {
    if (first < depth) {
      const std::int64_t turn = first / kStage % 2;
      if (row < a.extent(0) && first + tx < depth)
        t.memcpy_async(&a_tile[turn][ty][tx], &a(row, first + tx), sizeof(float));
      else
        a_tile[turn][ty][tx] = 0;
      if (first + ty < depth && column < b.extent(1))
        t.memcpy_async(&b_tile[turn][ty][tx], &b(first + ty, column), sizeof(float));
      else
        b_tile[turn][ty][tx] = 0;
    }
    t.commit_async();
  };
  load(0);
  float sum = 0;
  for (std::int64_t first = 0; first < depth; first += kStage) {
    load(first + kStage);
    if constexpr (Wait) t.wait_async<1>();
    t.sync();
    const std::int64_t turn = first / kStage % 2;
    for (int i = 0; i < kStage; ++i) sum += a_tile[turn][ty][i] * b_tile[turn][i][tx];
    t.sync();
  }
  if (row < c.extent(0) && column < c.extent(1)) c(row, column) = sum;
}

template <bool Wait>
void run_async(simt::run& r) {
  const matrix_sizes size = sizes_of(r);
  std::vector<float> a_values(static_cast<std::size_t>(size.m * size.k)),
      b_values(static_cast<std::size_t>(size.k * size.n));
  for (std::size_t i = 0; i < a_values.size(); ++i) a_values[i] = static_cast<float>(i % 13) - 6;
  for (std::size_t i = 0; i < b_values.size(); ++i) b_values[i] = static_cast<float>(i % 11) - 5;
  auto a = r.input("a", a_values, {size.m, size.k});
  auto b = r.input("b", b_values, {size.k, size.n});
  auto c = r.output<float>("c", {size.m, size.n});
  const auto geometry = r.cover({size.n, size.m}, {kStage, kStage});
  if (!(geometry.block == simt::dim3(kStage, kStage)))
    throw simt::error(simt::error_kind::invalid_argument, "this program needs blocks of 16 x 16 threads");
  r.launch([&] { simt::launch<matmul_async<Wait>>(r.stream(), geometry, a, b, c); });
  r.expect(c, reference_product(a_values, b_values, size), 1e-5, 1);
}

const simt::program async_program{
    {.name = "matmul-async",
     .summary = "matrix product, tiles brought by asynchronous copies one step ahead",
     .group = "grids",
     .options = {{"m", "rows of A", 40, 1}, {"k", "columns of A, rows of B", 70, 1}, {"n", "columns of B", 50, 1}},
     .geometry = "covers n x m with blocks of 16 x 16"},
    run_async<true>};
const simt::program async_racy{
    {.name = "matmul-async-racy",
     .summary = "the same without waiting for the copies",
     .group = "grids",
     .options = {{"m", "rows of A", 40, 1}, {"k", "columns of A, rows of B", 70, 1}, {"n", "columns of B", 50, 1}},
     .geometry = "covers n x m with blocks of 16 x 16",
     .findings = {{"race-shared", "a_tile"},
                  {"race-shared", "b_tile"},
                  {"uninitialized-read", "a_tile"},
                  {"uninitialized-read", "b_tile"}},
     .result_may_vary = true},
    run_async<false>};

}  // namespace
