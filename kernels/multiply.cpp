// SPDX-License-Identifier: Apache-2.0
// z = x y, an element function: the grid's threads take the elements in turns, right for every grid, however small.
#include <algorithm>

#include <simt/program.hpp>

namespace {

SIMT_DEVICE void multiply(std::int64_t i, simt::view<const float> x, simt::view<const float> y, simt::view<float> z) {
  z[i] = x[i] * y[i];
}

void run_multiply(simt::run& r) {
  const std::int64_t n = r.size("n");
  auto x = r.input("x", std::vector<float>(n, 2.f));
  auto y = r.input("y", std::vector<float>(n, 3.f));
  auto z = r.output<float>("z", n);
  // At least 1024 blocks, and enough for one element a thread.
  simt::launch_config config = r.cover<1>(n, 1024);
  if (!r.grid_given()) config.grid = std::max<std::int64_t>(config.grid.x, 1024);
  r.launch([&] { simt::launch_each<multiply>(r.stream(), config, n, x, y, z); });
  r.expect(z, std::vector<float>(n, 6.f));
}

const simt::program mult{{.name = "mult",
                          .summary = "product of two arrays, element by element, grid-stride",
                          .group = "seed",
                          .options = {{"n", "elements", 1'000'000, 1}},
                          .geometry = "covers --n with blocks of 1024, grid at least 1024; grid-stride"},
                         run_multiply};

}  // namespace
