// SPDX-License-Identifier: Apache-2.0
// Threads that come to a launch when it takes long: they come when they are called, once each, and the launch waits.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include <sim/exec/helpers.hpp>

namespace sim = simt::sim;

namespace {
void wait_for(const std::atomic<int>& number, int least) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (number < least && std::chrono::steady_clock::now() < until) std::this_thread::yield();
}
}  // namespace

TEST_CASE("helpers: where nobody calls, nobody comes") {
  sim::helper_threads helpers;
  std::atomic<int> runs[3] = {};
  helpers.run_when_called(3, [&](int i) { ++runs[i]; });
  sim::call_helpers();  // too late
  CHECK(runs[0] == 1);
  CHECK(runs[1] + runs[2] == 0);
  CHECK(!helpers.have_started());
}

TEST_CASE("helpers: called from any thread, each runs once, and the launch waits for all") {
  sim::helper_threads helpers;
  for (const bool from_outside : {false, true}) {
    std::atomic<int> runs[3] = {};
    std::atomic<int> begun{0}, ended{0};
    helpers.run_when_called(3, [&](int i) {
      ++runs[i];
      ++begun;
      if (i == 0) {
        if (from_outside)
          std::thread(sim::call_helpers).join();
        else
          sim::call_helpers();
        sim::call_helpers();  // nobody is left to be called
        wait_for(begun, 2);
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++ended;
    });
    CHECK(ended == 2);
    for (const auto& r : runs) CHECK(r == 1);
    CHECK(helpers.have_started());
  }
  std::atomic<int> all{0};
  helpers.run(3, [&](int) { ++all; });
  CHECK(all == 3);
}
