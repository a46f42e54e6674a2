// SPDX-License-Identifier: Apache-2.0
// Which lanes of a warp meet: masks in divergent branches, lanes that have exited, activemask, and what a sync orders.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <simt/simt.hpp>

namespace {

// Lanes below the split do `rounds` syncs of their own, the others twice as many; then all meet.
SIMT_DEVICE void divergent(simt::thread t, simt::view<int> out, int split, int rounds) {
  const std::uint32_t low = (1u << split) - 1;
  int sum = 0;
  if (t.lane() < split) {
    for (int r = 0; r < rounds; ++r) sum += t.shuffle(low, t.lane() + r, split - 1);
  } else {
    for (int r = 0; r < 2 * rounds; ++r) sum += t.shuffle(~low, t.lane() + r, 31);
  }
  out[t.grid<1>()] = sum + 1000 * static_cast<int>(t.reduce_add(0xffffffffu, 1u));
}

TEST_CASE("divergent branches with masks of their own meet again") {
  for (const int split : {1, 5, 16, 31}) {
    simt::buffer<int> out(2 * 128, "out");
    simt::launch<divergent>({.grid = 2, .block = 128}, out, split, 9);
    const auto got = out.to_host();
    for (int i = 0; i < 256; ++i) {
      const bool is_low = i % 32 < split;
      const int rounds = is_low ? 9 : 18, from = is_low ? split - 1 : 31;
      REQUIRE(got[static_cast<std::size_t>(i)] == rounds * from + rounds * (rounds - 1) / 2 + 32000);
    }
  }
}

// Pairs with overlapping masks form at the same time: lane 1 waits for lane 0 while lane 0 is with lane 2.
SIMT_DEVICE void overlapping(simt::thread t, simt::view<int> out) {
  const int lane = t.lane();
  int got = -1;
  if (lane == 0) {
    got = 0;
    for (int other = 31; other >= 1; --other) got += other * static_cast<int>(t.reduce_add(1u | 1u << other, 1u));
  } else {
    got = static_cast<int>(t.reduce_add(1u | 1u << lane, 1u));
  }
  out[t.rank()] = got;
}

TEST_CASE("masks that share a lane do not mix") {
  simt::buffer<int> out(64, "out");
  simt::launch<overlapping>({.grid = 1, .block = 64}, out);
  const auto got = out.to_host();
  for (int i = 0; i < 64; ++i) CHECK(got[static_cast<std::size_t>(i)] == (i % 32 == 0 ? 2 * 31 * 32 / 2 : 2));
}

// Threads beyond n exit first; the rest take part with the mask of those that stay.
SIMT_DEVICE void exiting_lanes(simt::thread t, simt::view<int> out, int n) {
  const std::uint32_t stay = t.ballot(0xffffffffu, t.rank() < n);
  if (t.rank() >= n) return;
  out[t.rank()] = t.reduce_add(stay, t.lane() + 1);
}

TEST_CASE("lanes that have exited are not waited for") {
  for (const int n : {1, 31, 33, 50, 64}) {
    simt::buffer<int> out(n, "out");
    simt::launch<exiting_lanes>({.grid = 1, .block = 64}, out, n);
    const auto got = out.to_host();
    for (int i = 0; i < n; ++i) {
      const int lanes = std::min(32, n - i / 32 * 32);
      CHECK(got[static_cast<std::size_t>(i)] == lanes * (lanes + 1) / 2);
    }
  }
}

SIMT_DEVICE void lane_masks(simt::thread t, simt::view<std::uint32_t> out) {
  std::uint32_t* o = &out[t.rank() * 5];
  o[0] = t.lanemask_eq();
  o[1] = t.lanemask_lt();
  o[2] = t.lanemask_le();
  o[3] = t.lanemask_gt();
  o[4] = t.lanemask_ge();
}
TEST_CASE("lane masks") {
  simt::buffer<std::uint32_t> out(64 * 5, "out");
  simt::launch<lane_masks>({.grid = 1, .block = 64}, out);
  const auto got = out.to_host();
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t eq = 1u << i % 32, lt = eq - 1;
    const std::uint32_t* o = &got[static_cast<std::size_t>(i * 5)];
    CHECK(o[0] == eq);
    CHECK(o[1] == lt);
    CHECK(o[2] == (lt | eq));
    CHECK(o[3] == ~(lt | eq));
    CHECK(o[4] == ~lt);
  }
}

// activemask says who is here now: at least this lane, and nobody who is in the other branch.
SIMT_DEVICE void active(simt::thread t, simt::view<std::uint32_t> out) {
  if (t.lane() % 3 == 0)
    out[t.rank()] = t.activemask();
  else
    out[t.rank()] = t.activemask();
}
TEST_CASE("activemask names lanes of the same branch") {
  simt::buffer<std::uint32_t> out(96, "out");
  simt::launch<active>({.grid = 1, .block = 96}, out);
  const auto got = out.to_host();
  std::uint32_t third = 0;
  for (int l = 0; l < 32; l += 3) third |= 1u << l;
  for (int i = 0; i < 96; ++i) {
    const std::uint32_t branch = i % 32 % 3 == 0 ? third : ~third, mask = got[static_cast<std::size_t>(i)];
    CHECK((mask >> i % 32 & 1) == 1);
#if defined(SIMT_VARIANT_CUDA)
    (void)branch;  // the compiler may merge the two calls
#else
    CHECK(mask == branch);
#endif
  }
}

// Data through memory: what a lane stored before sync_warp, the others read after it.
SIMT_DEVICE void through_memory(simt::thread t, simt::view<int> out) {
  auto& row = t.shared<"row", int[1024]>();
  const int i = t.rank();
  int sum = 0;
  for (int r = 0; r < 8; ++r) {
    row[i] = i * 10 + r;
    t.sync_warp();
    sum += row[i ^ 1] - (i ^ 1) * 10;
    t.sync_warp();
  }
  out[t.grid<1>()] = sum;
}
TEST_CASE("sync_warp orders memory in blocks of every size") {
  for (const int threads : {2, 32, 64, 256, 1024}) {
    simt::buffer<int> out(3 * threads, "out");
    simt::launch<through_memory>({.grid = 3, .block = threads}, out);
    for (const int v : out.to_host()) REQUIRE(v == 28);
  }
}

#if !defined(SIMT_VARIANT_CUDA)
// Two switches a lane, whatever the size of the block: were it one for each thread of the block, large ones would take
// 32 times as long.
SIMT_DEVICE void many_reductions(simt::thread t, simt::view<int> out, int rounds) {
  int sum = t.rank();
  for (int r = 0; r < rounds; ++r) sum = t.reduce_add(0xffffffffu, sum & 3);
  out[t.grid<1>()] = sum;
}
double best_seconds(int blocks, int threads) {
  simt::buffer<int> out(blocks * threads, "out");
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    simt::launch<many_reductions>({.grid = blocks, .block = threads}, out, 50);
    simt::synchronize();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}
TEST_CASE("what a warp's operation costs does not depend on the size of the block") {
  const double small = best_seconds(32, 32), large = best_seconds(1, 1024);
  INFO(small << " s in 32 blocks of one warp, " << large << " s in one block of 32 warps");
  CHECK(large < 8 * small);
}
#endif

}  // namespace
