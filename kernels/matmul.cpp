// SPDX-License-Identifier: Apache-2.0
// C = A B from global memory, one element of C a thread: summed in a register (matmul), and straight into C, which
// must start at zero (matmul-accumulate).
#include <simt/program.hpp>

#include "matrix_data.hpp"

namespace {

// Thread x runs along a row of C, so that neighbours read neighbours of B.
SIMT_DEVICE void matmul(simt::thread t, simt::view<const double, 2> a, simt::view<const double, 2> b,
                        simt::view<double, 2> c) {
  const auto [column, row] = t.grid<2>();
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  double sum = 0;
  for (std::int64_t i = 0; i < a.extent(1); ++i) sum += a(row, i) * b(i, column);
  c(row, column) = sum;
}

SIMT_DEVICE void matmul_accumulate(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                                   simt::view<float, 2> c) {
  const auto [column, row] = t.grid<2>();
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  for (std::int64_t i = 0; i < a.extent(1); ++i) c(row, column) += a(row, i) * b(i, column);
}

void run_matmul(simt::run& r) {
  const matrix_sizes size = sizes_of(r);
  matrices<double> d(r, size, 3, 4);
  r.launch([&] { simt::launch<matmul>(r.stream(), r.cover<2>({size.n, size.m}, {16, 16}), d.a, d.b, d.c); });
  r.expect(d.c, reference_product(d.a_values, d.b_values, size), 1e-12);
}

void run_accumulate(simt::run& r) {
  const matrix_sizes size = sizes_of(r);
  const std::vector<float> a_values(size.m * size.k, 2.f), b_values(size.k * size.n, 3.f);
  auto a = r.input("a", a_values, {size.m, size.k});
  auto b = r.input("b", b_values, {size.k, size.n});
  auto c = r.output("c", std::vector<float>(size.m * size.n), {size.m, size.n});
  // Twice as many blocks along each axis as are needed: three quarters of the threads find nothing to do.
  simt::launch_config config = r.cover<2>({size.n, size.m}, {32, 32});
  if (!r.grid_given()) config.grid = {2 * config.grid.x, 2 * config.grid.y};
  r.launch([&] { simt::launch<matmul_accumulate>(r.stream(), config, a, b, c); });
  r.expect(c, reference_product(a_values, b_values, size), 1e-5);
}

const simt::program plain{{.name = "matmul",
                           .summary = "matrix product from global memory, an element a thread (float64)",
                           .group = "seed",
                           .options = matrix_options(24, 12, 22),
                           .geometry = "covers n x m with blocks of 16 x 16"},
                          run_matmul};

const simt::program accumulate{{.name = "matmul-accumulate",
                                .summary = "matrix product that adds every term to C in global memory",
                                .group = "seed",
                                .options = matrix_options(256, 512, 256),
                                .geometry = "twice what covers n x m, along each axis, with blocks of 32 x 32"},
                               run_accumulate};

}  // namespace
