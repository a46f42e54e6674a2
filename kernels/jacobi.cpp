// SPDX-License-Identifier: Apache-2.0
// Jacobi iteration for Laplace's equation on a square, all steps in one cooperative launch with a grid sync between
// them.
//
// jacobi-racy leaves the grid sync out: blocks run ahead of their neighbours.
#include <simt/program.hpp>

namespace {

// Every inner point becomes the mean of its neighbours, `steps` times, from a to b and back.
template <bool Sync>
SIMT_DEVICE void jacobi(simt::thread t, simt::view<float, 2> a, simt::view<float, 2> b, int steps) {
  const std::int64_t rows = a.extent(0), columns = a.extent(1);
  const std::int64_t inner = (rows - 2) * (columns - 2);
  for (int s = 0; s < steps; ++s) {
    simt::view<float, 2>& from = s % 2 ? b : a;
    simt::view<float, 2>& to = s % 2 ? a : b;
    for (auto i : t.grid_stride(inner)) {
      const std::int64_t y = i / (columns - 2) + 1, x = i % (columns - 2) + 1;
      to(y, x) = 0.25f * (from(y - 1, x) + from(y + 1, x) + from(y, x - 1) + from(y, x + 1));
    }
    if constexpr (Sync)
      t.sync_grid();
    else
      t.sync();
  }
}

template <bool Sync>
void run_jacobi(simt::run& r) {
  const auto size = r.option("size");
  const int steps = r.option<int>("steps");
  simt::run::elements({size, size});
  const auto n = static_cast<std::size_t>(size);
  std::vector<float> start(n * n, 0.f);
  for (std::size_t i = 0; i < n; ++i) {
    start[i] = 100;  // the upper edge is hot
    start[i * n] = static_cast<float>(i);
  }
  auto a = r.output("a", start, {size, size});
  auto b = r.output("b", start, {size, size});
  auto geometry = r.geometry<1>({.grid = 8, .block = 64});
  geometry.cooperative = true;
  r.launch([&] { simt::launch<jacobi<Sync>>(r.stream(), geometry, a, b, steps); });
  std::vector<float> from = start, to = start;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t y = 1; y + 1 < n; ++y)
      for (std::size_t x = 1; x + 1 < n; ++x)
        to[y * n + x] =
            0.25f * (from[(y - 1) * n + x] + from[(y + 1) * n + x] + from[y * n + x - 1] + from[y * n + x + 1]);
    std::swap(from, to);
  }
  r.expect(steps % 2 ? b : a, from, 1e-5, 1e-3);
  r.expect(steps % 2 ? a : b, to, 1e-5, 1e-3);
}

const simt::program jacobi_program{{.name = "jacobi",
                                    .summary = "heat on a plate: all steps in one launch, a grid sync between them",
                                    .group = "grids",
                                    .options = {{"size", "points on an edge", 64, 3}, {"steps", "steps", 20, 1}},
                                    .geometry = "grid 8, block 64, cooperative; grid-stride"},
                                   run_jacobi<true>};
const simt::program jacobi_racy{{.name = "jacobi-racy",
                                 .summary = "the same with a block barrier where a grid sync is needed",
                                 .group = "grids",
                                 .options = {{"size", "points on an edge", 64, 3}, {"steps", "steps", 20, 1}},
                                 .geometry = "grid 8, block 64, cooperative; grid-stride",
                                 .findings = {{"race-global", "a"}, {"race-global", "b"}},
                                 .result_may_vary = true},
                                run_jacobi<false>};

}  // namespace
