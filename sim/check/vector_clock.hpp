// SPDX-License-Identifier: Apache-2.0
// What a thread knows of other blocks and threads: a persistent map from block to "all its epochs below base happened
// before me", with exceptions for single threads.
//
// Maps are immutable treaps whose shape depends on their keys alone (priority = hash of the key), so equal histories
// share structure and join() stops at shared subtrees: a chain of N blocks costs O(log N) for each link.
//
// Two histories of the same blocks share nothing where one says of every block a little more than the other (what a
// fence kept, and what the flag behind it told). join() remembers of large subtrees that one covered the other, so it
// walks through such a pair once and not at every access (vector_clock.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace simt::check {

using epoch = std::uint64_t;  // position on the detector's one time axis; see epochs.hpp

// Threads of a block known further than its base, sorted by rank.
using thread_times = std::vector<std::pair<std::uint32_t, epoch>>;

struct clock_node;
using vector_clock = std::shared_ptr<const clock_node>;  // null: knows nothing

// The name of a node: no other node of the process ever has it, also after this one is gone.
std::uint64_t next_clock_node();

struct clock_node {
  std::uint64_t block;  // agent << 32 | block number
  epoch base;
  std::shared_ptr<const thread_times> threads;  // may be null
  vector_clock left, right;
  std::uint64_t name = next_clock_node();
};

vector_clock clock_of_block(std::uint64_t block, epoch base, thread_times threads);
vector_clock join(const vector_clock& a, const vector_clock& b);
vector_clock below(const vector_clock& k, std::uint64_t block);  // what it says of blocks before this one

// Epochs of (block, rank) below the result happened before the holder.
inline epoch known_until(const vector_clock& k, std::uint64_t block, std::uint32_t rank) {
  for (const clock_node* n = k.get(); n;) {
    if (block < n->block) {
      n = n->left.get();
    } else if (block > n->block) {
      n = n->right.get();
    } else {
      if (n->threads) {
        auto it = std::lower_bound(n->threads->begin(), n->threads->end(), std::pair<std::uint32_t, epoch>{rank, 0});
        if (it != n->threads->end() && it->first == rank) return std::max(n->base, it->second);
      }
      return n->base;
    }
  }
  return 0;
}

}  // namespace simt::check
