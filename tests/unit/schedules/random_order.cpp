// SPDX-License-Identifier: Apache-2.0
// The random schedule: it switches, by its seed; it rests in launches that are large, and a replay rests with it; what
// differs between orders is still found.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <simt/session.hpp>
#include <simt/simt.hpp>

namespace {

// Each thread adds up its own cells, and all add one to the last cell without an atomic.
SIMT_DEVICE void add_up(simt::thread t, simt::view<int> cells, int steps) {
  const std::int64_t own = t.block_idx().x * t.block_dim().x + t.rank();
  for (int i = 0; i < steps; ++i) cells[own] += i;
  t.sync();
  cells[cells.size() - 1] = cells[cells.size() - 1] + 1;
}

struct outcome {
  std::vector<int> cells;
  simt::recorded_order order;
  std::string error;
  std::size_t findings = 0;
};

outcome run(std::uint64_t seed, std::int64_t blocks, int steps, int launches = 1,
            std::optional<simt::recorded_order> order = {}) {
  simt::run_request request;
  request.checks.races = true;
  request.schedule = "random";
  request.seed = seed;
  request.order = std::move(order);
  simt::backend::begin_run(request);
  constexpr std::int64_t kThreads = 64;
  outcome out;
  out.cells.assign(static_cast<std::size_t>(blocks * kThreads + 1), 0);
  {
    simt::buffer<int> cells(blocks * kThreads + 1, "cells");
    cells.copy_from(out.cells);
    for (int i = 0; i < launches; ++i) simt::launch<add_up>({.grid = {blocks}, .block = {kThreads}}, cells, steps);
    cells.copy_to(out.cells);
  }
  simt::run_report report;
  simt::backend::end_run(report);
  out.findings = report.findings.size();
  out.error = report.error;
  REQUIRE(report.orders.size() == 1);
  out.order = report.orders.front();
  return out;
}

std::int64_t rests_in(const std::string& picks) { return std::ranges::count(picks, 'z'); }
std::int64_t switches_in(const std::string& picks) { return std::ranges::count(picks, ':'); }

constexpr std::int64_t kSmall = 2, kLarge = 400;  // blocks

}  // namespace

TEST_CASE("a small launch is switched in to its end, as the seed says") {
  std::set<std::string> orders;
  int lost = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const outcome o = run(seed, kSmall, 5);
    const std::string& picks = o.order.launches.at(0).picks;
    CHECK(rests_in(picks) == 0);
    CHECK(switches_in(picks) > 100);
    CHECK(o.findings > 0);
    orders.insert(picks);
    lost += o.cells.back() < kSmall * 64;
    CHECK(run(seed, kSmall, 5).order.launches == o.order.launches);
  }
  CHECK(orders.size() == 10);
  CHECK(lost == 10);  // updates; in natural order none is
}

TEST_CASE("a large launch is rested in, and a replay rests with it") {
  std::set<std::string> orders;
  std::int64_t woken = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    CAPTURE(seed);
    const outcome o = run(seed, kLarge, 100);
    const std::string& picks = o.order.launches.at(0).picks;
    CHECK(rests_in(picks) > 0);
    woken += switches_in(picks.substr(picks.find('z')));
    CHECK(switches_in(picks) > 1000);
    CHECK(o.findings > 0);
    CHECK(o.cells[0] == 100 * 99 / 2);
    orders.insert(picks);
    const outcome again = run(seed + 7, kLarge, 100, 1, o.order);
    CHECK(again.error == "");
    CHECK(again.cells == o.cells);
    CHECK(again.findings == o.findings);
    CHECK(again.order.launches == o.order.launches);
  }
  CHECK(orders.size() == 3);
  CHECK(woken > 100);  // more often than where threads that run for too long are asked to yield
}

TEST_CASE("a launch that begins with a rest wakes in it at the same access when it is played back") {
  constexpr int kLaunches = 12;
  const outcome o = run(1, kLarge, 20, kLaunches);
  std::int64_t woke = 0;
  for (const simt::recorded_launch& l : o.order.launches)
    woke += l.picks.starts_with('z') && switches_in(l.picks) > 100;
  CHECK(woke > 0);
  const outcome again = run(2, kLarge, 20, kLaunches, o.order);
  CHECK(again.error == "");
  CHECK(again.cells == o.cells);
  CHECK(again.order.launches == o.order.launches);
}

TEST_CASE("later launches of a kernel begin with a rest or awake, and are played back as well") {
  constexpr int kLaunches = 12;
  const outcome o = run(1, kSmall, 5, kLaunches);
  std::int64_t rested = 0;
  for (const simt::recorded_launch& l : o.order.launches) rested += l.picks.starts_with('z');
  CHECK(rested > 0);
  CHECK(rested < kLaunches - 1);
  const outcome again = run(2, kSmall, 5, kLaunches, o.order);
  CHECK(again.error == "");
  CHECK(again.cells == o.cells);
  CHECK(again.order.launches == o.order.launches);
}
