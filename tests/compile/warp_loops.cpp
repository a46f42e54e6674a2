// SPDX-License-Identifier: Apache-2.0
// Operations of warps in loops: what is cut, what is refused, and that both ways leave the same.
#include <simt/groups.hpp>

#include "both_executions.hpp"

namespace {

namespace cg = simt::cg;
constexpr std::uint32_t kAll = simt::kFullMask;

// Runs as loops in these blocks, whose warps lie in rows.
template <auto Kernel>
void as_loops_in(std::initializer_list<simt::dim3> blocks, const char* what) {
  for (const simt::dim3 block : blocks) {
    const ran loops = run(launch<Kernel>, {.grid = 3, .block = block}, wanted_execution::automatic);
    const ran fibers = run(launch<Kernel>, {.grid = 3, .block = block}, wanted_execution::fibers);
    CHECK_MESSAGE(loops.out == fibers.out, what, " in blocks of ", block.x, "x", block.y, "x", block.z);
    if (kCut) CHECK_MESSAGE(loops.how.how == execution::loops, what, ": ", loops.how.reason);
  }
}

// ------------------------------------------------------------------------------------------------ operations
SIMT_DEVICE void shuffles(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  unsigned v = x[me] * 7u + me;
  v += t.shuffle(kAll, v, 3);
  v ^= t.shuffle(kAll, v, static_cast<int>(x[me] % 32u));
  v += 3u * t.shuffle_up(kAll, v, 1);
  v ^= t.shuffle_down(kAll, v, 5);
  v += t.shuffle_xor(kAll, v, 9);
  v ^= t.shuffle(kAll, v, 1, 8);
  v += t.shuffle_up(kAll, v, 2, 16);
  v ^= t.shuffle_down(kAll, v, 1, 4);
  out[gid_of(t)] = v;
}
SIMT_DEVICE void shuffles_of_types(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  const double d = t.shuffle_xor(kAll, static_cast<double>(x[me]) * 0.5, 1);
  const float f = t.shuffle_down(kAll, static_cast<float>(x[me]) + 0.25f, 2);
  const auto c = t.shuffle_up(kAll, static_cast<unsigned char>(x[me]), 3);
  const auto l = t.shuffle(kAll, static_cast<std::int64_t>(x[me]) << 33, 4);
  const bool p = t.shuffle(kAll, x[me] % 3 == 0, 5);
  out[gid_of(t)] = static_cast<unsigned>(d * 4) + static_cast<unsigned>(f * 8) * 3u + c * 5u +
                   static_cast<unsigned>(l >> 30) * 7u + (p ? 1000u : 0u);
}
// Each lane's own place, where a warp lies in several rows.
SIMT_DEVICE void places(simt::thread t, in_view x, out_view out) {
  const auto at = t.thread_idx();
  const unsigned v = static_cast<unsigned>(at.x + 100 * at.y + 10000 * at.z);
  out[gid_of(t)] = t.shuffle_xor(kAll, v, 1) * 3u + v + t.shuffle(kAll, x[at.x], static_cast<int>(at.y + at.z));
}
SIMT_DEVICE void warp_votes(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  unsigned v = t.ballot(kAll, (x[me] & 5u) == 1);
  if (t.any(kAll, me % 37u == 3)) v += 1u << 20;
  if (t.all(kAll, me < 40)) v ^= 1u << 21;
  v += t.ballot(kAll, true) * 3u;
  out[gid_of(t)] = v;
}
SIMT_DEVICE void matches(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  bool same = false;
  unsigned v = t.match_any(kAll, x[me] % 5u) + t.match_all(kAll, me / 64u, &same);
  v ^= t.match_any(kAll, static_cast<std::uint64_t>(x[me] % 3u) << 40);
  out[gid_of(t)] = v + (same ? 1u : 0u) + t.match_all(kAll, me % 3u);
}
SIMT_DEVICE void reductions(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  const int s = static_cast<int>(x[me]) - 50;
  unsigned v = t.reduce_add(kAll, x[me] * x[me]);
  v += static_cast<unsigned>(t.reduce_min(kAll, s)) ^ static_cast<unsigned>(t.reduce_max(kAll, -s));
  v ^= t.reduce_and(kAll, x[me] | 8u) + t.reduce_or(kAll, x[me] & 6u) + t.reduce_xor(kAll, x[me]);
  v += static_cast<unsigned>(t.reduce_add(kAll, 1.0f / static_cast<float>(x[me])) * 1e6f);
  v ^= static_cast<unsigned>(t.reduce_max(kAll, static_cast<double>(x[me] % 17u)) * 3.0);
  out[gid_of(t)] = v + static_cast<unsigned>(t.reduce_add(kAll, static_cast<std::int64_t>(me) << 30) >> 29);
}
// What lanes leave in shared memory, others of the warp find.
SIMT_DEVICE void syncs(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), first = me & ~31u, n = std::min(threads_of(t) - first, 32u);
  s[me] = x[me];
  for (unsigned i = 1; i < 5; ++i) {
    t.sync_warp();
    const unsigned v = s[first + (me + i) % n];
    t.sync_warp();
    s[me] = v * 3u + i;
  }
  out[gid_of(t)] = s[me];
}

