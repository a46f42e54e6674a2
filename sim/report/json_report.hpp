// SPDX-License-Identifier: Apache-2.0
// The machine-readable renderings of a run: "simrun-report/1" and "simrun-bench/1" (cli.md).
//
// Both are deterministic: the same data gives the same bytes. Numbers that JSON cannot hold (NaN, infinity)
// become null; bytes that are not UTF-8 are replaced.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "run_report.hpp"

namespace simt {

// The whole report. Beyond cli.md it has "request" (words of the command that repeats the run), "notes", "error"
// (present only when there is one) and, per finding, "kernel", "type" and, per access, "agent" and "state".
std::string json_report(const run_report& report);

std::string json_bench(const run_report& report);

// A report that cannot be replayed; what() says what is wrong with the text.
struct replay_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The words stored in the "request" of a report's text. Throws replay_error.
std::vector<std::string> replay_arguments(const std::string& report_text);

// The version of the tool that writes the reports.
std::string tool_version();

}  // namespace simt
