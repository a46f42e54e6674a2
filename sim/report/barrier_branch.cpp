// SPDX-License-Identifier: Apache-2.0
#include "barrier_branch.hpp"

#include "parting_lines.hpp"

namespace simt {

void find_branch(source_reader& sources, finding& f) {
  if (f.rule != rule::barrier_divergence && f.rule != rule::barrier_early_exit && f.rule != rule::warp_mask) return;
  if (f.accesses.size() < 2) return;
  const auto [one, other] = parting_lines(f.accesses[0], f.accesses[1]);
  if (f.rule == rule::barrier_divergence)
    f.facts.place = sources.guard_around(one, other, f.facts.of_grid ? barrier_of::grid : barrier_of::block);
  f.facts.branch_line = sources.branch_around(one, other);
  const int around_other = sources.branch_around(other, one);
  if (other.deed == deed::exited && f.facts.branch_line == 0)
    f.facts.return_line = around_other;
  else if (f.facts.branch_line == 0)
    f.facts.branch_line = around_other;
}

}  // namespace simt
