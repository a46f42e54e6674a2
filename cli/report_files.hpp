// SPDX-License-Identifier: Apache-2.0
// The files that a run's report goes to: --json, --sarif, --junit, --html.
#pragma once

#include <string>

#include "output_file.hpp"
#include "run_options.hpp"
#include "sim/report/run_report.hpp"

namespace simt::cli {

struct report_files {
  output_file json, sarif, junit, html;

  // Opens what the options name. Returns what is wrong, or nothing.
  std::string open(const run_options& o);
  // Writes the report to each. Returns what is wrong, or nothing.
  std::string write(const run_report& r, bool strict);
};

}  // namespace simt::cli
