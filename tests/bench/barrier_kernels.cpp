// SPDX-License-Identifier: Apache-2.0
// Kernels with barriers as loops, on fibers, and as one would write the work with oneTBB by hand: a table of medians.
// The three take turns, so that what else the machine does hits them alike. Exit code 1: a result is wrong.
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <span>
#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/simt.hpp>

namespace {

using whole = std::int64_t;
using range = tbb::blocked_range<whole>;
template <class T, int Rank = 1>
using view = simt::view<T, Rank>;

SIMT_DEVICE void reduce(simt::thread t, view<const float> x, view<float> partial) {
  float* values = t.dynamic_shared<float>();
  const whole i = t.thread_idx().x;
  values[i] = x[t.grid<1>()];
  for (whole n = t.block_dim().x; n > 1; n /= 2) {
    t.sync();
    if (i < n / 2) values[i] += values[i + n / 2];
  }
  if (i == 0) partial[t.block_idx().x] = values[0];
}
template <int Tile>
SIMT_DEVICE void matmul(simt::thread t, view<const float, 2> a, view<const float, 2> b, view<float, 2> c) {
  auto& a_tile = t.shared<"a_tile", float[Tile][Tile]>();
  auto& b_tile = t.shared<"b_tile", float[Tile][Tile]>();
  const whole x = t.thread_idx().x, y = t.thread_idx().y;
  const whole row = t.block_idx().y * Tile + y, column = t.block_idx().x * Tile + x;
  float sum = 0;
  for (whole first = 0; first < a.extent(1); first += Tile) {
    a_tile[y][x] = a(row, first + x);
    b_tile[y][x] = b(first + y, column);
    t.sync();
    for (int i = 0; i < Tile; ++i) sum += a_tile[y][i] * b_tile[i][x];
    t.sync();
  }
  c(row, column) = sum;
}
SIMT_DEVICE void transpose(simt::thread t, view<const float, 2> in, view<float, 2> out) {
  auto& tile = t.shared<"tile", float[16][17]>();
  const whole x = t.thread_idx().x, y = t.thread_idx().y, bx = t.block_idx().x * 16, by = t.block_idx().y * 16;
  tile[y][x] = in(by + y, bx + x);
  t.sync();
  out(bx + y, by + x) = tile[x][y];
}
constexpr whole kRadius = 3;
SIMT_DEVICE void stencil(simt::thread t, view<const float> in, view<float> out) {
  auto& tile = t.shared<"tile", float[256 + 2 * kRadius]>();
  const whole i = t.grid<1>(), x = t.thread_idx().x;
  tile[x + kRadius] = in[i + kRadius];
  if (x < kRadius) {
    tile[x] = in[i];
    tile[x + 256 + kRadius] = in[i + 256 + kRadius];
  }
  t.sync();
  float sum = 0;
  for (whole k = 0; k <= 2 * kRadius; ++k) sum += tile[x + k];
  out[i] = sum;
}

constexpr int kRounds = 9;
bool wrong = false;

double milliseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// result(): what the kernel or the hand has left, as one number.
void compare(const char* name, const std::function<void()>& kernel, const std::function<void()>& by_hand,
             const std::function<double(bool hand)>& result) {
  std::vector<double> times[3];
  for (int round = 0; round < kRounds; ++round)
    for (int how = 0; how < 3; ++how) {
      simt::sim::launch_options options;
      if (how == 1) options.executed_by = simt::sim::wanted_execution::fibers;
      simt::sim::set_launch_options(options);
      times[how].push_back(milliseconds(how == 2 ? by_hand : kernel));
      if (result(true) != result(false) && (how == 2 || round > 0)) wrong = true;
    }
  for (auto& t : times) std::sort(t.begin(), t.end());
  const double loops = times[0][kRounds / 2], fibers = times[1][kRounds / 2], hand = times[2][kRounds / 2];
  std::printf("| %-22s | %8.2f | %8.2f | %8.2f | %6.2f | %6.1f |\n", name, loops, fibers, hand, loops / hand,
              fibers / loops);
}

}  // namespace

