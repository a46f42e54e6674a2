// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) on structures in memory: copied whole, which is an instruction of its own
// (sim/compile/region_copies.cpp), and changed member by member; and on what a write says of its threads' other
// accesses.
#include <cstring>

#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

constexpr std::int64_t kWords = 10;  // of g, for each thread

struct alignas(16) four {
  int x, y, z, w;
};
struct three {
  int x, y, z;
};
struct with_gaps {
  char c;
  int i, j;
};

SIMT_PAIR(copies_of_four) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  own[me] = own[me + 64 - 63 * bug];
}
SIMT_PAIR(copies_of_three) {
  SIMT_BEGIN
  three* const own = parts<three>(g, t, 128);
  own[me] = own[me + 64 - 63 * bug];
}
SIMT_PAIR(copies_that_overlap_by_a_word) {
  SIMT_BEGIN
  three* const own = parts<three>(g, t, 128);
  three* const other = reinterpret_cast<three*>(reinterpret_cast<int*>(own) + 192 - bug);
  own[me] = other[me];
}
SIMT_PAIR(copies_of_what_another_block_wrote) {
  SIMT_BEGIN
  three* const own = parts<three>(g, t, 128);
  own[me] = own[me + 64 - 192 * bug];
}
SIMT_PAIR(copies_with_gaps) {
  SIMT_BEGIN
  auto& from = t.shared<"from", with_gaps[64]>();
  auto& to = t.shared<"to", with_gaps[64]>();
  from[me].c = 1, from[me].i = 2;
  if (me >= bug) from[me].j = 3;
  t.sync();
  to[me] = from[63 - me];
}
SIMT_PAIR(copies_that_data_decide_about) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  s[me] = g[me];
  if (g[me] == 7) own[me] = own[me + 64 - 63 * bug];
}
SIMT_PAIR(copies_to_where_data_say) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  s[me] = g[me];
  own[(me + g[me] - 7) * (1 - bug)] = own[me + 64];
}
SIMT_PAIR(copies_to_variables) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  four mine = own[me + 64 - 63 * bug];
  mine.x += mine.w;
  own[me] = mine;
}
// The last member of what the thread before has copied.
SIMT_PAIR(members_that_make_a_whole) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  four mine = own[me + 64];
  mine.x += 1, mine.y += 1, mine.z += 1, mine.w += 1;
  own[me] = mine;
  reinterpret_cast<int*>(own)[4 * me - bug] = 1;
}
SIMT_PAIR(members_that_make_no_whole) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  const four mine = own[me + 64];
  s[me] = mine.x + mine.y;
  own[127 - me].z = 1;
  if (bug == 1) own[127 - me].y = 1;
}
SIMT_PAIR(members_that_another_block_wrote) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  four mine = own[me + 64];
  mine.y = me;
  own[me - 128 * bug] = mine;
}
// What some write says nothing of what the others read.
SIMT_PAIR(what_some_write_and_all_read) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  s[me] = own[me];
  if (me >= 8) own[me] = 1;
  if (me < 8 * bug) own[64 + me] = 2;
}
// A condition on the last bits of an index, as the one on an address in front of a copy.
SIMT_PAIR(every_second_group) {
  SIMT_BEGIN
  s[me] = 1;
  if ((me & 4) != 0) s[me + 64 - 68 * bug] = 2;
  t.sync();
}

// By memcpy, which is a call where it is watched, and promises no alignment.
SIMT_PAIR(memcpy_of_four) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  std::memcpy(&own[me], &own[me + 64 - 63 * bug], sizeof(four));
}
SIMT_PAIR(memcpy_of_a_number) {
  SIMT_BEGIN
  s[me] = g[me];
  t.sync();
  float as;
  std::memcpy(&as, &s[me], sizeof as);
  if (bug == 0) t.sync();
  const int back = as > 0 ? 1 : 2;
  std::memcpy(&s[63 - me], &back, sizeof back);
}

}  // namespace

#define SIMT_EXPECT_OF(name) expect_pair(launch<name>, #name, {64}, kWords)

TEST_CASE("checked loops: structures, a race and its clean twin") {
  SIMT_EXPECT_OF(copies_of_four);
  SIMT_EXPECT_OF(copies_of_three);
  SIMT_EXPECT_OF(copies_that_overlap_by_a_word);
  SIMT_EXPECT_OF(copies_of_what_another_block_wrote);
  SIMT_EXPECT_OF(copies_with_gaps);
  SIMT_EXPECT_OF(copies_that_data_decide_about);
  SIMT_EXPECT_OF(copies_to_where_data_say);
  SIMT_EXPECT_OF(copies_to_variables);
  SIMT_EXPECT_OF(memcpy_of_four);
  SIMT_EXPECT_OF(memcpy_of_a_number);
  SIMT_EXPECT_OF(members_that_make_a_whole);
  SIMT_EXPECT_OF(members_that_make_no_whole);
  SIMT_EXPECT_OF(members_that_another_block_wrote);
  SIMT_EXPECT_OF(what_some_write_and_all_read);
  SIMT_EXPECT_OF(every_second_group);
}
