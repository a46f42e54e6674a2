// SPDX-License-Identifier: Apache-2.0
// A random program from its first action to its last, and what is compared with the oracle.
#include <sys/mman.h>

#include "random_programs.hpp"

namespace random_programs {

std::string program::run() {
  memory_ =
      static_cast<unsigned char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  device_ = reinterpret_cast<std::uintptr_t>(memory_);
  shared_ = device_ + 4096;
  options o;
  o.volatile_reads_lag = false;
  o.workers = chance(50) ? 2 : 1;
  o.counter_from = seed_ % 3 == 0 ? 20 : 1;
  rng_.discard(shift_);
  o.epochs_at_once = 1 + seed_ % 5 * 3;
  o.longest_chain = static_cast<std::uint32_t>(1 + seed_ % 4);
  if (const char* w = std::getenv("SIMT_ORACLE_WORKERS")) o.workers = std::atoi(w);
  detector d(o, {device_, 4096}, {shared_, 4096});
  d_ = &d;
  d.core().log.on_instance = [](void* self, const finding_log::race_instance& s) {
    static_cast<program*>(self)->sight(s);
  };
  d.core().log.on_instance_data = this;
  host_now_.resize(1);
  streams_.resize(3);
  device_bytes_ = 4 * pick(1, 10);
  allocation a;
  a.address = device_;
  a.size = device_bytes_;
  a.info = {"data", "int", 4, {}};
  const bool initialised = chance(60);
  d.allocated(a, initialised);
  if (initialised)
    for (std::size_t i = 0; i < device_bytes_; ++i) oracle_.initialised.insert(device_ + i);
  d.new_stream("a");
  d.new_stream("b");
  const int actions = pick(1, 5);
  for (int i = 0; i < actions && error_.empty(); ++i) {
    if (chance(60))
      launch();
    else
      host_work();
    if (chance(40)) order_streams();
  }
  if (error_.empty()) compare();
  munmap(memory_, 8192);
  return error_;
}

void program::sight(const finding_log::race_instance& s) {
  if (s.what == rule::missing_fence) return;  // unfenced_test has an oracle for it
  const block_state& b = *s.op->thread.block;
  const int me = agent_index_.at({b.launch->agent, {b.number, s.op->thread.rank}});
  if (!s.before) {
    if (s.what == rule::uninitialized_read) {
      seen_uninit_steps_.insert(oracle_.step);
      if (!oracle_.uninit_steps.count(oracle_.step)) fail("uninitialised read reported, but the bytes are written");
    } else {
      fail("memory finding " + std::string(name(s.what)));
    }
    return;
  }
  epoch_record other = d_->core().epochs[s.before->when];
  if (s.before->pc != 0) other.pc = s.before->pc;
  const auto found = agent_index_.find({other.agent, {other.block, s.before->rank}});
  if (found == agent_index_.end()) return fail("earlier side is nobody");
  const int you = found->second;
  const bool scope_only = s.what == rule::race_scope;
  (scope_only ? scope_races : races)++;
  // The access that runs now is the last of `me` (oracle first).
  const oracle::access& now = oracle_.accesses.back();
  if (now.agent != me) return fail("the later side is another agent");
  bool pair_found = false, pc_found = false;
  for (std::uintptr_t i = 0; i < 4; ++i) {
    if (!(s.mask >> i & 1)) continue;
    const std::uintptr_t byte = s.address + i;
    bool ok = false, perhaps = true;
    for (const race_pair& p : now_races_) {
      if (byte < p.from || byte >= p.to || p.full == scope_only) continue;
      perhaps = perhaps && p.perhaps;  // one of several threads of a record is told of
      if (p.agent != you) continue;
      const bool kind_ok = s.before->kind == simt::access_kind::atomic  ? oracle::atomic(p.what)
                           : s.before->kind == simt::access_kind::write ? p.what == oracle::kind::plain_write
                                                                        : p.what == oracle::kind::plain_read;
      if (!kind_ok) continue;
      ok = true;
      if (p.pc == other.pc || s.before->kind == simt::access_kind::read) pc_found = true;
    }
    if (!ok)
      for (const race_pair& p : now_races_)
        if (p.agent == you)
          trace("  oracle: agent %d kind %d bytes %ld-%ld full %d", p.agent, static_cast<int>(p.what),
                static_cast<long>(p.from - device_), static_cast<long>(p.to - device_), p.full);
    if (!ok)
      return fail("false alarm: " + std::string(name(s.what)) + " at byte " + std::to_string(byte - device_) +
                  ", agent " + std::to_string(me) + " against " + std::to_string(you) + " (kind " +
                  std::to_string(static_cast<int>(s.before->kind)) + ")");
    pair_found = true;
    if (perhaps) continue;
    seen_any_.try_emplace(byte, oracle_.step);
    if (!scope_only) seen_full_.try_emplace(byte, oracle_.step);
  }
  if (!pair_found) fail("no byte reported");
  if (!pc_found) {
    std::ostringstream o;
    o << "the earlier side's place is wrong: agent " << me << " against " << you << " kind "
      << static_cast<int>(s.before->kind) << std::hex << " pc " << other.pc << " not among";
    for (const race_pair& p : now_races_)
      if (p.agent == you) o << ' ' << p.pc;
    fail(o.str());
  }
}

void program::before(int t, oracle::kind k, scope s, std::uintptr_t address, std::size_t size, bool is_volatile) {
  now_races_.clear();
  for (const auto& a : oracle_.accesses) {
    const std::uintptr_t from = std::max(a.address, address), to = std::min(a.address + a.size, address + size);
    if (from >= to) continue;
    if (k == oracle::kind::plain_write && oracle_.observed(a, t, from)) continue;
    const bool perhaps = k == oracle::kind::plain_write && oracle_.observed_by_a_write(a, t, from);
    if (const int r = oracle_.race(a, t, k, s, address, size, is_volatile))
      now_races_.push_back({a.agent, a.what, from, to, a.pc, r == 2, perhaps});
  }
}

void program::compare() {
  auto diff = [&](const char* what, const std::map<std::uintptr_t, int>& slow,
                  const std::map<std::uintptr_t, int>& fast) {
    for (auto [byte, step] : slow) {
      auto it = fast.find(byte);
      if (it == fast.end())
        fail(std::string("missed ") + what + " at byte " + std::to_string(byte - device_) + ", step " +
             std::to_string(step));
      else if (it->second != step)
        fail(std::string(what) + " at byte " + std::to_string(byte - device_) + ": oracle at step " +
             std::to_string(step) + ", fast at " + std::to_string(it->second));
    }
    for (auto [byte, step] : fast)
      if (!slow.count(byte)) fail(std::string("false ") + what + ", step " + std::to_string(step));
  };
  diff("race", oracle_.first_any, seen_any_);
  diff("full race", oracle_.first_full, seen_full_);
  for (auto [byte, step] : oracle_.first_uninit)
    if (!seen_uninit_steps_.count(step)) fail("missed uninitialised read, step " + std::to_string(step));
  uninit = static_cast<int>(seen_uninit_steps_.size());
}

}  // namespace random_programs
