// SPDX-License-Identifier: Apache-2.0
// Plots for terminals: bars with an axis, a heat map, a line. Unicode blocks, or plain ASCII.
#pragma once

#include <string>

#include "run_report.hpp"
#include "text_report.hpp"

namespace simt {

// At most style.width columns and about 20 lines. More values than columns are grouped: bars and heat maps show
// the mean of a group, lines its range. Values that are not finite are left out. Empty when there is nothing to draw.
std::string text_plot(const plot_data& plot, const text_style& style);

}  // namespace simt
