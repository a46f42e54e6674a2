// SPDX-License-Identifier: Apache-2.0
// Checked loops with asynchronous copies that go out as rows (sim/instrument/row_copies.hpp): pairs of kernels, a clean
// one and one in which copies race. The source is an array that the launch only reads, else threads copy one by one.
#include "checked_pairs.hpp"

using namespace checked_pairs;

namespace {

// `from`: what the block's threads copy; s and u: words of copies; o: each thread's own result.
#define SIMT_COPIES                                                                      \
  auto& s = t.shared<"s", int[4][64]>();                                                 \
  auto& u = t.shared<"u", int[128]>();                                                   \
  auto& o = t.shared<"o", int[64]>();                                                    \
  const int me = t.rank(), other = 63 - me, late = t.block_idx().x < 3 ? 0 : 1;          \
  const int* const from = g.data_handle() + static_cast<int>(t.block_idx().x) * 64 + 64; \
  bug *= late;                                                                           \
  (void)n, (void)s, (void)u, (void)o, (void)me, (void)other, (void)from;

SIMT_PAIR(no_barrier) {
  SIMT_COPIES
  t.memcpy_async(&s[0][me], &from[me], 4);
  t.commit_async();
  t.wait_async<0>();
  if (bug == 0) t.sync();
  o[me] = s[0][other];
}
SIMT_PAIR(no_wait) {
  SIMT_COPIES
  t.memcpy_async(&s[0][me], &from[me], 4);
  t.commit_async();
  if (bug == 0) t.wait_async<0>();
  t.sync();
  o[me] = s[0][other];
  t.wait_async<0>();
}
SIMT_PAIR(waits_for_too_few) {
  SIMT_COPIES
  t.memcpy_async(&s[0][me], &from[me], 4);
  t.commit_async();
  t.memcpy_async(&s[1][me], &from[other], 4);
  t.commit_async();
  if (bug != 0)
    t.wait_async<1>();
  else
    t.wait_async<0>();
  t.sync();
  o[me] = s[1][other];
}
SIMT_PAIR(commits_too_late) {
  SIMT_COPIES
  t.memcpy_async(&s[0][me], &from[me], 4);
  if (bug == 0) t.commit_async();
  t.memcpy_async(&s[1][me], &from[me], 4);
  t.commit_async();
  t.commit_async();
  t.wait_async<2>();
  t.sync();
  o[me] = s[0][other];
}
SIMT_PAIR(stages) {
  SIMT_COPIES
  int sum = 0;
  t.memcpy_async(&s[0][me], &from[me], 4);
  t.commit_async();
  for (int k = 0; k < 5; ++k) {
    if (k + 1 < 5) t.memcpy_async(&s[(k + 1) & 1][me], &from[(me + k) & 63], 4);
    t.commit_async();
    t.wait_async<1>();
    t.sync();
    sum += s[k & 1][other];
    if (bug == 0 || k != 2) t.sync();
  }
  o[me] = sum;
}
SIMT_PAIR(four_stages) {
  SIMT_COPIES
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    t.memcpy_async(&s[k][me], &from[me], 4);
    t.commit_async();
  }
  for (int k = 0; k < 9; ++k) {
    t.wait_async<2>();
    t.sync();
    if (k + 3 < 9) t.memcpy_async(&s[(k + 3 - bug) & 3][me], &from[me], 4);
    t.commit_async();
    sum += s[k & 3][other];
  }
  o[me] = sum;
}
SIMT_PAIR(writes_before_the_wait) {
  SIMT_COPIES
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  u[me + 64 * (1 - bug)] = 3;
  t.wait_async<0>();
  t.sync();
  o[me] = u[other];
}
SIMT_PAIR(reads_before_the_wait) {
  SIMT_COPIES
  u[me] = 1, u[me + 64] = 2;
  t.sync();
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  t.sync();
  o[me] = u[me + 64 * (1 - bug)];
  t.sync();
  t.wait_async<0>();
}
SIMT_PAIR(two_onto_one) {
  SIMT_COPIES
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  t.sync();
  t.memcpy_async(&u[me + 64 * (1 - bug)], &from[me], 4);
  t.commit_async();
  t.wait_async<0>();
  t.sync();
  o[me] = u[other];
}
SIMT_PAIR(threads_onto_one) {
  SIMT_COPIES
  t.memcpy_async(&u[2 * me * (1 - bug)], &from[me], 4);
  t.commit_async();
  t.wait_async<0>();
  t.sync();
  o[me] = me > 40 ? 0 : u[0];
}
SIMT_PAIR(onto_what_is_read) {
  SIMT_COPIES
  u[me] = 1;
  t.sync();
  o[me] = u[other];
  if (bug == 0) t.sync();
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  t.wait_async<0>();
}
SIMT_PAIR(onto_what_is_written) {
  SIMT_COPIES
  u[other] = 1;
  if (bug == 0) t.sync();
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  t.wait_async<0>();
}
// Between the issue and the wait of others lies more than one barrier.
SIMT_PAIR(written_two_barriers_on) {
  SIMT_COPIES
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  o[me] = 1;
  t.sync();
  o[other] = 2;
  t.sync();
  u[other + 64 * (1 - bug)] = 4;
  t.sync();
  t.wait_async<0>();
  t.sync();
  o[me] = u[me];
}
SIMT_PAIR(nobody_waits) {
  SIMT_COPIES
  u[me] = u[me + 64] = 3;
  t.sync();
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  t.sync();
  o[me] = u[other + 64 * (1 - bug)];
}
SIMT_PAIR(some_threads) {
  SIMT_COPIES
  if (me < 20) t.memcpy_async(&s[0][me], &from[me], 4);
  if (me >= 20) s[0][me] = 5;
  t.commit_async();
  t.wait_async<0>();
  if (bug == 0) t.sync();
  if (me >= 44) o[me] = s[0][other];
}
SIMT_PAIR(a_copy_in_turns) {
  SIMT_COPIES
  for (int k = 0; k < 4; ++k) t.memcpy_async(&s[k][me], &from[me], 4);
  t.commit_async();
  t.sync();
  if (bug == 0) t.wait_async<0>();
  t.sync();
  o[me] = s[3][other] + s[0][me];
  t.wait_async<0>();
}
SIMT_PAIR(wide_copies) {
  SIMT_COPIES
  if (me < 16) t.memcpy_async(&s[0][4 * me], &from[4 * me], 16);
  t.commit_async();
  t.wait_async<0>();
  if (bug == 0) t.sync();
  o[me] = s[0][other];
}
SIMT_PAIR(atomics_beside) {
  SIMT_COPIES
  u[me] = u[me + 64] = 0;
  t.sync();
  t.memcpy_async(&s[0][me], &from[me], 4);
  t.commit_async();
  t.atomic_add(bug != 0 ? s[0][other] : u[other], 1);
  t.sync();
  t.wait_async<0>();
  t.sync();
  o[me] = s[0][other];
}
// What its issuer did before it is over, also where it is performed by itself because data decide about another access.
SIMT_PAIR(own_before_the_issue) {
  SIMT_COPIES
  u[me] = u[me + 64] = 1;
  t.sync();
  o[me] = u[me + bug];
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  t.sync();
  u[64 + ((from[me] + me) & 63)] = 2;
  t.sync();
  t.wait_async<0>();
}
// Of an array that the launch writes: each thread copies by itself.
SIMT_PAIR(source_is_written) {
  SIMT_COPIES
  int* const mine = parts<int>(g, t, 64);
  mine[other] = 3;
  if (bug == 0) t.sync();
  t.memcpy_async(&u[me], &mine[me], 4);
  t.commit_async();
  t.wait_async<0>();
  t.sync();
  o[me] = u[other];
}
// A data-dependent access in between ends what goes out as rows; the copies go on one by one.
SIMT_PAIR(by_data_between) {
  SIMT_COPIES
  t.memcpy_async(&u[me], &from[me], 4);
  t.commit_async();
  t.sync();
  u[64 * (1 - bug) + ((from[me] + me) & 63)] = 2;
  t.sync();
  t.wait_async<0>();
  t.sync();
  o[me] = u[other];
}

}  // namespace

