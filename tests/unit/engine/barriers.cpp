// SPDX-License-Identifier: Apache-2.0
// Block barriers: who waits for whom, threads that leave, votes, and that a kernel that never waits has one stack.
#include <doctest/doctest.h>

#include <numeric>
#include <set>

#include "launch_settings.hpp"

using engine_tests::launch_settings;

namespace {

constexpr int kStages = 3;

// Every thread writes its stage, waits, and looks at everybody's; thread r leaves before barrier leaves[r].
SIMT_DEVICE void staged(simt::thread t, simt::view<const int> leaves, simt::view<int> wrong) {
  auto& stage = t.shared<"stage", int[1024]>();
  const int me = t.rank(), threads = static_cast<int>(t.block_dim().volume());
  const std::int64_t out = t.block_index() * threads;
  for (int s = 0; s < kStages; ++s) {
    if (leaves[me] == s) return;
    stage[me] = s + 1;
    t.sync();
    for (int other = 0; other < threads; ++other)
      if (leaves[other] > s && stage[other] != s + 1) wrong[out + me] += 1;
    t.sync();
  }
  wrong[out + me] += 1000;
}

int run_staged(const std::vector<int>& leaves, int blocks = 1) {
  const auto n = static_cast<std::int64_t>(leaves.size());
  auto device_leaves = simt::to_device(leaves, "leaves");
  auto wrong = simt::to_device(std::vector<int>(leaves.size() * static_cast<std::size_t>(blocks)), "wrong");
  simt::launch<staged>({.grid = blocks, .block = n}, device_leaves, wrong);
  int bad = 0;
  const std::vector<int> result = wrong.to_host();
  for (std::size_t i = 0; i < result.size(); ++i) bad += result[i] != (leaves[i % leaves.size()] < kStages ? 0 : 1000);
  return bad;
}

TEST_CASE("barriers: one thread leaves, at every position and stage") {
  for (const int threads : {1, 2, 3, 31, 32, 33, 64, 100})
    for (int leaver = 0; leaver < threads; ++leaver)
      for (int stage = 0; stage < kStages; ++stage) {
        std::vector<int> leaves(static_cast<std::size_t>(threads), kStages);
        leaves[static_cast<std::size_t>(leaver)] = stage;
        REQUIRE_MESSAGE(run_staged(leaves) == 0, threads, " threads, ", leaver, " leaves before barrier ", stage);
      }
}

TEST_CASE("barriers: every combination of leaving for five threads") {
  for (int code = 0; code < 4 * 4 * 4 * 4 * 4; ++code) {
    std::vector<int> leaves(5);
    for (int i = 0, c = code; i < 5; ++i, c /= 4) leaves[static_cast<std::size_t>(i)] = c % 4;
    REQUIRE_MESSAGE(run_staged(leaves) == 0, "code ", code);
  }
}

TEST_CASE("barriers: many blocks, so that workers take several at once") {
  for (const int workers : {1, 2, 5}) {
    launch_settings settings({.workers = workers});
    for (const int threads : {1, 7, 64}) {
      std::vector<int> leaves(static_cast<std::size_t>(threads), kStages);
      CHECK(run_staged(leaves, 1500) == 0);
      leaves[leaves.size() / 2] = 1;
      CHECK(run_staged(leaves, 1500) == 0);
      leaves.front() = 0;
      CHECK(run_staged(leaves, 1500) == 0);
    }
  }
}

SIMT_DEVICE void votes(simt::thread t, simt::view<const int> leaves, simt::view<const int> p, simt::view<int> wrong) {
  const int me = t.rank(), threads = static_cast<int>(t.block_dim().volume());
  if (leaves[me] != 0) return;
  for (int turn = 0; turn < 5; ++turn) {
    int count = 0, all = 1, any = 0;
    for (int i = 0; i < threads; ++i)
      if (leaves[i] == 0) {
        const int v = (p[i] >> turn) & 1;
        count += v;
        all &= v;
        any |= v;
      }
    const bool mine = (p[me] >> turn) & 1;
    if (t.sync_count(mine) != count) wrong[me] += 1;
    if (t.sync_and(mine) != (all != 0)) wrong[me] += 1;
    if (t.sync_or(mine) != (any != 0)) wrong[me] += 1;
  }
}

TEST_CASE("barriers: count, and, or") {
  for (int round = 0; round < 200; ++round) {
    const int threads = 1 + round % 67;
    std::vector<int> leaves, p;
    unsigned random = static_cast<unsigned>(round) * 2654435761u + 12345;
    for (int i = 0; i < threads; ++i) {
      random = random * 1664525u + 1013904223u;
      leaves.push_back(random >> 28 == 0);
      p.push_back(round % 5 == 0 ? 31 : round % 5 == 1 ? 0 : static_cast<int>(random >> 20));
    }
    auto wrong = simt::to_device(std::vector<int>(leaves.size()), "wrong");
    simt::launch<votes>({.grid = 1, .block = threads}, simt::to_device(leaves), simt::to_device(p), wrong);
    const auto result = wrong.to_host();
    REQUIRE(std::accumulate(result.begin(), result.end(), 0) == 0);
  }
}

// Where each thread runs: the engine's stack, and whether the block was ever taken for waiting.
SIMT_DEVICE void where(simt::thread t, simt::view<std::uintptr_t> stack, simt::view<int> active, int waits) {
  const std::int64_t i = t.grid<1>();
  if (waits == 1) t.sync();
  if (waits == 2 && t.rank() == 5) t.sync();
  stack[i] = reinterpret_cast<std::uintptr_t>(t.context().queue->current);
  active[i] = t.context().active;
}

TEST_CASE("barriers: one stack until somebody waits") {
  launch_settings settings({.workers = 1});
  constexpr int kThreads = 64;
  const auto stacks = [](int waits) {
    simt::buffer<std::uintptr_t> stack(kThreads, "stack");
    simt::buffer<int> active(kThreads, "active");
    simt::launch<where>({.grid = 1, .block = kThreads}, stack, active, waits);
    const auto all = stack.to_host();
    return std::pair(std::set<std::uintptr_t>(all.begin(), all.end()).size(), active.to_host()[kThreads - 1]);
  };
  CHECK(stacks(0) == std::pair<std::size_t, int>(1, 0));
  CHECK(stacks(1) == std::pair<std::size_t, int>(kThreads, 1));
  // Thread 5 keeps the first stack, one more runs all that are behind it.
  CHECK(stacks(2) == std::pair<std::size_t, int>(2, 1));
}

SIMT_DEVICE void positions(simt::thread t, simt::view<std::int64_t, 2> seen) {
  t.sync();
  const auto b = t.block_idx(), d = t.block_dim(), g = t.grid_dim(), i = t.thread_idx();
  const std::int64_t block = b.x + g.x * (b.y + g.y * b.z), rank = i.x + d.x * (i.y + d.y * i.z);
  seen(block, rank) += 1 + (block != t.block_index()) + (rank != t.rank());
  t.sync();
}

TEST_CASE("barriers: every position of three-dimensional blocks and grids once") {
  for (const int workers : {1, 3}) {
    launch_settings settings({.workers = workers});
    for (const simt::dim3 block : {simt::dim3(4, 3, 5), simt::dim3(1, 1, 7), simt::dim3(33), simt::dim3(1, 9, 1)})
      for (const simt::dim3 grid :
           {simt::dim3(5, 7, 11), simt::dim3(1, 1, 300), simt::dim3(300), simt::dim3(2, 200, 1)}) {
        simt::buffer<std::int64_t> seen({grid.volume(), block.volume()}, "seen");
        seen.fill_bytes(0);
        simt::launch<positions>({.grid = grid, .block = block}, seen);
        const auto all = seen.to_host();
        CHECK(all == std::vector<std::int64_t>(all.size(), 1));
      }
  }
}

SIMT_DEVICE void rotate(simt::thread t, simt::view<int> out, int rounds) {
  auto& value = t.shared<"value", int[1024]>();
  const int me = t.rank(), n = static_cast<int>(t.block_dim().x);
  value[me] = me;
  for (int i = 0; i < rounds; ++i) {
    t.sync();
    const int next = value[(me + 1) % n];
    t.sync();
    value[me] = next;
  }
  out[t.grid<1>()] = value[me];
}

TEST_CASE("barriers: blocks of 1,024 threads") {
  simt::buffer<int> out(4 * 1024, "out");
  simt::launch<rotate>({.grid = 4, .block = 1024}, out, 100);
  const auto result = out.to_host();
  int wrong = 0;
  for (int i = 0; i < 4 * 1024; ++i) wrong += result[static_cast<std::size_t>(i)] != (i % 1024 + 100) % 1024;
  CHECK(wrong == 0);
}

}  // namespace
