// SPDX-License-Identifier: Apache-2.0
// Element functions on the engine, where a block runs in turns: who died, who waits, and that nothing is lost by it.
#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>

#include "launch_settings.hpp"

using engine_tests::contains;
using engine_tests::error_of;
using engine_tests::launch_settings;

namespace {

constexpr simt::launch_config kGrid{.grid = 5, .block = 32};
constexpr std::int64_t kElements = 10'000;
// Turn 3: thread 21 of block 2.
constexpr std::int64_t kBad = (3 * 5 + 2) * 32 + 21;

SIMT_DEVICE void one_more(std::int64_t i, simt::view<int> x) { x[i] += 1; }

std::vector<int> all(int value) { return std::vector<int>(static_cast<std::size_t>(kElements), value); }

template <auto Element, simt::sim::wanted_execution How = simt::sim::wanted_execution::automatic, class... A>
std::string fault_of(const A&... arguments) {
  std::string text;
  for (const int workers : {3, 1}) {
    CAPTURE(workers);
    {
      launch_settings settings({.workers = workers, .timeout_seconds = 0.3, .executed_by = How});
      auto x = simt::to_device(all(1), "x");
      text = error_of([&] { simt::launch_each<Element>(kGrid, kElements, x, arguments...); },
                      simt::error_kind::device_fault);
      CHECK_MESSAGE(!text.empty(), "no fault");
    }
    auto x = simt::to_device(all(0), "x");
    simt::launch_each<one_more>(kGrid, kElements, x);
    CHECK(x.to_host() == all(1));
  }
  return text;
}

SIMT_DEVICE void throws(simt::thread t, std::int64_t i, simt::view<int> x, bool waits) {
  if (waits) t.yield();
  if (i == kBad) throw std::runtime_error("the bad element");
  x[i] = 2;
}
SIMT_DEVICE void divides(std::int64_t i, simt::view<int> x) { x[i] = 1000 / (x[i] - (i == kBad)); }
[[gnu::noinline]] SIMT_DEVICE int deep(volatile int* n) {
  volatile int here[16] = {*n};
  if (*n < 0) return here[0];
  return deep(n) + here[3];
}
SIMT_DEVICE void recurses(std::int64_t i, simt::view<int> x) {
  if (i == kBad) x[i] = deep(&x[0]);
}
SIMT_DEVICE void endless(std::int64_t i, simt::view<int> x) {
  volatile int* const at = &x[i];
  while (i == kBad) *at = *at + 1;
}

}  // namespace

TEST_CASE("elements: faults name block and thread of the grid") {
  for (const bool waits : {false, true}) {
    CAPTURE(waits);
    const auto text = fault_of<throws>(waits);
    CHECK_MESSAGE(
        contains(text, "thread (21,0,0) of block (2,0,0) of kernel throws threw an exception: the bad element"), text);
  }
#if defined(__x86_64__)  // elsewhere a division by zero has a result
  const auto division = fault_of<divides>();
  CHECK_MESSAGE(contains(division, "of block (2,0,0) of kernel divides divided an integer by zero"), division);
#endif
  const auto overflow = fault_of<recurses>();
  CHECK_MESSAGE(contains(overflow, "of block (2,0,0) of kernel recurses used up its stack"), overflow);
  const auto alone = fault_of<recurses, simt::sim::wanted_execution::single>();
  CHECK_MESSAGE(contains(alone, "thread (21,0,0) of block (2,0,0) of kernel recurses used up its stack"), alone);
  const auto late = fault_of<endless>();
  CHECK_MESSAGE(contains(late, "kernel endless did not end within the time limit"), late);
}

namespace {

// Each waits for the one `step` further on, or in front of it, if that exists; every third has no such wait.
SIMT_DEVICE void waits_for(simt::thread t, std::int64_t i, simt::view<int> done, std::int64_t step) {
  const std::int64_t other = i + step;
  if (i % 3 != 0 && other >= 0 && other < done.size())
    while (t.atomic_load(done[other], simt::memory_order::acquire) == 0) {
    }
  t.atomic_add(done[i], 1, simt::memory_order::release);
}
// Not one call to the engine: the last element sets a flag that the first one waits for, blocks later.
SIMT_DEVICE void waits_on_volatile(std::int64_t i, simt::view<int> x, int* flag) {
  volatile int* const at = flag;
  if (i == 0)
    while (*at == 0) {
    }
  if (i == kElements - 1) *at = 1;
  x[i] += 1;
}
SIMT_DEVICE void syncs(simt::thread t, std::int64_t i, simt::view<int> x) {
  if (i % 7 != 2) t.sync();
  x[i] += 1;
}
SIMT_DEVICE void counts_bytes(std::int64_t i, simt::view<char> x) { x[i] = static_cast<char>(x[i] + 1); }

}  // namespace

TEST_CASE("elements: a wait, which there must not be, loses none") {
  for (const int workers : {1, 3}) {
    CAPTURE(workers);
    launch_settings settings({.workers = workers, .timeout_seconds = 60});
    for (const std::int64_t step : {1, -1, 31, 32, 33, 160, -160, 1000}) {
      CAPTURE(step);
      auto done = simt::to_device(all(0), "done");
      simt::launch_each<waits_for>(kGrid, kElements, done, step);
      CHECK(done.to_host() == all(1));
    }
    auto x = simt::to_device(all(0), "x"), flag = simt::to_device(std::vector<int>(1), "flag");
    simt::launch_each<waits_on_volatile>(kGrid, kElements, x, flag);
    CHECK(x.to_host() == all(1));
    simt::launch_each<syncs>(kGrid, kElements, x);
    CHECK(x.to_host() == all(2));
  }
}

TEST_CASE("elements: stores that may alias the loop's own bounds") {
  auto x = simt::to_device(std::vector<char>(static_cast<std::size_t>(kElements)), "x");
  simt::launch_each<counts_bytes>(kGrid, kElements, x);
  CHECK(x.to_host() == std::vector<char>(static_cast<std::size_t>(kElements), 1));
}
