// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) on operations of warps whose masks name some of the lanes: those of a vote, halves, and the
// few that are left at a kernel's end.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

constexpr std::uint32_t kAll = simt::kFullMask;

// Who wait for each other are those who have voted alike.
SIMT_PAIR(lanes_of_a_vote) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const std::uint32_t odd = t.ballot(kAll, me % 2 == n), mine = me % 2 == n ? odd : ~odd;
  s[me] = n;
  t.sync_warp(mine);
  own[me] = s[me ^ (2 - bug)];
}
SIMT_PAIR(halves_of_a_warp) {
  SIMT_BEGIN
  const std::uint32_t half = t.lane() < 16 ? 0xffffu : 0xffff0000u;
  int v = s[me];
  for (int d = n; d < 16; d *= 2) v += t.shuffle_xor(half, v, static_cast<unsigned>(d));
  s[me] = v;
  t.sync_warp(half);
  s[64 + me] = s[me ^ (8 + 8 * bug)];
}
SIMT_PAIR(votes_of_halves_order_nothing) {
  SIMT_BEGIN
  const std::uint32_t half = t.lane() < 16 ? 0xffffu : 0xffff0000u;
  s[me] = n;
  const bool any = t.any(half, me > 70);
  if (bug == 0) t.sync_warp(half);
  s[64 + me] = s[me ^ 4] + (any ? 1 : 0);
}
// Who is there is told, and no more.
SIMT_PAIR(who_is_there_is_no_order) {
  SIMT_BEGIN
  s[me] = n;
  const std::uint32_t here = t.activemask();
  if (bug == 0) t.sync_warp(here);
  s[64 + me] = s[me ^ 4] + static_cast<int>(here & 1);
}
SIMT_PAIR(the_last_eight) {
  SIMT_BEGIN
  if (me < 8) {
    int v = s[me];
    for (int d = 4; d > 0; d /= 2) v += t.shuffle_xor(0xff, v, static_cast<unsigned>(d << bug));
    if (me == 0) g[t.block_idx().x] = v;
  }
}
SIMT_PAIR(a_lane_that_its_mask_does_not_name) {
  SIMT_BEGIN
  t.sync_warp(kAll ^ (static_cast<std::uint32_t>(bug) << 5));
  s[me] = n;
}
SIMT_PAIR(masks_that_differ) {
  SIMT_BEGIN
  const std::uint32_t half = t.lane() < 16 ? 0xffffu : 0xffff0000u;
  t.sync_warp(t.lane() == 3 ? half | static_cast<std::uint32_t>(bug) << 20 : half);
  s[me] = n;
}

TEST_CASE("checked loops: masks that name some lanes, a defect and its clean twin") {
  SIMT_EXPECT(lanes_of_a_vote);
  SIMT_EXPECT(halves_of_a_warp);
  SIMT_EXPECT(votes_of_halves_order_nothing);
  SIMT_EXPECT(who_is_there_is_no_order);
  SIMT_EXPECT(the_last_eight);
  SIMT_EXPECT(a_lane_that_its_mask_does_not_name);
  SIMT_EXPECT(masks_that_differ);
}

}  // namespace
