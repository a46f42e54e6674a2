// SPDX-License-Identifier: Apache-2.0
// Doubling every element: the index by hand, through grid<1>(), and in two dimensions.
#include <simt/program.hpp>

namespace {

SIMT_DEVICE void double_by_hand(simt::thread t, simt::view<double> x) {
  const std::int64_t i = t.thread_idx().x + t.block_idx().x * t.block_dim().x;
  if (i < x.size()) x[i] *= 2;
}

SIMT_DEVICE void double_grid(simt::thread t, simt::view<double> x) {
  const std::int64_t i = t.grid<1>();
  if (i < x.size()) x[i] *= 2;
}

SIMT_DEVICE void double_2d(simt::thread t, simt::view<double, 2> x) {
  const auto [column, row] = t.grid<2>();
  if (row < x.extent(0) && column < x.extent(1)) x(row, column) *= 2;
}

template <auto Kernel, int Block>
void run_double(simt::run& r) {
  const std::int64_t n = r.size("n");
  auto x = r.output("x", std::vector<double>(n, 1.0));
  r.launch([&] { simt::launch<Kernel>(r.stream(), r.cover<1>(n, Block), x); });
  r.expect(x, std::vector<double>(n, 2.0));
}

void run_double_2d(simt::run& r) {
  const std::int64_t m = r.option("m"), n = r.option("n");
  const std::int64_t size = r.elements({m, n});
  auto x = r.output("x", std::vector<double>(size, 1.0), {m, n});
  r.launch([&] { simt::launch<double_2d>(r.stream(), r.cover<2>({n, m}, {16, 16}), x); });
  r.expect(x, std::vector<double>(size, 2.0));
}

const simt::program by_hand{{.name = "double",
                             .summary = "twice every element; index from thread_idx, block_idx and block_dim",
                             .group = "seed",
                             .options = {{"n", "elements", 256, 1}},
                             .geometry = "covers --n with blocks of 32"},
                            run_double<double_by_hand, 32>};

const simt::program by_grid{{.name = "double-grid",
                             .summary = "twice every element; index from grid<1>()",
                             .group = "seed",
                             .options = {{"n", "elements", 256, 1}},
                             .geometry = "covers --n with blocks of 256"},
                            run_double<double_grid, 256>};

const simt::program two_axes{{.name = "double-2d",
                              .summary = "twice every element of a matrix, both axes guarded",
                              .group = "seed",
                              .options = {{"m", "rows", 16, 1}, {"n", "columns", 16, 1}},
                              .geometry = "covers n x m with blocks of 16 x 16"},
                             run_double_2d};

}  // namespace