TEST_CASE("warps: operations of all lanes") {
  RUNS_AS_LOOPS(shuffles);
  RUNS_AS_LOOPS(shuffles_of_types);
  RUNS_AS_LOOPS(places);
  RUNS_AS_LOOPS(warp_votes);
  RUNS_AS_LOOPS(matches);
  RUNS_AS_LOOPS(reductions);
  RUNS_AS_LOOPS(syncs);
}

// ------------------------------------------------------------------------------------------------ control flow
SIMT_DEVICE unsigned warp_sum(simt::thread t, unsigned v) {
  for (unsigned d = 16; d > 0; d /= 2) v += t.shuffle_down(kAll, v, d);
  return v;
}
// The warp reduction within a block reduction.
SIMT_DEVICE void block_sum(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[32]>();
  const unsigned me = me_of(t), warps = (threads_of(t) + 31) / 32;
  unsigned v = warp_sum(t, x[me]);
  if (t.lane() == 0) s[t.warp()] = v;
  t.sync();
  if (t.warp() == 0) {
    v = static_cast<unsigned>(t.lane()) < warps ? s[t.lane()] : 0;
    v = warp_sum(t, v);
    if (t.lane() == 0) s[0] = v;
  }
  t.sync();
  out[gid_of(t)] = s[0] + v;
}
SIMT_DEVICE void block_sum_by_x(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[32]>();
  const int tid = static_cast<int>(t.thread_idx().x), lane = tid & 31, warp = tid >> 5;
  unsigned v = warp_sum(t, x[me_of(t)]);
  if (lane == 0 && t.thread_idx().y == 0 && t.thread_idx().z == 0) s[warp] = v;
  t.sync();
  if (tid < 32) {
    v += warp_sum(t, lane < (static_cast<int>(t.block_dim().x) + 31) / 32 ? s[lane] : 0);
    if (t.any(kAll, v == 77)) v += 5;
  } else if (tid >= 64 && warp != 3) {
    v ^= t.ballot(kAll, (v & 1u) != 0);
  }
  out[gid_of(t)] = v;
}
// Rows are warps: only where a row is a multiple of 32, which the block's width as a factor asks for.
SIMT_DEVICE void by_width(simt::thread t, in_view x, out_view out) {
  const unsigned width = static_cast<unsigned>(t.block_dim().x), y = static_cast<unsigned>(t.thread_idx().y);
  const unsigned tid = y * width + static_cast<unsigned>(t.thread_idx().x);
  unsigned v = x[me_of(t)];
  if (y == 1) v += t.shuffle_xor(kAll, v, 3);
  if (tid / 32u % 2u == 0) v ^= t.reduce_add(kAll, v);
  out[gid_of(t)] = t.shuffle_xor(kAll, v, 2);
}
// Each warp makes rounds of its own number.
SIMT_DEVICE void rounds_of_warps(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), warp = static_cast<unsigned>(t.warp());
  unsigned v = x[me], rounds = 0;
  for (unsigned i = warp; i < 9; i += 2) {
    v += t.shuffle_xor(kAll, v, 1) * i;
    rounds += t.any(kAll, v % 7u == 3) ? 2u : 1u;
    if (rounds > 5 + warp) break;
  }
  s[me] = v + rounds;
  t.sync();
  v = s[threads_of(t) - 1 - me];
  while (t.any(kAll, v > 100)) v /= 2 + (me & 1u);
  out[gid_of(t)] = v + rounds;
}
SIMT_DEVICE void within_block_loops(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t);
  unsigned v = x[me], a = 1, b = 2;
  for (unsigned i = 0; i < x[2]; ++i) {
    s[me] = v + a;
    t.sync();
    v += t.shuffle(kAll, s[(me + i) % n], static_cast<int>(i));
    const unsigned old = a;
    a = b + i;
    b = old;
    if (t.warp() == static_cast<int>(i % 2)) v ^= t.reduce_or(kAll, v & 12u);
    t.sync();
  }
  out[gid_of(t)] = v + 3u * a + 5u * b + static_cast<unsigned>(t.sync_count(t.any(kAll, me % 40u == 39)));
}
SIMT_DEVICE void branches_between(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t), warp = static_cast<unsigned>(t.warp());
  unsigned v = x[me];
  switch (warp % 3u) {
    case 0:
      v += t.shuffle_xor(kAll, v, 2);
      [[fallthrough]];
    case 1:
      v ^= t.shuffle_up(kAll, v, 1);
      break;
    default:
      if (x[me] % 2 == 0) v *= 3;
  }
  if (t.all(kAll, v % 2 == 0) || t.block_idx().x == 1) v += t.shuffle_down(kAll, v, 3);
  if (t.lane() % 2 == 0) v += 100;
  out[gid_of(t)] = t.shuffle(kAll, v, 31 - t.lane());
}

