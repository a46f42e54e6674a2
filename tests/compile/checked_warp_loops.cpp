// SPDX-License-Identifier: Apache-2.0
// Operations of warps under check as loops: pairs of a kernel with a defect and its clean twin. Loops and fibers find
// the same: rules, objects and lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include <sim/exec/launch.hpp>
#include <simt/buffer.hpp>
#include <simt/check.hpp>
#include <simt/groups.hpp>
#include <simt/launch.hpp>

namespace {

namespace cg = simt::cg;
constexpr std::uint32_t kAll = simt::kFullMask;
constexpr std::int64_t kBlocks = 6;

#define SIMT_TWINS(name) \
  template <bool Defect> \
  SIMT_DEVICE void name(simt::thread t, [[maybe_unused]] simt::view<int> g)
#define SIMT_BEGIN                                                                              \
  auto& s = t.shared<"s", int[512]>();                                                          \
  const int me = t.rank(), lane = t.lane(), threads = static_cast<int>(t.block_dim().volume()); \
  const int first = me - lane, lanes = std::min(threads - first, 32);                           \
  const auto gid = t.block_idx().x * threads + me;                                              \
  (void)s, (void)me, (void)lane, (void)threads, (void)first, (void)lanes, (void)gid;

// ------------------------------------------------------------------------------------------------ order
SIMT_TWINS(exchange) {
  SIMT_BEGIN
  s[me] = g[gid];
  if constexpr (!Defect) t.sync_warp();
  g[gid] = s[first + (lane + 1) % lanes] + t.shuffle(kAll, 1, 0);
}
SIMT_TWINS(exchange_again) {
  SIMT_BEGIN
  s[me] = g[gid];
  for (int round = 0; round < 3; ++round) {
    t.sync_warp();
    const int v = s[first + (lane + 1) % lanes];
    if constexpr (!Defect) t.sync_warp();
    s[me] = v;
  }
}
// Votes, shuffles, matches and reductions order nothing.
SIMT_TWINS(votes_order_nothing) {
  SIMT_BEGIN
  s[me] = 1;
  int v = t.any(kAll, me > 3) ? 1 : 2;
  if constexpr (!Defect) t.sync_warp();
  v += s[first + (lane + 1) % lanes];
  g[gid] = v;
}
SIMT_TWINS(reductions_order_nothing) {
  SIMT_BEGIN
  s[me] = 1;
  int v = t.reduce_add(kAll, me) + static_cast<int>(t.match_any(kAll, me % 3));
  if constexpr (!Defect) t.sync_warp();
  v += s[first + (lane + 1) % lanes];
  g[gid] = v;
}
SIMT_TWINS(other_warps) {
  SIMT_BEGIN
  s[me] = 1;
  t.sync_warp();
  g[gid] = s[Defect ? (me + 32) % threads : first + (lane + 1) % lanes];
}
SIMT_TWINS(other_tiles) {
  SIMT_BEGIN
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block(t));
  s[me] = 0;
  t.sync();
  s[me] = 1;
  tile.sync();
  g[gid] = s[Defect ? first + (lane + 8) % 32 : (me & ~7) + (me + 1) % 8];
}
SIMT_TWINS(block_sum) {
  SIMT_BEGIN
  int v = g[gid];
  for (unsigned d = 16; d > 0; d /= 2) v += t.shuffle_down(kAll, v, d);
  if (lane == 0) s[t.warp()] = v;
  if constexpr (!Defect) t.sync();
  if (t.warp() == 0) {
    v = lane < threads / 32 ? s[lane] : 0;
    for (unsigned d = 16; d > 0; d /= 2) v += t.shuffle_down(kAll, v, d);
    if (lane == 0) g[t.block_idx().x * threads] = v;
  }
}
// Two warps that meet at a barrier only later.
SIMT_TWINS(before_a_barrier) {
  SIMT_BEGIN
  const int v = t.shuffle(kAll, me, 0);
  s[Defect ? lane : me] = v;
  t.sync();
  g[gid] = s[me];
}
SIMT_TWINS(one_warp_alone) {
  SIMT_BEGIN
  s[me] = 1;
  t.sync();
  if (t.warp() == 1) {
    s[me] = 2;
    if constexpr (!Defect) t.sync_warp();
    g[gid] = s[first + (lane + 3) % lanes];
  }
  t.sync();
  g[gid] += s[threads - 1 - me];
}
SIMT_TWINS(rounds_of_warps) {
  SIMT_BEGIN
  s[me] = 0;
  for (int i = t.warp(); i < 5; i += 2) {
    t.sync_warp();
    const int v = s[first + (lane + i) % lanes];
    if (!Defect || i != 3) t.sync_warp();
    s[me] = v;
  }
}

