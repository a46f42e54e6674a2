// SPDX-License-Identifier: Apache-2.0
// Rows of few threads, of which some do nothing: they have copies in pieces that are whole vectors, and turns that are
// made twice where that changes nothing (sim/compile/short_rows.hpp). All must leave what they leave on fibers.
#include <algorithm>

#include "shared_tile.hpp"

namespace {

SIMT_DEVICE int width_of(simt::thread t) { return static_cast<int>(t.block_dim().x); }
SIMT_DEVICE int place(simt::thread t) { return static_cast<int>(t.rank()); }
SIMT_DEVICE bool is_inner(simt::thread t) { return x_of(t) >= 1 && x_of(t) < width_of(t) - 1; }

// A turn reads one array and writes another: two vectors of eight for 14 threads, which share two.
SIMT_DEVICE void from_array_to_array(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  auto& r = t.shared<"r", unsigned[1026]>();
  clear(t, s);
  r[place(t)] = x[gid_of(t)];
  t.sync();
  if (is_inner(t)) s[place(t)] = r[place(t) - 1] * 3 + r[place(t)] + r[place(t) + 1] * 5;
  t.sync();
  leave_sums(t, s, out);
}
// It changes what it has read: no turn may be made twice.
SIMT_DEVICE void in_place(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  if (is_inner(t)) s[place(t)] = s[place(t)] * 3 + x[gid_of(t)];
  t.sync();
  if (x_of(t) < width_of(t) - 3) s[place(t)] += 1 + (s[place(t)] >> 3);
  t.sync();
  leave_sums(t, s, out);
}
// The same behind parameters, which may be one array.
SIMT_DEVICE void in_place_in_memory(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  if (is_inner(t)) out[gid_of(t)] = out[gid_of(t)] * 7 + x[gid_of(t)];
  t.sync();
  if (x_of(t) > 2) s[place(t)] = out[gid_of(t)];
  t.sync();
  leave_sums(t, s, out);
}
// The first and the last block of a row have fewer.
SIMT_DEVICE void edges_of_an_array(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int i = static_cast<int>(t.block_idx().x) * width_of(t) + x_of(t) - 3, n = 3 * width_of(t) - 7;
  if (i >= 0 && i < n) s[place(t)] = x[i] * 3;
  t.sync();
  s[place(t)] += x[std::min(std::max(i, 0), n)];
  t.sync();
  if (i > 1 && i < n - 1 && y_of(t) > 0) s[place(t)] += x[i + 1] ^ x[i - 1];
  t.sync();
  leave_sums(t, s, out);
}
// Wider and narrower elements: vectors of other sizes.
SIMT_DEVICE void of_other_sizes(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  auto& wide = t.shared<"wide", unsigned long long[1024]>();
  auto& narrow = t.shared<"narrow", unsigned char[1024]>();
  clear(t, s);
  wide[place(t)] = x[gid_of(t)] * 1000003ull, narrow[place(t)] = static_cast<unsigned char>(x[gid_of(t)]);
  t.sync();
  if (is_inner(t)) wide[place(t)] = wide[place(t)] * 3 + 1;
  if (x_of(t) < width_of(t) - 5) narrow[place(t)] = static_cast<unsigned char>(narrow[place(t)] * 5 + 3);
  t.sync();
  s[place(t)] = static_cast<unsigned>(wide[place(t)] >> 7) + narrow[place(t)];
  t.sync();
  leave_sums(t, s, out);
}

}  // namespace

TEST_CASE("rows of few threads are made of whole vectors") {
  RUNS_AS_LOOPS(from_array_to_array);
  RUNS_AS_LOOPS(in_place);
  RUNS_AS_LOOPS(in_place_in_memory);
  RUNS_AS_LOOPS(edges_of_an_array);
  RUNS_AS_LOOPS(of_other_sizes);
}
