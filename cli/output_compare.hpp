// SPDX-License-Identifier: Apache-2.0
// Comparing the raw outputs of two backends element by element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simt/module.hpp"

namespace simt::cli {

struct output_difference {
  std::vector<std::int64_t> index;  // of the first element that differs
  std::string first, second;        // its values
  std::int64_t count = 0;           // elements that differ
  std::int64_t elements = 0;
  double worst = 0;  // largest relative difference; 0 for integers
};

// Nothing when they agree: bit-exact for tolerance 0 (two NaN of any bits agree), else |a - b| <= tolerance *
// max(|a|, |b|), or both below the smallest normal number. Different types or extents are said in `wrong`.
std::optional<output_difference> compare_outputs(const output_bytes& a, const output_bytes& b, double tolerance,
                                                 std::string& wrong);

}  // namespace simt::cli
