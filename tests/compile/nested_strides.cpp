// SPDX-License-Identifier: Apache-2.0
// Loops in which threads begin at their own place, one in another: tiles that are larger than the block, with constant
// bounds and with bounds of the launch; places that all threads move on alike; and indices that the simplifier has made
// masks of (sim/compile/turn_stride.hpp, merged_guards.hpp, carried_sums.hpp, plain_indices.hpp). All must leave what
// they leave on fibers.
#include "shared_tile.hpp"

namespace {

SIMT_DEVICE void constant_tile(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  for (int j = y_of(t); j < 20; j += 16)
    for (int i = x_of(t); i < 21; i += 16) s[j * 21 + i] = x[static_cast<unsigned>(j * 40 + i)] + 1;
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void tile_by_block(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int wide = static_cast<int>(t.block_dim().x), high = static_cast<int>(t.block_dim().y);
  for (int j = y_of(t); j < 19; j += high)
    for (int i = x_of(t); i < 33; i += wide) s[j * 33 + i] = x[static_cast<unsigned>(j * 64 + i)] + 1;
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void unsigned_tile(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const auto wide = static_cast<unsigned>(t.block_dim().x), high = static_cast<unsigned>(t.block_dim().y);
  for (auto j = static_cast<unsigned>(t.thread_idx().y); j < x[13]; j += high)
    for (auto i = static_cast<unsigned>(t.thread_idx().x); i < 32; i += wide) s[j * 32 + i] = x[j * 50 + i] + 1;
  t.sync();
  leave_sums(t, s, out);
}
// Threads of a row side by side; a row's number is its thread's own.
SIMT_DEVICE void rows_of_threads(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  if (x_of(t) < 32)
    for (int r = y_of(t); r < 32; r += 8) s[r * 32 + x_of(t)] = x[static_cast<unsigned>(r * 60 + x_of(t))] + 1;
  t.sync();
  leave_sums(t, s, out);
}
// Only some of the threads that would have a turn take part.
SIMT_DEVICE void tile_for_some(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int wide = static_cast<int>(t.block_dim().x), high = static_cast<int>(t.block_dim().y);
  if (x[me_of(t)] % 3 != 1)
    for (int j = y_of(t); j < 19; j += high)
      if (x_of(t) != 2)
        for (int i = x_of(t); i < 33; i += wide) s[j * 33 + i] = x[static_cast<unsigned>(j * 64 + i)] + 1;
  t.sync();
  leave_sums(t, s, out);
}
// How far the inner loop goes is the outer one's turn, which goes on behind it.
SIMT_DEVICE void triangle(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int wide = static_cast<int>(t.block_dim().x), high = static_cast<int>(t.block_dim().y);
  unsigned sum = 5;
  for (int j = y_of(t); j < 30; j += high) {
    unsigned last = 1;
    for (int i = x_of(t); i < j; i += wide) {
      last = s[j * 31 + i] + x[static_cast<unsigned>(i)];
      sum = sum * 3 + last;
    }
    sum += last;
  }
  out[gid_of(t)] = sum;
  t.sync();
  leave_sums(t, s, out);
  out[gid_of(t)] += sum;
}
// Both ways that meet at the barrier have made the index narrow, and another one of it, each its own.
SIMT_DEVICE void narrow_on_both_ways(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int here = x_of(t), row = static_cast<int>(me_of(t)) - here;
  int far = here + 7;
  if (here < 20) {
    if (x[me_of(t)] > 9) s[row + here + 30] = x[me_of(t)], far = here + 30;
  } else {
    s[row + here + 500] = static_cast<unsigned>(here);
    far = here + 500;
  }
  t.sync();
  out[gid_of(t)] = s[here] + s[here + 30] + 3 * s[row + far];
}
// Behind `me < 16`, an index of four bits; behind `me & 7 == me` none.
SIMT_DEVICE void small_indices(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int me = static_cast<int>(me_of(t));
  s[me + 16] = x[me_of(t)];
  if (me < 16) {
    s[me] = x[static_cast<unsigned>(me + 64)] + 2;
    s[me + 272] = x[static_cast<unsigned>(me + 80)] + 3;
  }
  t.sync();
  for (unsigned half = 128; half > 0; half /= 2) {
    unsigned more = 0;
    if (me_of(t) < half) more = s[me_of(t) + half];
    if (me_of(t) >= half) more += s[me_of(t) - half];
    t.sync();
    s[me_of(t)] += more;
    t.sync();
    if ((me_of(t) & 96) == 32) s[me_of(t) + 512] += s[me_of(t) & 7];
    if (4 * me_of(t) < 200) s[4 * me_of(t) + 700] += half;
    t.sync();
  }
  leave_sums(t, s, out);
}
// The body needs the next index, too.
SIMT_DEVICE void next_index(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  s[me_of(t)] = x[me_of(t)];
  t.sync();
  if (gid_of(t) < x[150]) out[gid_of(t)] = s[me_of(t)] + 2 * s[me_of(t) + 1] + 3 * s[me_of(t) + 2];
}

// What threads carry through barriers: a place, a pointer and a number that wraps, which grow alike for all, and one
// that does not.
SIMT_DEVICE void carried_places(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const unsigned me = me_of(t), plane = x[5] + 1;
  unsigned at = me * 2, own = me, sum = 0;
  auto narrow = static_cast<unsigned short>(65000 + me);
  const unsigned* p = x.data_handle() + me;
  for (unsigned turn = 0; turn < x[2]; ++turn) {
    s[me + turn] = x[at] + *p + narrow + own;
    t.sync();
    sum = sum * 7 + s[me + 1 + turn];
    t.sync();
    at += plane, p += plane, narrow = static_cast<unsigned short>(narrow + 300), own += me;
  }
  out[gid_of(t)] = sum + at + narrow + own + *p;
}

TEST_CASE("tiles that are larger than the block") {
  RUNS_AS_LOOPS(constant_tile);
  RUNS_AS_LOOPS(tile_by_block);
  RUNS_AS_LOOPS(unsigned_tile);
  RUNS_AS_LOOPS(rows_of_threads);
  RUNS_AS_LOOPS(tile_for_some);
  RUNS_AS_LOOPS(triangle);
}
TEST_CASE("what threads carry through barriers, growing alike") { RUNS_AS_LOOPS(carried_places); }
TEST_CASE("indices that the simplifier has made masks of") {
  RUNS_AS_LOOPS(narrow_on_both_ways);
  RUNS_AS_LOOPS(small_indices);
  RUNS_AS_LOOPS(next_index);
}

}  // namespace
