// SPDX-License-Identifier: Apache-2.0
// Suppressions: findings that a project has decided to live with, named in a file (`simrun --suppress FILE`).
//
// One suppression a line; `#` starts a comment, empty lines are skipped. A line holds one or more KEY:GLOB words
// and hides a finding for which every word holds:
//     rule:race-global object:bins function:histogram_*   # counted twice on purpose, issue 12
//     file:third_party/*
// Keys: rule (name of a rule), object (buffer or shared array), function (of either side or any frame of its
// stack), file (likewise), kernel. In a GLOB `*` stands for any characters, `/` included, `?` for one. A rule
// that no GLOB character makes general must be the name of a rule.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "finding.hpp"

namespace simt {

class suppressions {
 public:
  // Adds the suppressions of a file's lines. Returns an empty string, or "FILE:LINE: what is wrong and what to
  // write instead" for the first bad line; then nothing was added.
  std::string parse(const std::vector<std::string>& lines, std::string_view file_name);

  bool matches(const finding& f) const;
  bool empty() const { return entries_.empty(); }

  // Removes the findings that match; returns how many went.
  std::size_t filter(std::vector<finding>& findings) const;

 private:
  using entry = std::vector<std::pair<std::string, std::string>>;  // key, glob
  std::vector<entry> entries_;
};

// Shell-like match of a whole text; `*` also crosses '/'.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace simt