// ------------------------------------------------------------------------------------------------ who takes part
SIMT_TWINS(some_have_left) {
  SIMT_BEGIN
  if (Defect && lane >= 30) return;
  g[gid] = t.shuffle_xor(kAll, me, 1);
}
SIMT_TWINS(some_have_left_before_a_sync) {
  SIMT_BEGIN
  if (Defect && me == 5) return;
  s[me] = 1;
  t.sync_warp();
  g[gid] = s[first + (lane + 7) % lanes];
}
SIMT_TWINS(some_have_left_before_a_vote) {
  SIMT_BEGIN
  s[me] = me;
  t.sync();
  if (Defect && s[me] % 7 == 3) return;
  g[gid] = static_cast<int>(t.ballot(kAll, me > 9));
}
SIMT_TWINS(some_have_left_a_tile) {
  SIMT_BEGIN
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block(t));
  if (Defect && me == 17) return;
  g[gid] = cg::reduce(tile, me, cg::plus<int>());
}
// Lanes of another tile have no value to give.
SIMT_TWINS(source_in_another_tile) {
  SIMT_BEGIN
  const std::uint32_t mask = 0xffu << (lane & 24);
  g[gid] = t.shuffle(mask, me, Defect ? (lane + 8) % 32 : (lane & 24) + (lane + 1) % 8);
}

// ------------------------------------------------------------------------------------------------ memory
SIMT_TWINS(nothing_written) {
  SIMT_BEGIN
  if (!Defect || lane != 4) s[me] = 1;
  t.sync_warp();
  g[gid] = s[first + (lane + 1) % lanes];
}
SIMT_TWINS(past_the_end) {
  SIMT_BEGIN
  const int v = t.shuffle_xor(kAll, me, 1);
  g[gid + (Defect && t.block_idx().x == kBlocks - 1 ? 32 : 0)] = v;
}

// ------------------------------------------------------------------------------------------------ proofs
// Loops between operations of warps, whose accesses are proved together. Not in the first block, in which the runtime
// learns where they are: defects are in later ones.
SIMT_TWINS(turns_overlap) {
  SIMT_BEGIN
  const int step = Defect && t.block_idx().x > 2 ? 1 : threads;
  for (int k = 0; k < 4; ++k) s[me + k * step] = k;
  g[gid] = t.shuffle(kAll, me, 0);
}
SIMT_TWINS(own_turns_again) {
  SIMT_BEGIN
  const int other = Defect && t.block_idx().x > 2 ? 1 : 0;
  for (int k = 0; k < 4; ++k) s[me + k * threads] = k;
  const int v = t.shuffle(kAll, me, 0);
  s[threads + (me ^ other)] = v;
}
SIMT_TWINS(rows_and_columns) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x), y = static_cast<int>(t.thread_idx().y);
  const int rows = static_cast<int>(t.block_dim().y), other = Defect && t.block_idx().x > 2 ? 1 : 0;
  for (int k = 0; k < 3; ++k) s[x * rows + y + 2 * k * threads] = k;
  const int v = t.shuffle(kAll, me, 0);
  s[2 * threads + (x ^ other) * rows + y] = v;
  g[gid] = s[x * rows + y];
}
SIMT_TWINS(warps_in_turns) {
  SIMT_BEGIN
  const int warp = t.warp();
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < 3; ++k) s[lane + 32 * (k + 3 * (Defect && round == 2 ? 1 : warp))] = round;
    t.sync_warp();
  }
}
SIMT_TWINS(turns_past_the_end) {
  SIMT_BEGIN
  int v = 0;
  const int turns = Defect && t.block_idx().x > 2 ? 4 : 3;
  for (int k = 0; k < turns; ++k) v += g[me + (2 * k) * threads];
  s[me] = t.shuffle(kAll, v, 0);
}
// A row a warp: which one it is, and which lane, are a quotient and a remainder by 32 or more. Rows lie apart by a
// number that is not known when this is compiled, or nobody would divide. Each thread reads what it has written again:
// had something else been put down for it, that would not be written yet.
#define SIMT_ROWS(n)                    \
  SIMT_BEGIN                            \
  auto& w = t.shared<"w", int[8192]>(); \
  const int pitch = n + static_cast<int>(t.block_idx().x / 1000), other = Defect && t.block_idx().x > 2 ? 1 : 0;
