// SPDX-License-Identifier: Apache-2.0
// Loops that are turned inside out around others, and those that go down: each leaves what it leaves on fibers.
#include "both_executions.hpp"

namespace {

// Each of `rows` turns goes along a row of `n` elements by the block's width.
SIMT_DEVICE void sum_rows(simt::thread t, in_view x, out_view out, int rows, int n) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const int width = static_cast<int>(t.block_dim().x);
  unsigned sum = 0, last = 1;
  for (int b = 0; b < rows; ++b)
    for (int i = static_cast<int>(t.thread_idx().x); i < n; i += width) {
      const unsigned v = x[static_cast<unsigned>(b * n + i)];
      sum = sum * 3 + v, last = v + static_cast<unsigned>(b);
    }
  s[me_of(t)] = sum;
  t.sync();
  out[gid_of(t)] = s[(me_of(t) + 1) % threads_of(t)] * 7u + sum + last;
}
SIMT_DEVICE void rows_for_all(simt::thread t, in_view x, out_view out) {
  sum_rows(t, x, out, static_cast<int>(x[2]), static_cast<int>(x[300]));  // 5 of 303
}
SIMT_DEVICE void rows_for_some(simt::thread t, in_view x, out_view out) {
  sum_rows(t, x, out, static_cast<int>(x[2]), static_cast<int>(x[20]));  // 5 of 23
}
SIMT_DEVICE void no_rows(simt::thread t, in_view x, out_view out) {
  sum_rows(t, x, out, static_cast<int>(x[0]) - 3, static_cast<int>(x[20]));
}
// Two strides in each turn, and what each thread does for itself beside them.
SIMT_DEVICE void two_strides(simt::thread t, in_view x, out_view out) {
  const int rows = static_cast<int>(x[1]), n = static_cast<int>(x[100]), width = static_cast<int>(t.block_dim().x);
  unsigned sum = x[me_of(t)];
  for (int b = 0; b < rows; ++b) {
    for (int i = static_cast<int>(t.thread_idx().x); i < n; i += width) sum = sum * 5 + x[static_cast<unsigned>(b + i)];
    sum ^= 9u;
    for (int i = static_cast<int>(t.thread_idx().x); i < n; i += width) sum += x[static_cast<unsigned>(2 * b + i)];
  }
  t.sync();
  out[gid_of(t)] = sum;
}
// Back from the last row to the first one, for those below a limit.
SIMT_DEVICE void goes_down(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), width = threads_of(t);
  s[me] = 0;
  t.sync();
  if (me < x[0] * 10) {
    float sum = 1;
    for (int k = static_cast<int>(x[6]); k >= 0; --k)
      sum = sum * 0.5f + static_cast<float>(x[static_cast<unsigned>(k) * width + me]);
    s[me] = static_cast<unsigned>(sum * 16);
  }
  t.sync();
  out[gid_of(t)] = s[me] + s[(me + 1) % width];
}

TEST_CASE("turned loops: strides within turns that all make") {
  RUNS_AS_LOOPS(rows_for_all);
  RUNS_AS_LOOPS(rows_for_some);
  RUNS_AS_LOOPS(no_rows);
  RUNS_AS_LOOPS(two_strides);
}
TEST_CASE("turned loops: down to the first row") { RUNS_AS_LOOPS(goes_down); }

}  // namespace
