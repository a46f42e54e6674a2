// SPDX-License-Identifier: Apache-2.0
// Agents and streams: which launch, copy or action of the host comes before which, without any access of theirs.
//
// An agent is one launch, one copy or fill, or a stretch of the host's own code. Agents are numbered in the order in
// which they are announced; each belongs to a stream, which runs its agents one after the other. Stream 0 is the host.
//
// Invariants
//  1. An agent comes after all earlier ones of its stream, after what the host did before it was enqueued, and after
//     what order_after() says. launch_state::after holds that, as a position in each stream.
//  2. Epochs below `horizon` are of agents that come before everything still to be announced.
//  3. What comes after an agent knows what its threads learned through atomics: order is transitive. They learn from
//     older agents only, so what a retired agent learned of is done as well.
//  4. Agents begin, and streams are ordered, while no device thread runs; ordered_before() may be asked at any time.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "sim/check/epochs.hpp"
#include "sim/check/thread_state.hpp"

namespace simt::check {

inline constexpr std::uint32_t kAsyncBlock = 0x80000000;  // block numbers of asynchronous copies
// Instead of a block's number, in a vector clock: all blocks of an agent. With kEpochMask as its time, the agent is
// done.
inline constexpr std::uint32_t kWholeAgent = 0xffffffff;
// The key of a block in a vector clock.
inline std::uint64_t block_key(std::uint32_t agent, std::uint32_t block) { return std::uint64_t{agent} << 32 | block; }

// Neighbours in x that run as one block (sim::event::block::joined) have one number: the first one's, and above it how
// many they are, as a power of two. In launches of fewer blocks than numbers have room for.
inline constexpr int kJoinedAt = 27;
inline constexpr std::int64_t kMostJoined = std::int64_t{1} << kJoinedAt;
inline std::uint32_t number_of_block(std::int64_t linear, std::int32_t joined) {
  const int power = std::countr_zero(static_cast<std::uint32_t>(joined));
  return static_cast<std::uint32_t>(linear) | static_cast<std::uint32_t>(power) << kJoinedAt;
}
// Which of the launch's own blocks a thread is in, and its rank there. `number`: of no asynchronous copy.
struct own_place {
  std::uint32_t block, rank;
};
inline own_place own_place_of(std::uint32_t number, std::uint32_t rank, const index3& grid, const index3& extent) {
  if (grid.x * grid.y * grid.z >= kMostJoined || number < kMostJoined) return {number, rank};
  const std::uint32_t power = number >> kJoinedAt, width = static_cast<std::uint32_t>(extent.x), row = width << power;
  return {(number & ((1U << kJoinedAt) - 1)) + rank % row / width, rank / row * width + rank % width};
}

enum class agent_kind : std::uint8_t { launch, host, copy };  // host: its code, callbacks of streams too

inline constexpr std::uint32_t kNoParent = 0xffffffff;
struct agent {
  int stream = 0;
  std::uint64_t sequence = 0;  // on its stream
  epoch first_epoch = 0;
  agent_kind kind = agent_kind::launch;
  work doing = work::kernel;
  std::string name;                  // kernel
  std::uint32_t parent = kNoParent;  // the kernel that launched it
  index3 grid{1, 1, 1}, block{1, 1, 1};
  clock_pair learned{};  // what its threads learned from launches that no stream orders before it
};

// The agent that runs, as its blocks see it.
struct launch_state {
  std::uint32_t agent = 0;
  std::uint32_t ticket = 0;           // addition_log.hpp; 0: the host's
  std::uint32_t follows_tickets = 0;  // all launches with tickets from here to its own are ordered before it
  bool on_host = false;               // its agent is the host's code
  bool elements = false;              // each of its threads runs elements of simt::launch_each
  detector::position after;           // what is ordered before
  epoch first_epoch = 0;              // its agent's
  epoch floor = 0;                    // epochs below are ordered before all of it
  clock_pair start;  // what all its threads know: what the work before it learned from launches unordered with it
  std::int64_t blocks = 0;
  vector_clock inherited;  // see agent_order::inherited()
  std::atomic<bool> has_inherited{false};
  std::atomic<std::uint32_t> copies{0};
  bool cooperative = false;                 // its blocks may wait for each other
  bool has_clusters = false;                // of more than one block
  std::vector<std::int64_t> cluster_of;     // by linear block; only with clusters
  std::atomic<bool> blocks_meet{false};     // something may order accesses of different blocks
  std::atomic<std::uint64_t> shortened{0};  // lists of readers cut to two blocks: inexact only if blocks meet
  std::string kernel;
  index3 grid, block;
};

class agent_order {
 public:
  explicit agent_order(epoch_table& epochs);