SIMT_TWINS(rows_of_warps) {
  SIMT_ROWS(64)
  const int row = me / 32, column = me % 32;
  for (int k = 0; k < pitch / 32; ++k) w[row * pitch + column + 32 * k + other * k] = row;
  g[gid] = t.shuffle(kAll, me, 0) + w[row * pitch + column];
}
SIMT_TWINS(rows_of_two_warps) {
  SIMT_ROWS(128)
  const auto number = static_cast<unsigned>(me), between = static_cast<unsigned>(pitch);
  const unsigned row = number >> 6, column = number & 63;
  for (unsigned k = 0; k < between / 64; ++k)
    w[row * between + column + 64 * k + static_cast<unsigned>(other) * k] = me;
  g[gid] = t.shuffle(kAll, me, 0) + w[row * between + column];
}
// Here a warp's lanes are in two rows.
SIMT_TWINS(rows_beside_warps) {
  SIMT_ROWS(80)
  const int number = me + 16, row = number / 32, column = number % 32;
  for (int k = 0; k < pitch / 40; ++k) w[row * pitch + column + 32 * k] = k;
  g[gid] = t.shuffle(kAll, me, 0) + w[row * pitch + (column ^ other)];
}
// And here, where quotients are cut towards zero.
SIMT_TWINS(rows_below_zero) {
  SIMT_ROWS(64)
  const int number = me - 64, row = number / 32, column = number % 32;
  for (int k = 0; k < pitch / 32; ++k) w[256 + row * pitch + column + 256 * k] = k;
  g[gid] = t.shuffle(kAll, me, 0) + w[256 + row * pitch + (column ^ other)];
}

// ------------------------------------------------------------------------------------------------ who announces
SIMT_TWINS(one_lane_or_another) {
  SIMT_BEGIN
  const int v = t.shuffle(kAll, g[gid], 0);
  if (lane == 3) s[first] = v;
  if (lane == 5) g[gid] = Defect ? s[first] : v;
}
SIMT_TWINS(one_lane_in_turns) {
  SIMT_BEGIN
  int v = t.shuffle(kAll, g[gid], 0);
  if (lane == 3 || lane == 4)
    for (int k = 0; v > 0; ++k, --v)
      if (k > 2) s[first + k % 3 + (Defect ? 0 : 3 * (lane - 3))] = v + lane;
}
SIMT_TWINS(asks_who_is_not_there) {
  SIMT_BEGIN
  g[gid] = t.shuffle(kAll, me, Defect ? 20 : 2);
}
SIMT_TWINS(lanes_with_constant_sources) {
  SIMT_BEGIN
  if (Defect && lane >= 24) return;
  const int v = t.shuffle_down(kAll, me, 8);
  g[gid] = t.shuffle(kAll, v, 2);
}

// ------------------------------------------------------------------------------------------------ comparison
using found = std::set<std::tuple<std::string, std::string, std::set<int>>>;
std::string text(const found& all) {
  std::string said;
  for (const auto& [rule, object, lines] : all) {
    said += rule + " of " + object + " at";
    for (const int line : lines) said += " " + std::to_string(line);
    said += "; ";
  }
  return said;
}
using launcher = void (*)(const simt::launch_config& config, simt::view<int> g);
template <auto Kernel>
void launch(const simt::launch_config& config, simt::view<int> g) {
  simt::launch<Kernel>(config, g);
}

found findings(launcher launch, simt::dim3 block, const char* execution, int workers = 1) {
  simt::check_options o;
  o.execution = execution;
  o.workers = workers;
  found all;
  for (const simt::finding& f : simt::check(o, [&] {
         auto g = simt::to_device(std::vector<int>(static_cast<std::size_t>(kBlocks * block.volume()), 7), "g");
         launch({.grid = kBlocks, .block = block}, g.view());
       })) {
    std::set<int> lines;
    for (const simt::access& a : f.accesses) {
      lines.insert(a.line);
      if (f.rule == simt::rule::warp_mask)
        break;  // where lanes have left is said only if the first of the block is one
    }
    all.insert({std::string(name(f.rule)), f.object, lines});
  }
  return all;
}

