// SPDX-License-Identifier: Apache-2.0
// Kernels that kernels launch (dynamic parallelism): what orders them (CUDA Programming Guide, "Dynamic Parallelism":
// streams, memory coherence and consistency).
//
// - A child comes after what its thread had done and knew when it launched it; not after the rest of its parent.
// - What a block launches on one stream runs one after the other; its threads share the implicit one. Nothing orders
//   children on different streams, or of different blocks, nor those that are fired and forgotten. Where a block lets
//   streams wait for each other, all that it launches counts as ordered.
// - A kernel has ended when all its children have. So what follows it on its stream comes after them; no thread of the
//   parent does.
//
// A child is an agent on a stream of the detector's, one for each stream of each block. A kernel's children have
// kMostStreams of them; where more are needed, they are shared, and what shares one counts as ordered. Streams are used
// again once all that runs there, or was launched there, has ended.
//
// The engine runs a child, and all that it launches, before the next child of its parent.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "sim/check/agents.hpp"
#include "sim/check/block_state.hpp"

namespace simt::check {

class child_launches {
 public:
  explicit child_launches(agent_order& agents) : agents_(agents) {}

  // t launches the kernel `number`. By any worker, while its launch runs; t has nothing open.
  void announced(thread_state& t, std::uint64_t number, std::uint64_t stream);
  // t lets a stream of its block wait for another. By any worker.
  void streams_meet(const thread_state& t);
  // `l` has ended: what it launched may begin. `child`: its own number; 0: the host launched it.
  void launch_ends(const launch_state& l, std::uint64_t child);
  // A child is to begin: on this stream; launched by an agent with this number; who knows this.
  struct start {
    int stream;
    std::uint32_t parent;
    clock_pair known;
  };
  const start& of(std::uint64_t number) const { return waiting_.at(number).begins; }

 private:
  static constexpr std::size_t kMostStreams = 1024;
  struct child {
    start begins{};
    std::uint32_t block = 0;
    std::uint64_t stream = 0;  // of the block's
    detector::position after;  // what is ordered before its parent
  };
  struct chain {
    int parent = 0;               // the stream that the launching kernel ran on
    std::int64_t unfinished = 0;  // children here, and what descends from them
  };
  int take_stream(int parent);
  void add_unfinished(int stream, std::int64_t more);

  agent_order& agents_;
  std::mutex mutex_;  // of these three, while a launch runs
  std::map<std::uint64_t, child> waiting_;
  std::vector<std::uint64_t> announced_;  // by the running launch; in waiting_, too
  std::set<std::uint32_t> one_stream_;    // blocks of the running launch whose streams wait for each other
  std::map<int, chain> chains_;           // by stream
  std::multimap<std::string, int> free_;  // streams, by name
};

}  // namespace simt::check
