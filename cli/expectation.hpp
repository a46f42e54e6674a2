// SPDX-License-Identifier: Apache-2.0
// Holding a report to what its program declares.
#pragma once

#include <string>

#include "simt/module.hpp"

namespace simt::cli {

// Empty when result and findings are as expected, else what is wrong, one line. `checked`: the run had --check all,
// so findings are compared too; `suppressed_some`: findings may be missing.
std::string departure(const run_report& report, const program_expectation& expected, bool checked);

// The part of `simrun test`'s table that says what came out: "match, race-global on bins".
std::string outcome_text(const run_report& report);

}  // namespace simt::cli
