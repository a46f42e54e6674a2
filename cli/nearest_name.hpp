// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known name that is closest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt::cli {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The closest candidate; empty when none is close enough to be meant (a third of the word's length, at least 2), or
// starts with the word.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean NAME?" with the prefix before the name, or nothing.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view prefix = "");

}  // namespace simt::cli