// What the next round has is the same for all, found by each thread, while other warps still need what this one has.
SIMT_DEVICE void carried_by_all(simt::thread t, in_view x, out_view out) {
  unsigned v = x[me_of(t)], u = 2, w = 3;
  for (unsigned i = 0; i < x[2]; ++i) {
    t.sync();
    v = v * 3u + t.shuffle(kAll, v, static_cast<int>(u)) + w;
    if (t.warp() == 1) v += t.ballot(kAll, v % 2u == 0);
    const unsigned old = u;
    u = x[u + w] % 7u;
    w = old + 1;
  }
  out[gid_of(t)] = v + u;
}
// The same, where nothing is kept but the place from which the next round has it: no warp may fill that before the
// others have read it. (What is computed again from u would make it a place of its own.)
SIMT_DEVICE void found_last_by_all(simt::thread t, in_view x, out_view out) {
  unsigned v = x[me_of(t)], u = 2;
  for (unsigned i = 0; i < x[2]; ++i) {
    t.sync();
    v += t.shuffle_xor(kAll, v, 1) ^ x[u];
    v += t.shuffle_xor(kAll, v, 2) * 3u;
    u = x[u + i] % 7u;
  }
  out[gid_of(t)] = v;
}
// All count alike, but each warp makes its own number of rounds.
SIMT_DEVICE void counted_by_all(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t), warp = static_cast<unsigned>(t.warp());
  unsigned v = x[me], c = me;
  for (unsigned i = 0; i < warp + 3u; i += 2) {
    v += t.match_any(kAll, v % 3u) * (i + 1);
    c ^= i;
  }
  out[gid_of(t)] = v + c;
}
// Lanes of a warp go both ways in blocks whose rows are no multiples of 32, and meet on fibers.
SIMT_DEVICE void either_way_by_x(simt::thread t, in_view x, out_view out) {
  unsigned v = x[me_of(t)];
  if (t.thread_idx().x < 32)
    v += t.shuffle_xor(kAll, v, 3);
  else
    v ^= t.shuffle_xor(kAll, v * 5u, 3);
  out[gid_of(t)] = t.shuffle_xor(kAll, v, 1);
}
SIMT_DEVICE void vote_of_tiles_decides(simt::thread t, in_view x, out_view out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block(t));
  unsigned v = x[me_of(t)];
  if (tile.any(v % 16u == 3))
    v += t.shuffle_xor(kAll, v, 3);
  else
    v ^= t.shuffle_xor(kAll, v * 5u, 3);
  out[gid_of(t)] = t.shuffle_xor(kAll, v, 1);
}

