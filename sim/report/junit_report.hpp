// SPDX-License-Identifier: Apache-2.0
// Results as JUnit XML, in the form that CI systems read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run_report.hpp"

namespace simt {

struct junit_case {
  enum class outcome { passed, failed, error, skipped } result = outcome::passed;
  std::string name;
  std::string group;    // becomes classname
  double seconds = 0;   // 0: left out, so that reports of checked runs repeat byte for byte
  std::string message;  // one line
  std::string text;     // details
  std::string output;   // what is to be known of one that passed, too
};

// One test suite. Characters that XML cannot hold are replaced.
std::string junit_report(std::string_view suite, const std::vector<junit_case>& cases);

// A run as cases: one for its result and one failure for each finding (a note is no failure).
std::vector<junit_case> junit_cases(const run_report& report, bool strict);

// Text for XML and HTML: & < > " ' escaped, control characters replaced.
std::string escaped_markup(std::string_view text);

}  // namespace simt
