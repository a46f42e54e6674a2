// SPDX-License-Identifier: Apache-2.0
// Runs of one program under many schedules, as one report: findings merged, counts summed, outputs held against each
// other.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/report/merged_findings.hpp"
#include "sim/report/run_report.hpp"

namespace simt::cli {

// What a run adds to the sums of the report.
struct run_counts {
  std::int64_t launches = 0, accesses = 0, excused_volatile = 0;
};
run_counts counts_of(const run_report& run);

class schedule_runs {
 public:
  // `called`: how the schedule is named to people. Keeps the order in which threads went on of the first run, and of
  // those that found what no run before them had found; of all runs with `all_orders`.
  void add(run_report&& run, const std::string& called, bool all_orders);

  // Would adding it change nothing but the sums? Only if it found nothing, and its result is that of the first.
  bool is_usual(const run_report& run) const;
  // Of such a run.
  void add_usual(const run_counts& counts);

  std::int64_t count() const { return count_; }
  // A run crashed, hung or was interrupted: no more are to follow.
  bool ended() const;
  // The first run with an error; else the first with a finding that is no note, or the first of all. Before any has
  // run, an empty one. A run in which an output differs from the first one's, both right, may come before one that is
  // wrong.
  const run_report& first_finding() const { return finding_ ? *finding_ : first_ ? *first_ : merged_; }

  run_report& report() { return merged_; }
  const run_report& report() const { return merged_; }

 private:
  void add_counts(const run_counts& counts);
  // The run has these findings, or is one side of them.
  void keep_worst(const run_report& run, std::span<const finding> found);
  void compare_outputs(const run_report& run, const std::string& called);
  struct result_of_run {
    std::string called;
    result_status status = result_status::unchecked;
    std::map<std::string, output_summary> outputs;
    std::string printed;
  };
  std::int64_t count_ = 0;
  run_report merged_;
  std::optional<run_report> first_, finding_;
  severity worst_of_finding_ = severity::note;
  std::optional<result_of_run> result_;
};

}  // namespace simt::cli
