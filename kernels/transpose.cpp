// SPDX-License-Identifier: Apache-2.0
// Transposing a square matrix: straight (one side of the copy jumps from row to row), through a tile in shared memory
// (both sides run along rows), and through a tile whose rows are one longer, so that a column of it lies in different
// banks on a GPU. Tiles are 32 x 32; a block of any shape copies one.
#include <simt/program.hpp>

namespace {

constexpr int kSide = 32;

SIMT_DEVICE void transpose_naive(simt::thread t, simt::view<const float, 2> in, simt::view<float, 2> out) {
  const auto [column, row] = t.grid<2>();
  if (row < in.extent(0) && column < in.extent(1)) out(column, row) = in(row, column);
}

template <int Pad>
SIMT_DEVICE void transpose_tiled(simt::thread t, simt::view<const float, 2> in, simt::view<float, 2> out) {
  auto& tile = t.shared<"tile", float[kSide][kSide + Pad]>();
  const std::int64_t first_column = t.block_idx().x * kSide, first_row = t.block_idx().y * kSide;
  const std::int64_t n = in.extent(0);
  for (std::int64_t y = t.thread_idx().y; y < kSide; y += t.block_dim().y)
    for (std::int64_t x = t.thread_idx().x; x < kSide; x += t.block_dim().x)
      if (first_row + y < n && first_column + x < n) tile[y][x] = in(first_row + y, first_column + x);
  t.sync();
  for (std::int64_t y = t.thread_idx().y; y < kSide; y += t.block_dim().y)
    for (std::int64_t x = t.thread_idx().x; x < kSide; x += t.block_dim().x)
      if (first_column + y < n && first_row + x < n) out(first_column + y, first_row + x) = tile[x][y];
}

// Tiled: a block for every tile, whatever its shape, instead of a thread for every element.
template <auto Kernel, bool Tiled>
void run_transpose(simt::run& r) {
  const std::int64_t n = r.option("n");
  const std::int64_t size = r.elements({n, n});
  std::vector<float> values(size), wanted(size);
  for (std::int64_t i = 0; i < size; ++i) values[i] = static_cast<float>(i % 16'777'213);
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t column = 0; column < n; ++column) wanted[column * n + row] = values[row * n + column];

  simt::launch_config config = r.cover<2>({n, n}, {32, 8});
  if (Tiled && !r.grid_given()) config.grid = {(n + kSide - 1) / kSide, (n + kSide - 1) / kSide};
  auto in = r.input("in", std::move(values), {n, n});
  auto out = r.output<float>("out", {n, n});
  r.launch([&] { simt::launch<Kernel>(r.stream(), config, in, out); });
  r.expect(out, wanted);
}

const simt::program naive{{.name = "transpose-naive",
                           .summary = "transpose straight from global to global memory",
                           .options = {{"n", "rows and columns", 1024, 1}},
                           .geometry = "covers n x n with blocks of 32 x 8"},
                          run_transpose<transpose_naive, false>};

const simt::program by_tiles{{.name = "transpose-tiled",
                              .summary = "transpose through a tile in shared memory",
                              .options = {{"n", "rows and columns", 1024, 1}},
                              .geometry = "a block of 32 x 8 for every tile of 32 x 32"},
                             run_transpose<transpose_tiled<0>, true>};

const simt::program padded{{.name = "transpose-padded",
                            .summary = "transpose through a tile that is padded against bank conflicts",
                            .options = {{"n", "rows and columns", 1024, 1}},
                            .geometry = "a block of 32 x 8 for every tile of 32 x 32"},
                           run_transpose<transpose_tiled<1>, true>};

}  // namespace
