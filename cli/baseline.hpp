// SPDX-License-Identifier: Apache-2.0
// --new-since FILE: only findings that an earlier JSON report has not got.
//
// A finding is an earlier one where rule, object, kernel and the functions and files of its sides are the same. Lines
// are not compared first of all, for code above may have grown; but of n findings that are alike only as many are old
// as the earlier report has, and those at the same lines before others.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/report/finding.hpp"

namespace simt::cli {

class baseline {
 public:
  // Reads the report; throws std::runtime_error with what is wrong with the file, or with the report for this use.
  explicit baseline(const std::string& path);

  // Takes the earlier findings out, and returns how many.
  std::size_t filter(std::vector<finding>& findings) const;

 private:
  std::map<std::string, std::vector<std::string>> lines_;  // by what a finding is: the lines of each of that kind
};

}  // namespace simt::cli
