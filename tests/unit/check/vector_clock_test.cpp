// SPDX-License-Identifier: Apache-2.0
// Clocks against simple maps, and what it costs to join two that share nothing.
#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <random>
#include <utility>

#include "sim/check/vector_clock.hpp"

namespace {

using namespace simt::check;

struct plain_clock {  // (block, rank) to what is known of it; rank 0 is known by the base
  std::map<std::uint64_t, epoch> base;
  std::map<std::pair<std::uint64_t, std::uint32_t>, epoch> threads;

  void join_with(const plain_clock& o) {
    for (const auto& [block, e] : o.base) base[block] = std::max(base[block], e);
    for (const auto& [who, e] : o.threads) threads[who] = std::max(threads[who], e);
  }
  epoch until(std::uint64_t block, std::uint32_t rank) const {
    const auto b = base.find(block);
    const auto t = threads.find({block, rank});
    return std::max(b == base.end() ? 0 : b->second, t == threads.end() ? 0 : t->second);
  }
};

// Blocks one after the other, each with one thread that is known until `ahead` epochs after its own.
vector_clock history(std::uint32_t blocks, epoch ahead) {
  vector_clock all;
  for (std::uint32_t b = 0; b < blocks; ++b) all = join(all, clock_of_block(b, 0, {{0, b + ahead}}));
  return all;
}

}  // namespace

TEST_CASE("joined clocks know what both knew, also where earlier joins of their parts are remembered") {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<std::pair<vector_clock, plain_clock>> clocks(12);
  for (int step = 0; step < 6000; ++step) {
    auto& [clock, plain] = clocks[below(12)];
    if (below(2)) {
      const auto other = clocks[below(12)];
      clock = join(clock, other.first);
      plain.join_with(other.second);
    } else if (below(200) == 0) {
      clock = nullptr;
      plain = {};
    } else {
      const std::uint64_t block = below(300);
      const epoch base = below(1000), more = base + below(50);
      const std::uint32_t rank = below(4);
      clock = join(clock, clock_of_block(block, base, {{rank, more}}));
      plain_clock one;
      one.base[block] = base;
      one.threads[{block, rank}] = more;
      plain.join_with(one);
    }
    const std::uint64_t block = below(300);
    const std::uint32_t rank = below(4);
    CHECK(known_until(clock, block, rank) == plain.until(block, rank));
  }
  for (const auto& [clock, plain] : clocks)
    for (std::uint64_t block = 0; block < 1000; ++block)
      for (std::uint32_t rank = 0; rank < 4; ++rank) CHECK(known_until(clock, block, rank) == plain.until(block, rank));
}

// What fences kept, and what the flags behind them told: a sum of many blocks by the last of them.
TEST_CASE("a clock that is joined again and again with one that covers it costs as much for many blocks as for few") {
  const auto seconds = [](std::uint32_t blocks) {
    const vector_clock kept = history(blocks, 1);
    vector_clock told = join(history(blocks, 2), kept);  // the one walk through both
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint32_t k = 0; k < 1000; ++k) {
      const vector_clock own = join(kept, clock_of_block(blocks, 0, {{k % 32, blocks + 10 + k}}));
      told = join(told, own);
      CHECK(known_until(told, blocks, k % 32) == blocks + 10 + k);
    }
    CHECK(known_until(told, blocks - 1, 0) == blocks + 1);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  seconds(1000);  // the first use takes memory
  const double few = seconds(1000), many = seconds(64000);
  CHECK_MESSAGE(many < 20 * few, few, " s for 1,000 blocks, ", many, " s for 64,000");
}
