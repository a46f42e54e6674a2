// SPDX-License-Identifier: Apache-2.0
// Tables that each block changes at its beginning and end are kept in shards, one an OS thread as long as there are no
// more threads than shards: then a shard's lock is free and its lines stay with one core.
#pragma once

#include <atomic>
#include <thread>

#include <sim/instrument/pause.hpp>

namespace simt::sim {

inline constexpr unsigned kThreadShards = 32;
inline constexpr unsigned kShardAlignment = 128;  // two lines, which the processor fetches together

// The calling OS thread's.
inline unsigned thread_shard() {
  static std::atomic<unsigned> threads{0};
  static thread_local const unsigned mine = threads.fetch_add(1, std::memory_order_relaxed) % kThreadShards;
  return mine;
}

// A shard's lock: free nearly always, held for a few instructions. A mutex takes three times as long.
class shard_lock {
 public:
  void lock() {
    for (int tries = 0; taken_.exchange(true, std::memory_order_acquire); ++tries)
      tries < 64 ? pause_a_moment() : std::this_thread::yield();
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

}  // namespace simt::sim
