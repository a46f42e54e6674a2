// SPDX-License-Identifier: Apache-2.0
// Who gets which blocks where their order is free.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include <sim/exec/block_stretches.hpp>

namespace {

namespace sim = simt::sim;

// Takes for the workers in turns, until nothing is left; how often each block was taken.
std::vector<int> take_all(sim::block_stretches& s, std::int64_t blocks, int workers) {
  std::vector<int> taken(static_cast<std::size_t>(blocks));
  for (int empty = 0, w = 0; empty < workers; w = (w + 1) % workers) {
    const sim::block_chunk c = s.take(w);
    empty = c.empty() ? empty + 1 : 0;
    for (std::int64_t b = c.first; b < c.end; ++b) ++taken.at(static_cast<std::size_t>(b));
  }
  return taken;
}

TEST_CASE("stretches: each block is taken once") {
  const auto s = std::make_unique<sim::block_stretches>();
  for (const std::int64_t blocks : {1, 2, 7, 64, 1000, 65537})
    for (const std::int64_t chunk : {1, 3, 64, 5000})
      for (const int workers : {1, 2, 3, 16, 256}) {
        s->open(blocks, chunk, workers);
        REQUIRE(take_all(*s, blocks, workers) == std::vector<int>(static_cast<std::size_t>(blocks), 1));
      }
}

TEST_CASE("stretches: each worker begins in its own, in whole chunks, and takes from others at the end") {
  const auto s = std::make_unique<sim::block_stretches>();
  s->open(1000, 10, 2);
  const sim::block_chunk second = s->take(1), first = s->take(0);
  CHECK(first.first == 0);
  CHECK(second.first == 500);
  CHECK((second.end - second.first) % 10 == 0);
  CHECK(second.end - second.first < 500);
  for (sim::block_chunk own = s->take(1); own.first >= 500; own = s->take(1)) CHECK(own.end <= 1000);
  std::int64_t of_first = 0;  // worker 1 has begun with them
  for (sim::block_chunk c = s->take(1); !c.empty(); c = s->take(1)) of_first += c.end - c.first;
  CHECK(of_first > 0);
  CHECK(s->take(0).empty());
}

TEST_CASE("stretches: none without workers") {
  const auto s = std::make_unique<sim::block_stretches>();
  s->open(10, 1, 0);
  CHECK_FALSE(s->is_open());
}

}  // namespace
