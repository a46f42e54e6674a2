// SPDX-License-Identifier: Apache-2.0
// The files that a run's report goes to: --json, --sarif, --junit, --html; and of --record, that of one of its runs.
#pragma once

#include <string>
#include <vector>

#include "output_file.hpp"
#include "run_options.hpp"
#include "sim/report/run_report.hpp"

namespace simt::cli {

// The files of these options.
std::vector<named_file> report_paths(const run_options& o);

struct report_files {
  output_file json, sarif, junit, html, record;

  // Opens what the options name. Returns what is wrong, or nothing.
  std::string open(const run_options& o);
  // Writes the report to each, and `one_run` to the file of --record. Returns what is wrong, or nothing.
  std::string write(const run_report& r, const run_report& one_run, bool strict);
};

}  // namespace simt::cli
