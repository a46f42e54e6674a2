// SPDX-License-Identifier: Apache-2.0
// A recorded order, played back: the same threads go on at the same places, whatever the seed says now, and a run that
// cannot follow says where.
#include <doctest/doctest.h>

#include <sim/exec/scheduler/pick_words.hpp>
#include <sim/report/phrasebook.hpp>
#include <sim/report/report_data.hpp>
#include <simt/session.hpp>
#include <simt/simt.hpp>

namespace {

using simt::recorded_order;
using simt::sim::named_pick;

// Threads of all blocks add to few cells without atomics: what is lost depends on the order.
SIMT_DEVICE void count_racy(simt::thread t, simt::view<int> cells, int steps) {
  for (int i = 0; i < steps; ++i) cells[(t.rank() + i) % 3] += 1 + t.rank();
  t.sync();
  cells[3 + t.rank() % 2] += cells[0];
}
SIMT_DEVICE void other_kernel(simt::thread t, simt::view<int> cells, int steps) {
  for (int i = 0; i < steps; ++i) cells[i % 5] += t.rank();
}

struct outcome {
  std::vector<int> cells;
  std::vector<std::string> findings;
  recorded_order order;
  simt::verdict verdict = simt::verdict::clean;
  std::string error, thrown;
};

template <auto Kernel = count_racy>
outcome run(const std::string& schedule, std::uint64_t seed, std::optional<recorded_order> order = {}, int steps = 6,
            int launches = 2, std::int64_t threads = 40) {
  simt::run_request request;
  request.checks.races = true;
  request.schedule = schedule;
  request.seed = seed;
  request.order = std::move(order);
  simt::backend::begin_run(request);
  outcome out;
  out.cells.assign(5, 0);
  simt::run_report report;
  try {
    simt::buffer<int> cells(5, "cells");
    cells.copy_from(out.cells);
    for (int i = 0; i < launches; ++i) simt::launch<Kernel>({.grid = {3}, .block = {threads}}, cells, steps);
    cells.copy_to(out.cells);
  } catch (const simt::error& e) {
    out.thrown = e.what();
  }
  simt::backend::end_run(report);
  for (const simt::finding& f : report.findings)
    out.findings.push_back(simt::phrase(f, report.dialect).message + " x" + std::to_string(f.count));
  REQUIRE(report.orders.size() == 1);
  out.order = report.orders.front();
  out.verdict = report.verdict;
  out.error = report.error;
  return out;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string words_of(const std::vector<named_pick>& picks) {
  simt::sim::pick_writer out;
  for (const named_pick& p : picks) out.add(p);
  return out.take();
}
std::vector<named_pick> picks_of(const std::string& words) {
  simt::sim::pick_reader in(words);
  std::vector<named_pick> picks;
  for (named_pick p; in.next(p);) picks.push_back(p);
  if (in.is_broken()) picks.clear();
  return picks;
}

}  // namespace

TEST_CASE("picks are words that a reader can follow") {
  using enum named_pick::kind;
  const std::vector<named_pick> picks = {
      {stays},  {stays},     {goes_on, 2, 7}, {goes_on, 2, 8}, {goes_on, 2, 9}, {goes_on, 0, 1, true},
      {yields}, {yields},    {goes_on, 1, 0}, {goes_on, 1, 1}, {goes_on, 1, 0}, {goes_on, 1, 1},
      {stays},  {rests, 900}};
  CHECK(words_of(picks) == "+2 2:7-9 &0:1 ~*2 1:0-1*2 +1 z900");
  CHECK(picks_of("+2 2:7-9 &0:1 ~*2 1:0-1*2 +1 z900") == picks);

  simt::sim::pick_writer hangs;
  for (const named_pick& p : {picks[3], picks[0], picks[6], picks[1]}) hangs.add(p);
  CHECK(hangs.take_of_hang() == words_of({picks[3]}) + " +");
  simt::sim::pick_reader for_ever("0:1 +");
  for (int i = 0; i < 9; ++i) {
    named_pick p;
    CHECK(for_ever.next(p));
    CHECK(for_ever.is_for_ever() == (i > 0));
  }
  for (const char* broken :
       {"x", "+ 1:2", "+0", "1", "1:", "1:-2", "1:3-2", "1:2*0", "1:2*", "&", "~3", "z", "z1:2", "1:2 3:4 5"})
    CHECK(picks_of(broken).empty());
}

TEST_CASE("what a scheduler picked is played back, whatever the seed says") {
  for (const char* schedule : {"random", "lockstep"}) {
    CAPTURE(schedule);
    const outcome first = run(schedule, 3);
    REQUIRE(first.order.launches.size() == 2);
    CHECK(first.order.launches[0].blocks == 3);
    CHECK(first.order.launches[0].threads == 40);
    CHECK(contains(first.order.launches[0].kernel, "count_racy"));
    CHECK(!first.order.launches[0].picks.empty());
    CHECK(!first.findings.empty());

    const outcome again = run(schedule, 99, first.order);
    CHECK(again.error == "");
    CHECK(again.cells == first.cells);
    CHECK(again.findings == first.findings);
    CHECK(again.order.launches == first.order.launches);
  }
  // Another seed alone is another order.
  CHECK(run("random", 99).order.launches != run("random", 3).order.launches);
}

TEST_CASE("schedules that are not asked record their name") {
  for (const char* schedule : {"natural", "reverse"}) {
    const outcome o = run(schedule, 0);
    CHECK(o.order.schedule == schedule);
    CHECK(o.order.workers >= 1);
    CHECK(o.order.launches.empty());
  }
}

TEST_CASE("a run that departs from the record says where") {
  const outcome first = run("random", 3);
  const auto departs = [](const outcome& o, const std::string& part) {
    CAPTURE(o.error);
    CHECK(o.verdict == simt::verdict::error);
    CHECK(o.thrown == o.error);
    CHECK(contains(o.error, "this run departed from the recorded order: "));
    CHECK(contains(o.error, part));
  };
  departs(run("random", 3, first.order, 7), "at pick ");
  departs(run("random", 3, first.order, 5), "at pick ");
  departs(run("random", 3, first.order, 6, 3), "launch 3 is of kernel ");
  departs(run("random", 3, first.order, 6, 2, 39), "recorded was ");
  departs(run<other_kernel>("random", 3, first.order), "launch 1 is of kernel ");

  // As long as before, but at its third switch another thread goes on: one that cannot, for it does not exist.
  recorded_order altered = first.order;
  std::string& picks = altered.launches[0].picks;
  const std::size_t colon = picks.find(':', picks.find(':', picks.find(':') + 1) + 1);
  picks.replace(colon + 1, picks.find(' ', colon) - colon - 1, "999");
  departs(run("random", 3, altered), "thread 999 of block ");

  recorded_order shorter = first.order;
  shorter.launches[1].picks.resize(shorter.launches[1].picks.rfind(' '));
  departs(run("random", 3, shorter), "of launch 2");
}

TEST_CASE("an order survives its way through text, and a changed text is refused") {
  const recorded_order order = run("random", 3).order;
  const std::string text = simt::order_text(order);
  CHECK(simt::order_from_text(text) == order);
  CHECK_THROWS_AS(simt::order_from_text(text.substr(0, text.size() / 2)), simt::report_error);
  CHECK_THROWS_AS(simt::order_from_text("[]"), simt::report_error);
  std::string altered = text;
  const std::size_t colon = altered.find(':', altered.find("\"picks\":") + 8);
  altered[colon + 1] = altered[colon + 1] == '1' ? '2' : '1';
  CHECK_THROWS_WITH_AS(simt::order_from_text(altered), doctest::Contains("digest"), simt::report_error);
}
