// SPDX-License-Identifier: Apache-2.0
// A check of an option's value: one of a few names, with the nearest for a slip of the pen.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/report/nearest_name.hpp"

namespace simt::cli {

// The names are its description too, for completion.
inline CLI::Validator one_of(std::vector<std::string> names) {
  std::string all = fmt::format("{}", fmt::join(names, " "));
  return CLI::Validator(
      [names = std::move(names)](std::string& text) {
        if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
        const std::string nearest = suggestion(text, names);
        return fmt::format("there is no \"{}\"{} The names are {}.", text, nearest.empty() ? "." : nearest,
                           fmt::join(names, ", "));
      },
      all);
}

}  // namespace simt::cli
