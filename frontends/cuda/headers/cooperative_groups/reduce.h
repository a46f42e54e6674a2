// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::reduce over tiles and coalesced groups.
#pragma once

#include "../simt_cuda/hide_names.hpp"

#include <cooperative_groups.h>
#include <cuda/atomic>

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

namespace detail {
// What a member of a group does for all of it to an atomic variable: gives the value before.
template <class Atomic, class T, class Op>
T update(Atomic& a, T v, Op op) {
  T old = a.load(cuda::std::memory_order_relaxed);
  while (!a.compare_exchange_weak(old, op(old, v), cuda::std::memory_order_relaxed)) {
  }
  return old;
}
}  // namespace detail

// Their results are there when the group has met at its next barrier; here at once.
template <class Group, class T, class Op>
void reduce_store_async(const Group& g, T* to, T v, Op op) {
  const T all = reduce(g, v, op);
  if (g.thread_rank() == 0) *to = all;
}
template <class Group, class Atomic, class T, class Op>
requires requires(Atomic& a, T v) { a.store(v); }
void reduce_store_async(const Group& g, Atomic& to, T v, Op op) {
  const T all = reduce(g, v, op);
  if (g.thread_rank() == 0) to.store(all, cuda::std::memory_order_relaxed);
}
template <class Group, class Atomic, class T, class Op>
void reduce_update_async(const Group& g, Atomic& a, T v, Op op) {
  const T all = reduce(g, v, op);
  if (g.thread_rank() == 0) detail::update(a, all, op);
}

}  // namespace cooperative_groups

#include "../simt_cuda/restore_names.hpp"