  // ---- streams ----
  int add_stream(std::string name);
  const std::string& stream_name(int stream) const { return stream_at(stream).name; }
  const detector::position& done_on(int stream) const { return stream_at(stream).done; }  // before its next agent
  void order_after(int stream, const detector::position& done);
  // The fences of the host's code on a stream, and what it has read: they count for what it does there later, although
  // that is another agent.
  struct host_clocks {
    std::array<clock_pair, kReaches> fenced;
    std::array<vector_clock, kReaches> acquirable;
    told_clock told;
    std::uintptr_t told_at = 0;
  };
  host_clocks& host_on(int stream) { return stream_at(stream).host; }
  clock_pair host_known;  // what the host has learned through atomics

  // ---- agents ----
  // The stream's next agent begins; `l` is to describe it. True: all others are known to be done.
  bool begin(launch_state& l, int stream, agent a);
  std::uint32_t next() const { return first_ + static_cast<std::uint32_t>(agents_.size()); }
  const agent& of(std::uint32_t number) const { return agents_[number - first_]; }  // not of a retired one
  bool is_retired(std::uint32_t number) const { return number < first_; }
  bool on_host(std::uint32_t number) const { return number >= first_ && of(number).kind == agent_kind::host; }
  bool ordered_before(const launch_state& l, std::uint32_t number) const;
  bool descends_from(std::uint32_t number, std::uint32_t ancestor) const;
  // The agents that are ordered before the launch, as a clock: what its threads pass on by releasing.
  const vector_clock& inherited(launch_state& l);
  // Whether anything that is not ordered before the launch could teach its threads something.
  bool may_learn(const launch_state& l) const { return l.floor != l.first_epoch && l.agent >= first_; }
  // A block of `l` has ended whose threads together knew `all`: what comes after `l` knows it, too.
  void pass_on(const launch_state& l, clock_pair all);

  epoch horizon = kFirstEpoch;
  std::uint64_t retired_early = 0;  // not known to be done: races with them are missed from then on

 private:
  struct stream_state {
    std::string name;
    detector::position done;         // by stream: what is ordered before the stream's next work
    std::deque<std::uint32_t> live;  // its agents, oldest first; their sequences follow each other
    // inherited() of the stream's last launch that was asked for it: what comes after adds to that.
    struct {
      vector_clock known;
      detector::position after;
      std::uint32_t upto = 0;  // agents below are in it, or not ordered before
    } inherited;
    host_clocks host;
  };
  stream_state& stream_at(int stream) { return streams_[static_cast<std::size_t>(stream)]; }
  const stream_state& stream_at(int stream) const { return streams_[static_cast<std::size_t>(stream)]; }
  agent& live_agent(std::uint32_t number) { return agents_[number - first_]; }
  void retire_oldest();

  epoch_table& epochs_;
  std::vector<stream_state> streams_;
  std::deque<agent> agents_;             // that are not retired
  std::uint32_t first_ = 0;              // number of the oldest
  std::vector<std::uint32_t> learners_;  // agents with `learned`
  std::mutex mutex_;                     // of what several workers change: `learned`, learners_, inherited
};

}  // namespace simt::check
