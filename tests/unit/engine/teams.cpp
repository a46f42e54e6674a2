// SPDX-License-Identifier: Apache-2.0
// Stacks that go on with the next block (block_context::team): every block starts as the first did, whoever waited or
// left in the one before.
#include <doctest/doctest.h>
#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include <simt/atomic_ref.hpp>

#include "launch_settings.hpp"

using engine_tests::launch_settings;

namespace {

// What a thread does in a block: it leaves at once, waits, or never waits. By block and rank, so that blocks differ.
enum deed : unsigned { leaves, waits, passes };
SIMT_HD inline deed deed_of(std::int64_t block, std::int64_t rank, unsigned seed) {
  unsigned h = (static_cast<unsigned>(block) * 2654435761u) ^ seed;
  h = (h ^ (h >> 13)) * 0x5bd1e995u;
  if (h % 4 != 0) return waits;  // most blocks leave a whole team
  h = (h + static_cast<unsigned>(rank) * 0x9e3779b9u) * 0x85ebca6bu;
  return static_cast<deed>((h >> 16) % 3);
}

// In blocks where all wait, also: a vote, a shuffle over whole warps, shared memory across the barrier.
SIMT_DEVICE void mixed(simt::thread t, simt::view<int> seen, unsigned seed) {
  auto& part = t.shared<"part", int[128]>();
  const auto block = t.block_index();
  const int me = t.rank(), n = static_cast<int>(t.block_dim().volume());
  const auto at = t.thread_idx();
  const int own = static_cast<int>(at.x + t.block_dim().x * (at.y + t.block_dim().y * at.z)) == me ? 1 : -1000;
  bool all = true;
  for (int i = 0; i < n; ++i) all = all && deed_of(block, i, seed) == waits;
  const deed mine = deed_of(block, me, seed);
  if (mine == leaves) return;
  if (mine == waits) {
    part[me] = static_cast<int>(block) + me;
    t.sync();
    const int from = (me + 1) % n;
    if (all && part[from] != static_cast<int>(block) + from) return;
    if (all && t.sync_count(me % 2 == 0) != (n + 1) / 2) return;
    if (all) {
      const std::uint32_t mask = n - me / 32 * 32 >= 32 ? ~0u : (1u << n % 32) - 1;
      if (t.shuffle(mask, me, 0, 32) != me / 32 * 32) return;
    }
  }
  seen[block * n + me] += own;
}

int run_mixed(simt::dim3 block, std::int64_t blocks, unsigned seed) {
  const auto n = block.volume();
  auto seen = simt::to_device(std::vector<int>(static_cast<std::size_t>(blocks * n)), "seen");
  simt::launch<mixed>({.grid = blocks, .block = block}, seen, seed);
  const auto result = seen.to_host();
  int wrong = 0;
  for (std::int64_t i = 0; i < blocks * n; ++i)
    wrong += result[static_cast<std::size_t>(i)] != (deed_of(i / n, i % n, seed) != leaves);
  return wrong;
}

TEST_CASE("teams: blocks in which other threads wait, leave and never wait") {
  for (const int workers : {1, 2}) {
    launch_settings settings({.workers = workers});
    for (unsigned seed = 0; seed < 20; ++seed) {
      REQUIRE(run_mixed({96}, 300, seed) == 0);
      REQUIRE(run_mixed({8, 4, 3}, 300, seed) == 0);
      REQUIRE(run_mixed({33}, 1 + seed, seed) == 0);
    }
  }
}

SIMT_DEVICE void note_stack(simt::thread t, simt::view<std::uintptr_t> stack) {
  t.sync();
  stack[t.grid<1>()] = reinterpret_cast<std::uintptr_t>(t.context().queue->current);
}
TEST_CASE("teams: a thread has the same stack in every block") {
  launch_settings settings({.workers = 1, .executed_by = simt::sim::wanted_execution::fibers});
  constexpr int kThreads = 48, kBlocks = 50;
  simt::buffer<std::uintptr_t> stack(kThreads * kBlocks, "stack");
  simt::launch<note_stack>({.grid = kBlocks, .block = kThreads}, stack);
  const auto all = stack.to_host();
  for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == all[i % kThreads]);
  CHECK(std::set<std::uintptr_t>(all.begin(), all.end()).size() == kThreads);
}

