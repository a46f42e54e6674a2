// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::reduce over tiles and coalesced groups.
#pragma once

#include "../simt_cuda/hide_names.hpp"

#include <cooperative_groups.h>

namespace cooperative_groups {

// Members are combined pairwise, as a tree: with floating point the same order on every run.
template <class Group, class T, class Op>
T reduce(const Group& g, T v, Op op) {
  const unsigned size = static_cast<unsigned>(g.size()), rank = static_cast<unsigned>(g.thread_rank());
  unsigned reach = 1;
  while (reach < size) reach *= 2;
  for (unsigned offset = reach / 2; offset > 0; offset /= 2) {
    const T other = g.shfl_down(v, offset);
    if (rank + offset < size) v = op(v, other);
  }
  return g.shfl(v, 0);
}

}  // namespace cooperative_groups

#include "../simt_cuda/restore_names.hpp"
