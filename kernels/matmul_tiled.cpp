// SPDX-License-Identifier: Apache-2.0
// C = A B through tiles in shared memory, and the ways of getting its barriers wrong.
//
// Both barriers of the loop are needed: the first before the product reads what others loaded, the second before the
// next tile overwrites what others still read. Blocks go down the rows along grid x; inside a tile, thread x runs
// along a row, so that neighbours load neighbours.
#include <algorithm>
#include <simt/program.hpp>

#include "matrix_data.hpp"

namespace {

enum class barriers { both, first_only, none };
// Where the number of tiles comes from: the matrices, or the grid, which is right only if the grid happens to fit.
enum class tiles_from { extents, grid };

template <int Tile, barriers Sync, tiles_from From>
SIMT_DEVICE void matmul_tiled(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                              simt::view<float, 2> c) {
  auto& a_tile = t.shared<"a_tile", float[Tile][Tile]>();
  auto& b_tile = t.shared<"b_tile", float[Tile][Tile]>();
  const std::int64_t tx = t.thread_idx().x, ty = t.thread_idx().y;
  const std::int64_t row = t.block_idx().x * Tile + ty, column = t.block_idx().y * Tile + tx;
  const std::int64_t depth = a.extent(1);
  const std::int64_t end = From == tiles_from::grid ? t.grid_dim().x * Tile : depth;
  float sum = 0;
  for (std::int64_t first = 0; first < end; first += Tile) {
    a_tile[ty][tx] = row < a.extent(0) && first + tx < depth ? a(row, first + tx) : 0;
    b_tile[ty][tx] = first + ty < depth && column < b.extent(1) ? b(first + ty, column) : 0;
    if constexpr (Sync != barriers::none) t.sync();
    for (int i = 0; i < Tile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    if constexpr (Sync == barriers::both) t.sync();
  }
  if (row < c.extent(0) && column < c.extent(1)) c(row, column) = sum;
}

template <int Tile, barriers Sync, tiles_from From>
void launch_tiled(simt::run& r, const matrices<float>& d, matrix_sizes s) {
  r.only_block({Tile, Tile}, "a thread loads one element of each tile; --tile changes both");
  simt::launch_config config = r.cover<2>({s.m, s.n}, {Tile, Tile});
  if (From == tiles_from::grid && !r.grid_given()) {
    const std::int64_t blocks = (std::max({s.m, s.k, s.n}) + Tile - 1) / Tile;
    config.grid = {blocks, blocks};
  }
  r.launch([&] { simt::launch<matmul_tiled<Tile, Sync, From>>(r.stream(), config, d.a, d.b, d.c); });
}

template <barriers Sync>
void launch_tile(simt::run& r, const matrices<float>& d, matrix_sizes s) {
  constexpr auto kFrom = tiles_from::extents;
  switch (const auto tile = r.option("tile")) {
    case 4:
      return launch_tiled<4, Sync, kFrom>(r, d, s);
    case 8:
      return launch_tiled<8, Sync, kFrom>(r, d, s);
    case 16:
      return launch_tiled<16, Sync, kFrom>(r, d, s);
    case 32:
      return launch_tiled<32, Sync, kFrom>(r, d, s);
    default:
      throw simt::error(simt::error_kind::invalid_argument, "--tile takes 4, 8, 16 or 32, not " + std::to_string(tile));
  }
}

template <barriers Sync>
void run_constant(simt::run& r) {
  const matrix_sizes s = sizes_of(r);
  const matrices<float> d(r, s, 3, 4);
  launch_tile<Sync>(r, d, s);
  r.expect(d.c, reference_product(d.a_values, d.b_values, s), 1e-5);
}

template <barriers Sync>
void run_random(simt::run& r) {
  const matrix_sizes s = sizes_of(r);
  const matrices<float> d(r, s, random_values<float>(s.m * s.k, 1), random_values<float>(s.k * s.n, 2));
  launch_tile<Sync>(r, d, s);
  r.expect(d.c, reference_product(d.a_values, d.b_values, s), 1e-5);
}

void run_tiles_from_grid(simt::run& r) {
  const matrix_sizes s = sizes_of(r);
  const matrices<float> d(r, s, 2, 3);
  launch_tiled<32, barriers::both, tiles_from::grid>(r, d, s);
  r.expect(d.c, reference_product(d.a_values, d.b_values, s), 1e-5);
}

std::vector<simt::option_declaration> tiled_options(std::int64_t m, std::int64_t k, std::int64_t n) {
  auto options = matrix_options(m, k, n);
  options.push_back({"tile", "edge of a tile and of a block: 4, 8, 16 or 32", 16, 1});
  return options;
}

const simt::program tiled{{.name = "matmul-tiled",
                           .summary = "matrix product through shared tiles, two barriers a tile",
                           .group = "seed",
                           .options = tiled_options(32, 48, 16),
                           .geometry = "covers m x n with blocks of tile x tile"},
                          run_constant<barriers::both>};

const simt::program tiled_256{{.name = "matmul-tiled-256",
                               .summary = "the tiled product of random 256 x 256 matrices",
                               .group = "seed",
                               .options = tiled_options(256, 256, 256),
                               .geometry = "covers m x n with blocks of tile x tile"},
                              run_random<barriers::both>};

const simt::program tiled_32{
    {.name = "matmul-tiled-32",
     .summary = "the tiled product with as many tiles as the grid has blocks: wrong on a small grid",
     .group = "seed",
     .options = matrix_options(256, 512, 256),
     .geometry = "square, covers the largest of m, k and n, with blocks of 32 x 32"},
    run_tiles_from_grid};

const simt::program one_sync{{.name = "matmul-tiled-one-sync",
                              .summary = "the tiled product without the barrier after a tile",
                              .group = "seed",
                              .options = tiled_options(32, 48, 16),
                              .geometry = "covers m x n with blocks of tile x tile",
                              .findings = {{"race-shared", "a_tile"}, {"race-shared", "b_tile"}},
                              .result_may_vary = true},
                             run_constant<barriers::first_only>};

const simt::program no_sync{{.name = "matmul-tiled-no-sync",
                             .summary = "the tiled product of random 256 x 256 matrices without any barrier",
                             .group = "seed",
                             .options = tiled_options(256, 256, 256),
                             .geometry = "covers m x n with blocks of tile x tile",
                             .findings = {{"race-shared", "a_tile"},
                                          {"race-shared", "b_tile"},
                                          {"uninitialized-read", "a_tile"},
                                          {"uninitialized-read", "b_tile"}},
                             .result_may_vary = true},
                            run_random<barriers::none>};

}  // namespace
