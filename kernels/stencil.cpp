// SPDX-License-Identifier: Apache-2.0
// Stencils: a weighted sum of seven neighbours with a tile and its halo in shared memory (stencil-1d), and steps of
// heat conduction on a plate, five points, two arrays that take turns (stencil-2d).
#include <algorithm>
#include <simt/program.hpp>

namespace {

constexpr std::int64_t kRadius = 3;

// The weight of a neighbour at this distance. The same additions on both sides, so host and kernel agree.
SIMT_HOST_DEVICE float weight(std::int64_t distance) {
  return 1.f / static_cast<float>(1 + (distance < 0 ? -distance : distance));
}

// Outside the array everything is zero.
SIMT_DEVICE void stencil_1d(simt::thread t, simt::view<const float> x, simt::view<float> y) {
  float* tile = t.dynamic_shared<float>();  // block_dim + 2 radius elements, from kRadius before the block's first
  const std::int64_t first = t.block_idx().x * t.block_dim().x - kRadius;
  for (auto i : t.block_stride(t.block_dim().x + 2 * kRadius)) {
    const std::int64_t from = first + i;
    tile[i] = from >= 0 && from < x.size() ? x[from] : 0;
  }
  t.sync();
  const std::int64_t i = t.grid<1>();
  if (i >= y.size()) return;
  float sum = 0;
  for (std::int64_t d = -kRadius; d <= kRadius; ++d) sum += weight(d) * tile[t.thread_idx().x + kRadius + d];
  y[i] = sum;
}

// One step; the border keeps its temperature.
SIMT_DEVICE void stencil_2d(simt::thread t, simt::view<const float, 2> from, simt::view<float, 2> to) {
  const auto [x, y] = t.grid<2>();
  const std::int64_t rows = from.extent(0), columns = from.extent(1);
  if (y >= rows || x >= columns) return;
  const bool border = x == 0 || y == 0 || x == columns - 1 || y == rows - 1;
  to(y, x) = border ? from(y, x) : 0.25f * (from(y, x - 1) + from(y, x + 1) + from(y - 1, x) + from(y + 1, x));
}

void run_stencil_1d(simt::run& r) {
  const std::int64_t n = r.size("n");
  std::vector<float> values(n), wanted(n);
  for (std::int64_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 101);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t d = -kRadius; d <= kRadius; ++d)
      if (i + d >= 0 && i + d < n) wanted[i] += weight(d) * values[i + d];

  simt::launch_config config = r.cover<1>(n, 256);
  const std::int64_t tile_bytes = (config.block.x + 2 * kRadius) * static_cast<std::int64_t>(sizeof(float));
  config = r.with_shared(config, tile_bytes);
  auto x = r.input("x", std::move(values));
  auto y = r.output<float>("y", n);
  r.launch([&] { simt::launch<stencil_1d>(r.stream(), config, x, y); });
  r.expect(y, wanted, 1e-5);
}

void run_stencil_2d(simt::run& r) {
  const std::int64_t m = r.option("m"), n = r.option("n"), steps = r.option("steps");
  const std::int64_t size = r.elements({m, n});
  std::vector<float> plate(size);
  for (std::int64_t x = 0; x < n; ++x) plate[x] = 100;  // the first row is hot

  auto before = r.input("before", plate, {m, n});
  auto after = r.output<float>("after", {m, n});
  simt::buffer<float> between({m, n}, "between");
  const simt::launch_config config = r.cover<2>({n, m}, {32, 8});
  r.launch([&] {
    const simt::buffer<float>* from = &before;
    for (std::int64_t step = 1; step <= steps; ++step) {
      const simt::buffer<float>* to = (steps - step) % 2 == 0 ? &after : &between;  // the last one writes to `after`
      simt::launch<stencil_2d>(r.stream(), config, *from, *to);
      from = to;
    }
  });

  std::vector<float> next = plate;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (std::int64_t y = 1; y < m - 1; ++y)
      for (std::int64_t x = 1; x < n - 1; ++x)
        next[y * n + x] =
            0.25f * (plate[y * n + x - 1] + plate[y * n + x + 1] + plate[(y - 1) * n + x] + plate[(y + 1) * n + x]);
    std::swap(plate, next);
  }
  r.expect(after, plate, 1e-5);
}

const simt::program one_axis{{.name = "stencil-1d",
                              .summary = "weighted sum of seven neighbours through shared memory",
                              .options = {{"n", "elements", 1 << 17, 1}},
                              .geometry = "covers --n with blocks of 256"},
                             run_stencil_1d};

const simt::program both_axes{
    {.name = "stencil-2d",
     .summary = "heat conduction on a plate, five points, several steps",
     .options = {{"m", "rows", 256, 1}, {"n", "columns", 256, 1}, {"steps", "steps in time", 4, 1}},
     .geometry = "covers n x m with blocks of 32 x 8"},
    run_stencil_2d};

}  // namespace
