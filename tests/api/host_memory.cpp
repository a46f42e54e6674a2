// SPDX-License-Identifier: Apache-2.0
// Managed and pinned memory: one address on both sides, and races of the host with kernels and copies.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <simt/check.hpp>
#include <simt/simt.hpp>

#include "on_streams.hpp"

namespace {

SIMT_DEVICE void add_one_at(simt::thread t, int* x, std::int64_t n) {
  for (auto i : t.grid_stride(n)) x[i] += 1;
}
SIMT_DEVICE void fill_matrix(simt::thread t, simt::view<int, 2> x) {
  const auto [row, column] = t.grid<2>();
  if (row < x.extent(0) && column < x.extent(1)) x(row, column) = static_cast<int>(10 * row + column);
}
SIMT_DEVICE void lengths(simt::thread t, simt::view<const char> text, simt::view<int> n) {
  if (t.grid<1>() == 0)
    while (text[n[0]] != 0) ++n[0];
}
SIMT_DEVICE void only_read(simt::thread t, simt::view<const int> x, simt::view<int> sum) {
  if (t.grid<1>() == 0)
    for (std::int64_t i = 0; i < x.size(); ++i) sum[0] += x[i];
}

// Races of `object` with the host as one side.
int host_races(const std::vector<simt::finding>& found, const std::string& object) {
  int n = 0;
  for (const simt::finding& f : found) {
    const bool by_host = std::any_of(f.accesses.begin(), f.accesses.end(),
                                     [](const simt::access& a) { return a.agent == simt::actor::host; });
    if (f.rule == simt::rule::race_global && f.object == object && by_host) ++n;
  }
  return n;
}

}  // namespace

TEST_CASE_TEMPLATE("host and kernel share one array", B, simt::managed_buffer<int>, simt::pinned_buffer<int>) {
  B x(1000, "x");
  CHECK(x.size() == 1000);
  CHECK(x.bytes() == 4000);
  CHECK(x.name() == "x");
  const auto found = simt::check({}, [&] {
    for (int i = 0; i < 1000; ++i) x[i] = i;
    simt::launch<add_one>(kSmall, x);
    simt::synchronize();
    CHECK(x[999] == 1000);
    x[0] = 41;
    simt::launch<add_one_at>(kSmall, x, x.size());
    simt::stream::default_stream().synchronize();
    CHECK(x[0] == 42);
    CHECK(std::accumulate(x.begin(), x.end(), 0L) == 1000L * 999 / 2 + 1000 + 999 + 42 - 1);
    std::fill(x.begin(), x.end(), 7);
    simt::launch<add_one>(kSmall, x.view());
    simt::event done;
    done.record();
    done.synchronize();
    CHECK(*std::max_element(x.begin(), x.end()) == 8);
  });
  CHECK(found.empty());
}

