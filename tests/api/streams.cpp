// SPDX-License-Identifier: Apache-2.0
// Streams and events: order, time, callbacks.
#include <doctest/doctest.h>

#include <atomic>
#include <vector>

#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void append(simt::thread t, simt::view<int> trace, simt::view<int> length, int what) {
  if (t.grid<1>() != 0) return;
  trace[length[0]] = what;
  length[0] += 1;
}
SIMT_DEVICE void work(simt::thread t, simt::view<float> x, int rounds) {
  for (auto i : t.grid_stride(x.size())) {
    float v = x[i];
    for (int r = 0; r < rounds; ++r) v = v * 1.0001f + 0.5f;
    x[i] = v;
  }
}

}  // namespace

TEST_CASE("work on one stream runs in order") {
  simt::stream s;
  auto trace = simt::to_device(std::vector<int>(20), "trace");
  auto length = simt::to_device(std::vector<int>(1), "length");
  for (int i = 0; i < 20; ++i) simt::launch<append>(s, {.grid = 1, .block = 1}, trace, length, i);
  s.synchronize();
  CHECK(s.idle());
  std::vector<int> wanted(20);
  for (int i = 0; i < 20; ++i) wanted[i] = i;
  CHECK(trace.to_host() == wanted);
}

TEST_CASE("an event orders two streams") {
  simt::stream first({.non_blocking = true}), second({.non_blocking = true, .priority = -1});
  simt::buffer<float> x(1 << 16, "x");
  x.fill_bytes(0);
  simt::synchronize();
  auto trace = simt::to_device(std::vector<int>(2), "trace");
  auto length = simt::to_device(std::vector<int>(1), "length");
  simt::event done(false);
  simt::launch<work>(first, {.grid = 64, .block = 256}, x, 2000);
  simt::launch<append>(first, {.grid = 1, .block = 1}, trace, length, 1);
  done.record(first);
  second.wait(done);
  simt::launch<append>(second, {.grid = 1, .block = 1}, trace, length, 2);
  second.synchronize();
  CHECK(done.done());
  CHECK(trace.to_host() == std::vector<int>{1, 2});
}

TEST_CASE("events measure time") {
  simt::buffer<float> x(1 << 14, "x");
  x.fill_bytes(0);
  simt::event start, stop;
  start.record();
  simt::launch<work>({.grid = 16, .block = 256}, x, 500);
  stop.record();
  stop.synchronize();
  CHECK(elapsed_ms(start, stop) > 0);
  simt::event never;
  CHECK_THROWS_AS(elapsed_ms(start, never), simt::error);
}

TEST_CASE("a host callback runs after the work before it") {
  simt::stream s;
  simt::buffer<float> x(1 << 14, "x");
  x.fill_bytes(0, s);
  std::atomic<int> called{0};
  simt::launch<work>(s, {.grid = 16, .block = 256}, x, 100);
  s.host_callback([&] { called = 1; });
  s.host_callback([&] { called = called * 10 + 2; });
  s.synchronize();
  CHECK(called == 12);
}
