// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other in loops, under searches: those that are right come to their end in every order, and
// those that are not are a hang in each.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/schedule_search.hpp"

#include <simt/session.hpp>
#include <simt/simt.hpp>

namespace {

constexpr int kRounds = 3;

// state: who has arrived, and the sense of the present round. All threads of the grid.
SIMT_DEVICE void sense_barrier(simt::thread t, simt::view<int> state, simt::view<int> out, int expected) {
  int sense = 0;
  for (int round = 0; round < kRounds; ++round) {
    sense = 1 - sense;
    t.atomic_add(out[0], 1);
    t.threadfence();
    if (t.atomic_add(state[0], 1) == expected - 1) {
      t.atomic_exch(state[0], 0);
      t.threadfence();
      t.atomic_exch(state[1], sense);
    } else {
      while (t.atomic_add(state[1], 0) != sense) {
      }
    }
  }
}

// The same with a generation that is read as a volatile, and a sleep in the loop.
SIMT_DEVICE void generations(simt::thread t, simt::view<int> state, simt::view<int> out, int expected) {
  auto* const generation = static_cast<volatile int*>(&state[1]);
  for (int round = 0; round < kRounds; ++round) {
    const int before = *generation;
    t.atomic_add(out[0], 1);
    t.threadfence();
    if (t.atomic_add(state[0], 1) == expected - 1) {
      t.atomic_exch(state[0], 0);
      t.threadfence();
      *generation = before + 1;
    } else {
      while (*generation == before) t.nanosleep(50);
    }
    t.threadfence();
  }
}

// Each counts its rounds in memory of its own.
SIMT_DEVICE void counting_barrier(simt::thread t, simt::view<int> state, simt::view<int> out, int expected) {
  for (int round = 1; round <= kRounds; ++round) {
    t.atomic_add(out[0], 1);
    t.threadfence();
    t.atomic_add(state[0], 1);
    while (t.atomic_load(state[0]) < expected * round) ++out[8 + t.grid<1>()];
  }
}

// Thread `last` - 1 looks often for what never comes, and gives up; all others wait until it does.
SIMT_DEVICE void one_gives_up(simt::thread t, simt::view<int> state, simt::view<int> out, int last) {
  constexpr int kTries = 300;
  t.atomic_add(out[0], kRounds);
  bool comes = t.atomic_add(state[0], 0) != 0;
  if (t.grid<1>() == last - 1) {
    for (int tries = 0; tries < kTries && !comes; ++tries) comes = t.atomic_add(state[0], 0) != 0;
    t.atomic_exch(state[1], 1);
  } else {
    while (t.atomic_add(state[1], 0) == 0) {
    }
  }
}

// Thread 0 sleeps between its two stores; the other one sees what is there.
SIMT_DEVICE void sleep_between_stores(simt::thread t, simt::view<int> state, simt::view<int> out, int /*expected*/) {
  if (t.grid<1>() == 0) {
    t.atomic_exch(state[0], 1);
    t.nanosleep(50);
    t.atomic_exch(state[0], 2);
  } else {
    out[1] = t.atomic_add(state[0], 0);
  }
}

// Every second thread sleeps often before it counts.
SIMT_DEVICE void sleepers(simt::thread t, simt::view<int> /*state*/, simt::view<int> out, int /*expected*/) {
  constexpr int kSleeps = 40, kCounts = 20;
  if (t.grid<1>() % 2 == 1)
    for (int i = 0; i < kSleeps; ++i) t.nanosleep(50);
  for (int i = 0; i < kCounts; ++i) t.atomic_add(out[0], 1);
}

struct outcome {
  int sum = 0, seen = 0;  // out[0], out[1]
  bool hangs = false;
  simt::run_report report;
};

template <auto Kernel>
outcome run(const std::string& schedule, std::uint64_t seed, simt::step_request steps, int blocks, int threads,
            int expected) {
  outcome out;
  simt::run_request request;
  request.checks.races = true;
  request.schedule = schedule;
  request.seed = seed;
  request.steps = std::move(steps);
  simt::backend::begin_run(request);
  {
    simt::buffer<int> state(2), sum(8 + blocks * threads);
    state.copy_from(std::vector<int>(2));
    sum.copy_from(std::vector<int>(static_cast<std::size_t>(8 + blocks * threads)));
    try {
      simt::launch<Kernel>({.grid = {blocks}, .block = {threads}}, state, sum, expected);
      const std::vector<int> all = sum.to_host();
      out.sum = all[0], out.seen = all[1];
    } catch (const simt::error& e) {
      CHECK(std::string(e.what()).find("does not end") != std::string::npos);
      out.hangs = true;
    }
  }
  simt::backend::end_run(out.report);
  return out;
}

void learn(std::shared_ptr<const std::vector<std::uint64_t>>& places, const simt::step_record& r) {
  if (r.new_places.empty()) return;
  auto all = std::make_shared<std::vector<std::uint64_t>>(r.new_places);
  if (places) all->insert(all->end(), places->begin(), places->end());
  places = std::move(all);
}

template <auto Kernel>
void expect_its_end(int blocks, int threads) {
  const int all = blocks * threads;
  std::shared_ptr<const std::vector<std::uint64_t>> places;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    const outcome o = run<Kernel>("pct", seed, {{}, places, 2, 100}, blocks, threads, all);
    CHECK(!o.hangs);
    CHECK(o.sum == kRounds * all);
    CHECK(!o.report.steps.cut);
    learn(places, o.report.steps);
  }
  simt::cli::schedule_search search({.preemptions = 1});
  for (int runs = 0; runs < 60 && !search.is_done(); ++runs) {
    const simt::cli::planned_run next = search.take();
    simt::step_request steps{next.departures, search.places(), 0, 0};
    steps.tells_others = next.tells_others;
    const outcome o = run<Kernel>("explore", 0, std::move(steps), blocks, threads, all);
    CHECK(!o.hangs);
    CHECK(o.sum == kRounds * all);
    CHECK(!o.report.steps.missed);
    search.learn(next, o.report.steps);
  }
}

