// SPDX-License-Identifier: Apache-2.0
// Sum of an array by a tree in shared memory, in the three classic stages, each faster on a GPU than the one before:
//   1  interleaved: neighbours add first, so that ever fewer threads of every warp have work
//   2  sequential: the first half adds the second half, so that whole warps run out of work
//   3  sequential, after every thread has summed several elements in a register
// Every block leaves one partial sum; one more block then adds these up. Any block size is right, also if it is no
// power of two.
#include <algorithm>
#include <simt/program.hpp>

namespace {

// Sum of values[0..n) in values[0], for all threads of the block. Barriers come before every read of others' values.
SIMT_DEVICE void tree_interleaved(simt::thread t, float* values, std::int64_t n) {
  const std::int64_t i = t.thread_idx().x;
  for (std::int64_t stride = 1; stride < n; stride *= 2) {
    t.sync();
    if (i % (2 * stride) == 0 && i + stride < n) values[i] += values[i + stride];
  }
}

SIMT_DEVICE void tree_sequential(simt::thread t, float* values, std::int64_t n) {
  const std::int64_t i = t.thread_idx().x;
  while (n > 1) {
    t.sync();
    const std::int64_t half = (n + 1) / 2;  // rounded up: the middle one of an odd number waits a round
    if (i + half < n) values[i] += values[i + half];
    n = half;
  }
}

SIMT_DEVICE void reduce_interleaved(simt::thread t, simt::view<const float> x, simt::view<float> partial) {
  float* values = t.dynamic_shared<float>();
  const std::int64_t i = t.grid<1>();
  values[t.thread_idx().x] = i < x.size() ? x[i] : 0;
  tree_interleaved(t, values, t.block_dim().x);
  if (t.thread_idx().x == 0) partial[t.block_idx().x] = values[0];
}

SIMT_DEVICE void reduce_sequential(simt::thread t, simt::view<const float> x, simt::view<float> partial) {
  float* values = t.dynamic_shared<float>();
  const std::int64_t i = t.grid<1>();
  values[t.thread_idx().x] = i < x.size() ? x[i] : 0;
  tree_sequential(t, values, t.block_dim().x);
  if (t.thread_idx().x == 0) partial[t.block_idx().x] = values[0];
}

SIMT_DEVICE void reduce_many(simt::thread t, simt::view<const float> x, simt::view<float> partial) {
  float* values = t.dynamic_shared<float>();
  float sum = 0;
  for (auto i : t.grid_stride(x.size())) sum += x[i];
  values[t.thread_idx().x] = sum;
  tree_sequential(t, values, t.block_dim().x);
  if (t.thread_idx().x == 0) partial[t.block_idx().x] = values[0];
}

void run_reduce(simt::run& r) {
  const std::int64_t n = r.size("n");
  const auto stage = r.option("stage");
  if (stage < 1 || stage > 3)
    throw simt::error(simt::error_kind::invalid_argument, "--stage takes 1, 2 or 3, not " + std::to_string(stage));
  // Small whole numbers: up to some millions of them every order of adding gives the same sum.
  std::vector<float> values(n);
  double wanted = 0;
  for (std::int64_t i = 0; i < n; ++i) wanted += values[i] = static_cast<float>((i * 7 + i / 13) % 4);

  simt::launch_config config = r.cover<1>(n, 256);
  if (stage == 3 && !r.grid_given()) config.grid = std::min<std::int64_t>(config.grid.x, 1024);
  const auto tree_bytes = [](std::int64_t threads) { return threads * static_cast<std::int64_t>(sizeof(float)); };
  config = r.with_shared(config, tree_bytes(config.block.x));

  auto x = r.input("x", values);
  auto sum = r.output<float>("sum", 1);
  simt::buffer<float> partial(std::max<std::int64_t>(config.grid.x, 1), "partial");
  r.launch([&] {
    switch (stage) {
      case 1:
        simt::launch<reduce_interleaved>(r.stream(), config, x, partial);
        break;
      case 2:
        simt::launch<reduce_sequential>(r.stream(), config, x, partial);
        break;
      default:
        simt::launch<reduce_many>(r.stream(), config, x, partial);
        break;
    }
    simt::launch<reduce_many>(r.stream(), {.grid = 1, .block = 256, .shared_bytes = tree_bytes(256)}, partial, sum);
  });
  r.expect(sum, std::vector<float>{static_cast<float>(wanted)}, 1e-5);
}

const simt::program reduce{
    {.name = "reduce",
     .summary = "sum of an array by a tree in shared memory",
     .options = {{"n", "elements", 1 << 20, 1},
                 {"stage", "1 interleaved, 2 sequential, 3 several elements a thread first", 2, 1}},
     .geometry = "covers --n with blocks of 256 (stage 3: at most 1024 blocks); then one block"},
    run_reduce};

}  // namespace