// ------------------------------------------------------------------------------------------------ threads that left
// Lanes that take no part in the last operation leave, and are not waited for.
SIMT_DEVICE void last_for_some(simt::thread t, in_view x, out_view out) {
  unsigned v = x[me_of(t)];
  if (v % 3u != 0) v += t.reduce_add(kAll, v) + t.shuffle_up(kAll, v, 1);
  out[gid_of(t)] = v;
}
SIMT_DEVICE void early_leave(simt::thread t, in_view x, out_view out) {
  const unsigned me = me_of(t);
  if (me >= threads_of(t) - 3) return;
  unsigned v = t.shuffle_down(kAll, x[me], 1) + t.ballot(kAll, x[me] % 2 == 0);
  if (t.all(kAll, me < 50)) v += 7;
  out[gid_of(t)] = v + t.reduce_add(kAll, 1u);
}
SIMT_DEVICE void whole_warps_leave(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t);
  s[me] = x[me];
  if (me / 32u == 1 || x[me] % 11u == 4) return;
  unsigned v = t.shuffle_xor(kAll, s[me], 1);
  t.sync();
  for (int i = 0; i < 20 && t.any(kAll, v % 8u < 5); ++i) v += t.lane() % 2 == 0 ? 1 : 3;
  v = v * 5u + t.match_any(kAll, x[me] % 3u);
  out[gid_of(t)] = v + static_cast<unsigned>(t.sync_count(true));
}

TEST_CASE("warps: control flow that is the same for a warp") {
  RUNS_AS_LOOPS(block_sum);
  same_on_both(launch<block_sum_by_x>, "block_sum_by_x");
  as_loops_in<block_sum_by_x>({{37}, {64}, {256}, {1000}, {32, 8}, {64, 3, 2}}, "block_sum_by_x");
  as_loops_in<by_width>({{64}, {256}, {32, 8}, {64, 3, 2}}, "by_width");
  RUNS_AS_LOOPS(rounds_of_warps);
  RUNS_AS_LOOPS(within_block_loops);
  RUNS_AS_LOOPS(branches_between);
  RUNS_AS_LOOPS(carried_by_all);
  RUNS_AS_LOOPS(found_last_by_all);
  RUNS_AS_LOOPS(counted_by_all);
  as_loops_in<either_way_by_x>({{37}, {64}, {256}, {32, 8}, {64, 3, 2}}, "either_way_by_x");
  for (const simt::dim3 block : {simt::dim3{48, 2}, simt::dim3{40, 3, 2}, simt::dim3{7, 9}})
    CHECK(run(launch<either_way_by_x>, {.grid = 2, .block = block}, wanted_execution::automatic).out ==
          run(launch<either_way_by_x>, {.grid = 2, .block = block}, wanted_execution::fibers).out);
}

TEST_CASE("warps: threads that have left take no part") {
  RUNS_AS_LOOPS(early_leave);
  RUNS_AS_LOOPS(last_for_some);
  RUNS_AS_LOOPS(whole_warps_leave);
}

// ------------------------------------------------------------------------------------------------ tiles
template <unsigned Size>
SIMT_DEVICE void tiles(simt::thread t, in_view x, out_view out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block(t));
  const unsigned me = me_of(t);
  unsigned v = x[me];
  for (unsigned d = Size / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  v ^= tile.shfl_xor(v, 1) + tile.ballot(v % 3u == 0) + tile.match_any(v % 4u);
  v += tile.shfl(v, 0) + cg::reduce(tile, v % 100u, cg::plus<unsigned>());
  tile.sync();
  out[gid_of(t)] = v + tile.any(v % 5u == 1) + tile.all(v % 2u == 1);
}

