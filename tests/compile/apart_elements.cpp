// SPDX-License-Identifier: Apache-2.0
// Grid-stride loops whose elements are computed by themselves (sim/compile/apart_elements.hpp), and such that look like
// it: what one turn of a thread stores, its next one reads. All must leave what they leave on fibers.
#include <doctest/doctest.h>

#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/simt.hpp>

namespace {

using simt::sim::wanted_execution;

SIMT_DEVICE int first_of(simt::thread t) {
  return static_cast<int>(t.block_idx().x) * static_cast<int>(t.block_dim().x) + static_cast<int>(t.thread_idx().x);
}
SIMT_DEVICE int all_of(simt::thread t) { return static_cast<int>(t.block_dim().x) * static_cast<int>(t.grid_dim().x); }

SIMT_DEVICE void shift(simt::thread t, const int* x, int* out, int n) {
  for (int i = first_of(t); i < n; i += all_of(t)) out[i] = 3 * x[i] + 1;
}
struct three {
  int a, b, c;
};
SIMT_DEVICE void shift_parts(simt::thread t, const int* x, int* out, int n) {
  auto* const from = reinterpret_cast<const three*>(x);
  auto* const to = reinterpret_cast<three*>(out);
  for (int i = first_of(t); i < n / 3; i += all_of(t)) to[i].b = from[i].a + from[i].b, to[i].c = from[i].c + 5;
}
SIMT_DEVICE void reads_one_of_all(simt::thread t, const int* x, int* out, int n) {
  for (int i = first_of(t); i < n; i += all_of(t)) out[i] = x[i] + x[7];
}

// x is where the array begins, out `lag` elements behind.
template <auto Kernel>
std::vector<int> left_by(unsigned grid, unsigned block, int n, int lag, wanted_execution how, int workers) {
  simt::sim::launch_options options;
  options.executed_by = how;
  options.workers = workers;
  simt::sim::set_launch_options(options);
  std::vector<int> values(static_cast<std::size_t>(n + lag));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 13 % 1009);
  auto a = simt::to_device(values, "a");
  int* const all = a.view().data_handle();
  simt::launch<Kernel>({.grid = grid, .block = block}, static_cast<const int*>(all), all + lag, n);
  simt::sim::set_launch_options({});
  return a.to_host();
}

template <auto Kernel>
void compare(unsigned grid, unsigned block, int n, int lag) {
  CAPTURE(grid);
  CAPTURE(block);
  CAPTURE(n);
  CAPTURE(lag);
  const auto wanted = left_by<Kernel>(grid, block, n, lag, wanted_execution::fibers, 1);
  for (const int workers : {1, 2, 3})  // 3: the launch's threads are no multiple of it
    CHECK(left_by<Kernel>(grid, block, n, lag, wanted_execution::automatic, workers) == wanted);
}

TEST_CASE("grid-stride loops: arrays that overlap by what one turn goes on") {
  struct shape {
    unsigned grid, block;
  };
  for (const shape s : {shape{1, 3}, shape{1, 32}, shape{2, 48}, shape{100, 96}, shape{64, 256}})
    for (const int n : {1, 100, 10'007, 40'003}) {
      const int threads = static_cast<int>(s.grid * s.block);
      for (const int lag : {0, threads, 2 * threads, n}) compare<shift>(s.grid, s.block, n, lag);
      for (const int lag : {0, 3 * threads, 3 * n}) compare<shift_parts>(s.grid, s.block, n, lag);
      compare<reads_one_of_all>(s.grid, s.block, n, n + 8);
    }
}

}  // namespace
