// SPDX-License-Identifier: Apache-2.0
// Copies that are recorded as accesses of their issuers (own_copies.cpp), beside the oracle, to which each is an agent.
// SIMT_ORACLE_SEEDS: how many programs (default 2000).
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "oracle.hpp"
#include "sim/check/core.hpp"
#include "world.hpp"

namespace own_copies {

using namespace check_tests;

constexpr int kWords = 8, kThreads = 40;
constexpr std::array<int, 4> kRanks{0, 1, 2, 33};  // that do something, two of them in other pairs of a warp

class program {
 public:
  explicit program(std::uint64_t seed) : w_(with(4096, false, seed % 2 == 0 ? 1 : 2)), rng_(seed) {
    source_ = w_.buffer("source", kWords);
    for (std::size_t i = 0; i < kWords * 4; ++i) oracle_.initialised.insert(source_ + i);
    w_.d.core().log.on_instance_data = this;
    w_.d.core().log.on_instance = [](void* self, const finding_log::race_instance& s) {
      static_cast<program*>(self)->see(s);
    };
    apart_ = pick(3) == 0;
    gentle_ = apart_ || pick(2) != 0;
    w_.launch(2, kThreads);
    for (int b = 0; b < 2; ++b)
      for (int r = 0; r < kThreads; ++r) threads_[b][r] = oracle_.add(0, b, r, b, {});
  }

  std::string run() {
    for (int i = 0, steps = apart_ ? 30 : 70; i < steps && error_.empty(); ++i) {
      ++oracle_.step;
      step(pick(10) == 0 ? 1 : 0, kRanks[static_cast<std::size_t>(pick(4))]);
    }
    ++oracle_.step;
    for (copy& c : under_way_) perform(c, simt::sim::copy_end::nobody);
    if (error_.empty() && seen_ != oracle_.first_any)
      error_ = "the first races differ: " + std::to_string(seen_.size()) + " bytes, the oracle has " +
               std::to_string(oracle_.first_any.size());
    quiet = oracle_.first_any.empty();
    return error_;
  }
  bool quiet = false;
  int as_agents = 0, alone = 0;

 private:
  struct copy {
    int block, rank, agent;
    data_copy what;
    simt::sim::copy_start start;
  };
  int pick(int n) { return static_cast<int>(rng_() % static_cast<unsigned>(n)); }
  oracle::both& now(int agent) { return oracle_.agents[static_cast<std::size_t>(agent)].now; }

  void see(const finding_log::race_instance& s) {
    if (s.before == nullptr) return;  // who reads what nobody wrote is not asked here
    for (std::uintptr_t i = 0; i < 4; ++i) {
      if (!(s.mask >> i & 1)) continue;
      const std::uintptr_t byte = s.address + i;
      seen_.try_emplace(byte, oracle_.step);
      // What is running now is the oracle's last access, or its last two, of a copy.
      const std::size_t last = oracle_.accesses.size() - 1;
      bool any = false;
      for (std::size_t k = last; k + 1 > last - (copying_ ? 1 : 0); --k) {
        const oracle::access& mine = oracle_.accesses[k];
        for (const oracle::access& a : oracle_.accesses)
          any = any || (byte - a.address < a.size && byte - mine.address < mine.size &&
                        oracle_.race(a, mine.agent, mine.what, scope::system, mine.address, mine.size, false) != 0);
      }
      if (!any) error_ = "false alarm at step " + std::to_string(oracle_.step);
    }
  }

  void touch(int block, int rank, std::uintptr_t at, bool is_write) {
    oracle_.plain(threads_[block][rank], is_write, at, 4, is_write ? 0x20 : 0x10);
    if (is_write)
      w_.wr(block, rank, at, ++value_);
    else
      w_.rd(block, rank, at);
  }

  void perform(copy& c, simt::sim::copy_end end) {
    (c.start.agent == nullptr ? alone : as_agents)++;
    oracle_.plain(c.agent, false, c.what.from, c.what.size, c.what.pc);
    oracle_.plain(c.agent, true, c.what.to, c.what.size, c.what.pc);
    copying_ = true;
    perform_copy(w_.t(c.block, c.rank), c.start, c.what, end);
    copying_ = false;
    std::memcpy(reinterpret_cast<void*>(c.what.to), reinterpret_cast<void*>(c.what.from), c.what.size);
    if (end == simt::sim::copy_end::issuer) now(threads_[c.block][c.rank]).join_with(now(c.agent));
  }

