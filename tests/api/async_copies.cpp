// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies: there after the wait, not before.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <simt/check.hpp>
#include <simt/groups.hpp>
#include <simt/simt.hpp>

namespace cg = simt::cg;

namespace {

constexpr int kBlock = 64, kStages = 3;

// Running sums over tiles that are loaded kStages - 1 ahead. Wait: whether the thread waits for its copies.
template <bool Wait>
SIMT_DEVICE void staged(simt::thread t, simt::view<const float> x, simt::view<float> out) {
  auto& stage = t.shared<"stage", float[kStages][kBlock]>();
  const std::int64_t tiles = x.size() / kBlock;
  const auto load = [&](std::int64_t tile) {
    if (tile < tiles) t.memcpy_async(&stage[tile % kStages][t.rank()], &x[tile * kBlock + t.rank()], sizeof(float));
    t.commit_async();
  };
  for (int s = 0; s < kStages - 1; ++s) load(s);
  float sum = 0;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    if constexpr (Wait) t.wait_async<kStages - 2>();
    t.sync();
    sum += stage[tile % kStages][(t.rank() + 1) % kBlock];
    load(tile + kStages - 1);
  }
  out[t.rank()] = sum;
}

std::vector<float> ramp(int n) {
  std::vector<float> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 1.f);
  return v;
}

TEST_CASE("a pipeline of stages") {
  for (const int tiles : {1, 2, 3, 10}) {
    const auto v = ramp(tiles * kBlock);
    auto x = simt::to_device(v, "x");
    simt::buffer<float> out(kBlock, "out");
    simt::launch<staged<true>>({.grid = 1, .block = kBlock}, x, out);
    const auto got = out.to_host();
    for (int i = 0; i < kBlock; ++i) {
      float sum = 0;
      for (int tile = 0; tile < tiles; ++tile) sum += v[static_cast<std::size_t>(tile * kBlock + (i + 1) % kBlock)];
      CHECK(got[static_cast<std::size_t>(i)] == sum);
    }
  }
}

SIMT_DEVICE void whole_group(simt::thread t, simt::view<const float> x, simt::view<float> out) {
  const auto block = cg::this_thread_block(t);
  auto* row = t.dynamic_shared<float>();
  cg::memcpy_async(block, row, x.data_handle(), static_cast<std::size_t>(x.size()) * sizeof(float));
  cg::wait(block);
  for (auto i : t.block_stride(x.size())) out[i] = row[x.size() - 1 - i];
}
TEST_CASE("a group copies an array of any size together") {
  for (const int n : {1, 3, 64, 1001}) {
    const auto v = ramp(n);
    auto x = simt::to_device(v, "x");
    simt::buffer<float> out(n, "out");
    simt::launch<whole_group>({.grid = 1, .block = 96, .shared_bytes = n * 4}, x, out);
    const auto got = out.to_host();
    CHECK(std::equal(got.begin(), got.end(), v.rbegin()));
  }
}

#if !defined(SIMT_VARIANT_CUDA)
SIMT_DEVICE void too_early(simt::thread t, simt::view<const float> x, simt::view<float> out) {
  auto& one = t.shared<"one", float[32]>();
  one[t.rank()] = -1;
  t.memcpy_async(&one[t.rank()], &x[t.rank()], sizeof(float));
  t.commit_async();
  out[t.rank()] = one[t.rank()];
  t.wait_async();
  out[32 + t.rank()] = one[t.rank()];
}
TEST_CASE("data is not there before the wait") {
  auto x = simt::to_device(ramp(32), "x");
  simt::buffer<float> out(64, "out");
  simt::launch<too_early>({.grid = 1, .block = 32}, x, out);
  const auto got = out.to_host();
  for (int i = 0; i < 32; ++i) {
    CHECK(got[static_cast<std::size_t>(i)] == -1);
    CHECK(got[static_cast<std::size_t>(32 + i)] == static_cast<float>(i + 1));
  }
}
#endif

#if defined(SIMT_VARIANT_CHECK)
bool has(const std::vector<simt::finding>& all, simt::rule r) {
  for (const auto& f : all)
    if (f.rule == r) return true;
  return false;
}
TEST_CASE("a read before the wait is a race") {
  const auto run = [](auto launch) {
    return simt::check({}, [&] {
      auto x = simt::to_device(ramp(kBlock * 6), "x");
      simt::buffer<float> out(kBlock, "out");
      launch(x, out);
    });
  };
  const simt::launch_config one{.grid = 1, .block = kBlock};
  CHECK(run([&](auto& x, auto& out) { simt::launch<staged<true>>(one, x, out); }).empty());
  CHECK(has(run([&](auto& x, auto& out) { simt::launch<staged<false>>(one, x, out); }), simt::rule::race_shared));
  CHECK(has(run([&](auto& x, auto& out) { simt::launch<too_early>({.grid = 1, .block = 32}, x, out); }),
            simt::rule::race_shared));
}
#endif

}  // namespace
