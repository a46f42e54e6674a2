// SPDX-License-Identifier: Apache-2.0
// Loops of which data say how often they turn, as over the edges of a node, under check: pairs (checked_pairs.hpp).
// What is in such a loop is announced one by one; what stands beside it is proved.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

constexpr int kWords = 10;  // of each thread, all 7 at first
// The block's part; the first 64 words say how often each thread turns.
#define SIMT_OWN int* const own = parts<int>(g, t, 64 * kWords);

SIMT_PAIR(writes_in_the_loop) {
  SIMT_BEGIN
  SIMT_OWN
  for (int e = 0; e < own[me]; ++e) own[64 + 7 * me + e + bug * (e / 6)] = e;
}
SIMT_PAIR(bytes_in_the_loop) {
  SIMT_BEGIN
  SIMT_OWN
  auto* const marks = reinterpret_cast<unsigned char*>(own + 64);
  for (int e = 0; e < own[me]; ++e) marks[(7 * me + e + bug * (e / 6)) * 5 % 2240] = 1;
}
SIMT_PAIR(reads_in_the_loop) {
  SIMT_BEGIN
  SIMT_OWN
  int sum = 0;
  for (int e = 0; e < own[me]; ++e) sum += own[64 + e * 64 + me + bug];
  own[64 + me] = sum;
}
SIMT_PAIR(writes_behind_the_loop) {
  SIMT_BEGIN
  SIMT_OWN
  int sum = 0;
  for (int e = 0; e < own[me]; ++e) sum += s[(me + e) % 64];
  own[64 + me / (1 + bug)] = sum;
}
SIMT_PAIR(reads_before_the_loop) {
  SIMT_BEGIN
  SIMT_OWN
  const int first = own[64 + me + bug];
  for (int e = 0; e < own[me]; ++e) own[64 + me] += first;
}
// It begins where data say, and another loop is within it.
SIMT_PAIR(loop_within_the_loop) {
  SIMT_BEGIN
  SIMT_OWN
  const int width = static_cast<int>(t.block_dim().x);
  for (int e = own[me] - 7; e < own[me]; ++e)
    for (int i = 0; i < width / 64 + bug; ++i) own[64 + 7 * me + e + i] = i;
}

}  // namespace

TEST_CASE("checked loops: data say how often a loop turns, a race and its clean twin") {
  const auto expect = [](launcher launch, const char* name) { expect_pair(launch, name, {64}, kWords + 2); };
  expect(launch<writes_in_the_loop>, "writes_in_the_loop");
  expect(launch<bytes_in_the_loop>, "bytes_in_the_loop");
  expect(launch<reads_in_the_loop>, "reads_in_the_loop");
  expect(launch<writes_behind_the_loop>, "writes_behind_the_loop");
  expect(launch<reads_before_the_loop>, "reads_before_the_loop");
  expect(launch<loop_within_the_loop>, "loop_within_the_loop");
}