TEST_CASE("copies in rows: each pair, in blocks of one row and of several") {
  for (const simt::dim3 block : {simt::dim3{64}, simt::dim3{16, 4}, simt::dim3{1, 8, 8}}) {
#define SIMT_EXPECT_COPIES(name) expect_pair(launch<name>, #name, block)
    SIMT_EXPECT_COPIES(no_barrier);
    SIMT_EXPECT_COPIES(no_wait);
    SIMT_EXPECT_COPIES(waits_for_too_few);
    SIMT_EXPECT_COPIES(commits_too_late);
    SIMT_EXPECT_COPIES(stages);
    SIMT_EXPECT_COPIES(four_stages);
    SIMT_EXPECT_COPIES(writes_before_the_wait);
    SIMT_EXPECT_COPIES(reads_before_the_wait);
    SIMT_EXPECT_COPIES(two_onto_one);
    SIMT_EXPECT_COPIES(threads_onto_one);
    SIMT_EXPECT_COPIES(onto_what_is_read);
    SIMT_EXPECT_COPIES(onto_what_is_written);
    SIMT_EXPECT_COPIES(written_two_barriers_on);
    SIMT_EXPECT_COPIES(nobody_waits);
    SIMT_EXPECT_COPIES(some_threads);
    SIMT_EXPECT_COPIES(a_copy_in_turns);
    SIMT_EXPECT_COPIES(wide_copies);
    SIMT_EXPECT_COPIES(atomics_beside);
    SIMT_EXPECT_COPIES(own_before_the_issue);
    SIMT_EXPECT_COPIES(source_is_written);
    SIMT_EXPECT_COPIES(by_data_between);
  }
}
