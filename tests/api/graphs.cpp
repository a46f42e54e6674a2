// SPDX-License-Identifier: Apache-2.0
// Graphs: captured once, launched many times; order inside them and around them; what a capture does not allow.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include <simt/check.hpp>
#include <simt/simt.hpp>

#include "on_streams.hpp"

namespace {

SIMT_DEVICE void add(simt::thread t, simt::view<int> x, int n) {
  for (auto i : t.grid_stride(x.size())) x[i] += n;
}
SIMT_DEVICE void twice(simt::thread t, simt::view<int> x) {
  for (auto i : t.grid_stride(x.size())) x[i] *= 2;
}
SIMT_DEVICE void sum_of(simt::thread t, simt::view<const int> x, simt::view<const int> y, simt::view<int> z) {
  for (auto i : t.grid_stride(z.size())) z[i] = x[i] + y[i];
}

simt::buffer<int> zeros(const char* name) {
  simt::buffer<int> x(300, name);
  x.fill_bytes(0);
  simt::synchronize();
  return x;
}
int races(const std::vector<simt::finding>& found) {
  return static_cast<int>(std::count_if(found.begin(), found.end(),
                                        [](const simt::finding& f) { return f.rule == simt::rule::race_global; }));
}

}  // namespace

TEST_CASE("captured work runs when the graph is launched, each time") {
  auto x = zeros("x");
  const auto found = simt::check({}, [&] {
    simt::stream s;
    simt::pinned_buffer<int> seen(300, "seen");
    int calls = 0;
    int step = 3;
    s.begin_capture();
    CHECK(s.capturing());
    simt::launch<add>(s, kSmall, x, step);
    step = 1000;  // arguments were copied
    simt::launch<twice>(s, kSmall, x);
    x.copy_to_async(seen.span(), s);
    s.host_callback([&] { ++calls; });
    const simt::graph g = s.end_capture();
    CHECK(!s.capturing());
    CHECK(g.size() == 4);
    s.synchronize();
    CHECK(calls == 0);
    CHECK(x.to_host()[7] == 0);
    const simt::graph_exec run = g.instantiate();
    for (int i = 0; i < 3; ++i) run.launch(s);
    s.synchronize();
    CHECK(calls == 3);
    CHECK(seen[299] == 42);  // (((0+3)*2+3)*2+3)*2
    const simt::graph_exec again = g.instantiate();
    simt::launch<add>(s, kSmall, x, 1);
    again.launch(s);
    s.synchronize();
    CHECK(x.to_host()[0] == 92);
  });
  CHECK(found.empty());
}

TEST_CASE("branches of a graph") {
  auto x = zeros("x"), y = zeros("y"), z = zeros("z");
  const auto build = [&](bool forked_after, bool joined_before) {
    simt::stream a(kNonBlocking), b(kNonBlocking);
    simt::event fork(false), join(false);
    return simt::capture(a, [&] {
      if (!forked_after) fork.record(a);
      simt::launch<add>(a, kSmall, x, 1);
      if (forked_after) fork.record(a);
      b.wait(fork);
      CHECK(b.capturing());
      simt::launch<sum_of>(b, kSmall, x, x, y);  // needs x
      join.record(b);
      if (joined_before) a.wait(join);
      simt::launch<sum_of>(a, kSmall, x, y, z);  // needs y
      if (!joined_before) a.wait(join);
    });
  };
  SUBCASE("in order") {
    const auto found = simt::check({}, [&] {
      const simt::graph_exec run = build(true, true).instantiate();
      simt::stream s, other(kNonBlocking);
      run.launch(s);
      run.launch(other);  // launches of one graph_exec follow each other
      simt::synchronize();
      CHECK(z.to_host()[0] == 6);
    });
    CHECK(found.empty());
  }
  if (!kChecked) return;
  SUBCASE("forked too early") {
    CHECK(races(simt::check({}, [&] {
            simt::stream s;
            build(false, true).instantiate().launch(s);
            s.synchronize();
          })) >= 1);
  }
  SUBCASE("joined too late") {
    CHECK(races(simt::check({}, [&] {
            simt::stream s;
            build(true, false).instantiate().launch(s);
            s.synchronize();
          })) == 1);
  }
}

