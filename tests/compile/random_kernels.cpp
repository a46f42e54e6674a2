// SPDX-License-Identifier: Apache-2.0
// Runs every kernel of random_kernels.py as loops and on fibers, in grids and blocks of many shapes, by one worker and
// by several: what they leave must be equal.
#include "random_kernels.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

#include <sim/exec/launch.hpp>

namespace {

using simt::sim::execution;
using simt::sim::wanted_execution;

constexpr int kElements = 1000, kMostThreads = 14 * 1024;

struct launch_shape {
  simt::dim3 grid, block;
  unsigned n;
  int workers;
};

std::string words(const launch_shape& s) {
  const auto of = [](const simt::dim3& d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
  };
  return "grid " + of(s.grid) + ", block " + of(s.block) + ", n " + std::to_string(s.n) + ", workers " +
         std::to_string(s.workers);
}

// The usual block, which a kernel has loops of its own for, and some others.
std::vector<launch_shape> shapes_for(const random_kernels::launcher& kernel, std::uint64_t seed) {
  const std::vector<simt::dim3> rows = {{37}, {64}, {1}, {1024}, {100}, {128}, {256}};
  const std::vector<simt::dim3> blocks = {{37},    {64},      {256},   {1},    {8, 8},    {16, 16},
                                          {32, 3}, {5, 3, 2}, {32, 8}, {7, 9}, {64, 2, 2}};
  const std::vector<simt::dim3> grids = {{3}, {1}, {11}, {7, 2}, {1, 2, 2}};
  std::mt19937_64 chance(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(chance() % n); };
  std::vector<launch_shape> all = {{{7}, kernel.in_rows ? simt::dim3{256} : simt::dim3{16, 16}, 23, 1}};
  for (const unsigned n : {0u, 5u, 23u, 1u, 7u, 10u, 3u, 23u}) {
    const simt::dim3 block = kernel.in_rows ? rows[below(rows.size())] : blocks[below(blocks.size())];
    all.push_back({grids[below(kernel.in_rows ? 3 : grids.size())], block, n, 1 + static_cast<int>(below(3))});
  }
  return all;
}

struct outcome {
  std::vector<unsigned> out, sums;
  bool operator==(const outcome&) const = default;
};

outcome run(const random_kernels::launcher& kernel, const launch_shape& shape, wanted_execution how, int workers) {
  simt::sim::launch_options options;
  options.executed_by = how;
  options.workers = workers;
  simt::sim::set_launch_options(options);
  const std::int64_t threads = shape.grid.volume() * shape.block.volume();
  // Kernels read near the elements that they know of, too.
  std::vector<unsigned> values(kMostThreads + kElements);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = i * 2654435761u >> 7;
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<unsigned>(static_cast<std::size_t>(threads), 11u), "out");
  auto sums = simt::to_device(std::vector<unsigned>(40, 0u), "sums");
  const simt::launch_config config{.grid = shape.grid,
                                   .block = shape.block,
                                   .shared_bytes = shape.block.volume() * 4,
                                   .cooperative = kernel.cooperative};
  kernel.run(config, simt::view<const unsigned>(x.data(), kElements), out.view(), sums.view(), shape.n);
  simt::sim::set_launch_options({});
  return {out.to_host(), sums.to_host()};
}

TEST_CASE("random kernels: the same as loops and on fibers") {
  std::map<std::string, int> refused;
  std::map<execution, int> launches;
  int as_loops = 0, wait = 0, for_grid = 0, for_grid_as_loops = 0;
  std::uint64_t seed = 0;
  for (const auto& kernel : random_kernels::all()) {
    bool loops = false, waits = false;
    for (const launch_shape& shape : shapes_for(kernel, ++seed)) {
      INFO(std::string(kernel.name), ", ", words(shape));  // where a launch throws
      const outcome wanted = run(kernel, shape, wanted_execution::fibers, kernel.cooperative ? 4 - shape.workers : 1);
      waits = waits || simt::sim::last_launch_execution().how == execution::fibers;
      const outcome got = run(kernel, shape, wanted_execution::automatic, shape.workers);
      const auto how = simt::sim::last_launch_execution();
      loops = loops || how.how == execution::loops;
      ++launches[how.how];
      if (how.how == execution::fibers) ++refused[how.reason.substr(0, how.reason.rfind(" ("))];
      std::size_t first = 0;
      while (first < got.out.size() && got.out[first] == wanted.out[first]) ++first;
      CHECK_MESSAGE(got.out == wanted.out, std::string(kernel.name), ", ", words(shape), ": element ", first,
                    " differs");
      CHECK_MESSAGE(got.sums == wanted.sums, std::string(kernel.name), ", ", words(shape), ": sums differ");
    }
    as_loops += loops;
    wait += waits;
    for_grid += kernel.cooperative;
    for_grid_as_loops += kernel.cooperative && loops;
  }
  MESSAGE(as_loops, " of ", random_kernels::all().size(), " kernels ran as loops; launches ",
          launches[execution::loops], " as loops, ", launches[execution::direct], " direct, ",
          launches[execution::fibers], " on fibers; ", for_grid_as_loops, " of ", for_grid,
          " kernels with barriers of the grid as loops");
  for (const auto& [why, count] : refused) MESSAGE(count, " launches were not loops: ", why);
#if defined(SIMT_LOOPS)
  CHECK(2 * as_loops > wait);
#endif
}

}  // namespace
