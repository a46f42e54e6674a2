// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) on threads of one row that take their places by i / 8 and i % 8, as products in registers
// do: such a row counts as rows of eight (sim/compile/region_split.cpp). And on loops within a piece that announce
// nothing.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

SIMT_PAIR(turned) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x);
  s[x % 8 * (8 - bug) + x / 8] = 1;
}
SIMT_PAIR(tile_of_rows) {
  SIMT_BEGIN
  const unsigned x = t.thread_idx().x;
  s[x] = n;
  t.sync();
  int sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += s[x / 8 * 8 + k] * s[k * 8 + x % 8];
  s[64 * static_cast<unsigned>(1 - bug) + x % 8 * 8 + x / 8] = sum;
}
SIMT_PAIR(tile_without_a_barrier) {
  SIMT_BEGIN
  const unsigned x = t.thread_idx().x;
  s[x] = n;
  if (bug == 0) t.sync();
  int sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += s[x / 8 * 8 + k];
  s[64 + x] = sum;
}
SIMT_PAIR(pitch) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 256);
  const unsigned x = t.thread_idx().x;
  own[(x >> 3 << 4) - 12 * static_cast<unsigned>(bug) * (x >> 3) + (x & 7)] = 1;
}
SIMT_PAIR(from_another_thread_on) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 256);
  const int i = static_cast<int>(t.thread_idx().x) + 4 * late;  // not a multiple of 8
  own[i % 8 * (9 - bug) + i / 8] = 1;                           // of nine rows
}
SIMT_PAIR(from_a_row_on) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 256);
  const int i = static_cast<int>(t.thread_idx().x) + 16 * late;
  own[i / 8 * (8 - bug) + i % 8] = 1;
}
SIMT_PAIR(below_zero) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 256);
  const int i = static_cast<int>(t.thread_idx().x) - 16 * late;
  own[64 + i / 8 * 8 + i % 8 - 7 * bug * (i / 8)] = 1;
}
SIMT_PAIR(some_rows) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 256);
  const int x = static_cast<int>(t.thread_idx().x);
  if (x < 60) own[x / 8 * 16 + x % 8] = 1;
  if (x >= 60) own[x / 8 * 16 + x % 8 + (1 - bug) * 8 - 4] = 2;
}
SIMT_PAIR(the_first_of_each_row) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x);
  s[64 + x / 8 * 8 + x % 8] = 1;
  SIMT_NEXT_PIECE
  if (x % 8 == 0) s[256 + x / 8 * 32 + x % 8] = s[64 + x / 8 * 8 + bug];
  if (x % 8 == 1) s[64 + x / 8 * 8 + x % 8] = 2;
}
SIMT_PAIR(a_field_of_three_bits) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x);
  s[(x >> 2 & 7) * (32 - 24 * bug) + x % 4 + (x >> 5) * 8] = 1;
}
// Of the first row alone: its threads have one place by the quotient.
SIMT_PAIR(places_of_the_first_row) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x);
  if (x < 8 * n) s[x / 8 * 8 + (1 - bug) * (x % 8)] = 1 + x;
}
// Products in registers: loops that touch no memory stand between those that do.
SIMT_PAIR(products_in_registers) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x);
  s[x] = x;
  t.sync();
  int sums[4] = {}, left[2], right[2];
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 2; ++i) left[i] = s[x / 8 * 4 + k + i];
    for (int i = 0; i < 2; ++i) right[i] = s[k * 8 + x % 8 + i];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) sums[i * 2 + j] += left[i] * right[j];
  }
  int all = 0;
  for (int i = 0; i < 4; ++i) all = all * 3 + sums[i];
  s[128 - 100 * bug + x] = all;
}

}  // namespace

TEST_CASE("checked loops: rows of a row's threads, a race and its clean twin") {
  SIMT_EXPECT(turned);
  SIMT_EXPECT(tile_of_rows);
  SIMT_EXPECT(tile_without_a_barrier);
  expect_pair(launch<pitch>, "pitch", {64}, 260);
  expect_pair(launch<from_another_thread_on>, "from_another_thread_on", {64}, 260);
  expect_pair(launch<from_a_row_on>, "from_a_row_on", {64}, 260);
  expect_pair(launch<below_zero>, "below_zero", {64}, 260);
  expect_pair(launch<some_rows>, "some_rows", {64}, 260);
  SIMT_EXPECT(the_first_of_each_row);
  SIMT_EXPECT(a_field_of_three_bits);
  SIMT_EXPECT(places_of_the_first_row);
  SIMT_EXPECT(products_in_registers);
}