TEST_CASE_TEMPLATE("the host touches what a kernel may still use", B, simt::managed_buffer<int>,
                   simt::pinned_buffer<int>) {
  if (!kChecked) return;  // a race on a GPU
  SUBCASE("read") {
    const auto found = simt::check({}, [&] {
      B x(64, "x");
      std::fill(x.begin(), x.end(), 1);
      simt::launch<add_one>(kSmall, x);
      volatile int seen = x[5];
      (void)seen;
    });
    CHECK(host_races(found, "x") == 1);
    CHECK(found.size() == 1);
  }
  SUBCASE("write") {
    const auto found = simt::check({}, [&] {
      B x(64, "x");
      std::fill(x.begin(), x.end(), 1);
      simt::launch<add_one>(kSmall, x);
      x[5] = 3;
    });
    CHECK(host_races(found, "x") >= 1);
  }
  SUBCASE("a wait for another stream orders nothing") {
    const auto found = simt::check({}, [&] {
      simt::stream mine({.non_blocking = true}), other({.non_blocking = true});
      B x(64, "x");
      std::fill(x.begin(), x.end(), 1);
      simt::launch<add_one>(mine, kSmall, x);
      other.synchronize();
      x[5] = 3;
      mine.synchronize();
    });
    CHECK(host_races(found, "x") >= 1);
  }
  SUBCASE("two readers do not race") {
    const auto found = simt::check({}, [&] {
      B x(64, "x");
      simt::buffer<int> sum(1, "sum");
      sum.fill_bytes(0);
      std::fill(x.begin(), x.end(), 1);
      simt::launch<only_read>(kSmall, x, sum);
      volatile int seen = x[5];
      (void)seen;
      CHECK(sum.to_host()[0] == 64);
    });
    CHECK(found.empty());
  }
  SUBCASE("memory beside it") {
    const auto found = simt::check({}, [&] {
      B x(64, "x");
      std::fill(x.begin(), x.end(), 1);
      simt::launch<add_one_at>(kSmall, x.data(), 32);
      for (int i = 32; i < 64; ++i) x[i] = 3;
      simt::synchronize();
    });
    CHECK(found.empty());
  }
  SUBCASE("memory given back") {
    const int* late = nullptr;
    const auto found = simt::check({}, [&] {
      {
        B x(64, "x");
        std::fill(x.begin(), x.end(), 1);
        late = x.data();
      }
      volatile int seen = *late;
      (void)seen;
    });
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == simt::rule::use_after_free);
  }
}

TEST_CASE_TEMPLATE("what libraries write counts as initialised", B, simt::managed_buffer<char>,
                   simt::pinned_buffer<char>) {
  const auto found = simt::check({}, [] {
    B text(64, "text");
    simt::buffer<int> n(1, "n");
    n.fill_bytes(0);
    std::snprintf(text.data(), 64, "%d%s", 12345, "abc");
    simt::launch<lengths>(kSmall, text, n);
    CHECK(n.to_host()[0] == 8);
  });
  CHECK(found.empty());
}

TEST_CASE("asynchronous copies and pinned memory") {
  constexpr int kCount = 256;
  simt::buffer<int> x(kCount, "x");
  simt::pinned_buffer<int> staging(kCount, "staging");
  const auto round_trip = [&](bool wait) {
    return simt::check({}, [&] {
      simt::stream s;
      std::iota(staging.begin(), staging.end(), 0);
      x.copy_from_async(staging.span(), s);
      simt::launch<add_one>(s, kSmall, x);
      x.copy_to_async(staging.span(), s);
      if (wait) s.synchronize();
      volatile int last = staging[kCount - 1];
      s.synchronize();
      if (wait) CHECK(last == kCount);
    });
  };
  CHECK(round_trip(true).empty());
  if (!kChecked) return;
  CHECK(host_races(round_trip(false), "staging") == 1);

  // The source of a copy must stay until the copy is done.
  const auto found = simt::check({}, [&] {
    simt::stream s;
    std::iota(staging.begin(), staging.end(), 0);
    x.copy_from_async(staging.span(), s);
    staging[3] = 0;
    s.synchronize();
  });
  CHECK(host_races(found, "staging") == 1);
}

TEST_CASE("axes, views and sizes of managed memory") {
  simt::managed_buffer<int> m({3, 5}, "m");
  simt::launch<fill_matrix>({.grid = 1, .block = {8, 8}}, m);
  simt::synchronize();
  CHECK(m[7] == 12);
  CHECK(m.view<2>().extent(1) == 5);
  CHECK_THROWS_AS(m.view<3>(), simt::error);
  CHECK_THROWS_AS(simt::managed_buffer<int>(-1, "negative"), simt::error);
  CHECK_THROWS_AS(simt::managed_buffer<int>(std::int64_t{1} << 50, "huge"), simt::error);
  simt::managed_buffer<int> none(0, "none"), moved = std::move(m);
  CHECK(none.size() == 0);
  CHECK(moved[14] == 24);
}
