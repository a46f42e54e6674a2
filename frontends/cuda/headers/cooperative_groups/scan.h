// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::inclusive_scan and exclusive_scan over tiles and coalesced groups.
#pragma once

#include "../simt_cuda/hide_names.hpp"

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op>
T inclusive_scan(const Group& g, T v, Op op) {
  const unsigned size = static_cast<unsigned>(g.size()), rank = static_cast<unsigned>(g.thread_rank());
  for (unsigned offset = 1; offset < size; offset *= 2) {
    const T other = g.shfl_up(v, offset);
    if (rank >= offset) v = op(other, v);
  }
  return v;
}
template <class Group, class T>
T inclusive_scan(const Group& g, T v) {
  return inclusive_scan(g, v, plus<T>());
}
template <class Group, class T, class Op>
T exclusive_scan(const Group& g, T v, Op op) {
  const T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
T exclusive_scan(const Group& g, T v) {
  return exclusive_scan(g, v, plus<T>());
}

// The group's sum is added to an atomic variable, and its value before to each member's.
template <class Group, class Atomic, class T, class Op>
T inclusive_scan_update(const Group& g, Atomic& a, T v, Op op) {
  const T mine = inclusive_scan(g, v, op), all = g.shfl(mine, static_cast<unsigned>(g.size()) - 1);
  T before{};
  if (g.thread_rank() == 0) before = detail::update(a, all, op);
  return op(g.shfl(before, 0), mine);
}
template <class Group, class Atomic, class T>
T inclusive_scan_update(const Group& g, Atomic& a, T v) {
  return inclusive_scan_update(g, a, v, plus<T>());
}
template <class Group, class Atomic, class T, class Op>
T exclusive_scan_update(const Group& g, Atomic& a, T v, Op op) {
  const T through = inclusive_scan(g, v, op), all = g.shfl(through, static_cast<unsigned>(g.size()) - 1);
  const T mine = g.shfl_up(through, 1);
  T before{};
  if (g.thread_rank() == 0) before = detail::update(a, all, op);
  before = g.shfl(before, 0);
  return g.thread_rank() == 0 ? before : op(before, mine);
}
template <class Group, class Atomic, class T>
T exclusive_scan_update(const Group& g, Atomic& a, T v) {
  return exclusive_scan_update(g, a, v, plus<T>());
}

}  // namespace cooperative_groups

#include "../simt_cuda/restore_names.hpp"
