// SPDX-License-Identifier: Apache-2.0
// The edit distance is the one called optimal string alignment: a swapped pair is not edited again.
#include "nearest_name.hpp"

#include <algorithm>

namespace simt {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({row[j - 1] + 1, last[j] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::size_t plausible_edits(std::string_view word) {
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  return letters < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3);
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates, std::size_t most_edits) {
  std::string best;
  std::size_t best_distance = most_edits + 1;
  for (const std::string& c : candidates) {
    const std::size_t distance = edit_distance(word, c);
    if (distance < best_distance) best = c, best_distance = distance;
  }
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  if (best.empty() && word.size() >= 3 && word.size() - dashes >= 2) {  // many options begin with one letter
    const auto longer = std::ranges::find_if(candidates, [&](const std::string& c) { return c.starts_with(word); });
    if (longer != candidates.end()) best = *longer;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view prefix) {
  const std::string best = nearest_name(word, candidates, plausible_edits(word));
  return best.empty() ? "" : "; did you mean " + std::string(prefix) + best + "?";
}

}  // namespace simt
