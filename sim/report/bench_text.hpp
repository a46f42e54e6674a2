// SPDX-License-Identifier: Apache-2.0
// Measured times as a small table for people.
#pragma once

#include <string>
#include <vector>

#include "run_report.hpp"
#include "text_report.hpp"

namespace simt {

// One row a report: program, backend, checks, kernel and with-copies times.
std::string text_bench(const std::vector<run_report>& reports, const text_style& style);

}  // namespace simt
