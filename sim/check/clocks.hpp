// SPDX-License-Identifier: Apache-2.0
// What threads know of each other: a thread publishes its clock when it releases, and learns one when it acquires.
#pragma once

#include "sim/check/agents.hpp"
#include "sim/check/block_state.hpp"

namespace simt::check {

// The keys of a block in a vector clock, and of its cluster.
inline std::uint64_t key_of(const block_state& b) { return block_key(b.launch->agent, b.number); }
inline std::uint64_t cluster_key(const block_state& b) {
  return block_key(b.launch->agent, static_cast<std::uint32_t>(b.cluster));
}

// t's clock now. Its later accesses are not in it, for they take younger epochs.
void publish(thread_state& t, clock_pair& out);
void learn(thread_state& t, const clock_pair& c);

}  // namespace simt::check
