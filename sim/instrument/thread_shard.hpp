// SPDX-License-Identifier: Apache-2.0
// Tables that each block changes at its beginning and end are kept in shards, one an OS thread as long as there are no
// more threads than shards: then a shard's lock is free and its lines stay with one core.
#pragma once

#include <atomic>

namespace simt::sim {

inline constexpr unsigned kThreadShards = 32;
inline constexpr unsigned kShardAlignment = 128;  // two lines, which the processor fetches together

// The calling OS thread's.
inline unsigned thread_shard() {
  static std::atomic<unsigned> threads{0};
  static thread_local const unsigned mine = threads.fetch_add(1, std::memory_order_relaxed) % kThreadShards;
  return mine;
}

}  // namespace simt::sim
