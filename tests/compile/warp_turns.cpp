// SPDX-License-Identifier: Apache-2.0
// Loops of which the lanes of a warp take neighbouring elements: each warp makes their turns together
// (sim/compile/turns.hpp). All must leave what they leave on fibers.
#include "both_executions.hpp"

namespace {

constexpr std::uint32_t kFull = simt::kFullMask;

template <auto Kernel>
void same_in_warps(const char* what) {
  for (const simt::dim3 block : {simt::dim3{32}, simt::dim3{256}, simt::dim3{100}, simt::dim3{32, 8}, simt::dim3{64, 3},
                                 simt::dim3{8, 8}, simt::dim3{32, 2, 3}}) {
    const ran loops = run(launch<Kernel>, {.grid = 3, .block = block}, wanted_execution::automatic);
    const ran fibers = run(launch<Kernel>, {.grid = 3, .block = block}, wanted_execution::fibers);
    CHECK_MESSAGE(loops.out == fibers.out, what, " in blocks of ", block.x, "x", block.y, "x", block.z);
  }
}

SIMT_DEVICE int warp_of(simt::thread t) { return static_cast<int>(me_of(t) / 32); }
SIMT_DEVICE int warps_of(simt::thread t) {
  return static_cast<int>((t.block_dim().x * t.block_dim().y * t.block_dim().z + 31) / 32);
}
SIMT_DEVICE int row_of(simt::thread t) { return static_cast<int>(t.block_idx().x) * warps_of(t) + warp_of(t); }
SIMT_DEVICE int lane_of(simt::thread t) { return static_cast<int>(me_of(t) % 32); }
SIMT_DEVICE unsigned sum_of_warp(simt::thread t, unsigned v) {
  for (int d = 16; d > 0; d /= 2) v += t.shuffle_xor(kFull, v, d);
  return v;
}

// A warp a row; rows of 0 to 100 elements, and warps that leave.
SIMT_DEVICE void sums_of_rows(simt::thread t, in_view x, out_view out) {
  const int row = row_of(t);
  if (row % 7 == 5) return;
  const int width = row * 13 % 101;
  float sum = 0.5f;
  for (int k = lane_of(t); k < width; k += 32) sum = sum * 0.5f + static_cast<float>(x[row * 20 + k]);
  out[gid_of(t)] = sum_of_warp(t, static_cast<unsigned>(sum * 16)) + static_cast<unsigned>(sum);
}
// Where rows begin and end is read: the same for the warp.
SIMT_DEVICE void sums_between(simt::thread t, in_view x, out_view out) {
  const int row = row_of(t), begin = static_cast<int>(x[row] * 7 % 300),
            end = begin + static_cast<int>(x[row + 1] * 5 % 90);
  unsigned sum = 1;
  for (int k = begin + lane_of(t); k < end; k += 32) sum = sum * 3 + x[k];
  out[gid_of(t)] = sum_of_warp(t, sum) + static_cast<unsigned>(end);
}
SIMT_DEVICE void sums_to_the_last(simt::thread t, in_view x, out_view out) {
  const int row = row_of(t), last = static_cast<int>(x[row] % 97);
  unsigned sum = 1;
  for (int k = lane_of(t); k <= last; k += 32) sum = sum * 3 + x[row + k];
  out[gid_of(t)] = sum_of_warp(t, sum) ^ sum;
}
// What a lane has read last, and before that; which lanes have read at all differs.
SIMT_DEVICE void last_of_lanes(simt::thread t, in_view x, out_view out) {
  const int row = row_of(t), width = row * 17 % 70;
  unsigned before = 1, now = 2;
  int at = -1;
  for (int k = lane_of(t); k < width; k += 32) before = now, now = x[k + row], at = k;
  out[gid_of(t)] = t.shuffle_down(kFull, before, 1) * 3 + now + static_cast<unsigned>(at) * 100000u;
}
// Indices near the largest: lanes that have ended do not come back.
SIMT_DEVICE void at_the_end(simt::thread t, in_view x, out_view out) {
  constexpr int kLast = 2147483647;
  const int row = row_of(t), first = kLast - 100, limit = kLast - row % 40;
  unsigned sum = 1;
  for (int k = first + lane_of(t) % 32; k < limit - 32; k += 32) sum = sum * 3 + x[k - first];
  out[gid_of(t)] = sum_of_warp(t, sum) ^ sum;
}
SIMT_DEVICE void without_sign(simt::thread t, in_view x, out_view out) {
  const unsigned row = static_cast<unsigned>(row_of(t)), width = row * 13 % 101;
  unsigned sum = 1;
  for (unsigned k = static_cast<unsigned>(lane_of(t)); k < width; k += 32) sum = sum * 3 + x[row + k];
  for (std::size_t k = static_cast<std::size_t>(lane_of(t)); k < width; k += 32) sum ^= x[k + 1] << (k % 20);
  out[gid_of(t)] = sum_of_warp(t, sum) ^ sum;
}
// Written in turns, and read by other lanes behind an operation of the warp.
SIMT_DEVICE void writes_in_turns(simt::thread t, in_view x, out_view out) {
  unsigned* const all = t.dynamic_shared<unsigned>();
  unsigned* const mine = all + warp_of(t) * 40;
  if (warp_of(t) >= 20) return;
  const int width = 33 + warp_of(t) % 7;
  for (int k = lane_of(t); k < width; k += 32) mine[k] = x[k] * 3 + x[warp_of(t)];
  t.sync_warp();
  out[gid_of(t)] = mine[(lane_of(t) * 7 + 3) % width];
}
// Only some lanes come to the loop.
SIMT_DEVICE void of_some_lanes(simt::thread t, in_view x, out_view out) {
  unsigned sum = 1;
  if (x[me_of(t)] % 3 != 0)
    for (int k = lane_of(t); k < 80; k += 32) sum = sum * 3 + x[k];
  out[gid_of(t)] = sum_of_warp(t, sum) ^ sum;
}
// Two loops, one within a loop of the warp.
SIMT_DEVICE void again_and_again(simt::thread t, in_view x, out_view out) {
  const int row = row_of(t);
  unsigned sum = 1;
  for (int pass = 0; pass < row % 4; ++pass) {
    for (int k = lane_of(t); k < 40 + 9 * pass; k += 32) sum = sum * 5 + x[k + pass];
    sum += sum_of_warp(t, sum) * static_cast<unsigned>(pass + 1);
  }
  for (int k = lane_of(t); k < row; k += 32) sum ^= x[k] * 9;
  out[gid_of(t)] = sum;
}
// What lies where elements say, and from there on: lanes that do not take part in the last turn read what the first one
// does.
SIMT_DEVICE void where_elements_say(simt::thread t, in_view x, out_view out) {
  const int row = row_of(t), begin = static_cast<int>(x[row] * 7 % 300),
            end = begin + static_cast<int>(x[row + 1] * 5 % 90);
  unsigned sum = 1;
  for (int k = begin + lane_of(t); k < end; k += 32) sum = sum * 3 + x[x[k] % 900] * x[k + 1];
  for (int k = begin + lane_of(t); k < end; k += 32) sum += x[x[x[k] % 800] % 700 + 1] ^ x[(x[k] + x[row]) % 600];
  out[gid_of(t)] = sum_of_warp(t, sum) ^ sum;
}
// What lanes keep between operations, in loops of a warp, and what is needed behind the barrier as well.
SIMT_DEVICE void kept_by_lanes(simt::thread t, in_view x, out_view out) {
  const unsigned v = x[gid_of(t)] * 7 + static_cast<unsigned>(lane_of(t));
  unsigned a = v, b = v ^ 5, kept = 0;
  for (int pass = 0; pass < 2 + row_of(t) % 3; ++pass) {
    const unsigned from_above = t.shuffle_down(kFull, a, 1), from_below = t.shuffle_up(kFull, b, 3);
    a = a * 3 + from_below, b = b * 5 + from_above + kept;
    kept += sum_of_warp(t, a ^ b) >> (pass + lane_of(t) % 3);
  }
  t.sync();
  out[gid_of(t)] = kept * 3 + a - t.shuffle_xor(kFull, b + v, 2);
}
// Steps that a launch decides about, of one warp's rows.
SIMT_DEVICE void steps_of_the_grid(simt::thread t, in_view x, out_view out) {
  const int step = static_cast<int>(t.grid_dim().x) * 32;
  if (warp_of(t) > 1) return;
  unsigned sum = 1;
  for (int k = static_cast<int>(t.block_idx().x) * 32 + lane_of(t); k < 500 + 3 * warp_of(t); k += step)
    sum = sum * 3 + x[k];
  out[gid_of(t)] = sum_of_warp(t, sum) ^ sum;
}

TEST_CASE("turns of warps: the same as on fibers") {
  same_in_warps<sums_of_rows>("rows");
  same_in_warps<sums_between>("rows whose ends are read");
  same_in_warps<sums_to_the_last>("rows up to the last element");
  same_in_warps<last_of_lanes>("last elements");
  same_in_warps<at_the_end>("the largest indices");
  same_in_warps<without_sign>("indices without sign");
  same_in_warps<writes_in_turns>("writes");
  same_in_warps<of_some_lanes>("some lanes");
  same_in_warps<again_and_again>("loops in a loop");
  same_in_warps<where_elements_say>("where elements say");
  same_in_warps<kept_by_lanes>("kept by lanes");
  same_in_warps<steps_of_the_grid>("steps of the grid");
}

}  // namespace
