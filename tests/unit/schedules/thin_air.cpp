// SPDX-License-Identifier: Apache-2.0
// Stores that depend on what their thread has read early: PTX forbids that a value makes itself (no thin air).
#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "cli/schedule_search.hpp"

#include <simt/session.hpp>
#include <simt/simt.hpp>

namespace {

using outcome = std::vector<int>;  // what each of two loads has read

template <bool Depends>
SIMT_DEVICE void feeds_itself(simt::thread t, simt::view<int> cells, simt::view<int> got) {
  if (t.block_idx().x == 0) {
    const int x = t.atomic_load(cells[0]);
    t.atomic_store(cells[2], Depends ? x + 1 : 2);
    got[0] = x;
  } else {
    const int y = t.atomic_load(cells[2]);
    t.atomic_store(cells[0], y > 0 ? 1 : 0);
    got[1] = y;
  }
}

template <auto Kernel>
std::set<outcome> explored() {
  std::set<outcome> out;
  simt::cli::schedule_search search({.preemptions = -1});
  while (!search.is_done()) {
    const simt::cli::planned_run next = search.take();
    simt::run_request request;
    request.checks.barrier = true;
    request.schedule = "explore";
    request.workers = 1;
    request.steps.departures = next.departures;
    request.steps.places = search.places();
    request.steps.weak_memory = true;
    simt::backend::begin_run(request);
    std::vector<int> got(2);
    simt::run_report report;
    {
      simt::buffer<int> cells(4), end(2);
      cells.copy_from(std::vector<int>(4, 0));
      simt::launch<Kernel>({.grid = {2}, .block = {1}}, cells, end);
      end.copy_to(got);
    }
    simt::backend::end_run(report);
    if (search.is_run(report.steps)) out.insert(got);
    search.learn(next, report.steps);
  }
  return out;
}

}  // namespace

TEST_CASE("no value comes out of thin air") {
  CHECK(explored<feeds_itself<false>>() == std::set<outcome>{{0, 0}, {0, 2}, {1, 2}});
  CHECK(explored<feeds_itself<true>>() == std::set<outcome>{{0, 0}, {0, 1}});
}
