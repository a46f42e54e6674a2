// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the known name that is closest to a mistyped one. For options of simrun as for names of CUDA's API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace simt {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// How many edits a slip of the pen has at most: a third of the word's length, at least 2, but 1 of so short
// a word that 2 would leave nothing of it.
std::size_t plausible_edits(std::string_view word);

// The closest candidate that is at most so many edits away, else one that begins with the word, else nothing. The first
// of several that are equally close.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates, std::size_t most_edits);

// "; did you mean NAME?" with the prefix before the name, or nothing where no candidate is plausible.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view prefix = "");

}  // namespace simt
