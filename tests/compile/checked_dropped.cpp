// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) of accesses that race and that clang would drop where it simplifies the loops once more:
// what stands in the source is found in loops as on fibers.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

SIMT_PAIR(read_for_a_store_that_is_overwritten) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 128);
  s[me] = own[me];
  if (own[64 + me] >= 0) {
    own[me] = s[(me + bug) % 64];
    own[64 + me] = 3;
    own[me] = 5;
  }
  t.sync();
}
SIMT_PAIR(read_for_a_shuffle_that_nobody_uses) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 128);
  s[me] = own[me];
  t.shuffle(simt::kFullMask, s[(me + bug) % 64], 3);
  t.sync();
  own[64 + me] = s[me];
}
SIMT_PAIR(read_that_few_use) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 128);
  s[me] = own[me];
  const int v = s[(me + bug) % 64];
  own[64 + me] = 3;
  if (own[me] > 100) own[me] = v;
  t.sync();
}

}  // namespace

TEST_CASE("checked loops: accesses that later simplification would drop, a race and its clean twin") {
  expect_pair(launch<read_for_a_store_that_is_overwritten>, "read_for_a_store_that_is_overwritten", {64}, 3);
  expect_pair(launch<read_for_a_shuffle_that_nobody_uses>, "read_for_a_shuffle_that_nobody_uses", {64}, 3);
  expect_pair(launch<read_that_few_use>, "read_that_few_use", {64}, 3);
}
