// SPDX-License-Identifier: Apache-2.0
// Barrier-free kernels whose blocks the engine may group otherwise: grid-stride loops (sim/compile/any_geometry.hpp)
// and blocks of several rows, which run side by side. Each kernel comes with one that looks like it and may not be
// grouped. All must leave what they leave on fibers.
#include <doctest/doctest.h>

#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/simt.hpp>

namespace {

using simt::sim::wanted_execution;

SIMT_DEVICE unsigned first_of(simt::thread t) {
  return static_cast<unsigned>(t.block_idx().x) * static_cast<unsigned>(t.block_dim().x) +
         static_cast<unsigned>(t.thread_idx().x);
}
SIMT_DEVICE unsigned all_of(simt::thread t) {
  return static_cast<unsigned>(t.block_dim().x) * static_cast<unsigned>(t.grid_dim().x);
}

// May be grouped.
SIMT_DEVICE void with_int(simt::thread t, const int* x, int* out, int n) {
  for (int i = static_cast<int>(first_of(t)); i < n; i += static_cast<int>(all_of(t))) out[i] = 3 * x[i] + out[i];
}
SIMT_DEVICE void with_unsigned(simt::thread t, const int* x, int* out, int n) {
  for (unsigned i = first_of(t); i < static_cast<unsigned>(n); i += all_of(t)) out[i] = 5 * x[i] + out[i];
}
SIMT_DEVICE void with_size(simt::thread t, const int* x, int* out, int n) {
  for (std::size_t i = first_of(t); i < static_cast<std::size_t>(n); i += all_of(t)) out[i] = 7 * x[i] + out[i];
}
SIMT_DEVICE void with_range(simt::thread t, const int* x, int* out, int n) {
  for (const auto i : t.grid_stride(n)) out[i] = 9 * x[i] + out[i];
}
// May not: the body asks who runs it; a step of the block; a first index beside the grid's; what follows the loop.
SIMT_DEVICE void says_who(simt::thread t, const int* x, int* out, int n) {
  for (int i = static_cast<int>(first_of(t)); i < n; i += static_cast<int>(all_of(t)))
    out[i] = x[i] + static_cast<int>(t.thread_idx().x);
}
SIMT_DEVICE void says_block(simt::thread t, const int* x, int* out, int n) {
  for (int i = static_cast<int>(first_of(t)); i < n; i += static_cast<int>(all_of(t)))
    out[i] = x[i] + static_cast<int>(t.block_idx().x) * 1000;
}
SIMT_DEVICE void strides_by_two(simt::thread t, const int* x, int* out, int n) {
  for (int i = static_cast<int>(first_of(t)); i < n; i += static_cast<int>(all_of(t)) * 2) out[i] = x[i] + 1;
}
SIMT_DEVICE void begins_later(simt::thread t, const int* x, int* out, int n) {
  for (int i = static_cast<int>(first_of(t)) + 5; i < n; i += static_cast<int>(all_of(t))) out[i] = x[i] + 1;
}
SIMT_DEVICE void ends_alone(simt::thread t, const int* x, int* out, int n) {
  int last = -1;
  for (int i = static_cast<int>(first_of(t)); i < n; i += static_cast<int>(all_of(t))) last = i, out[i] = x[i];
  if (last >= 0) out[last] = -1;
}
// Blocks of several rows.
SIMT_DEVICE void plane(simt::thread t, const int* x, int* out, int n) {
  const int width = 100, column = static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x),
            row = static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y);
  if (column < width && row * width + column < n) out[row * width + column] = x[row * width + column] * 2;
}
SIMT_DEVICE void plane_of_places(simt::thread t, const int* x, int* out, int n) {
  const int column = static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x), width = 100,
            row = static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y);
  if (column < width && row * width + column < n)
    out[row * width + column] = x[row * width + column] + static_cast<int>(t.thread_idx().x);
}
SIMT_DEVICE void plane_of_blocks(simt::thread t, const int* x, int* out, int n) {
  const int column = static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x), width = 100,
            row = static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y);
  if (column < width && row * width + column < n)
    out[row * width + column] = x[row * width + column] + static_cast<int>(t.block_idx().x);
}
SIMT_DEVICE void plane_of_larger_steps(simt::thread t, const int* x, int* out, int n) {
  const int column = static_cast<int>(t.block_idx().x * 9 + t.thread_idx().x), width = 100,
            row = static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y);
  if (column < width && row * width + column < n) out[row * width + column] = x[row * width + column] * 2;
}
SIMT_DEVICE void plane_with_scratch(simt::thread t, const int* x, int* out, int n) {
  auto& mine = t.shared<"mine", int[256]>();
  const int width = 100, column = static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x),
            row = static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y);
  // Each block counts on from what its last row left.
  mine[t.thread_idx().x] = (t.thread_idx().y == 0 ? 0 : mine[t.thread_idx().x]) + 1;
  if (column < width && row * width + column < n) out[row * width + column] = x[0] + mine[t.thread_idx().x];
}
// Blocks of several planes: whole rows of blocks run plane by plane.
constexpr int kVolume = 24, kLevels = 19;
SIMT_DEVICE void volume(simt::thread t, const int* x, int* out, int n) {
  const int column = static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x),
            row = static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y),
            level = static_cast<int>(t.block_idx().z * t.block_dim().z + t.thread_idx().z);
  const int at = (level * kVolume + row) * kVolume + column;
  if (column < kVolume && row < kVolume && at < n) out[at] += x[at] * 2;
}
SIMT_DEVICE void volume_of_blocks(simt::thread t, const int* x, int* out, int n) {
  const int column = static_cast<int>(t.block_idx().x * t.block_dim().x + t.thread_idx().x),
            row = static_cast<int>(t.block_idx().y * t.block_dim().y + t.thread_idx().y),
            level = static_cast<int>(t.block_idx().z * t.block_dim().z + t.thread_idx().z);
  const int at = (level * kVolume + row) * kVolume + column;
  if (column < kVolume && row < kVolume && at < n)
    out[at] += x[at] + static_cast<int>(t.block_idx().y * 1000 + t.block_idx().z * 100 + t.thread_idx().y);
}
// Each thread sums up what a tile holds: all threads run the same turns, with barriers around.
SIMT_DEVICE void sums_of_tiles(simt::thread t, const int* x, int* out, int n) {
  float* tile = t.dynamic_shared<float>();
  const int mine = static_cast<int>(t.grid<1>()), width = static_cast<int>(t.block_dim().x);
  const float me = mine < n ? static_cast<float>(x[mine]) : 0;
  float sum = 0, other_sum = 0.25f;
  for (int first = 0; first < n; first += width) {
    const int from = first + static_cast<int>(t.thread_idx().x);
    if (from < n) tile[t.thread_idx().x] = static_cast<float>(x[from]);
    t.sync();
    const int loaded = n - first < width ? n - first : width;
    for (int j = 0; j < loaded; ++j) {
      const float d = tile[j] - me + 0.37f;
      sum += 1 / (d * d), other_sum += sum * d;
    }
    t.sync();
  }
  if (mine < n) out[mine] = static_cast<int>(sum * 1e5f) ^ static_cast<int>(other_sum);
}