int main() {
  std::puts("| kernel                 | loops ms | fibers ms | by hand ms | loops / hand | fibers / loops |");
  std::puts("|---|--:|--:|--:|--:|--:|");
  {
    const whole n = 16 << 20;
    std::vector<float> values(n);
    for (whole i = 0; i < n; ++i) values[i] = static_cast<float>(i % 4);
    auto x = simt::to_device(values, "x");
    simt::buffer<float> partial(n / 256, "partial");
    double by_hand = 0;
    compare(
        "reduce 16M", [&] { simt::launch<reduce>({.grid = n / 256, .block = 256, .shared_bytes = 1024}, x, partial); },
        [&] {
          by_hand = tbb::parallel_reduce(
              range(0, n / 256), 0.0,
              [&](const range& r, double sum) {
                for (whole block = r.begin(); block < r.end(); ++block) {
                  float lanes[64] = {};
                  for (whole i = 0; i < 256; i += 64)
                    for (int lane = 0; lane < 64; ++lane) lanes[lane] += values[block * 256 + i + lane];
                  for (const float lane : lanes) sum += lane;
                }
                return sum;
              },
              std::plus<>());
        },
        [&](bool hand) {
          if (hand) return by_hand;
          double sum = 0;
          for (const float p : partial.to_host()) sum += p;
          return sum;
        });
  }
  {
    const whole n = 512;
    std::vector<float> values(n * n), c_by_hand(n * n);
    for (whole i = 0; i < n * n; ++i) values[i] = static_cast<float>(i % 7);
    simt::buffer<float> a({n, n}, "a"), b({n, n}, "b"), c({n, n}, "c");
    a.copy_from(std::span<const float>(values));
    b.copy_from(std::span<const float>(values));
    const auto product = [&] {
      tbb::parallel_for(range(0, n, 8), [&](const range& r) {
        for (whole i = r.begin(); i < r.end(); ++i) {
          float* row = &c_by_hand[i * n];
          std::fill(row, row + n, 0.f);
          for (whole k = 0; k < n; ++k)
            for (whole j = 0; j < n; ++j) row[j] += values[i * n + k] * values[k * n + j];
        }
      });
    };
    const auto last = [&](bool hand) {
      return static_cast<double>(hand ? c_by_hand[n * n - 5] : c.to_host()[static_cast<std::size_t>(n * n - 5)]);
    };
    compare(
        "matmul 512, tile 16",
        [&] {
          simt::launch<matmul<16>>({.grid = {32, 32}, .block = {16, 16}}, a, b, c);
        },
        product, last);
    compare(
        "matmul 512, tile 32",
        [&] {
          simt::launch<matmul<32>>({.grid = {16, 16}, .block = {32, 32}}, a, b, c);
        },
        product, last);
  }
  {
    const whole n = 2048;
    std::vector<float> values(n * n), by_hand(n * n);
    for (whole i = 0; i < n * n; ++i) values[i] = static_cast<float>(i);
    simt::buffer<float> in({n, n}, "in"), out({n, n}, "out");
    in.copy_from(std::span<const float>(values));
    compare(
        "transpose 2048",
        [&] {
          simt::launch<transpose>({.grid = {n / 16, n / 16}, .block = {16, 16}}, in, out);
        },
        [&] {
          tbb::parallel_for(range(0, n / 16), [&](const range& r) {
            for (whole by = r.begin() * 16; by < r.end() * 16; by += 16)
              for (whole bx = 0; bx < n; bx += 16)
                for (whole y = 0; y < 16; ++y)
                  for (whole x = 0; x < 16; ++x) by_hand[(bx + y) * n + by + x] = values[(by + x) * n + bx + y];
          });
        },
        [&](bool hand) { return static_cast<double>(hand ? by_hand[n * 3 + 7] : out.to_host()[n * 3 + 7]); });
  }
  {
    const whole n = 16 << 20;
    std::vector<float> values(n + 2 * kRadius), by_hand(n);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 9);
    auto in = simt::to_device(values, "in");
    simt::buffer<float> out(n, "out");
    compare(
        "stencil 16M", [&] { simt::launch<stencil>({.grid = n / 256, .block = 256}, in, out); },
        [&] {
          tbb::parallel_for(range(0, n, 4096), [&](const range& r) {
            for (whole i = r.begin(); i < r.end(); ++i) {
              float sum = 0;
              for (whole k = 0; k <= 2 * kRadius; ++k) sum += values[i + k];
              by_hand[i] = sum;
            }
          });
        },
        [&](bool hand) { return static_cast<double>(hand ? by_hand[n - 9] : out.to_host()[n - 9]); });
  }
  if (wrong) std::puts("a result is wrong");
  return wrong;
}
