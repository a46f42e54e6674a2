// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::memcpy_async: each member copies a part; wait() waits for its own and is the group's barrier.
#pragma once

#include "../simt_cuda/hide_names.hpp"

#include <cooperative_groups.h>

#include "../simt_cuda/async_copies.hpp"

namespace cooperative_groups {

// bytes: a number, or cuda::aligned_size_t.
template <class Group, class To, class From, class Size>
[[gnu::always_inline]] inline void memcpy_async(const Group& g, To* to, const From* from, Size bytes) {
  simt_cuda::expect_promise(to, from, bytes);
  simt_cuda::copy_part_later(static_cast<std::size_t>(g.thread_rank()), static_cast<std::size_t>(g.size()), to, from,
                             static_cast<std::size_t>(bytes));
  simt_cuda::commit_copies();
}
// Counts of elements, the smaller of both; aligned_size_t counts bytes there, too.
template <class Group, class To, class ToSize, class From, class FromSize>
[[gnu::always_inline]] inline void memcpy_async(const Group& g, To* to, ToSize to_count, const From* from,
                                                FromSize from_count) {
  const auto bytes_of = [](auto size) {
    if constexpr (requires { size.align; })
      return static_cast<std::size_t>(size);
    else
      return static_cast<std::size_t>(size) * sizeof(To);
  };
  const std::size_t a = bytes_of(to_count), b = bytes_of(from_count), bytes = a < b ? a : b;
  if constexpr (requires { ToSize::align; }) simt_cuda::expect_promise(to, from, ToSize(bytes));
  memcpy_async(g, to, from, bytes);
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

#include "../simt_cuda/restore_names.hpp"
