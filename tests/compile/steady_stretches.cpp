// SPDX-License-Identifier: Apache-2.0
// Loops over threads that run in stretches (sim/compile/steady_indices.hpp): indices that go round, quotients, masks,
// and conditions that some threads of a row meet. All must leave what they leave on fibers.
#include <algorithm>

#include "shared_tile.hpp"

namespace {

// x[i] is i + 3, which the compiler does not know. What has been read before a barrier is the same along a row.
SIMT_DEVICE void doubling(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const unsigned me = me_of(t);
  s[me] = x[gid_of(t)];
  t.sync();
  for (unsigned d = 1; d < threads_of(t); d *= 2) {
    unsigned before = 3;
    if (me >= d) before = s[me - d];
    t.sync();
    s[me] += before;
    t.sync();
  }
  leave_sums(t, s, out);
}
SIMT_DEVICE void two_ways(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const unsigned me = me_of(t), here = x[19];  // 22
  t.sync();
  if (me < here)
    s[me] = x[me + 40] + x[me * 2];
  else
    s[me + 300] = x[me + 90];
  t.sync();
  s[me + 600] = me != here ? s[me + 1] : 5;
  t.sync();
  if (static_cast<int>(me) > static_cast<int>(here) && me <= here + 30) s[me] ^= x[me + 7];
  s[me + 600] += me;
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void rows_of_a_length(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  for (unsigned k : {0u, 5u, 16u, 30u, 59u}) {
    const unsigned n = x[k], i = gid_of(t);
    t.sync();
    const int w = static_cast<int>(n), j = static_cast<int>(i) - 29;
    s[me_of(t)] += x[i / n * 7 + i % n] + x[static_cast<unsigned>(j % w + w)] * 7 + static_cast<unsigned>(j / w);
    t.sync();
  }
  const unsigned far = 4294967270u + gid_of(t), n = x[20];  // goes round
  t.sync();
  s[me_of(t) + 300] = x[far % n] + x[far / n % 1000];
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void edges_of_rows(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int n = static_cast<int>(x[21]);  // 24
  t.sync();
  const int i = static_cast<int>(gid_of(t)), at = i % n;
  unsigned v = x[static_cast<unsigned>(i)];
  if (at > 0) v += x[static_cast<unsigned>(i - 1)] * 3;
  if (at + 1 < n) v += x[static_cast<unsigned>(i + 1)] * 5;
  if (static_cast<long>(at) + 2 < static_cast<long>(n)) v += x[static_cast<unsigned>(i + 2)] * 9;
  s[me_of(t)] = v;
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void masks(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const unsigned me = me_of(t);
  for (unsigned k : {13u, 16u, 29u, 1u}) {  // 16, 19, 32, 4
    const unsigned n = x[k];
    t.sync();
    const unsigned low = me & (n - 1), high = me & (0u - n);
    s[me] += x[low * 2 + 9] + x[high + 5] + x[(me >> (n % 8)) + 11] + x[(me & 15) + 1] + x[me >> 5] + x[me & ~31u];
    t.sync();
  }
  const unsigned stride = x[13];
  t.sync();
  const unsigned low = me & (stride - 1), first = ((me - low) << 1) + low;
  if (first + stride < 512) s[first] += s[first + stride];
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void from_where_it_wraps(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const unsigned me = me_of(t), width = x[27];  // 30
  t.sync();
  unsigned v = 0;
  if (me - 20 < width) v = x[me - 20];
  const int i = static_cast<int>(2147483640u + me);
  if (i > static_cast<int>(width)) v += x[me + 3];
  if (static_cast<long>(i) + 9 < 100) v += x[me + 5];
  s[me] = v;
  t.sync();
  leave_sums(t, s, out);
}

}  // namespace

TEST_CASE("a condition parts a row of threads") {
  RUNS_AS_LOOPS(doubling);
  RUNS_AS_LOOPS(two_ways);
  RUNS_AS_LOOPS(from_where_it_wraps);
}
TEST_CASE("quotients and remainders stay along a stretch") {
  RUNS_AS_LOOPS(rows_of_a_length);
  RUNS_AS_LOOPS(edges_of_rows);
  RUNS_AS_LOOPS(masks);
}
