// SPDX-License-Identifier: Apache-2.0
// Blocks of which no thread is at an edge run without asking (sim/compile/whole_nests.hpp). Of three blocks in a row
// the one in the middle is such a block, mostly; all must leave what they leave on fibers.
#include <algorithm>

#include "shared_tile.hpp"

namespace {

SIMT_DEVICE int wide_of(simt::thread t) { return static_cast<int>(t.block_dim().x); }
SIMT_DEVICE int at_of(simt::thread t) { return static_cast<int>(t.block_idx().x) * wide_of(t) + x_of(t); }
SIMT_DEVICE int place_of(simt::thread t) { return static_cast<int>(t.rank()); }

// What a kernel reads in front of its first barrier is known in front of the loops behind it.

// Guards in both directions, with steps that data give.
SIMT_DEVICE void guards(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const int three = static_cast<int>(x[0]);
  clear(t, s);
  const int i = at_of(t) - 2, j = y_of(t) + static_cast<int>(t.block_idx().x) - 1;
  const int n = three * wide_of(t) - 4, rows = static_cast<int>(t.block_dim().y), pitch = n + 7;
  if (i >= 0 && i < n && j >= 0 && j < rows) s[place_of(t)] = x[(j * pitch + i) & 1023] + static_cast<unsigned>(i);
  t.sync();
  const int back = (rows - j) * -pitch + 5 * i;
  if (back < n && i < n) s[place_of(t)] += static_cast<unsigned>(static_cast<long>(back) >> 1);
  t.sync();
  const int down = n - 3 - 2 * i - y_of(t);
  if (down >= 0 && down < n - 9) s[place_of(t)] ^= x[down & 1023] + static_cast<unsigned>(down);
  t.sync();
  if (j < rows) {
    s[place_of(t)] += 11;
    if (i < n) s[place_of(t)] ^= x[(i + 4) & 1023];
  }
  t.sync();
  leave_sums(t, s, out);
}
// The nearest element within.
SIMT_DEVICE void nearest(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const int three = static_cast<int>(x[0]);
  clear(t, s);
  const int i = at_of(t), n = three * wide_of(t), rows = static_cast<int>(t.block_dim().y);
  const int left = std::max(i - 1, 0), right = std::min(i + 1, n - 1), both = std::min(std::max(i - 3, 1), n - 9);
  const int below = std::min(std::max(y_of(t) - 1 + static_cast<int>(t.block_idx().x), 0), rows);
  s[place_of(t)] = x[left + below] * 3 + x[right] + x[std::max(both, 0) + 2 * below];
  t.sync();
  s[place_of(t)] += x[i > 2 ? i - 2 : 5] ^ x[i < n - 3 ? i + 3 : 7];
  t.sync();
  leave_sums(t, s, out);
}
// Only threads inside of a block compute; for them it is known of more blocks.
SIMT_DEVICE void inside(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  auto& r = t.shared<"r", unsigned[1024]>();
  clear(t, s);
  const int i = static_cast<int>(t.block_idx().x) * 5 + x_of(t) - 1, n = 15, tx = x_of(t), ty = y_of(t);
  const bool in = i >= 0 && i < n;
  r[place_of(t)] = x[place_of(t)] * 7;
  t.sync();
  const int west = std::max(tx - 1, i < 3 ? 1 : 0), east = std::min(tx + 1, i > 11 ? 5 : 6);
  if (tx >= 1 && tx <= 5 && ty <= 6 && in) s[place_of(t)] = r[place_of(t) - tx + west] + r[place_of(t) - tx + east] * 5;
  t.sync();
  if (tx >= 1 && tx <= 5 && in) s[place_of(t)] += x[static_cast<unsigned>(i)];
  if (in) s[place_of(t)] ^= x[static_cast<unsigned>(i) + 40];
  t.sync();
  leave_sums(t, s, out);
}
// The answer is asked under a condition that fewer meet, and by all.
SIMT_DEVICE void asked_twice(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const int n = static_cast<int>(x[1]) + 9;  // 13
  clear(t, s);
  const int i = static_cast<int>(t.block_idx().x) * 8 + x_of(t);
  const bool in = i < n;
  unsigned v = 9;
  if (x_of(t) < 5 && in) v = x[i] * 3;
  if (in != (v % 3 == 0)) v += 5;
  s[place_of(t)] = v + (in ? 1000 : 77);
  t.sync();
  leave_sums(t, s, out);
}
// A minimum or maximum that some threads use here and others there.
SIMT_DEVICE void of_two_users(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const int n = static_cast<int>(x[20]);  // 23
  clear(t, s);
  const int tx = x_of(t), i = static_cast<int>(t.block_idx().x) * 8 + tx;
  const int left = std::max(i - 1, 0), more_left = std::max(i - 2, 1);
  unsigned v = 1;
  if (tx >= 4 && tx <= 6) v = x[left] * 3;
  if (tx <= 3) v += x[left] * 5 + x[more_left];
  if (tx >= 5 && tx <= 7) v ^= x[more_left];
  s[place_of(t)] = v;
  t.sync();
  const int right = std::min(i + 3, n), more_right = std::min(i + 2, n - 1);
  if (tx >= 1 && tx <= 7) v = x[right] * 3;
  if (tx <= 3) v += x[right] * 5 + x[more_right];
  if (tx >= 2 && tx <= 7) v ^= x[more_right];
  s[place_of(t)] += v;
  t.sync();
  leave_sums(t, s, out);
}
// Numbers that go round within a block, with a sign and without one.
SIMT_DEVICE void go_round(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned step = x[0];
  clear(t, s);
  const unsigned here = static_cast<unsigned>(t.block_idx().x) * 8 + static_cast<unsigned>(t.thread_idx().x);
  const unsigned top = here + static_cast<unsigned>(t.thread_idx().y) * step - step * 4;
  const unsigned middle = here * 3 + static_cast<unsigned>(t.thread_idx().y) * step + 0x7fffffe8u;
  const auto with_sign = static_cast<long>(static_cast<int>(middle));
  const auto without = static_cast<unsigned long>(top);
  if (top < 30) s[place_of(t)] = static_cast<unsigned>(without >> 3) * 9;
  t.sync();
  s[place_of(t)] += static_cast<unsigned>(with_sign >> 5) + static_cast<unsigned>(without >> 7);
  t.sync();
  if (top - 1u < 20u && static_cast<int>(middle) > 40) s[place_of(t)] ^= x[top];
  t.sync();
  if (here != 9) s[place_of(t)] += static_cast<unsigned>(static_cast<long>(static_cast<int>(top)) >> 2);
  t.sync();
  leave_sums(t, s, out);
}
// Rows of which the first threads do nothing, so that their loop begins later.
SIMT_DEVICE void begin_later(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const auto first = static_cast<long>(x[0]);
  const int five = static_cast<int>(x[2]), more = static_cast<int>(x[40]);
  clear(t, s);
  const int i = at_of(t) * 3 + y_of(t) * five, n = wide_of(t) * 9 + more;
  if (t.thread_idx().x >= first) {
    if (i < n) s[place_of(t)] = x[i] + static_cast<unsigned>(static_cast<long>(i) >> 1);
  }
  t.sync();
  leave_sums(t, s, out);
}

}  // namespace

TEST_CASE("blocks of which no thread is at an edge do not ask") {
  RUNS_AS_LOOPS(guards);
  RUNS_AS_LOOPS(nearest);
  RUNS_AS_LOOPS(inside);
  RUNS_AS_LOOPS(asked_twice);
  RUNS_AS_LOOPS(of_two_users);
  RUNS_AS_LOOPS(go_round);
  RUNS_AS_LOOPS(begin_later);
}
