// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::memcpy_async: each member copies a part; wait() waits for its own and is the group's barrier.
#pragma once

#include <cooperative_groups.h>

#include "../simt_cuda/async_copies.hpp"

namespace cooperative_groups {

template <class Group, class To, class From>
void memcpy_async(const Group& g, To* to, const From* from, std::size_t bytes) {
  simt_cuda::copy_part_later(static_cast<std::size_t>(g.thread_rank()), static_cast<std::size_t>(g.size()), to, from, bytes);
  simt_cuda::commit_copies();
}
template <class Group, class To, class From>
void memcpy_async(const Group& g, To* to, std::size_t to_count, const From* from, std::size_t from_count) {
  const std::size_t n = to_count < from_count ? to_count : from_count;
  memcpy_async(g, to, from, n * sizeof(To));
}
template <class Group>
[[gnu::always_inline]] inline void wait(const Group& g) {
  simt_cuda::wait_for_copies(0);
  g.sync();
}
template <unsigned Stages, class Group>
[[gnu::always_inline]] inline void wait_prior(const Group& g) {
  simt_cuda::wait_for_copies(Stages);
  g.sync();
}

}  // namespace cooperative_groups
