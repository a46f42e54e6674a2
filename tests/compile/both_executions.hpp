// SPDX-License-Identifier: Apache-2.0
// For tests of kernels as loops: runs a kernel as loops and on fibers, in blocks of many shapes, and compares.
#pragma once

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/simt.hpp>

namespace {

using simt::sim::execution;
using simt::sim::wanted_execution;
using out_view = simt::view<unsigned>;
using in_view = simt::view<const unsigned>;

#if defined(SIMT_LOOPS)
constexpr bool kCut = true;
#else
constexpr bool kCut = false;
#endif

void use(wanted_execution how, int workers = 1) {
  simt::sim::launch_options options;
  options.executed_by = how;
  options.workers = workers;
  simt::sim::set_launch_options(options);
}

struct ran {
  std::vector<unsigned> out;
  simt::sim::execution_record how;
};

using launcher = void (*)(const simt::launch_config& config, in_view x, out_view out);
template <auto Kernel>
void launch(const simt::launch_config& config, in_view x, out_view out) {
  simt::launch<Kernel>(config, x, out);
}

// All but the launch is the same for all kernels: a copy for each took long to compile.
inline ran run(launcher launch, simt::launch_config config, wanted_execution how) {
  use(how);
  std::vector<unsigned> values(4096);
  std::iota(values.begin(), values.end(), 3u);
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<unsigned>(4096, 7u), "out");
  config.shared_bytes = 4096;
  launch(config, x.view(), out.view());
  ran r{out.to_host(), simt::sim::last_launch_execution()};
  use(wanted_execution::automatic);
  return r;
}

// As loops and on fibers: the same, in several shapes of blocks. Gives how it ran.
inline simt::sim::execution_record same_on_both(launcher launch, const std::string& what) {
  simt::sim::execution_record how;
  for (const simt::dim3 block : {simt::dim3{1}, simt::dim3{37}, simt::dim3{64}, simt::dim3{256}, simt::dim3{8, 8},
                                 simt::dim3{16, 16}, simt::dim3{7, 3, 2}}) {
    const ran loops = run(launch, {.grid = 3, .block = block}, wanted_execution::automatic);
    const ran fibers = run(launch, {.grid = 3, .block = block}, wanted_execution::fibers);
    CHECK_MESSAGE(loops.out == fibers.out, what, " in blocks of ", block.x, "x", block.y, "x", block.z);
    CHECK(fibers.how.how != execution::loops);
    how = loops.how;
  }
  return how;
}

#define RUNS_AS_LOOPS(kernel)                                         \
  do {                                                                \
    const auto how = same_on_both(launch<kernel>, #kernel);           \
    if (kCut) CHECK_MESSAGE(how.how == execution::loops, how.reason); \
  } while (false)
// The reason names a line of this file.
inline bool names_a_line_of(const std::string& reason, const std::string& file) {
  return reason.find("(" + file.substr(file.rfind('/') + 1) + ":") != std::string::npos;
}

// On fibers, for this reason, with a line of the test as its place.
#define RUNS_ON_FIBERS(kernel, why)                                                 \
  do {                                                                              \
    const auto how = same_on_both(launch<kernel>, #kernel);                         \
    CHECK(how.how == execution::fibers);                                            \
    if (kCut) CHECK_MESSAGE(how.reason.find(why) != std::string::npos, how.reason); \
    if (kCut) CHECK_MESSAGE(names_a_line_of(how.reason, __FILE__), how.reason);     \
  } while (false)

SIMT_DEVICE unsigned me_of(simt::thread t) { return static_cast<unsigned>(t.rank()); }
SIMT_DEVICE unsigned threads_of(simt::thread t) { return static_cast<unsigned>(t.block_dim().volume()); }
SIMT_DEVICE unsigned gid_of(simt::thread t) {
  return static_cast<unsigned>(t.block_idx().x) * threads_of(t) + me_of(t);
}

}  // namespace
