// SPDX-License-Identifier: Apache-2.0
// Barriers of the grid in checked loops: pairs of a clean kernel and one with a defect, which differ in one number.
// `bug` is 0 or 1.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include <sim/exec/launch.hpp>
#include <simt/buffer.hpp>
#include <simt/check.hpp>
#include <simt/launch.hpp>

namespace {

constexpr std::int64_t kBlocks = 6;

#define SIMT_PAIR(name) SIMT_DEVICE void name(simt::thread t, simt::view<int> g, int bug)

// What another block wrote.
SIMT_PAIR(blocks_meet) {
  const std::int64_t i = t.grid<1>(), n = t.grid_size<1>();
  g[i] = 1;
  if (bug == 0) t.sync_grid();
  g[n + i] = g[(i + 64) % n];
}
// The next round writes what other blocks still read.
SIMT_PAIR(rounds) {
  const std::int64_t i = t.grid<1>(), n = t.grid_size<1>();
  for (int round = 0; round < 3; ++round) {
    g[i] = round;
    t.sync_grid();
    g[n + i] += g[(i + 70) % n];
    if (bug == 0) t.sync_grid();
  }
}
// Shared memory of a block that has waited while others ran on its OS thread.
SIMT_PAIR(own_shared_memory) {
  auto& s = t.shared<"s", int[128]>();
  const int me = t.rank();
  s[me] = me;
  s[me + 64 - bug] = 2;
  if (bug == 0) t.sync();
  s[me] += 1;
  t.sync_grid();
  g[t.grid<1>()] = s[127 - me];
}
SIMT_PAIR(shared_written_late) {
  auto& s = t.shared<"s", int[128]>();
  const int me = t.rank();
  s[me] = 2;
  t.sync_grid();
  g[t.grid<1>()] = s[63 - me + bug];  // bug: one element that nobody has written
}
// All blocks write it, each between barriers of its own: those order nothing between blocks.
SIMT_PAIR(own_barriers) {
  const std::int64_t i = t.rank() + (bug == 0 ? 64 * t.block_idx().x : 0);
  t.sync_grid();
  t.sync();
  g[i] = 1;
  t.sync();
  g[i] += 1;
}
SIMT_PAIR(who_left) {
  if (t.rank() >= 64 - bug) return;
  g[t.grid<1>()] = 1;
  t.sync_grid();
  g[t.grid_size<1>() + t.grid<1>()] = 2;
}

// All read what all have added up before a barrier of the grid: a piece that is proved though the word has a record of
// each block. Without the barrier, or where one more is added behind it, it is none.
SIMT_PAIR(sum_of_all) {
  const std::int64_t i = t.grid<1>(), n = t.grid_size<1>();
  for (int round = 0; round < 4; ++round) {
    t.atomic_add(g[0], 1);
    if (bug == 0 || round < 3) t.sync_grid();
    g[n + i] = g[0];
    t.sync_grid();
  }
}
// The same where only the last block reads and does not add: nobody comes behind the read who could find it.
SIMT_PAIR(sum_of_the_others) {
  const std::int64_t i = t.grid<1>(), n = t.grid_size<1>();
  const bool reads = t.block_idx().x == t.grid_dim().x - 1;
  for (int round = 0; round < 4; ++round) {
    if (!reads) t.atomic_add(g[0], 1);
    if (bug == 0 || round < 3) t.sync_grid();
    if (reads) g[n + i] = g[0];
    t.sync_grid();
  }
}
SIMT_PAIR(one_more_behind_the_barrier) {
  const std::int64_t i = t.grid<1>(), n = t.grid_size<1>();
  for (int round = 0; round < 4; ++round) {
    t.atomic_add(g[0], 1);
    t.sync_grid();
    g[n + i] = g[0];
    if (i == 70) t.atomic_add(g[round < 3 || bug == 0 ? 1 : 0], 1);
    t.sync_grid();
  }
}

// Of the first block alone some leave, before the grid's barrier and behind it; then its others meet.
SIMT_PAIR(some_left_around_the_grid) {
  const int me = t.rank(), mine = t.block_idx().x == 0 ? 1 : 0;
  if (me < 4 * mine) return;
  t.sync_grid();
  if (me < 6 * mine) return;
  t.sync();
  g[t.grid<1>()] = bug;
}

using launcher = void (*)(const simt::launch_config& config, simt::view<int> g, int bug);
template <auto Kernel>
void launch(const simt::launch_config& config, simt::view<int> g, int bug) {
  simt::launch<Kernel>(config, g, bug);
}

std::size_t findings(launcher launch, int bug, const char* execution, int workers) {
  simt::check_options o;
  o.execution = execution;
  o.workers = workers;
  const auto found = simt::check(o, [&] {
    auto g = simt::to_device(std::vector<int>(static_cast<std::size_t>(2 * kBlocks * 64), 7), "g");
    launch({.grid = kBlocks, .block = 64, .cooperative = true}, g.view(), bug);
  });
  return found.size();
}

void expect_pair(launcher launch, const char* name) {
  INFO(std::string(name));
  for (const int workers : {1, 3}) {
    CHECK(findings(launch, 0, "auto", workers) == 0);
#if defined(SIMT_LOOPS)
    CHECK(simt::sim::last_launch_execution().how == simt::sim::execution::loops);
#endif
    CHECK(findings(launch, 1, "auto", workers) > 0);
    CHECK(findings(launch, 0, "fibers", workers) == 0);
    CHECK(findings(launch, 1, "fibers", workers) > 0);
  }
}

// Which threads are said to wait where others have left.
std::vector<simt::index3> who_waits(const char* execution) {
  simt::check_options o;
  o.execution = execution;
  o.workers = 1;
  std::vector<simt::index3> waits;
  for (const simt::finding& f : simt::check(o, [] {
         auto g = simt::to_device(std::vector<int>(static_cast<std::size_t>(kBlocks * 64), 7), "g");
         launch<some_left_around_the_grid>({.grid = kBlocks, .block = 64, .cooperative = true}, g.view(), 0);
       }))
    if (f.rule == simt::rule::barrier_early_exit)
      for (const simt::access& a : f.accesses)
        if (a.deed == simt::deed::waits_here) waits.push_back(a.thread);
  return waits;
}

}  // namespace

TEST_CASE("checked grid loops: who waits behind the grid's barrier has not left") {
  const auto waits = who_waits("auto");
  CHECK(waits == who_waits("fibers"));
  CHECK(std::ranges::count(waits, simt::index3{6, 0, 0}) == 1);
}

TEST_CASE("checked grid loops: a defect and its clean twin") {
#define SIMT_EXPECT(name) expect_pair(launch<name>, #name)
  SIMT_EXPECT(blocks_meet);
  SIMT_EXPECT(rounds);
  SIMT_EXPECT(own_shared_memory);
  SIMT_EXPECT(shared_written_late);
  SIMT_EXPECT(own_barriers);
  SIMT_EXPECT(who_left);
  SIMT_EXPECT(sum_of_all);
  SIMT_EXPECT(sum_of_the_others);
  SIMT_EXPECT(one_more_behind_the_barrier);
}