TEST_CASE("order between a graph and other work") {
  auto x = zeros("x");
  simt::stream s(kNonBlocking);
  const simt::graph g = simt::capture(s, [&] { simt::launch<add>(s, kSmall, x, 1); });
  const simt::graph_exec run = g.instantiate();
  const auto with = [&](auto between) {
    return races(simt::check({}, [&] {
      simt::stream a(kNonBlocking), b(kNonBlocking);
      run.launch(a);
      between(a, b);
      simt::launch<add>(b, kSmall, x, 1);
      simt::synchronize();
    }));
  };
  CHECK(with([](simt::stream& a, simt::stream&) { a.synchronize(); }) == 0);
  CHECK(with([](simt::stream& a, simt::stream& b) {
          simt::event e(false);
          e.record(a);
          b.wait(e);
        }) == 0);
  if (kChecked) CHECK(with([](simt::stream&, simt::stream&) {}) >= 1);
}

TEST_CASE("graphs beside each other on one stream") {
  auto x = zeros("x");
  simt::stream s(kNonBlocking);
  const auto inner = simt::capture(s, [&] { simt::launch<add>(s, kSmall, x, 1); }).instantiate();
  const simt::graph outer = simt::capture(s, [&] {
    simt::launch<twice>(s, kSmall, x);
    simt::launch<add>(s, kSmall, x, 2);
  });
  CHECK(outer.size() == 2);
  outer.instantiate().launch(s);
  inner.launch(s);
  s.synchronize();
  CHECK(x.to_host()[5] == 3);
}

TEST_CASE("what a capture does not allow") {
  auto x = zeros("x");
  simt::stream s;
  CHECK_THROWS_AS(simt::stream::default_stream().begin_capture(), simt::error);
  CHECK_THROWS_AS(s.end_capture(), simt::error);
  const auto lost = [&](auto what) {
    s.begin_capture();
    CHECK_THROWS_AS(what(), simt::error);
    CHECK_THROWS_AS(s.end_capture(), simt::error);
    CHECK(!s.capturing());
  };
  SUBCASE("a wait") {
    lost([&] { s.synchronize(); });
  }
  SUBCASE("a copy that waits") {
    std::vector<int> host(300);
    lost([&] { x.copy_to(host, s); });
  }
  SUBCASE("the default stream beside a blocking stream") {
    lost([&] { simt::launch<add>(kSmall, x, 1); });
  }
  SUBCASE("a stream that is not joined") {
    simt::stream b;
    simt::event fork(false);
    s.begin_capture();
    fork.record(s);
    b.wait(fork);
    simt::launch<add>(b, kSmall, x, 1);
    CHECK_THROWS_AS(s.end_capture(), simt::error);
    CHECK(!b.capturing());
  }
  SUBCASE("waiting for an event from outside") {
    simt::stream b;
    simt::event outside(false);
    outside.record(b);
    lost([&] { s.wait(outside); });
  }
  SUBCASE("memory of the stream") {
    s.begin_capture();
    CHECK_THROWS_AS(simt::buffer<int>(s, 10, "y"), simt::error);
    CHECK(s.end_capture().size() == 0);
  }
  SUBCASE("a graph in a graph") {
    const auto inner = simt::capture(s, [&] { simt::launch<add>(s, kSmall, x, 5); }).instantiate();
    s.begin_capture();
    CHECK_THROWS_AS(inner.launch(s), simt::error);
    CHECK(s.end_capture().size() == 0);
  }
  SUBCASE("an exception in the body ends the capture") {
    CHECK_THROWS_AS(simt::capture(s, [&] { throw simt::error(simt::error_kind::invalid_argument, "mine"); }),
                    simt::error);
    CHECK(!s.capturing());
  }
  // The stream works as before.
  simt::launch<add>(s, kSmall, x, 1);
  s.synchronize();
  CHECK(x.to_host()[0] == 1);
}
