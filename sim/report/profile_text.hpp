// SPDX-License-Identifier: Apache-2.0
// What `simrun profile` has counted, for people: what costs most, why, and what to change; before and after.
#pragma once

#include <string>
#include <vector>

#include "profile_data.hpp"
#include "text_report.hpp"

namespace simt {

// One reason why a line costs more than it had to.
struct costly_line {
  const profiled_kernel* kernel = nullptr;
  const profiled_line* line = nullptr;
  double waste = 0;  // sectors, wavefronts or instructions too many; all are one step of a memory unit or a scheduler
  std::string what, why, change;
};
// The dearest first, at most `most`.
std::vector<costly_line> costly_lines(const std::vector<profiled_kernel>& kernels, std::size_t most);

std::string text_profile(const std::vector<profiled_kernel>& kernels, const text_style& style);
// Two runs side by side; kernels of the same name.
std::string text_profile_comparison(const std::vector<profiled_kernel>& before,
                                    const std::vector<profiled_kernel>& after, const text_style& style);

}  // namespace simt
