// SPDX-License-Identifier: Apache-2.0
#include "sim/check/child_launches.hpp"

#include <algorithm>
#include <utility>

#include "sim/check/clocks.hpp"

namespace simt::check {

void child_launches::announced(thread_state& t, std::uint64_t number, std::uint64_t stream) {
  const launch_state& l = *t.block->launch;
  child c;
  c.begins = {0, l.agent, {}};
  c.block = t.block->number;
  c.stream = stream;
  c.after = l.after;
  publish(t, c.begins.known);
  std::lock_guard guard(mutex_);
  waiting_[number] = std::move(c);
  announced_.push_back(number);
}

void child_launches::streams_meet(const thread_state& t) {
  std::lock_guard guard(mutex_);
  one_stream_.insert(t.block->number);
}

int child_launches::take_stream(int parent) {
  const std::string name = agents_.stream_name(parent);
  int stream;
  if (const auto it = free_.find(name); it != free_.end()) {
    stream = it->second;
    free_.erase(it);
  } else {
    stream = agents_.add_stream(name);
  }
  chains_[stream] = {parent, 0};
  return stream;
}

// A chain that is done is taken off, and no longer stands for its parent's order.
void child_launches::add_unfinished(int stream, std::int64_t more) {
  for (auto it = chains_.find(stream); it != chains_.end(); it = chains_.find(stream)) {
    it->second.unfinished += more;
    const int parent = it->second.parent;
    if (it->second.unfinished == 0) {
      free_.emplace(agents_.stream_name(stream), stream);
      chains_.erase(it);
    }
    stream = parent;
  }
}

void child_launches::launch_ends(const launch_state& l, std::uint64_t child) {
  const int own = agents_.is_retired(l.agent) ? 0 : agents_.of(l.agent).stream;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> seen;  // streams of blocks: how many were seen before
  std::vector<int> streams;
  std::ranges::sort(announced_);
  for (const std::uint64_t number : std::exchange(announced_, {})) {
    auto& c = waiting_.at(number);
    if (c.begins.parent != l.agent) continue;  // of a launch that was given up
    const std::uint64_t stream = one_stream_.contains(c.block) ? 0 : c.stream;
    const std::size_t place = seen.try_emplace({c.block, stream}, seen.size()).first->second;
    if (place == streams.size() && place < kMostStreams) {
      streams.push_back(take_stream(own));
      agents_.order_after(streams.back(), c.after);
    }
    c.begins.stream = streams[place % kMostStreams];
    add_unfinished(c.begins.stream, 1);
  }
  one_stream_.clear();
  if (child == 0) return;
  for (auto it = chains_.find(own); it != chains_.end(); it = chains_.find(it->second.parent))
    agents_.order_after(it->second.parent, agents_.done_on(it->first));
  waiting_.erase(child);
  add_unfinished(own, -1);
}

}  // namespace simt::check
