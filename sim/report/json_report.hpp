// SPDX-License-Identifier: Apache-2.0
// The machine-readable renderings of a run: "simrun-report/1" and "simrun-bench/1" (docs/cli.md).
//
// Both are deterministic: the same data gives the same bytes. Numbers that JSON cannot hold (NaN, infinity)
// become null; bytes that are not UTF-8 are replaced.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "run_report.hpp"

namespace simt {

// The whole report, with the sentences of its dialect: "message", "why" and "fix" of a finding, "agent" and "state" of
// an access. The other keys are those of report_fields.hpp.
std::string json_report(const run_report& report);

std::string json_bench(const run_report& report);

// A report that cannot be replayed; what() says what is wrong with the text.
struct replay_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The words stored in the "request" of a report's text. Throws replay_error.
std::vector<std::string> replay_arguments(const std::string& report_text);

// The orders that a report's text holds, one for each schedule that ran; see run_report. Throws replay_error.
std::vector<recorded_order> replay_orders(const std::string& report_text);

}  // namespace simt
