// SPDX-License-Identifier: Apache-2.0
// The tiled product with the two mistakes that people make at the edges of ragged matrices.
#include <simt/program.hpp>

#include "matrix_data.hpp"

namespace {

// The guard lets a thread leave only if it lies outside along both axes. The others read past the end of a row or a
// column: mostly inside the buffer, so that nothing crashes and the sums are wrong.
template <int Tile>
SIMT_DEVICE void matmul_tiled_guard(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                                    simt::view<float, 2> c) {
  auto& a_tile = t.shared<"a_tile", float[Tile][Tile]>();
  auto& b_tile = t.shared<"b_tile", float[Tile][Tile]>();
  const std::int64_t tx = t.thread_idx().x, ty = t.thread_idx().y;
  const std::int64_t row = t.block_idx().x * Tile + ty, column = t.block_idx().y * Tile + tx;
  if (row >= c.extent(0) && column >= c.extent(1)) return;  // the bug: must be ||
  float sum = 0;
  for (std::int64_t tile = 0; tile < t.grid_dim().x; ++tile) {
    a_tile[ty][tx] = a(row, tile * Tile + tx);
    b_tile[ty][tx] = b(tile * Tile + ty, column);
    t.sync();
    for (int i = 0; i < Tile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    t.sync();
  }
  c(row, column) = sum;
}

// Threads without an element of C leave, and threads without an element of A go on to the next tile: neither comes to
// the barriers, and their cells of the tiles are never loaded.
template <int Tile>
SIMT_DEVICE void matmul_tiled_divergent(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                                        simt::view<float, 2> c) {
  auto& a_tile = t.shared<"a_tile", float[Tile][Tile]>();
  auto& b_tile = t.shared<"b_tile", float[Tile][Tile]>();
  const std::int64_t tx = t.thread_idx().x, ty = t.thread_idx().y;
  const std::int64_t row = t.block_idx().x * Tile + ty, column = t.block_idx().y * Tile + tx;
  const std::int64_t depth = a.extent(1);
  if (row >= c.extent(0) || column >= c.extent(1)) return;  // the first bug
  float sum = 0;
  for (std::int64_t first = 0; first < depth; first += Tile) {
    if (first + tx >= depth || first + ty >= depth) continue;  // the second bug
    a_tile[ty][tx] = a(row, first + tx);
    b_tile[ty][tx] = b(first + ty, column);
    t.sync();
    for (int i = 0; i < Tile && first + i < depth; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    t.sync();
  }
  c(row, column) = sum;
}

template <auto Kernel, int Tile>
void run_buggy(simt::run& r) {
  const matrix_sizes s = sizes_of(r);
  const matrices<float> d(r, s, random_values<float>(s.m * s.k, 1), random_values<float>(s.k * s.n, 2));
  r.only_block({Tile, Tile}, "a thread loads one element of each tile");
  r.launch([&] { simt::launch<Kernel>(r.stream(), r.cover<2>({s.m, s.n}, {Tile, Tile}), d.a, d.b, d.c); });
  r.expect(d.c, reference_product(d.a_values, d.b_values, s), 1e-5);
}

const simt::program guard{{.name = "matmul-tiled-guard",
                           .summary = "the tiled product whose guard says && where || is right",
                           .group = "seed",
                           .options = matrix_options(20, 20, 20),
                           .geometry = "covers m x n with blocks of 16 x 16",
                           .findings = {{"out-of-bounds", "a"},
                                        {"out-of-bounds", "b"},
                                        {"out-of-bounds", "c"},
                                        {"uninitialized-read", "a_tile"},
                                        {"uninitialized-read", "b_tile"},
                                        {"barrier-early-exit", "", true}},
                           .result_may_vary = true},
                          run_buggy<matmul_tiled_guard<16>, 16>};

const simt::program divergent{
    {.name = "matmul-tiled-divergent",
     .summary = "the tiled product with return and continue before the barrier",
     .group = "seed",
     .options = matrix_options(40, 40, 40),
     .geometry = "covers m x n with blocks of 32 x 32",
     .findings = {{"barrier-divergence", ""}, {"uninitialized-read", "tile"}, {"barrier-early-exit", "", true}},
     .result_may_vary = true},
    run_buggy<matmul_tiled_divergent<32>, 32>};

}  // namespace
