// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) on indices of which one bit is turned, set or asked for: sorting networks, butterflies,
// trees (sim/compile/region_bits.cpp).
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

SIMT_PAIR(partners_in_a_block) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const int j = 8 * n, partner = me ^ j;
  if (partner + 64 * bug > me) {
    const int mine = own[me];
    own[me] = own[partner];
    own[partner] = mine;
  }
}
SIMT_PAIR(what_partners_have_written) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const int j = 8 * n, partner = me ^ j;
  own[partner] = 1;
  SIMT_NEXT_PIECE
  if (me < 8) s[me] = own[partner - j * bug];
}
SIMT_PAIR(partners_in_two_blocks) {
  SIMT_BEGIN
  const unsigned i = static_cast<unsigned>(t.block_idx().x) * 64 + static_cast<unsigned>(me);
  const unsigned partner = i ^ (64U * static_cast<unsigned>(n));
  if (partner + 128U * static_cast<unsigned>(bug) > i) {
    const int mine = g[i];
    g[i] = g[partner];
    g[partner] = mine;
  }
}
SIMT_PAIR(partners_that_data_exchange) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const int j = 4 * n, partner = me ^ j;
  if (partner > me) {
    own[me] = partner;
    own[partner] = me;
  }
  SIMT_NEXT_PIECE
  if (partner + 64 * bug > me && own[me] > own[partner]) own[me] = own[partner];
}
SIMT_PAIR(partners_in_shared_memory) {
  SIMT_BEGIN
  for (int j = 32 * n; j > 0; j /= 2) {
    const int partner = me ^ j;
    if (partner + 64 * bug > me) s[partner] += s[me];
    t.sync();
  }
}
SIMT_PAIR(a_bit_that_is_set) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const int j = 16 * n;
  if ((me & j) == 0) own[me | j] = 1;
  if ((me & j) != 0) own[me - j + j * bug] = 2;
}
SIMT_PAIR(one_bit_as_a_number) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 96);
  const int j = 32 * n;
  own[me + (me & j) * (1 - 2 * bug)] = 1;
}
SIMT_PAIR(threads_at_multiples) {
  SIMT_BEGIN
  for (int j = n; j < 64; j *= 2) {
    if ((me & ((2 - bug) * j - 1)) == 0) s[me] += s[me + j];
    t.sync();
  }
}
SIMT_PAIR(blocks_by_a_bit) {
  SIMT_BEGIN
  const int i = static_cast<int>(t.block_idx().x) * 64 + me;
  if ((i & (64 * n)) == 0) g[i + 64] = 1;
  if ((i & (64 * n)) != 0) g[i - 64 + 64 * bug] = 1;
}

}  // namespace

TEST_CASE("checked loops: indices of which a bit is turned or asked for, a race and its clean twin") {
  SIMT_EXPECT(partners_in_a_block);
  SIMT_EXPECT(what_partners_have_written);
  SIMT_EXPECT(partners_in_two_blocks);
  SIMT_EXPECT(partners_that_data_exchange);
  SIMT_EXPECT(partners_in_shared_memory);
  SIMT_EXPECT(a_bit_that_is_set);
  expect_pair(launch<one_bit_as_a_number>, "one_bit_as_a_number", {64}, 2);
  SIMT_EXPECT(threads_at_multiples);
  SIMT_EXPECT(blocks_by_a_bit);
}
