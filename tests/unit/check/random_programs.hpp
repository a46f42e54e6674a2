// SPDX-License-Identifier: Apache-2.0
// Runs a random small program through the fast detector and the brute-force oracle at once and compares:
//  - every race that the fast one sees is one in the oracle, at those bytes, with that earlier access and its class;
//  - at every byte both see the first race, and the first that no scope would cure, at the same step;
//  - the same for reads of uninitialised bytes.
#pragma once

#include <array>
#include <random>
#include <sstream>
#include <string>

#include "oracle.hpp"
#include "sim/check/core.hpp"

namespace random_programs {

using namespace simt::check;
using simt::rule;

class program {
 public:
  // `shift`: random numbers passed over after the options, which makes other programs of the same seeds.
  explicit program(std::uint64_t seed, std::uint64_t shift = 0) : rng_(seed), seed_(seed), shift_(shift) {}

  // Empty: agreement. Else the first difference.
  std::string run();

  int counted = 0;      // additions to busy counters
  int told_before = 0;  // updates in the log before they were done
  int races = 0, scope_races = 0, uninit = 0;

 private:
  std::mt19937_64 rng_;
  std::uint64_t seed_, shift_;
  unsigned char* memory_ = nullptr;
  std::uintptr_t device_ = 0, shared_ = 0;
  std::size_t device_bytes_ = 0, shared_bytes_ = 0;
  detector* d_ = nullptr;
  oracle::detector oracle_;
  std::string error_;
  // SIMT_ORACLE_TRACE=1 prints the program as it runs.
  bool trace_ = std::getenv("SIMT_ORACLE_TRACE") != nullptr;
  template <class... T>
  void trace(const char* format, T... x) {
    if (!trace_) return;
    std::printf("%4d ", oracle_.step);
    std::printf(format, x...);
    std::printf("\n");
  }
  struct stream {
    oracle::both now;
  };
  std::vector<stream> streams_;
  bool counts_ = false;  // atomics of the launch are mostly relaxed additions at device scope, to this:
  std::uintptr_t counter() const { return device_ + device_bytes_ - 4; }
  bool added_last(int agent) const {
    const auto last = oracle_.updates.find(counter());
    return last != oracle_.updates.end() && last->second.by == agent;
  }
  std::vector<oracle::both> host_now_;
  int host_agents_[3] = {-1, -1, -1}, launches_ = 0;  // the host's code, by stream: its own thread and callbacks
  std::map<std::uintptr_t, int> seen_any_, seen_full_;
  std::set<int> seen_uninit_steps_;
  std::map<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>, int> agent_index_;  // agent, block, rank

  int pick(int low, int high) { return static_cast<int>(rng_() % static_cast<unsigned>(high - low + 1)) + low; }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T>
  const T& one_of(const std::vector<T>& v) {
    return v[static_cast<std::size_t>(pick(0, static_cast<int>(v.size()) - 1))];
  }
  void fail(const std::string& what) {
    if (error_.empty())
      error_ = "seed " + std::to_string(seed_) + ", step " + std::to_string(oracle_.step) + ": " + what;
  }

  // ---- what the fast detector sees, checked at once ----
  void sight(const finding_log::race_instance& s);

  struct race_pair {
    int agent;
    oracle::kind what;
    std::uintptr_t from, to, pc;
    bool full;
    bool perhaps = false;  // the fast detector may see it, and need not
  };
  std::vector<race_pair> now_races_;

  // Lists the oracle's races of an access before it is performed there.
  void before(int t, oracle::kind k, scope s, std::uintptr_t address, std::size_t size, bool is_volatile = false);

  void compare();

  // ---- host and streams ----
  void order_streams() {
    const int from = pick(0, 2), to = pick(0, 2);
    if (from == to) return;
    trace("stream %d waits for %d", to, from);
    d_->wait(to, d_->record(from));
    streams_[static_cast<std::size_t>(to)].now.join_with(streams_[static_cast<std::size_t>(from)].now);
  }

  oracle::both begin_on(int stream) {
    auto& s = streams_[static_cast<std::size_t>(stream)].now;
    if (stream != 0) s.join_with(streams_[0].now);
    return s;
  }

  void host_work();

  void host_one(int stream, bool write, std::uintptr_t at, std::size_t size);

  // An atomic operation or a fence of the host's code.
  void host_event(int stream);

  void host_copy(int stream, int what, std::size_t from, std::size_t size);

