// SPDX-License-Identifier: Apache-2.0
// What each counter of `simrun profile` counts, which pattern drives it up, and what helps.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile_data.hpp"
#include "text_report.hpp"

namespace simt {

struct counter_knowledge {
  std::string_view counted, pattern, remedy, in_ncu;
};
counter_knowledge knowledge_of(counter c);

std::optional<counter> counter_from_name(std::string_view name);
std::vector<std::string> counter_names();
std::string text_explanation(counter c, const text_style& style);
std::string text_counter_list(const text_style& style);

// The command that lets ncu count the same on a GPU; `command`: what ncu is to run.
std::string ncu_command(std::string_view command);

}  // namespace simt
