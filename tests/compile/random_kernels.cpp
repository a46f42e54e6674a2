// SPDX-License-Identifier: Apache-2.0
// Runs every kernel of random_kernels.py as loops and on fibers, in blocks of many shapes: what they leave must be
// equal.
#include "random_kernels.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include <sim/exec/launch.hpp>

namespace {

struct outcome {
  std::vector<unsigned> out, sums;
  bool operator==(const outcome&) const = default;
};

outcome run(const random_kernels::launcher& kernel, const simt::launch_config& config, unsigned n,
            simt::sim::wanted_execution how, int workers) {
  simt::sim::launch_options options;
  options.executed_by = how;
  options.workers = workers;
  simt::sim::set_launch_options(options);
  const std::int64_t threads = config.grid.x * config.block.volume();
  std::vector<unsigned> values(1000);
  for (unsigned i = 0; i < values.size(); ++i) values[i] = i * 2654435761u >> 7;
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<unsigned>(static_cast<std::size_t>(threads), 11u), "out");
  auto sums = simt::to_device(std::vector<unsigned>(8, 0u), "sums");
  kernel.run(config, x.view(), out.view(), sums.view(), n);
  simt::sim::set_launch_options({});
  return {out.to_host(), sums.to_host()};
}

TEST_CASE("random kernels: the same as loops and on fibers") {
  using simt::sim::wanted_execution;
  std::map<std::string, int> refused;
  int as_loops = 0;
  for (const auto& kernel : random_kernels::all()) {
    bool loops = false, tried = true;
    for (const simt::dim3 block : {simt::dim3{37}, simt::dim3{64}, simt::dim3{256}, simt::dim3{1}, simt::dim3{8, 8},
                                   simt::dim3{16, 16}, simt::dim3{32, 3}, simt::dim3{5, 3, 2}}) {
      for (const unsigned n : {0u, 5u, 23u}) {
        const simt::launch_config config{.grid = 3, .block = block};
        const outcome wanted = run(kernel, config, n, wanted_execution::fibers, 1);
        const outcome got = run(kernel, config, n, wanted_execution::automatic, n == 5 ? 2 : 1);
        const auto how = simt::sim::last_launch_execution();
        const bool now = how.how == simt::sim::execution::loops;
        loops = loops || now;
        tried = now || how.reason.find("in blocks") != std::string::npos;  // else no shape of blocks will do
        if (!now) ++refused[how.reason];
        std::size_t first = 0;
        while (first < got.out.size() && got.out[first] == wanted.out[first]) ++first;
        CHECK_MESSAGE(got.out == wanted.out, std::string(kernel.name), ", block ", block.x, "x", block.y, "x", block.z,
                      ", n ", n, ": element ", first, " differs");
        CHECK_MESSAGE(got.sums == wanted.sums, std::string(kernel.name), ", block ", block.x, "x", block.y, "x",
                      block.z, ", n ", n, ": sums differ");
        if (!now) break;
      }
      if (!tried) break;
    }
    as_loops += loops;
  }
  MESSAGE(as_loops, " of ", random_kernels::all().size(), " kernels ran as loops");
  for (const auto& [why, count] : refused) MESSAGE(count, " did not, in some blocks at least: ", why);
#if defined(SIMT_LOOPS)
  CHECK(2 * as_loops > static_cast<int>(random_kernels::all().size()));
#endif
}

}  // namespace
