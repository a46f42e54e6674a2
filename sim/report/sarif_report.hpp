// SPDX-License-Identifier: Apache-2.0
// Runs as SARIF 2.1.0 (OASIS standard), for code hosts and editors: one log, one SARIF run a report.
#pragma once

#include <string>
#include <vector>

#include "run_report.hpp"

namespace simt {

// Findings become results with the first side as their location, the others as related locations, and each side as a
// thread flow of one code flow, so that viewers show the two threads next to each other. The rules table holds every
// rule with its help. File names are URIs relative to SRCROOT.
std::string sarif_report(const std::vector<run_report>& reports);

}  // namespace simt
