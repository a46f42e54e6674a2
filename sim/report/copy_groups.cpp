// SPDX-License-Identifier: Apache-2.0
#include "copy_groups.hpp"

#include <algorithm>

#include "parting_lines.hpp"

namespace simt {
namespace {

bool is_copied_twice(const finding& f) { return std::ranges::count(f.accesses, work::async_copy, &access::work) > 1; }

bool lacks_wait(const finding& f) {
  if (f.cause != cause::race_async_copy || f.accesses.size() < 2) return false;
  const copy_wait& c = f.facts.copy;
  return c.is_for_too_few() || is_copied_twice(f) || (!f.facts.next_turn && c.waits == 0);
}

bool is_use_by_another(const finding& f) { return !is_copied_twice(f) && f.accesses[0].thread != f.accesses[1].thread; }

}  // namespace

std::vector<belongs_to> races_of_one_wait(const std::vector<finding>& findings) {
  std::vector<belongs_to> out;
  std::vector<bool> seen(findings.size(), false);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (seen[i] || !lacks_wait(findings[i])) continue;
    std::vector<std::size_t> group;
    for (std::size_t j = i; j < findings.size(); ++j) {
      const finding &f = findings[i], &other = findings[j];
      if (seen[j] || !lacks_wait(other) || other.facts.wait_call != f.facts.wait_call ||
          !of_one_function(other.accesses[0], f.accesses[0]))
        continue;
      group.push_back(j);
      seen[j] = true;
    }
    const auto use = std::ranges::find_if(group, [&](std::size_t j) { return is_use_by_another(findings[j]); });
    const std::size_t leader = use == group.end() ? i : *use;
    for (const std::size_t j : group)
      if (j != leader) out.push_back({j, leader});
  }
  return out;
}

}  // namespace simt