void expect_twins(launcher defective, launcher clean, const char* name, std::initializer_list<simt::dim3> blocks) {
  for (const simt::dim3 block : blocks) {
    INFO(std::string(name) << " in blocks of " << block.x << "x" << block.y);
    CHECK(text(findings(clean, block, "auto")) == "");
#if defined(SIMT_LOOPS)
    const simt::sim::execution_record how = simt::sim::last_launch_execution();
    CHECK_MESSAGE(how.how == simt::sim::execution::loops, how.reason);
#endif
    CHECK(text(findings(clean, block, "fibers")) == "");
    const found loops = findings(defective, block, "auto"), fibers = findings(defective, block, "fibers");
#if defined(SIMT_LOOPS)
    CHECK(simt::sim::last_launch_execution().how == simt::sim::execution::fibers);
#endif
    CHECK(!fibers.empty());
    CHECK(text(loops) == text(fibers));
    CHECK(text(findings(defective, block, "auto", 2)) == text(fibers));
  }
}
#define SIMT_EXPECT(kernel, ...) expect_twins(launch<kernel<true>>, launch<kernel<false>>, #kernel, {__VA_ARGS__})

}  // namespace

TEST_CASE("checked loops of warps: what orders lanes") {
  const simt::dim3 rows{16, 4}, odd{5, 13};
  SIMT_EXPECT(exchange, 64, rows, odd, 37);
  SIMT_EXPECT(exchange_again, 64, rows, odd, 37);
  SIMT_EXPECT(votes_order_nothing, 64, rows, 37);
  SIMT_EXPECT(reductions_order_nothing, 64, rows, 37);
  SIMT_EXPECT(other_warps, 64, rows);
  SIMT_EXPECT(other_tiles, 64, rows);
  SIMT_EXPECT(block_sum, 128, 256, rows);
  SIMT_EXPECT(before_a_barrier, simt::dim3(8, 8));
  SIMT_EXPECT(one_warp_alone, 64, 256);
  SIMT_EXPECT(rounds_of_warps, 256, rows);
}

TEST_CASE("checked loops of warps: lanes that take no part") {
  SIMT_EXPECT(some_have_left, 64, simt::dim3(16, 4));
  SIMT_EXPECT(some_have_left_before_a_sync, 64);
  SIMT_EXPECT(some_have_left_before_a_vote, 64, 128);
  SIMT_EXPECT(some_have_left_a_tile, 64);
  SIMT_EXPECT(source_in_another_tile, 64, simt::dim3(8, 8));
  SIMT_EXPECT(lanes_with_constant_sources, 64, simt::dim3(16, 4));
  SIMT_EXPECT(asks_who_is_not_there, 37, 70);
}

TEST_CASE("checked loops of warps: memory") {
  SIMT_EXPECT(nothing_written, 64, simt::dim3(16, 4));
  SIMT_EXPECT(past_the_end, 32);
}

TEST_CASE("checked loops of warps: what is proved") {
  const simt::dim3 whole_rows{64, 2}, rows{16, 4};
  SIMT_EXPECT(turns_overlap, 64, 128, whole_rows, rows, 37);
  SIMT_EXPECT(own_turns_again, 64, 128, whole_rows, rows, 37);
  SIMT_EXPECT(rows_and_columns, simt::dim3(32, 2), rows, simt::dim3(8, 8));
  SIMT_EXPECT(warps_in_turns, 128, whole_rows);
  SIMT_EXPECT(turns_past_the_end, 64, whole_rows);
  SIMT_EXPECT(rows_of_warps, 64, 128, whole_rows, rows);
  SIMT_EXPECT(rows_of_two_warps, 128, 256, whole_rows);
  SIMT_EXPECT(rows_beside_warps, 64, 128, whole_rows, rows);
  SIMT_EXPECT(rows_below_zero, 64);
}

TEST_CASE("checked loops of warps: which thread announces") {
  SIMT_EXPECT(one_lane_or_another, 64, simt::dim3(16, 4));
  SIMT_EXPECT(one_lane_in_turns, 64, simt::dim3(16, 4));
}
