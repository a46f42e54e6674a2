// SPDX-License-Identifier: Apache-2.0
// Findings as compilers write them, one line each, for editors and log scanners.
#pragma once

#include <string>

#include "run_report.hpp"

namespace simt {

// "hist.cu:7:3: error: race on bins[3]: ... [race-global]". The path is the one in the report where it leads to
// the file from here, else the absolute one. A finding without a place is one of the program.
std::string gcc_report(const run_report& report);

}  // namespace simt