template <auto Kernel>
std::vector<int> run(const simt::launch_config& config, int n, wanted_execution how, int workers) {
  simt::sim::launch_options options;
  options.executed_by = how;
  options.workers = workers;
  simt::sim::set_launch_options(options);
  std::vector<int> values(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * 13 + 1;
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<int>(static_cast<std::size_t>(n), 2), "out");
  simt::launch<Kernel>(config, static_cast<const int*>(x.view().data_handle()), out.view().data_handle(), n);
  simt::sim::set_launch_options({});
  return out.to_host();
}

template <auto Kernel>
void compare(const simt::launch_config& config, int n) {
  const auto wanted = run<Kernel>(config, n, wanted_execution::fibers, 1);
  for (const int workers : {1, 2}) {
    CAPTURE(workers);
    CHECK(run<Kernel>(config, n, wanted_execution::automatic, workers) == wanted);
  }
}

TEST_CASE("grid-stride loops: the same however blocks are grouped") {
  for (const simt::launch_config& config :
       {simt::launch_config{.grid = 64, .block = 32}, simt::launch_config{.grid = 100, .block = 96},
        simt::launch_config{.grid = 7, .block = 64}, simt::launch_config{.grid = 128, .block = 1},
        simt::launch_config{.grid = {32, 2}, .block = 16}, simt::launch_config{.grid = 32, .block = {16, 2}}})
    for (const int n : {1, 1000, 10'000, 40'003}) {
      CAPTURE(config.grid.x);
      CAPTURE(config.block.x);
      CAPTURE(n);
      if (config.grid.y * config.block.y == 1) {  // else elements are updated by several threads
        compare<with_int>(config, n);
        compare<with_unsigned>(config, n);
        compare<with_size>(config, n);
        compare<with_range>(config, n);
        compare<ends_alone>(config, n);
      }
      compare<says_who>(config, n);
      compare<says_block>(config, n);
      compare<strides_by_two>(config, n);
      compare<begins_later>(config, n);
    }
}

TEST_CASE("blocks of several rows: the same side by side") {
  for (const simt::dim3 block : {simt::dim3{16, 16}, simt::dim3{32, 8}, simt::dim3{7, 5}, simt::dim3{8, 4, 2}}) {
    const simt::launch_config config{.grid = {(99 + block.x) / block.x, (119 + block.y) / block.y}, .block = block};
    CAPTURE(block.x);
    compare<plane>(config, 11'000);
    compare<plane_of_places>(config, 11'000);
    compare<plane_of_blocks>(config, 11'000);
    if (block.x <= 9) compare<plane_of_larger_steps>(config, 11'000);  // else elements are written by several threads
    if (block.z == 1) compare<plane_with_scratch>(config, 11'000);
  }
}

TEST_CASE("blocks of several planes: the same plane by plane") {
  for (const simt::dim3 block : {simt::dim3{8, 8, 8}, simt::dim3{4, 4, 4}, simt::dim3{5, 3, 2}, simt::dim3{8, 1, 2}}) {
    const simt::launch_config config{.grid = {(kVolume + block.x - 1) / block.x, (kVolume + block.y - 1) / block.y,
                                              (kLevels + block.z - 1) / block.z},
                                     .block = block};
    CAPTURE(block.x);
    for (const int n : {kVolume * kVolume * kLevels, 5000}) {
      compare<volume>(config, n);
      compare<volume_of_blocks>(config, n);
    }
  }
}

TEST_CASE("sums in loops that all threads run alike: the same to the last bit") {
  for (const unsigned block : {32u, 100u, 256u})
    for (const int n : {1, 255, 1000})
      compare<sums_of_tiles>({.grid = (n + block - 1) / block, .block = block, .shared_bytes = block * 4}, n);
}

}  // namespace
