// SPDX-License-Identifier: Apache-2.0
#include "schedule_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "sim/report/verdict.hpp"

namespace simt::cli {
namespace {

finding nondeterministic(cause c, const std::string& object, severity s, std::string text) {
  finding f;
  f.rule = rule::nondeterministic_output;
  f.severity = s;
  f.cause = c;
  f.object = object;
  f.facts.text = std::move(text);
  return f;
}

// Of two texts of sorted lines; quoted.
std::string first_line_only_in(const std::string& text, const std::string& other) {
  std::istringstream lines(text), others(other);
  std::vector<std::string> there;
  for (std::string line; std::getline(others, line);) there.push_back(line);
  std::ranges::sort(there);
  for (std::string line; std::getline(lines, line);) {
    const auto at = std::ranges::lower_bound(there, line);
    if (at == there.end() || *at != line) return '"' + line + '"';
    there.erase(at);  // a line may stand there twice
  }
  return "nothing more";
}

std::string shown(const output_summary& o) {
  std::string out = fmt::format("a sum of {}", o.sum);
  if (!o.head.empty()) out += fmt::format(", and {} at its head", fmt::join(o.head, " "));
  return out;
}

}  // namespace

run_counts counts_of(const run_report& run) {
  return {run.judged.launches, run.judged.accesses, run.judged.excused_volatile};
}

void schedule_runs::add_counts(const run_counts& counts) {
  merged_.judged.launches += counts.launches;
  merged_.judged.accesses += counts.accesses;
  merged_.judged.excused_volatile += counts.excused_volatile;
}

bool schedule_runs::is_usual(const run_report& run) const {
  return result_ && run.findings.empty() && run.error.empty() && !is_final(run.verdict) && run.interrupted_by == 0 &&
         run.result.status == result_->status && run.result.outputs == result_->outputs &&
         run.result.printed == result_->printed;
}

void schedule_runs::add_usual(const run_counts& counts) {
  ++count_;
  add_counts(counts);
}

bool schedule_runs::ended() const { return count_ > 0 && is_final(merged_.verdict); }

// A result that differs is a defect where the program calls one of the two wrong. Where it has no opinion, or finds
// both right, the order of elements may be free, and sums of floats in another order differ by rounding: no defect
// there.
void schedule_runs::compare_outputs(const run_report& run, const std::string& called) {
  if (is_final(run.verdict)) return;
  if (!result_) {
    result_ = {called, run.result.status, run.result.outputs, run.result.printed};
    return;
  }
  const result_of_run& first = *result_;
  if (first.status != run.result.status) {
    const bool now_right = run.result.status == result_status::match;
    const std::string& wrong = now_right ? first.called : called;
    const std::string& right = now_right ? called : first.called;
    // Of CUDA source the exit codes differ, and nothing says which is the right one.
    const std::string text = first.status == result_status::unchecked && !run.result.detail.empty()
                                 ? fmt::format("{}: {}, and {}", run.result.detail, called, first.called)
                                 : fmt::format("right under {}, wrong under {}", right, wrong);
    merge_findings(merged_.findings, {nondeterministic(cause::output_wrong_once, "", severity::error, text)}, true);
    return;
  }
  const std::size_t found_before = merged_.findings.size();
  for (const auto& [name, output] : run.result.outputs) {
    const auto before = first.outputs.find(name);
    if (before == first.outputs.end() || (before->second.hash == output.hash && before->second == output)) continue;
    if (!output.integral && run.result.status == result_status::match) continue;
    const std::string text =
        before->second.head == output.head && before->second.sum == output.sum
            ? fmt::format("{} holds other values under {} than under {}", name, called, first.called)
            : fmt::format("{} has {} under {}, and {} under {}", name, shown(before->second), first.called,
                          shown(output), called);
    merge_findings(merged_.findings, {nondeterministic(cause::output_differs, name, severity::warning, text)}, true);
  }
  if (merged_.findings.size() != found_before || first.printed == run.result.printed) return;
  const std::string before = first_line_only_in(first.printed, run.result.printed);
  const std::string now = first_line_only_in(run.result.printed, first.printed);
  merge_findings(
      merged_.findings,
      {nondeterministic(cause::printed_differs, "", severity::warning,
                        fmt::format("it prints {} under {}, and {} under {}", before, first.called, now, called))},
      true);
}

void schedule_runs::keep_worst(const run_report& run, std::span<const finding> found) {
  for (const finding& f : found)
    if (f.severity < worst_of_finding_) finding_ = run, worst_of_finding_ = f.severity;
}

void schedule_runs::add(run_report&& run, const std::string& called, bool all_orders) {
  const std::size_t found_before = merged_.findings.size();
  keep_worst(run, run.findings);
  if (++count_ == 1) {
    first_ = run;
    merged_ = run;
    compare_outputs(run, called);
    return;
  }
  merge_findings(merged_.findings, run.findings, true);
  compare_outputs(run, called);
  add_counts(counts_of(run));
  if (all_orders || merged_.findings.size() > found_before) {
    keep_worst(run, std::span(merged_.findings).subspan(found_before));  // its output differs
    std::ranges::move(run.orders, std::back_inserter(merged_.orders));
  }
  if (run.result.status == result_status::mismatch && merged_.result.status != result_status::mismatch) {
    merged_.result = run.result;
    merged_.result.detail += fmt::format(" (schedule {})", called);
  }
  merged_.interrupted_by = run.interrupted_by;
  if (is_final(run.verdict)) take_end(run, merged_);
}

}  // namespace simt::cli
