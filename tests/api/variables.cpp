// SPDX-License-Identifier: Apache-2.0
// Variables at namespace scope in device and constant memory.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include <simt/check.hpp>
#include <simt/simt.hpp>

SIMT_CONSTANT(kTaps, float[5]) = {1, 2, 3, 2, 1};

namespace {

struct mixture {
  int a;
  float b[2];
};

SIMT_CONSTANT(kMatrix, int[2][3]);
SIMT_CONSTANT(kPair, std::array<int, 2>) = {{7, 8}};
SIMT_DEVICE_VARIABLE(hits, int) = 40;
SIMT_DEVICE_VARIABLE(cells, unsigned[64]);
SIMT_DEVICE_VARIABLE(parts, mixture) = {1, {2, 3}};

SIMT_DEVICE void filter(simt::thread t, simt::view<const float> x, simt::view<float> y) {
  const auto i = t.grid<1>();
  if (i + 5 > x.size()) return;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += kTaps[k] * x[i + k];
  y[i] = sum;
}

SIMT_DEVICE void read_matrix(simt::thread t, simt::view<int> out) {
  const int i = t.rank();
  if (i < 6) out[i] = kMatrix[i / 3][i % 3];
  if (i == 6) out[i] = kPair[0] + 10 * kPair[1];
}

SIMT_DEVICE void count_calls(simt::thread t, int) {
  t.atomic_add(hits, 1);
  t.atomic_add(cells[t.lane()], 1u);
}

SIMT_DEVICE void bump_parts(simt::thread t, int by) {
  if (t.rank() != 0) return;
  parts.a += by;
  parts.b[1] += static_cast<float>(by);
}

// What the racy twin leaves out: that one thread of the block alone adds.
template <bool Atomic>
SIMT_DEVICE void count_blocks(simt::thread t, int n) {
  if (t.rank() != 0) return;
  if constexpr (Atomic)
    t.atomic_add(cells[7], static_cast<unsigned>(n));
  else
    cells[7] += static_cast<unsigned>(n);
}

TEST_CASE("a constant keeps its initialiser until the host writes it") {
  const std::vector<float> x{1, 1, 1, 1, 1, 1, 1, 2};
  const auto run = [&] {
    auto in = simt::to_device(x, "x");
    simt::buffer<float> y(4, "y");
    simt::launch<filter>({.grid = 1, .block = 8}, in, y);
    return y.to_host();
  };
  CHECK(run() == std::vector<float>{9, 9, 9, 10});
  simt::variable taps(kTaps);
  CHECK(taps.size() == 5);
  CHECK(taps.bytes() == 20);
  taps.copy_from(std::array<float, 5>{0, 0, 0, 0, 1});
  CHECK(run() == std::vector<float>{1, 1, 1, 2});
  CHECK(taps.to_host() == std::vector<float>{0, 0, 0, 0, 1});
  taps.copy_from(std::array<float, 5>{1, 2, 3, 2, 1});
}

TEST_CASE("arrays of arrays and types with commas") {
  simt::buffer<int> out(7, "out");
  simt::launch<read_matrix>({.grid = 1, .block = 32}, out);
  CHECK(out.to_host() == std::vector<int>{0, 0, 0, 0, 0, 0, 87});
  simt::variable(kMatrix).copy_from(std::vector<int>{1, 2, 3, 4, 5, 6});
  simt::launch<read_matrix>({.grid = 1, .block = 32}, out);
  CHECK(out.to_host() == std::vector<int>{1, 2, 3, 4, 5, 6, 87});
}

TEST_CASE("device variables live from launch to launch") {
  simt::variable total(hits);
  CHECK(total.get() == 40);
  simt::launch<count_calls>({.grid = 3, .block = 64}, 0);
  CHECK(total.get() == 40 + 3 * 64);
  total.set(0);
  simt::launch<count_calls>({.grid = 2, .block = 32}, 0);
  CHECK(total.get() == 64);
  const auto by_lane = simt::variable(cells).to_host();
  CHECK(by_lane.size() == 64);
  CHECK(by_lane[31] == 8);
  CHECK(by_lane[32] == 0);
  simt::launch<bump_parts>({.grid = 1, .block = 32}, 5);
  const mixture m = simt::variable(parts).get();
  CHECK(m.a == 6);
  CHECK(m.b[0] == 2);
  CHECK(m.b[1] == 8);
}

TEST_CASE("copies in the order of a stream, and sizes that do not fit") {
  simt::stream s;
  simt::variable all(cells);
  const std::vector<unsigned> zeros(64);
  std::vector<unsigned> got(64, 9);
  all.copy_from_async(zeros, s);
  simt::launch<count_blocks<true>>(s, {.grid = 5, .block = 1}, 2);
  all.copy_to_async(got, s);
  s.synchronize();
  CHECK(got[7] == 10);
  CHECK(got[8] == 0);
  CHECK_THROWS_AS(all.copy_from(std::vector<unsigned>(63)), simt::error);
  CHECK_THROWS_AS(all.copy_to(got = std::vector<unsigned>(65)), simt::error);
}

// A view of a variable goes where a buffer's goes.
SIMT_DEVICE void fill_view(simt::thread t, simt::view<unsigned> to) {
  for (auto i : t.grid_stride(to.size())) to[i] = static_cast<unsigned>(i);
}
TEST_CASE("a variable as a kernel's argument") {
  simt::variable all(cells);
  simt::launch<fill_view>({.grid = 1, .block = 32}, all.view());
  const auto got = all.to_host();
  for (unsigned i = 0; i < 64; ++i) CHECK(got[i] == i);
}

#if !defined(SIMT_VARIANT_CUDA)
TEST_CASE("a constant's type refuses stores") {
  CHECK(std::is_const_v<std::remove_reference_t<decltype(kTaps[0])>>);
  CHECK(std::is_const_v<std::remove_reference_t<decltype(kPair)>>);
  CHECK_FALSE(std::is_const_v<std::remove_reference_t<decltype(hits)>>);
}
#endif

#if defined(SIMT_VARIANT_CHECK)
SIMT_DEVICE void behind_the_end(simt::thread t, int n) {
  t.atomic_add(hits, static_cast<int>((&cells[0])[n + t.rank()]));
}
SIMT_DEVICE void set_hits(simt::thread, int n) { hits = n; }

TEST_CASE("a race on a device variable is found with its name") {
  const auto with = [](auto launch) { return simt::check({}, [&] { launch(); }); };
  CHECK(with([] { simt::launch<count_blocks<true>>({.grid = 4, .block = 32}, 1); }).empty());
  const auto found = with([] { simt::launch<count_blocks<false>>({.grid = 4, .block = 32}, 1); });
  REQUIRE_FALSE(found.empty());
  for (const simt::finding& f : found) {
    CHECK(f.rule == simt::rule::race_global);
    CHECK(f.object == "cells");
    CHECK(f.index == std::vector<std::int64_t>{7});
  }
}
TEST_CASE("reads of variables are no reads of the host's memory") {
  CHECK(simt::check({}, [] {
          auto in = simt::to_device(std::vector<float>(8, 1.f), "x");
          simt::buffer<float> y(4, "y");
          simt::launch<filter>({.grid = 1, .block = 8}, in, y);
          simt::launch<count_calls>({.grid = 1, .block = 64}, 0);
        }).empty());
}
TEST_CASE("an address behind a variable's end is found") {
  const auto found = simt::check({}, [] { simt::launch<behind_the_end>({.grid = 1, .block = 1}, 64); });
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == simt::rule::out_of_bounds);
}
TEST_CASE("launches on unordered streams race on a variable, and so does the host's copy") {
  const auto run = [](bool ordered) {
    return simt::check({}, [&] {
      simt::stream a({.non_blocking = true}), b({.non_blocking = true});
      simt::launch<set_hits>(a, {.grid = 1, .block = 1}, 1);
      if (ordered) a.synchronize();
      simt::launch<set_hits>(b, {.grid = 1, .block = 1}, 2);
      b.synchronize();
    });
  };
  CHECK(run(true).empty());
  const auto found = run(false);
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == simt::rule::race_global);
  CHECK(found[0].object == "hits");
}
#endif

}  // namespace
