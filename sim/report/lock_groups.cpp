// SPDX-License-Identifier: Apache-2.0
#include "lock_groups.hpp"

#include <algorithm>

#include "parting_lines.hpp"
#include "verdict.hpp"

namespace simt {
namespace {

bool is_of_one_lock(const finding& a, const finding& b) {
  return a.cause == cause::race_held_lock && b.cause == a.cause && a.facts.lock.given == b.facts.lock.given &&
         a.facts.lock.taken == b.facts.lock.taken && a.accesses[0].file == b.accesses[0].file;
}

// Whether `f` is of the lock that `unlock` gives back by a plain store: under it, or of two such stores.
bool comes_of(const finding& f, const finding& unlock) {
  if (!is_race(f.rule) || f.accesses.size() < 2) return false;
  const auto given = std::ranges::find(unlock.accesses, access_kind::write, &access::kind);
  if (given == unlock.accesses.end()) return false;
  if (f.facts.lock.given == unlock.facts.unlock_line && f.accesses[0].file == given->file) return true;
  return std::ranges::all_of(f.accesses,
                             [&](const access& a) { return of_one_function(a, *given) && a.line == given->line; });
}

}  // namespace

std::vector<belongs_to> races_under_locks(const std::vector<finding>& findings) {
  std::vector<belongs_to> out;
  for (std::size_t i = 0; i < findings.size(); ++i)
    for (std::size_t j = 0; j < findings.size() && findings[i].facts.unlock_line != 0; ++j)
      if (j != i && comes_of(findings[j], findings[i])) out.push_back({j, i});
  for (std::size_t i = 0; i < findings.size(); ++i)
    for (std::size_t j = i + 1; j < findings.size(); ++j)
      if (is_of_one_lock(findings[i], findings[j])) out.push_back({j, i});
  return out;
}

}  // namespace simt