  // ---- a launch ----
  struct running {
    block_state* b = nullptr;
    int index = 0;
    std::vector<int> agents;  // of its threads
    std::vector<char> exited;
    std::uintptr_t shared = 0;
    std::array<oracle::agent, 2> named{};  // what has arrived at its named barriers
  };
  struct copy {
    thread_state* t;
    int agent, of;
    bool joined = false;
    sync_object done;
    oracle::both done_clock;
  };
  std::vector<running> blocks_;
  bool staged_ = false;  // resident blocks do something before the last has begun

  void launch();

  // What follows on the stream knows that this agent is done, and what it has learnt.
  void complete(oracle::both& end, int a) { end.join_with(oracle_.agents[static_cast<std::size_t>(a)].now); }

  void body(int threads, int number, launch_state& l, oracle::both& end);

  std::pair<std::uintptr_t, std::uint32_t> data_place(const running& r, int limit, const std::vector<int>& sizes);
  running& one_of_ref(std::vector<running>& v) {
    return v[static_cast<std::size_t>(pick(0, static_cast<int>(v.size()) - 1))];
  }

  void plain(thread_state& t, int a, bool write, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc);

  void atomic_step(running& r, thread_state& t, int a, int plain_limit, bool strong_only);

  // One thread writes data and sets a flag; perhaps another changes the flag; a third reads the flag, then the data.
  // Scopes, fences and threads are random: most such programs have one part that is too weak.
  template <class Who>
  void message(const std::vector<Who>& active) {
    if (device_bytes_ < 8) return;
    const std::uintptr_t data = device_, flag = device_ + device_bytes_ - 4;
    const std::vector<scope> scopes{scope::block, scope::device, scope::device, scope::cluster, scope::system};
    auto someone = [&]() -> std::pair<running*, int> {
      const Who& w = one_of(active);
      return {&blocks_[static_cast<std::size_t>(w.block)], w.rank};
    };
    auto state = [](std::pair<running*, int> w) -> thread_state& { return thread_of(*w.first->b, w.second); };
    auto agent = [](std::pair<running*, int> w) { return w.first->agents[static_cast<std::size_t>(w.second)]; };
    auto flags = [&](atomic_op op, order o, std::uintptr_t pc, std::pair<running*, int> w) {
      ++oracle_.step;
      do_atomic(*w.first, state(w), agent(w), flag, 4, op, o, one_of(scopes), pc);
    };
    auto fences = [&](order o, std::pair<running*, int> w) {
      ++oracle_.step;
      const scope s = one_of(scopes);
      trace("agent %d fence order %d scope %d", agent(w), static_cast<int>(o), static_cast<int>(s));
      fence(state(w), o, s);
      oracle_.fence(agent(w), o, s);
    };
    auto touches = [&](bool write, std::uintptr_t pc, std::pair<running*, int> w) {
      ++oracle_.step;
      plain(state(w), agent(w), write, data, 4, pc);
    };
    const auto writer = someone(), reader = someone();
    const bool from_fence = chance(50), to_fence = chance(50);
    touches(true, 0x4000, writer);
    if (from_fence) fences(order::release, writer);
    flags(chance(50) ? atomic_op::store : atomic_op::rmw, from_fence ? order::relaxed : order::release, 0x4010, writer);
    if (chance(40)) flags(chance(80) ? atomic_op::rmw : atomic_op::store, order::relaxed, 0x4020, someone());
    flags(chance(50) ? atomic_op::load : atomic_op::rmw, to_fence ? order::relaxed : order::acquire, 0x4030, reader);
    if (to_fence) fences(order::acquire, reader);
    touches(chance(50), 0x4040, reader);
  }

  void do_atomic(running& r, thread_state& t, int a, std::uintptr_t address, std::uint32_t size, atomic_op op, order o,
                 scope s, std::uintptr_t pc);

  // The oracle's part. Its acquire comes first: the list of races must be made in between, as the access itself sees
  // it.
  void expect_atomic(int a, std::uintptr_t address, std::uint32_t size, atomic_op op, order o, scope s,
                     std::uintptr_t pc);

  void synchronise(running& r, thread_state& t, int a, int rank, int threads, bool strong_only,
                   std::vector<copy>& copies,
                   std::vector<std::pair<std::unique_ptr<sync_object>, oracle::both>>& objects, int number,
                   launch_state& l);
  template <class T>
  T& one_of_pair(std::vector<T>& v) {
    return v[static_cast<std::size_t>(pick(0, static_cast<int>(v.size()) - 1))];
  }
};

}  // namespace random_programs
