// SPDX-License-Identifier: Apache-2.0
// Plain reads that a compare-and-swap checks: single cases, and random programs of reads, updates, swaps and block
// barriers, in which a word has a finding if and only if the brute-force oracle knows a race there of reads that nobody
// checked.
// SIMT_ORACLE_SEEDS, SIMT_ORACLE_FIRST: as of oracle_test.cpp.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "oracle.hpp"
#include "world.hpp"

namespace {

using namespace check_tests;

// Threads with an odd rank read for a swap only, which follows before their block's next barrier. So what any other
// read stands for is decided when it happens.
class guessing_program {
 public:
  explicit guessing_program(std::uint64_t seed) : rng_(seed) {
    static constexpr const char* kNames[] = {"a", "b"};
    for (int i = 0; i < kWords; ++i)
      words_.push_back(w_.buffer(kNames[i], 1, true, static_cast<std::size_t>(i) * 4096));
    w_.launch(kBlocks, kThreads);
    for (int b = 0; b < kBlocks; ++b)
      for (int r = 0; r < kThreads; ++r) oracle_.add(0, b, r, b, {});
  }
  // The words of which detector and oracle say different things.
  std::string run() {
    for (int steps = pick(4, 24); steps > 0; --steps) step();
    w_.end();
    std::set<std::string> found, wanted, differ;
    for (const finding& f : w_.d.findings()) found.insert(f.object);
    for (const auto& [word, earlier, later] : races_)
      if (!checked_.contains(earlier) && !checked_.contains(later)) wanted.insert(std::string(1, "ab"[word]));
    races = !wanted.empty();
    std::ranges::set_symmetric_difference(found, wanted, std::inserter(differ, differ.end()));
    std::string all;
    for (const auto& name : differ) all += (wanted.contains(name) ? " missed " : " falsely found ") + name;
    return all;
  }
  bool races = false;

 private:
  static constexpr int kBlocks = 3, kThreads = 4, kWords = 2;
  struct race {
    int word, earlier, later;
  };
  struct guess {
    int block, rank, word;
  };

  int pick(int low, int high) { return low + static_cast<int>(rng_() % static_cast<unsigned>(high - low + 1)); }
  void step() {
    const int block = pick(0, kBlocks - 1), rank = pick(0, kThreads - 1), word = pick(0, kWords - 1);
    switch (pick(0, 5)) {
      case 0:
        return barrier(block);
      case 1:
        return update(block, rank, word);
      case 2:
        return swap_one_of(open_.size());
      default:
        access(block, rank, word, oracle::kind::plain_read);
        if (rank % 2 != 0) open_.push_back({block, rank, word});
    }
  }
  void barrier(int block) {
    for (std::size_t i = open_.size(); i-- > 0;)
      if (open_[i].block == block) swap(i);
    block_barrier(*w_.blocks[static_cast<std::size_t>(block)]);
    std::vector<int> ids;
    for (int r = 0; r < kThreads; ++r) ids.push_back(block * kThreads + r);
    oracle_.barrier(ids);
  }
  void update(int block, int rank, int word) { access(block, rank, word, oracle::kind::atomic_write); }
  void swap_one_of(std::size_t guesses) {
    if (guesses != 0) swap(static_cast<std::size_t>(pick(0, static_cast<int>(guesses) - 1)));
  }
  void swap(std::size_t i) {
    const guess g = open_[i];
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    update(g.block, g.rank, g.word);
    compared_and_swapped(w_.t(g.block, g.rank), words_[static_cast<std::size_t>(g.word)], 4);
    for (std::size_t a = 0; a < oracle_.accesses.size(); ++a) {
      const oracle::access& x = oracle_.accesses[a];
      if (x.what == oracle::kind::plain_read && x.agent == g.block * kThreads + g.rank &&
          x.address == words_[static_cast<std::size_t>(g.word)])
        checked_.insert(static_cast<int>(a));
    }
  }
  void access(int block, int rank, int word, oracle::kind what) {
    const int agent = block * kThreads + rank, now = static_cast<int>(oracle_.accesses.size());
    const std::uintptr_t at = words_[static_cast<std::size_t>(word)],
                         pc = 0x1000 + 8 * static_cast<std::uintptr_t>(now);
    for (int a = 0; a < now; ++a) {
      const oracle::access& x = oracle_.accesses[static_cast<std::size_t>(a)];
      if (x.address == at && oracle_.race(x, agent, what, scope::device, at, 4, false) != 0)
        races_.push_back({word, a, now});
    }
    if (what == oracle::kind::plain_read) {
      w_.rd(block, rank, at, pc);
      oracle_.plain(agent, false, at, 4, pc);
    } else {
      w_.at(block, rank, at, atomic_op::rmw, order::relaxed, scope::device, pc);
      oracle_.atomic_access(agent, atomic_op::rmw, order::relaxed, scope::device, at, 4, pc);
    }
  }

