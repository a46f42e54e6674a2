// SPDX-License-Identifier: Apache-2.0
#include "checks.hpp"

#include <algorithm>

namespace simt {

std::vector<std::string> names(const check_set& checks) {
  std::vector<std::string> out;
  for (const check_name& c : kChecks)
    if (checks.*c.on) out.emplace_back(c.name);
  return out;
}

check_set not_in(const check_set& checks) {
  check_set out;
  for (const check_name& c : kChecks) out.*c.on = !(checks.*c.on);
  return out;
}

std::string turn_on(std::string_view list, check_set& checks) {
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(word.size() + 1, list.size()));
    bool known = word.empty();
    for (const check_name& c : kChecks)
      if (word == c.name || word == kAllChecks) checks.*c.on = known = true;
    if (!known) return std::string(word);
  }
  return {};
}

}  // namespace simt
