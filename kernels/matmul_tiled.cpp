// SPDX-License-Identifier: Apache-2.0
// C = A B through tiles in shared memory, and the ways of getting its barriers wrong.
//
// A is m x k, B is k x n. Both barriers of the loop are needed: the first before the product reads what others
// loaded, the second before the next tile overwrites what others still read.
#include <simt/program.hpp>

#include "matrix_data.hpp"

namespace {

enum class barriers { both, first_only, none };

template <int Tile, barriers Sync, class T>
SIMT_DEVICE void matmul_tiled(simt::thread t, simt::view<const T, 2> a, simt::view<const T, 2> b, simt::view<T, 2> c) {
  auto& a_tile = t.shared<"a_tile", T[Tile][Tile]>();
  auto& b_tile = t.shared<"b_tile", T[Tile][Tile]>();
  const auto [column, row] = t.grid<2>();
  const std::int64_t tx = t.thread_idx().x, ty = t.thread_idx().y;
  const std::int64_t depth = a.extent(1);
  T sum = 0;
  for (std::int64_t first = 0; first < depth; first += Tile) {
    a_tile[ty][tx] = row < a.extent(0) && first + tx < depth ? a(row, first + tx) : T{0};
    b_tile[ty][tx] = first + ty < depth && column < b.extent(1) ? b(first + ty, column) : T{0};
    if constexpr (Sync != barriers::none) t.sync();
    for (int i = 0; i < Tile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    if constexpr (Sync == barriers::both) t.sync();
  }
  if (row < c.extent(0) && column < c.extent(1)) c(row, column) = sum;
}

template <int Tile, barriers Sync>
void launch_tiled(simt::run& r, const simt::buffer<float>& a, const simt::buffer<float>& b, const simt::buffer<float>& c) {
  const simt::dim3 size(c.extents()[1], c.extents()[0]);
  r.launch([&] { simt::launch<matmul_tiled<Tile, Sync, float>>(r.stream(), r.cover(size, {Tile, Tile}), a, b, c); });
}

template <barriers Sync>
void run_tiled(simt::run& r) {
  const matrix_sizes size = sizes_of(r);
  const auto tile = r.option("tile");
  auto a_values = std::vector<float>(static_cast<std::size_t>(size.m * size.k), 3);
  auto b_values = std::vector<float>(static_cast<std::size_t>(size.k * size.n), 4);
  auto a = r.input("a", a_values, {size.m, size.k});
  auto b = r.input("b", b_values, {size.k, size.n});
  auto c = r.output<float>("c", {size.m, size.n});
  switch (tile) {
    case 4: launch_tiled<4, Sync>(r, a, b, c); break;
    case 8: launch_tiled<8, Sync>(r, a, b, c); break;
    case 16: launch_tiled<16, Sync>(r, a, b, c); break;
    case 32: launch_tiled<32, Sync>(r, a, b, c); break;
    default:
      throw simt::error(simt::error_kind::invalid_argument, "--tile takes 4, 8, 16 or 32, not " + std::to_string(tile));
  }
  r.expect(c, reference_product(a_values, b_values, size), 1e-5);
}

const simt::program tiled{{.name = "matmul-tiled",
                           .summary = "matrix product through shared tiles, two barriers a tile",
                           .group = "seed",
                           .options = {{"m", "rows of A", 32, 1},
                                       {"k", "columns of A, rows of B", 48, 1},
                                       {"n", "columns of B", 16, 1},
                                       {"tile", "edge of a tile and of a block: 4, 8, 16 or 32", 16, 1}},
                           .geometry = "covers n x m with blocks of tile x tile"},
                          run_tiled<barriers::both>};

const simt::program one_sync{{.name = "matmul-tiled-one-sync",
                              .summary = "the tiled product without the barrier after a tile",
                              .group = "seed",
                              .options = {{"m", "rows of A", 32, 1},
                                          {"k", "columns of A, rows of B", 48, 1},
                                          {"n", "columns of B", 16, 1},
                                          {"tile", "edge of a tile and of a block: 4, 8, 16 or 32", 16, 1}},
                              .geometry = "covers n x m with blocks of tile x tile",
                              .findings = {{"race-shared", "a_tile"}, {"race-shared", "b_tile"}},
                              .result_may_vary = true},
                             run_tiled<barriers::first_only>};

}  // namespace