  std::mt19937_64 rng_;
  world w_;
  oracle::detector oracle_;
  std::vector<std::uintptr_t> words_;
  std::vector<guess> open_;
  std::vector<race> races_;
  std::set<int> checked_;  // reads, as places in the oracle's list
};

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

TEST_CASE("a plain read that a compare-and-swap of the same thread checks is a guess") {
  world w;
  const auto x = w.buffer("sum", 2);
  w.launch(2, 64);
  const auto swap = [&](int block, int rank, std::uintptr_t at) {
    w.at(block, rank, at, atomic_op::rmw, order::relaxed, scope::device);
    compared_and_swapped(w.t(block, rank), at, 4);
  };
  const int ranks[] = {0, 1, 40};
  SUBCASE("one after the other") {
    for (int b : {0, 1})
      for (int r : ranks) w.rd(b, r, x), swap(b, r, x);
    CHECK(w.found() == "");
  }
  SUBCASE("all read first") {
    for (int b : {0, 1})
      for (int r : ranks) w.rd(b, r, x);
    for (int b : {0, 1})
      for (int r : ranks) swap(b, r, x);
    CHECK(w.found() == "");
  }
  SUBCASE("one goes by what it read: a warning; nobody checks: an error") {
    for (int r : ranks) w.rd(0, r, x), swap(0, r, x);
    w.rd(1, 0, x);
    CHECK(w.found() == "race-global sum (warning)");
    w.at(0, 0, x + 4, atomic_op::rmw, order::relaxed, scope::device);
    w.rd(1, 0, x + 4, 0x77);
    CHECK(w.d.findings().back().severity == simt::severity::error);
  }
  SUBCASE("a swap elsewhere, or of another thread, checks nothing") {
    swap(0, 0, x);
    w.rd(1, 0, x);
    swap(1, 0, x + 4);
    swap(1, 1, x);
    REQUIRE(w.found() == "race-global sum");
    CHECK(w.d.findings()[0].severity == simt::severity::error);
  }
  SUBCASE("a guess stands for no read that came before it") {
    // `in_slow_cell`: atomics have been there before; else the cell is a plain one until the swap.
    for (const bool in_slow_cell : {false, true})
      for (const bool again : {false, true}) {
        CAPTURE(in_slow_cell);
        CAPTURE(again);
        world v;
        const auto y = v.buffer("sum", 2);
        v.launch(2, 64);
        if (in_slow_cell) v.at(0, 0, y, atomic_op::rmw, order::relaxed, scope::device);
        v.rd(0, again ? 40 : 0, y, 0x77);
        block_barrier(*v.blocks[0]);
        for (int r : {1, 40}) v.rd(0, r, y);
        for (int r : {1, 40}) {
          v.at(0, r, y, atomic_op::rmw, order::relaxed, scope::device);
          compared_and_swapped(v.t(0, r), y, 4);
        }
        v.at(1, 0, y, atomic_op::rmw, order::relaxed, scope::device);
        CHECK(v.found() == (again ? "" : "race-global sum"));  // who swaps has checked all its own reads
        if (!again) CHECK(v.d.findings()[0].accesses[1].pc == 0x77);
      }
  }
  SUBCASE("a swap of half a word checks no read of the other half") {
    for (const std::uintptr_t updated : {0, 2})
      for (const std::uint32_t bytes : {2, 4}) {
        world v;
        const auto y = v.buffer("sum", 2);
        v.launch(2, 64);
        const auto update = [&](int block, std::uintptr_t at) {
          atomic_section lock(v.t(block, 0), at, 2);
          atomic(v.t(block, 0), at, 2, atomic_op::rmw, order::relaxed, scope::device, 0x30);
        };
        read(v.t(0, 0), bytes == 4 ? y : y + updated, bytes, 0x77);
        update(0, y);
        compared_and_swapped(v.t(0, 0), y, 2);
        update(1, y + updated);
        CHECK(v.found() == (updated != 0 ? "race-global sum" : ""));
      }
  }
  SUBCASE("a plain write races with the swap as ever") {
    w.rd(0, 0, x), swap(0, 0, x);
    w.wr(1, 0, x, 5);
    CHECK(w.found() == "race-global sum");
  }
}

TEST_CASE("guesses: detector and brute-force oracle agree") {
  const std::uint64_t first = number("SIMT_ORACLE_FIRST", 1), seeds = number("SIMT_ORACLE_SEEDS", 2000);
  std::uint64_t racy = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    guessing_program p(seed);
    REQUIRE(p.run() == "");
    racy += p.races;
  }
  if (seeds >= 500) {
    CHECK(racy > seeds / 10);
    CHECK(racy < seeds - seeds / 10);
  }
}
