// SPDX-License-Identifier: Apache-2.0
#include "sim/check/agents.hpp"

#include <algorithm>

namespace simt::check {
namespace {

constexpr std::size_t kMaxLiveAgents = 16384;

std::uint64_t at(const detector::position& p, std::size_t stream) { return stream < p.size() ? p[stream] : 0; }
std::uint64_t at(const detector::position& p, int stream) { return at(p, static_cast<std::size_t>(stream)); }

void join_position(detector::position& p, const detector::position& o) {
  if (p.size() < o.size()) p.resize(o.size());
  for (std::size_t i = 0; i < o.size(); ++i) p[i] = std::max(p[i], o[i]);
}

}  // namespace

agent_order::agent_order(epoch_table& epochs) : epochs_(epochs) {
  add_stream("host");
  streams_[0].done = {0};
}

int agent_order::add_stream(std::string name) {
  streams_.emplace_back().name = std::move(name);
  return static_cast<int>(streams_.size()) - 1;
}

void agent_order::order_after(int stream, const detector::position& done) {
  join_position(stream_at(stream).done, done);
}

bool agent_order::ordered_before(const launch_state& l, std::uint32_t number) const {
  if (number < first_) return true;
  const agent& a = of(number);
  return at(l.after, a.stream) >= a.sequence;
}

bool agent_order::descends_from(std::uint32_t number, std::uint32_t ancestor) const {
  while (number != kNoParent && !is_retired(number) && number != ancestor) number = of(number).parent;
  return number == ancestor;
}

void agent_order::retire_oldest() {
  if (agents_.front().learned) std::erase(learners_, first_);
  stream_at(agents_.front().stream).live.pop_front();
  agents_.pop_front();
  ++first_;
}

bool agent_order::begin(launch_state& l, int stream, agent a) {
  auto& s = stream_at(stream);
  if (stream != 0) join_position(s.done, streams_[0].done);
  if (s.done.size() <= static_cast<std::size_t>(stream)) s.done.resize(static_cast<std::size_t>(stream) + 1);
  l.after = s.done;
  a.stream = stream;
  a.sequence = ++s.done[static_cast<std::size_t>(stream)];
  a.first_epoch = epochs_.now();
  // What the host knows to be done is ordered before everything to come: nobody asks for it again.
  while (!agents_.empty() && at(streams_[0].done, agents_.front().stream) >= agents_.front().sequence &&
         at(l.after, agents_.front().stream) >= agents_.front().sequence)
    retire_oldest();
  if (agents_.size() >= kMaxLiveAgents) {
    retire_oldest();
    ++retired_early;
  }
  l.floor = l.first_epoch = a.first_epoch;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const auto& live = streams_[i].live;
    if (live.empty()) continue;
    const std::uint64_t oldest = of(live.front()).sequence;
    const std::uint64_t known = at(l.after, i);
    const std::uint64_t unordered = known < oldest ? 0 : known + 1 - oldest;
    if (unordered < live.size()) l.floor = std::min(l.floor, of(live[unordered]).first_epoch);
  }
  l.agent = next();
  l.on_host = a.kind == agent_kind::host;
  const bool alone = agents_.empty();
  if (alone) {
    for (stream_state& x : streams_) x.inherited = {}, x.host = {};
    host_known = {};
  }
  l.start = host_known;
  for (const std::uint32_t x : learners_)
    if (ordered_before(l, x)) l.start.join_with(of(x).learned);
  s.live.push_back(l.agent);
  agents_.push_back(std::move(a));
  horizon = agents_.front().first_epoch;
  epochs_.free_below(horizon);
  l.copies = 0;
  l.blocks_meet = false;
  l.shortened = 0;
  l.inherited.reset();
  l.has_inherited = false;
  l.has_clusters = false;
  return alone;
}

const vector_clock& agent_order::inherited(launch_state& l) {
  if (l.has_inherited.load(std::memory_order_acquire)) return l.inherited;
  std::lock_guard guard(mutex_);
  if (l.has_inherited.load()) return l.inherited;
  // The stream's own work and the host's always come before. So all is asked again only where another stream has been
  // waited for since.
  const int own = of(l.agent).stream;
  auto& last = stream_at(own).inherited;
  bool news = last.upto < first_;
  for (std::size_t i = 1; i < l.after.size(); ++i)
    news |= static_cast<int>(i) != own && l.after[i] != at(last.after, i);
  if (news) last = {nullptr, {}, first_};
  for (std::uint32_t i = last.upto; i < l.agent; ++i)
    if (ordered_before(l, i)) last.known = join(last.known, clock_of_block(block_key(i, kWholeAgent), kEpochMask, {}));
  last.after = l.after;
  last.upto = l.agent;
  l.inherited = last.known;
  l.has_inherited.store(true, std::memory_order_release);
  return l.inherited;
}

void agent_order::pass_on(const launch_state& l, clock_pair all) {
  if (!may_learn(l)) return;
  const bool same = all.scoped == all.unscoped;
  all.scoped = below(all.scoped, block_key(l.agent, 0));
  all.unscoped = same ? all.scoped : below(all.unscoped, block_key(l.agent, 0));
  if (!all) return;
  std::lock_guard guard(mutex_);
  agent& a = live_agent(l.agent);
  if (!a.learned) learners_.push_back(l.agent);
  a.learned.join_with(all);
}

}  // namespace simt::check
