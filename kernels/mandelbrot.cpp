// SPDX-License-Identifier: Apache-2.0
// Steps until z = z z + c leaves the circle of radius 2, for every pixel of an image of the Mandelbrot set. Threads of
// one warp need very different numbers of steps.
#include <cmath>
#include <simt/program.hpp>

namespace {

// Every product that is added to is an explicit fma: compilers for GPUs fuse them anyway, compilers for CPUs may not,
// and one different rounding here can change a count.
SIMT_HOST_DEVICE int escape_steps(float cx, float cy, int limit) {
  float x = 0, y = 0;
  int steps = 0;
  while (steps < limit) {
    const float y_squared = y * y;
    if (std::fma(x, x, y_squared) > 4) break;
    const float next_x = std::fma(x, x, -y_squared) + cx;
    y = std::fma(2 * x, y, cy);
    x = next_x;
    ++steps;
  }
  return steps;
}

// Position of a pixel's column (or row) on an axis from `low`.
SIMT_HOST_DEVICE float on_axis(std::int64_t pixel, float low, float step) {
  return std::fma(static_cast<float>(pixel), step, low);
}

SIMT_DEVICE void mandelbrot(simt::thread t, float left, float top, float step, int limit, simt::view<int, 2> image) {
  const auto [column, row] = t.grid<2>();
  if (row >= image.extent(0) || column >= image.extent(1)) return;
  image(row, column) = escape_steps(on_axis(column, left, step), on_axis(row, top, step), limit);
}

void run_mandelbrot(simt::run& r) {
  constexpr float kLeft = -2, kTop = -1.25f;
  const std::int64_t m = r.option("m"), n = r.option("n");
  const int limit = r.option<int>("steps");
  const float step = 2.5f / static_cast<float>(m);
  std::vector<int> wanted(r.elements({m, n}));
  auto image = r.output<int>("image", {m, n});
  r.launch([&] { simt::launch<mandelbrot>(r.stream(), r.cover<2>({n, m}, {32, 8}), kLeft, kTop, step, limit, image); });
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t column = 0; column < n; ++column)
      wanted[row * n + column] = escape_steps(on_axis(column, kLeft, step), on_axis(row, kTop, step), limit);
  r.expect(image, wanted);
}

const simt::program mandelbrot_program{
    {.name = "mandelbrot",
     .summary = "escape times of the Mandelbrot set",
     .options = {{"m", "rows", 512, 1}, {"n", "columns", 512, 1}, {"steps", "most steps a pixel", 100, 1}},
     .geometry = "covers n x m with blocks of 32 x 8"},
    run_mandelbrot};

}  // namespace
