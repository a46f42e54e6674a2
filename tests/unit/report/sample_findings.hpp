// SPDX-License-Identifier: Apache-2.0
// Findings for the tests of what is shown as one, and what came of them as text.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/report/grouping.hpp"

namespace simt::test {

inline simt::access at(int line, access_kind kind = access_kind::read, const std::string& function = "k") {
  simt::access a;
  a.file = "app.cu";
  a.function = function;
  a.line = line;
  a.kind = kind;
  return a;
}

inline finding race(int later, int earlier, const std::string& function = "k") {
  finding f;
  f.rule = rule::race_shared;
  f.cause = cause::race_block;
  f.object = "s";
  f.accesses = {at(later, access_kind::read, function), at(earlier, access_kind::write, function)};
  return f;
}

// "0<1 0<2 3": findings 1 and 2 are part of 0, and 3 is alone.
inline std::string groups(std::vector<finding> all) {
  group_findings(all);
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out += (out.empty() ? "" : " ") + (all[i].part_of >= 0 ? std::to_string(all[i].part_of) + "<" : std::string());
    out += std::to_string(i) + ":" + std::to_string(all[i].accesses[0].line);
    if (all[i].part_of < 0) continue;
    const std::vector<std::int64_t>& members = all[static_cast<std::size_t>(all[i].part_of)].members;
    CHECK(std::count(members.begin(), members.end(), static_cast<std::int64_t>(i)) == 1);
  }
  return out;
}

}  // namespace simt::test