// Lanes of another tile bring nothing.
SIMT_DEVICE void beyond_tiles(simt::thread t, in_view x, out_view out) {
  const unsigned lane = static_cast<unsigned>(t.lane()), mask = 0xffu << (lane & 24u);
  const unsigned v = t.shuffle(mask, x[me_of(t)], static_cast<int>(x[me_of(t)] % 32u));
  out[gid_of(t)] = v + t.match_any(mask, v % 2u);
}

TEST_CASE("warps: tiles") {
  RUNS_AS_LOOPS(beyond_tiles);
  RUNS_AS_LOOPS(tiles<32>);
  RUNS_AS_LOOPS(tiles<16>);
  RUNS_AS_LOOPS(tiles<8>);
  RUNS_AS_LOOPS(tiles<4>);
  RUNS_AS_LOOPS(tiles<1>);
}

// ------------------------------------------------------------------------------------------------ what is refused
SIMT_DEVICE void in_divergent_branch(simt::thread t, in_view x, out_view out) {
  unsigned v = x[me_of(t)];
  if (t.lane() < 16)
    v += t.shuffle_xor(kAll, v, 1);
  else
    v += 3u * t.shuffle_xor(kAll, v, 1);
  out[gid_of(t)] = v;
}
// Shifted by one, a warp's lanes lie in two.
SIMT_DEVICE void shifted(simt::thread t, in_view x, out_view out) {
  unsigned v = x[me_of(t)];
  if ((me_of(t) + 1) / 32u % 2u == 0)
    v += t.shuffle_xor(kAll, v, 1);
  else
    v += 3u * t.shuffle_xor(kAll, v, 1);
  out[gid_of(t)] = t.shuffle_xor(kAll, v, 2);
}
SIMT_DEVICE void below_forty(simt::thread t, in_view x, out_view out) {
  unsigned v = x[me_of(t)];
  if (me_of(t) < 40)
    v += t.shuffle_xor(kAll, v, 1);
  else
    v += 3u * t.shuffle_xor(kAll, v, 1);
  out[gid_of(t)] = t.shuffle_xor(kAll, v, 2);
}
SIMT_DEVICE void rounds_of_lanes(simt::thread t, in_view x, out_view out) {
  unsigned v = 0;
  for (unsigned i = 0; i < x[me_of(t) % 2u] && i < 4; ++i) v += t.ballot(kAll, true);
  out[gid_of(t)] = v;
}

TEST_CASE("warps: what is refused runs on fibers, and says why") {
  RUNS_ON_FIBERS(in_divergent_branch, "an operation of a warp under a condition that differs between its lanes");
  RUNS_ON_FIBERS(shifted, "an operation of a warp under a condition that differs between its lanes");
  RUNS_ON_FIBERS(below_forty, "an operation of a warp under a condition that differs between its lanes");
  RUNS_ON_FIBERS(vote_of_tiles_decides, "an operation of a warp under a condition that differs between its lanes");
  const auto how = run(launch<rounds_of_lanes>, {.grid = 1, .block = 1}, wanted_execution::automatic).how;
  if (kCut) CHECK(how.reason.find("an operation of a warp under a condition that differs between its lanes") == 0);
  const auto square = run(launch<block_sum_by_x>, {.grid = 2, .block = {16, 16}}, wanted_execution::automatic).how;
  CHECK(square.how == execution::fibers);
  if (kCut) CHECK_MESSAGE(square.reason.find("in blocks of one row, or of rows") != std::string::npos, square.reason);
  const auto odd = run(launch<by_width>, {.grid = 2, .block = 37}, wanted_execution::automatic).how;
  CHECK(odd.how == execution::fibers);
  if (kCut) CHECK_MESSAGE(odd.reason.find("whose rows are multiples of 32") != std::string::npos, odd.reason);
}

}  // namespace
