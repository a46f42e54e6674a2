// SPDX-License-Identifier: Apache-2.0
// Searches over schedules that decide at steps (sim/report/explored_run.hpp), and what may be claimed of them
// afterwards (docs/schedules.md).
#pragma once

#include "run_options.hpp"
#include "schedule_runs.hpp"
#include "schedule_search.hpp"
#include "terminal.hpp"

namespace simt::cli {

// Of --explore: "bound=2,time=10s". Throws std::runtime_error with what is wrong.
explore_bound read_explore_bound(const std::string& text);

// Adds the runs of --explore, or of --schedule pct, to `runs`, and a note that says what they cover.
void explore_schedules(module& kernels, const run_options& o, const run_request& request, schedule_runs& runs,
                       progress& shown);
void test_by_pct(module& kernels, const run_options& o, const run_request& request, schedule_runs& runs,
                 progress& shown);

// How probable it is at most that `runs` runs all miss a defect of this depth, and that as "0.3 %", rounded up.
double chance_to_miss(std::int64_t runs, std::int64_t threads, std::int64_t steps, std::int64_t depth);
std::string percent(double chance);

}  // namespace simt::cli
