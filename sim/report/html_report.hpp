// SPDX-License-Identifier: Apache-2.0
// Runs as one HTML page that needs nothing else: no script, no network, light and dark.
#pragma once

#include <string>
#include <vector>

#include "run_report.hpp"

namespace simt {

std::string html_report(const std::vector<run_report>& reports);

}  // namespace simt
