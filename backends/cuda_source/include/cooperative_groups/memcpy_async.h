// SPDX-License-Identifier: Apache-2.0
// cooperative_groups::memcpy_async: the group copies together at once; wait() is the group's barrier.
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

namespace detail {
template <class Group>
void copy_bytes(const Group& g, char* to, const char* from, std::size_t bytes) {
  const std::size_t rank = static_cast<std::size_t>(g.thread_rank()), size = static_cast<std::size_t>(g.size());
  if ((reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from) | bytes) % 4 == 0) {
    for (std::size_t i = rank; i < bytes / 4; i += size) reinterpret_cast<unsigned*>(to)[i] = reinterpret_cast<const unsigned*>(from)[i];
  } else {
    for (std::size_t i = rank; i < bytes; i += size) to[i] = from[i];
  }
}
}  // namespace detail

template <class Group, class To, class From>
void memcpy_async(const Group& g, To* to, const From* from, std::size_t bytes) {
  detail::copy_bytes(g, reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes);
}
template <class Group, class To, class From>
void memcpy_async(const Group& g, To* to, std::size_t to_count, const From* from, std::size_t from_count) {
  const std::size_t n = to_count < from_count ? to_count : from_count;
  detail::copy_bytes(g, reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), n * sizeof(To));
}
template <class Group>
[[gnu::always_inline]] inline void wait(const Group& g) {
  g.sync();
}
template <unsigned Stages, class Group>
[[gnu::always_inline]] inline void wait_prior(const Group& g) {
  g.sync();
}

}  // namespace cooperative_groups
