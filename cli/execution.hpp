// SPDX-License-Identifier: Apache-2.0
// Running a program under one or several schedules and making one report of it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "baseline.hpp"
#include "run_options.hpp"
#include "schedule_runs.hpp"
#include "terminal.hpp"

namespace simt::cli {

struct execution {
  run_report report;
  run_report to_record;        // of --record: the run that found something, or the first
  std::size_t suppressed = 0;  // findings taken out by --suppress
  std::size_t known = 0;       // by --new-since
};

// The schedules that --schedule, --seed and --schedules ask for, in the order of running:
// one: that schedule; several with --schedule random: that many seeds from --seed on; several without --schedule:
// natural, lockstep, reverse, then random with seeds from --seed on; several with another --schedule: that one first,
// then random. Not of pct and explore, which make their runs as they go. Of orders that are to be played back: theirs.
std::vector<one_schedule> schedules_of(const run_options& o);

// Lines of the file of --suppress, and the suppressions in it. Throws std::runtime_error with what is wrong.
// With the report of --new-since.
struct suppression_file {
  std::vector<std::string> lines;
  suppressions rules;
  std::optional<baseline> earlier;
};
suppression_file read_suppressions(const run_options& o);

// Runs; where that leaves undecided what is rare and costs much, and it came up, runs again with each access on record
// (docs/loops.md), unless `comes_again` says that the caller will. Nothing is left undecided by `request` afterwards.
using one_run = std::function<run_report(const run_request&)>;
run_report run_beyond_doubt(const run_options& o, run_request& request, progress& shown, const one_run& run,
                            const std::function<bool(const run_report&)>& comes_again = {});

// Runs and merges. A checked run with the natural schedule on several workers that finds something is run again on
// one worker, and that run is the report (with whatever only the first one saw added): the same command then
// gives the same report each time, although workers race for blocks.
execution execute(module& kernels, const run_options& o, const suppression_file& suppressed, progress& shown);

}  // namespace simt::cli
