// SPDX-License-Identifier: Apache-2.0
// simt::pipeline: stages of asynchronous copies that a block shares, and what happens where a call is left out.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <simt/check.hpp>
#include <simt/pipeline.hpp>
#include <simt/simt.hpp>

namespace {

constexpr int kThreads = 64;

// Sums of what the next thread copied, over tiles loaded Stages - 1 ahead. Wait, Acquire: whether those calls are made.
template <unsigned Stages, bool Wait, bool Acquire>
SIMT_DEVICE void staged(simt::thread t, simt::view<const float> x, simt::view<float> out) {
  auto& stage = t.shared<"stage", float[Stages][kThreads]>();
  const auto tiles = static_cast<unsigned>(x.size() / kThreads);
  simt::pipeline<Stages> pipe(t);
  const auto fill = [&](unsigned tile) {
    if constexpr (Acquire) pipe.producer_acquire();
    pipe.memcpy_async(&stage[tile % Stages][t.rank()], &x[tile * kThreads + t.rank()], sizeof(float));
    pipe.producer_commit();
  };
  unsigned next = 0;
  for (; next + 1 < Stages && next < tiles; ++next) fill(next);
  float sum = 0;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    if (next < tiles) fill(next++);
    if constexpr (Wait) pipe.consumer_wait();
    sum += stage[tile % Stages][(t.rank() + 1) % kThreads];
    if constexpr (Wait) pipe.consumer_release();
  }
  out[t.rank()] = sum;
}

template <unsigned Stages>
void check_stages() {
  for (const int tiles : {1, 2, 3, 10}) {
    std::vector<float> v(static_cast<std::size_t>(tiles) * kThreads);
    std::iota(v.begin(), v.end(), 1.f);
    auto x = simt::to_device(v, "x");
    simt::buffer<float> out(kThreads, "out");
    const auto found =
        simt::check({}, [&] { simt::launch<staged<Stages, true, true>>({.grid = 1, .block = kThreads}, x, out); });
    CHECK(found.empty());
    const auto got = out.to_host();
    for (int i = 0; i < kThreads; ++i) {
      float sum = 0;
      for (int tile = 0; tile < tiles; ++tile) sum += v[static_cast<std::size_t>(tile * kThreads + (i + 1) % kThreads)];
      REQUIRE(got[static_cast<std::size_t>(i)] == sum);
    }
  }
}

}  // namespace

TEST_CASE("pipelines of one to four stages") {
  check_stages<1>();
  check_stages<2>();
  check_stages<4>();
}

#if defined(SIMT_VARIANT_CHECK)
TEST_CASE("a pipeline without its waits races") {
  auto x = simt::to_device(std::vector<float>(10 * kThreads, 1.f), "x");
  simt::buffer<float> out(kThreads, "out");
  const auto races = [&](auto launch) {
    const auto found = simt::check({.uninit = false}, launch);
    int n = 0;
    for (const auto& f : found)
      if (f.rule == simt::rule::race_shared && f.object == "stage") ++n;
    return n;
  };
  // The stage is overwritten while others may still read it.
  CHECK(races([&] { simt::launch<staged<2, true, false>>({.grid = 1, .block = kThreads}, x, out); }) >= 1);
  // The stage is read before the copies of others are there. One tile: nothing is released, so no second could be
  // filled.
  auto one = simt::to_device(std::vector<float>(kThreads, 1.f), "one");
  CHECK(races([&] { simt::launch<staged<2, false, true>>({.grid = 1, .block = kThreads}, one, out); }) >= 1);
}
#endif