  // Offset of `size` words, where threads are apart among the thread's own two.
  std::uintptr_t words(int rank, int size) {
    if (!apart_) return static_cast<std::uintptr_t>(pick(kWords - size + 1)) * 4;
    const auto who = static_cast<int>(std::find(kRanks.begin(), kRanks.end(), rank) - kRanks.begin());
    return static_cast<std::uintptr_t>(2 * who + (size == 1 ? pick(2) : 0)) * 4;
  }

  void step(int block, int rank) {
    const int a = threads_[block][rank];
    const std::uintptr_t tile = w_.tile(block) + words(rank, 1);
    switch (pick(apart_ ? 12 : 14)) {
      case 0:
      case 1:
        if (apart_ && !under_way_.empty() && pick(3) != 0) return;
        return touch(block, rank, tile, gentle_ ? pick(4) == 0 : pick(2) == 0);
      case 2:
        return touch(block, rank, source_ + static_cast<std::uintptr_t>(pick(kWords)) * 4, !gentle_ && pick(3) == 0);
      case 3:
      case 4:
      case 5:
      case 6: {
        if (under_way_.size() > (apart_ ? 0 : 5)) return;
        const int size = 1 + pick(2);
        copy c{
            block,
            rank,
            0,
            {w_.tile(block) + words(rank, size), source_ + words(rank, size), static_cast<std::size_t>(size) * 4, 0x60},
            {}};
        c.start = begin_copy(w_.t(block, rank), c.what);
        c.agent = oracle_.add(0, 100 + static_cast<int>(oracle_.agents.size()), 0, -1, now(a));
        oracle_.tick(a);
        under_way_.push_back(c);
        return;
      }
      case 7:
      case 8:
      case 9: {
        int keep = pick(2);
        for (std::size_t i = under_way_.size(); i-- > 0;)
          if (under_way_[i].block == block && under_way_[i].rank == rank && keep-- <= 0) {
            // all but the last `keep` of the thread's, oldest first
            std::vector<copy> rest;
            for (std::size_t k = 0; k < under_way_.size(); ++k)
              if (copy& c = under_way_[k]; k <= i && c.block == block && c.rank == rank)
                perform(c, simt::sim::copy_end::issuer);
              else
                rest.push_back(c);
            under_way_ = std::move(rest);
            return;
          }
        return;
      }
      case 10:
      case 11: {
        std::vector<int> all(threads_[block].begin(), threads_[block].end());
        block_barrier(*w_.blocks[static_cast<std::size_t>(block)]);
        return oracle_.barrier(all);
      }
      case 12:
        if (pick(3) != 0) return;
        warp_sync(*w_.blocks[static_cast<std::size_t>(block)], 0, 0x7);
        return oracle_.barrier({threads_[block][0], threads_[block][1], threads_[block][2]});
      default:
        if (pick(3) != 0) return;
        if (pick(2) == 0) {
          release(w_.t(block, rank), object_);
          told_.join_with(now(a));
          return oracle_.tick(a);
        }
        acquire(w_.t(block, rank), object_);
        return now(a).join_with(told_);
    }
  }

  world w_;
  std::mt19937_64 rng_;
  oracle::detector oracle_;
  std::uintptr_t source_;
  std::array<std::array<int, kThreads>, 2> threads_;
  std::vector<copy> under_way_;
  std::map<std::uintptr_t, int> seen_;
  sync_object object_;
  oracle::both told_;
  std::string error_;
  bool apart_ = false, gentle_ = false, copying_ = false;
  int value_ = 0;
};

}  // namespace own_copies

TEST_CASE("copies that a thread waits for itself are judged as agents are") {
  const char* const count = std::getenv("SIMT_ORACLE_SEEDS");
  const std::uint64_t seeds = count ? std::strtoull(count, nullptr, 10) : 2000;
  int quiet = 0, alone = 0, as_agents = 0, wrong = 0;
  for (std::uint64_t s = 1; s <= seeds && wrong < 5; ++s) {
    own_copies::program p(s);
    const std::string error = p.run();
    if (!error.empty()) {
      MESSAGE("seed " << s << ": " << error);
      ++wrong;
    }
    quiet += p.quiet, alone += p.alone, as_agents += p.as_agents;
  }
  MESSAGE("race-free " << quiet << ", copies begun alone " << alone << ", as agents " << as_agents);
  CHECK(wrong == 0);
  if (seeds >= 1000) {
    CHECK(quiet > 100);
    CHECK(alone > 1000);
    CHECK(as_agents > 1000);
  }
}
