// SPDX-License-Identifier: Apache-2.0
// What loops carry that the compiler pass turns inside out (sim/compile/turns.hpp): values of the turn before, loops
// behind what a thread reads first, and what all threads read alike if any of them enters. All must leave what they
// leave on fibers.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/simt.hpp>

namespace {

using simt::sim::wanted_execution;

SIMT_DEVICE int first_of(simt::thread t) {
  return static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x);
}
// What lies so far behind an array can never be read.
constexpr std::int64_t kNowhere = std::int64_t{1} << 45;
SIMT_DEVICE int all_of(simt::thread t) { return static_cast<int>(t.block_dim().x * t.grid_dim().x); }

// The last element of a thread, and the one before.
SIMT_DEVICE void last_two(simt::thread t, const float* x, float* out, int n) {
  float before = -1, now = -2;
  for (int i = first_of(t); i < n; i += all_of(t)) before = now, now = x[i];
  out[2 * first_of(t)] = before;
  out[2 * first_of(t) + 1] = now;
}
SIMT_DEVICE void last_three(simt::thread t, const float* x, float* out, int n) {
  float a = -1, b = -2, c = -3;
  for (int i = first_of(t); i < n; i += all_of(t)) {
    const float v = x[i];
    out[2 * all_of(t) + i] = a + 2 * b + 3 * c;
    a = b, b = c, c = v;
  }
  out[2 * first_of(t)] = a + 5 * b;
  out[2 * first_of(t) + 1] = c;
}
// Each thread goes down a column of rows as wide as the grid, and keeps what it has read.
SIMT_DEVICE void down_columns(simt::thread t, const float* x, float* out, int n) {
  const int column = first_of(t), width = all_of(t) - 3, rows = n / all_of(t) - 1;
  if (column < 1 || column >= width - 1) return;
  float above = x[column], here = x[column + width];
  for (int row = 1; row < rows; ++row) {
    const int at = row * width + column;
    const float below = x[at + width];
    out[at] = (above + below + x[at - 1] + x[at + 1]) * 0.25f + here;
    above = here, here = below;
  }
  out[column] = above - here;
}
// What is read in front of a loop may be read only if there is a turn.
SIMT_DEVICE void columns_if_any(simt::thread t, const float* x, float* out, int n) {
  const int column = first_of(t), width = all_of(t), rows = n / width - 1;
  const std::int64_t far = rows > 1 ? 0 : kNowhere;
  if (column >= width - 3) return;
  float sum = 0.5f;
  if (rows > 1) {
    const float first = x[column + far];
    for (int row = 1; row < rows; ++row) sum = sum * 0.5f + first * x[row * width + column];
  }
  out[column] = sum;
}
// A row that a table names: the same for all, and read only if a thread enters. The last row's name must not be read.
SIMT_DEVICE void named_row(simt::thread t, const float* x, float* out, int n) {
  const auto* const names = reinterpret_cast<const int*>(x + n - 64);
  const int block = static_cast<int>(t.block_idx().x);
  const int width = t.block_idx().x + 1 < t.grid_dim().x ? 100 : 0;
  const std::int64_t far = width == 0 ? kNowhere : 0;
  for (int k = static_cast<int>(t.thread_idx().x); k < width; k += static_cast<int>(t.block_dim().x))
    out[block * 100 + k] = x[names[far + block % 64] % 5 * 100 + k];
}

// The table names a row for each thread.
SIMT_DEVICE void own_row(simt::thread t, const float* x, float* out, int n) {
  const auto* const names = reinterpret_cast<const int*>(x + n - 64);
  const int block = static_cast<int>(t.block_idx().x), me = static_cast<int>(t.thread_idx().x);
  for (int k = me; k < 100; k += static_cast<int>(t.block_dim().x))
    out[block * 100 + k] = x[names[me % 64] % 5 * 100 + k];
}
// How many turns there are is read only if a thread enters.
SIMT_DEVICE void rows_if_any(simt::thread t, const float* x, float* out, int n) {
  const int column = first_of(t), width = n < 1000 ? 0 : all_of(t) - 3;
  const std::int64_t far = width == 0 ? kNowhere : 0;
  if (column >= width) return;
  const int rows = static_cast<int>(x[far]) + 3;
  float sum = 0.5f;
  for (int row = 1; row < rows; ++row) sum = sum * 0.5f + x[row * width + column];
  out[column] = sum;
}

template <auto Kernel>
std::vector<float> run(const simt::launch_config& config, int n, wanted_execution how) {
  simt::sim::launch_options options;
  options.executed_by = how;
  simt::sim::set_launch_options(options);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i * 13 % 101) + 0.5f;
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<float>(static_cast<std::size_t>(2 * n + 2000), 2), "out");
  simt::launch<Kernel>(config, static_cast<const float*>(x.view().data_handle()), out.view().data_handle(), n);
  simt::sim::set_launch_options({});
  return out.to_host();
}

template <auto Kernel>
void compare(const simt::launch_config& config, int n) {
  CHECK(run<Kernel>(config, n, wanted_execution::automatic) == run<Kernel>(config, n, wanted_execution::fibers));
}

TEST_CASE("values of the turn before: the same as on fibers") {
  for (const simt::launch_config& config :
       {simt::launch_config{.grid = 4, .block = 64}, simt::launch_config{.grid = 3, .block = 50}})
    for (const int n : {400, 1000, 1003, 5000}) {
      CAPTURE(config.grid.x);
      CAPTURE(n);
      compare<last_two>(config, n);
      compare<last_three>(config, n);
      compare<down_columns>(config, n);
      compare<columns_if_any>(config, n);
      compare<named_row>(config, n);
      compare<own_row>(config, n);
      compare<rows_if_any>(config, n);
    }
}

}  // namespace
