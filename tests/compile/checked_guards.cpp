// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) on indices that wrap for threads that do not use them, as `tile[threadIdx.x - 1]` does for
// the first one (region_accesses::needed_range), and on the columns, rows and diagonals of tiles.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

SIMT_PAIR(lower_half) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const auto u = static_cast<unsigned>(me);
  if (u >= 32) s[u - 32] = 1;
  if (u < 32) own[me] = s[u + 32 - 32 * static_cast<unsigned>(bug)];
}
SIMT_PAIR(left_neighbours) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const auto u = static_cast<unsigned>(me);
  if (u > 0) own[u - 1] = 2;
  if (u == 0) own[63 - bug] = 1;
}
SIMT_PAIR(read_behind_a_barrier) {
  SIMT_BEGIN
  const auto u = static_cast<unsigned>(me);
  s[u] = n;
  t.sync();
  int left = 0;
  if (u > 0) left = s[u - 1 - static_cast<unsigned>(bug) * (u - 1)];
  SIMT_NEXT_PIECE
  s[u + 64 - 64 * static_cast<unsigned>(bug)] = left;
}
SIMT_PAIR(a_guard_behind_a_guard) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const auto u = static_cast<unsigned>(me);
  if (u > 0 && u - 1 < 10) own[u - 1] = 2;
  if (u == 20) own[10 - bug] = 1;
}
// What is left of 16 bits is another element for the first thread.
SIMT_PAIR(who_wraps) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 65536);
  const auto before = static_cast<unsigned short>(me - 1);
  if (me + bug > 0) own[before] = 1;
  if (me == 5) own[65535] = 2;
}
SIMT_PAIR(who_wraps_in_a_comparison) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const auto u = static_cast<unsigned>(me);
  if (u - 1 < 0x80000000U + 0x7fffffffU * static_cast<unsigned>(bug)) own[me] = 1;
  if (u == 7) own[0] = 2;
  if (bug != 0 && u == 0) own[0] = 3;
}
SIMT_PAIR(column_and_row) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 6400);
  own[100 * me] = 1;
  for (int k = 0; k < 8; ++k) own[100 * k + me + 1 - bug] = k;
}
SIMT_PAIR(column_from_above) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 6400);
  own[100 * (63 - me) + 64 - bug] = 1;
  for (int k = 0; k < 8; ++k) own[100 * k + me] = k;
}
SIMT_PAIR(diagonals) {
  SIMT_BEGIN
  s[7 * me + 3] = me;
  SIMT_NEXT_PIECE
  const int other = s[7 * me + 2 + 8 * bug * (me < 60)];
  SIMT_NEXT_PIECE
  s[7 * me + 4] = other;
}
SIMT_PAIR(diagonals_downwards) {
  SIMT_BEGIN
  s[7 * (63 - me) + 3] = me;
  SIMT_NEXT_PIECE
  if (me > 0) s[7 * (63 - me) + 5 + 5 * bug] = 1;
}

}  // namespace

TEST_CASE("checked loops: indices that wrap behind a guard, columns and diagonals, a race and its clean twin") {
  SIMT_EXPECT(lower_half);
  SIMT_EXPECT(left_neighbours);
  SIMT_EXPECT(read_behind_a_barrier);
  SIMT_EXPECT(a_guard_behind_a_guard);
  expect_pair(launch<who_wraps>, "who_wraps", {64}, 1200);
  SIMT_EXPECT(who_wraps_in_a_comparison);
  expect_pair(launch<column_and_row>, "column_and_row", {64}, 120);
  expect_pair(launch<column_from_above>, "column_from_above", {64}, 120);
  SIMT_EXPECT(diagonals);
  SIMT_EXPECT(diagonals_downwards);
}
