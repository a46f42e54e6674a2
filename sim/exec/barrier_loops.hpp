// SPDX-License-Identifier: Apache-2.0
// Finds out that blocks go round from barrier to barrier for ever (check variant, where stores are counted).
//
// When a barrier of a block opens, all its threads are in one place each, and what they do next follows from their
// registers, stacks and memory. While no memory changes, a block that is twice in one state comes back to it for ever.
// A worker is *quiet* since a moment from which on its threads have stored nothing. So with M the last of the moments
// since which the workers are quiet, the launch cannot end if each block of each worker was twice in one state since M,
// and none is left to start. Hashes of the
// states are kept, for some looks at each tick of the watchdog.
//
// Not found: loops with a store in them, or with an access whose judgement leaves other numbers in unused stack slots;
// loops over barriers of the grid; beside blocks that spin or that compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace simt::sim {

struct block_context;
class worker;

class barrier_loops {
 public:
  explicit barrier_loops(worker& w) : worker_(w) {}
  // A launch begins or ends on this worker.
  void forget();

  enum class result : std::uint8_t { goes_on, start_others, endless };
  // All threads of b that are left have come to its barrier, which is open; on a device thread that has kept its stack.
  // start_others: this worker's blocks come back for ever unless a block that has not begun changes something.
  result look(const block_context& b);

  // Look at so many barriers that open. A tick sets it; after the first of them it goes on where nothing was stored
  // since the tick before, for a block has a state for each thread that may have come last.
  volatile int wanted = 0;
  static constexpr int kLooks = 1024;

 private:
  struct seen_block {
    std::int64_t index = -1;
    std::unordered_map<std::uint64_t, std::int64_t> when;  // by state: the last moment in it
    int hits = 0;
    std::int64_t proof = 0;  // the earlier moment of two in one state; 0: there is none
  };
  std::uint64_t mark_of(const block_context& b, const void* own, bool& whole) const;
  std::int64_t proof_of_all() const;

  worker& worker_;
  std::uint64_t stores_ = 0;
  int looks_ = 0;                 // since then
  std::int64_t quiet_since_ = 0;  // steady clock in nanoseconds
  std::unordered_map<const block_context*, seen_block> seen_;
};

}  // namespace simt::sim
