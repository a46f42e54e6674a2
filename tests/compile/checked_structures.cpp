// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) on structures in memory: copied whole, which is an instruction of its own
// (sim/compile/region_copies.cpp), and changed member by member.
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
  if (g[0] == 7) own[me] = own[me + 64 - 63 * bug];
}
SIMT_PAIR(copies_to_where_data_say) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  s[me] = g[me];
  own[(me + g[0] - 7) * (1 - bug)] = own[me + 64];
}
SIMT_PAIR(copies_to_variables) {
  SIMT_BEGIN
  four* const own = parts<four>(g, t, 128);
  four mine = own[me + 64 - 63 * bug];
  mine.x += mine.w;
  own[me] = mine;
}
// Threads at odd places have another distance to the next multiple of 16.
SIMT_PAIR(every_second_thread) {
  SIMT_BEGIN
  s[me] = 1;
  if (me % 2 == 0) s[me + 1 + 64 * (1 - bug)] = 2;
  t.sync();
}

}  // namespace

#define SIMT_EXPECT_OF(name) expect_pair<name>(#name, {64}, kWords)

TEST_CASE("checked loops: structures, a race and its clean twin") {
  SIMT_EXPECT_OF(copies_of_four);
  SIMT_EXPECT_OF(copies_of_three);
  SIMT_EXPECT_OF(copies_that_overlap_by_a_word);
  SIMT_EXPECT_OF(copies_of_what_another_block_wrote);
  SIMT_EXPECT_OF(copies_with_gaps);
  SIMT_EXPECT_OF(copies_that_data_decide_about);
  SIMT_EXPECT_OF(copies_to_where_data_say);
  SIMT_EXPECT_OF(copies_to_variables);
  SIMT_EXPECT_OF(every_second_thread);
}