// Each block waits for a flag of the one before it, between two barriers.
SIMT_DEVICE void chain(simt::thread t, simt::view<int> flags) {
  const auto block = t.block_index();
  t.sync();
  if (t.rank() == 0 && block > 0)
    while (simt::atomic_ref<int>(t, flags[block - 1]).load() == 0) {
    }
  t.sync();
  if (t.rank() == 0) simt::atomic_ref<int>(t, flags[block]).store(1 + (block > 0 ? flags[block - 1] : 0));
}
TEST_CASE("teams: blocks that wait for each other") {
  for (const int workers : {1, 2, 3}) {
    launch_settings settings({.workers = workers});
    auto flags = simt::to_device(std::vector<int>(400), "flags");
    simt::launch<chain>({.grid = 400, .block = 40}, flags);
    CHECK(flags.to_host().back() == 400);
  }
}

SIMT_DEVICE void throws_late(simt::thread t, simt::view<int> done, std::int64_t bad) {
  t.sync();
  if (t.block_index() == bad && t.rank() == 17) throw std::runtime_error("late");
  t.sync();
  done[t.grid<1>()] = 1;
}
TEST_CASE("teams: a fault in a later block, and launches after it") {
  launch_settings settings({.workers = 2});
  for (int round = 0; round < 20; ++round) {
    auto done = simt::to_device(std::vector<int>(64 * 200), "done");
    const std::string text =
        engine_tests::error_of([&] { simt::launch<throws_late>({.grid = 200, .block = 64}, done, 100 + round); },
                               simt::error_kind::device_fault);
    CHECK_MESSAGE(engine_tests::contains(text, "late"), text);
    simt::launch<throws_late>({.grid = 200, .block = 64}, done, -1);
    const auto all = done.to_host();
    CHECK(std::accumulate(all.begin(), all.end(), 0) == 64 * 200);
    CHECK(run_mixed({64}, 100, static_cast<unsigned>(round)) == 0);
  }
}

// Sums of a block by halves; what a thread holds in registers across its waits is checked too.
SIMT_DEVICE void halves(simt::thread t, simt::view<const int> x, simt::view<int> sums, simt::view<int> wrong) {
  auto& part = t.shared<"part", int[64]>();
  const int me = t.rank();
  const std::int64_t i = t.grid<1>();
  const int own = x[i];
  part[me] = own;
  for (int half = 32; half > 0; half /= 2) {
    t.sync();
    if (me < half) part[me] += part[me + half];
  }
  if (me == 0) sums[t.block_index()] = part[0];
  if (own != x[i] || i != t.block_index() * 64 + me) wrong[0] = 1;
}
TEST_CASE("teams: threads that a signal suspends at any instruction go on") {
  launch_settings settings({.workers = 1});
  constexpr int kBlocks = 2000;
  std::vector<int> data(kBlocks * 64);
  std::iota(data.begin(), data.end(), 0);
  auto x = simt::to_device(data, "x");
  simt::buffer<int> sums(kBlocks, "sums");
  auto wrong = simt::to_device(std::vector<int>(1), "wrong");
  simt::launch<halves>({.grid = kBlocks, .block = 64}, x, sums, wrong);  // the handler is installed
  const pthread_t worker = pthread_self();
  std::jthread ticker([&](std::stop_token done) {
    while (!done.stop_requested()) {
      pthread_kill(worker, SIGURG);
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  for (int round = 0; round < 100; ++round) {
    simt::launch<halves>({.grid = kBlocks, .block = 64}, x, sums, wrong);
    const auto all = sums.to_host();
    for (int b = 0; b < kBlocks; ++b) REQUIRE(all[static_cast<std::size_t>(b)] == 64 * 64 * b + 64 * 63 / 2);
  }
  ticker.request_stop();
  ticker.join();
  CHECK(wrong.to_host()[0] == 0);
}

}  // namespace