// What the second thread saw, in all orders of the steps: not in the run that shows which there are.
template <auto Kernel>
std::set<int> all_seen() {
  std::set<int> out;
  simt::cli::schedule_search search({.preemptions = -1});
  while (!search.is_done()) {
    const simt::cli::planned_run next = search.take();
    const outcome o = run<Kernel>("explore", 0, {next.departures, search.places(), 0, 0}, 2, 1, 0);
    if (search.learn(next, o.report.steps)) out.insert(o.seen);
  }
  return out;
}

template <auto Kernel>
void expect_a_hang(int blocks, int threads) {
  std::shared_ptr<const std::vector<std::uint64_t>> places;
  constexpr std::int64_t kMostSteps = 25'000;  // until it is proved
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const outcome o = run<Kernel>("pct", seed, {{}, places, 2, 100}, blocks, threads, blocks * threads + 1);
    CHECK(o.hangs);
    learn(places, o.report.steps);
  }
  for (const bool weak : {false, true})
    for (const bool tells : {false, true}) {
      CAPTURE(weak);
      CAPTURE(tells);
      simt::step_request steps{{}, places, 0, 0, weak};
      steps.tells_others = tells;
      const outcome o = run<Kernel>("explore", 0, std::move(steps), blocks, threads, blocks * threads + 1);
      CHECK(o.hangs);
      CHECK(o.report.steps.steps < kMostSteps);
    }
}

// A run that keeps its trail decides at each step, others only where the answer may be a new one.
template <auto Kernel>
void expect_one_order(int blocks, int threads) {
  std::shared_ptr<const std::vector<std::uint64_t>> places;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    CAPTURE(seed);
    simt::step_request steps{{}, places, 3, 80};
    steps.tells_others = false;
    const outcome quick = run<Kernel>("pct", seed, steps, blocks, threads, blocks * threads);
    steps.keeps_trail = true;
    const outcome slow = run<Kernel>("pct", seed, steps, blocks, threads, blocks * threads);
    REQUIRE(quick.report.orders.size() == 1);
    REQUIRE(slow.report.orders.size() == 1);
    CHECK(quick.report.orders.front().launches == slow.report.orders.front().launches);
    CHECK(quick.report.steps.steps == slow.report.steps.steps);
    learn(places, quick.report.steps);
  }
  CHECK(places != nullptr);
}

}  // namespace

TEST_CASE("spinning: barriers made by hand come to their end in every order") {
  expect_its_end<sense_barrier>(2, 4);
  expect_its_end<sense_barrier>(5, 1);
  expect_its_end<generations>(4, 1);
  expect_its_end<generations>(2, 3);
  expect_its_end<counting_barrier>(2, 2);
}

TEST_CASE("spinning: where all wait, one that gives up after some tries comes to that") {
  expect_its_end<one_gives_up>(3, 1);
  expect_its_end<one_gives_up>(1, 4);
}

TEST_CASE("spinning: a thread that sleeps between two steps is at the second one before others go on") {
  CHECK(all_seen<sleep_between_stores>() == std::set<int>{0, 1, 2});
}

TEST_CASE("spinning: a barrier that expects one more is a hang in every order") {
  expect_a_hang<sense_barrier>(2, 4);
  expect_a_hang<generations>(4, 1);
}

TEST_CASE("spinning: a run of pct is the same whether it decides at each step or goes on unasked") {
  expect_one_order<sense_barrier>(2, 4);
  expect_one_order<generations>(4, 1);
  expect_one_order<counting_barrier>(3, 2);
  expect_one_order<sleepers>(2, 2);
}

// Those that spin go on in turn, whoever comes first. A step that is made then is one of the run's: those behind it
// keep their numbers.
TEST_CASE("spinning: where all wait each has its turn, and the trail has all steps") {
  constexpr int kThreads = 3;
  constexpr std::int64_t kInTurns = 200;  // of the 300 tries, and as many of each other thread
  for (int last = 1; last <= kThreads; ++last) {
    CAPTURE(last);
    std::shared_ptr<const std::vector<std::uint64_t>> places;
    for (int i = 0; i < 3; ++i) {
      const outcome o = run<one_gives_up>("explore", 0, {{}, places, 0, 0}, kThreads, 1, last);
      CHECK(!o.hangs);
      CHECK(static_cast<std::int64_t>(o.report.steps.trail.size()) == o.report.steps.steps);
      for (std::int64_t thread = 0; thread < kThreads && places != nullptr; ++thread)
        CHECK(std::ranges::count(o.report.steps.trail, thread, [](const auto& s) { return s.did.thread; }) > kInTurns);
      learn(places, o.report.steps);
    }
    CHECK(places != nullptr);
  }
}
