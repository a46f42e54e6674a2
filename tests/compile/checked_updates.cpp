// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp) on what is announced one by one: atomic operations on shared memory and plain accesses
// beside them, which are put off all the same (sim/check/shared_updates.hpp, deferred_shared.hpp); and what a piece
// announces of which the rest is proved (loop_region::lone). The compiler does not know where g[me] - 7 leads, which is
// 0.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

#define SIMT_BEGIN_UPDATES                     \
  SIMT_BEGIN                                   \
  auto& h = t.shared<"h", int[64]>();          \
  [[maybe_unused]] const int zero = g[me] - 7; \
  h[me] = 0;                                   \
  t.sync();
// A compare-and-swap, so what stands beside it is announced.
#define SIMT_WATCHED t.atomic_cas(g[g.size() - 1], 1, 1);

SIMT_PAIR(updates_and_reads) {
  SIMT_BEGIN_UPDATES
  t.atomic_add(h[((me + zero) * 7) & 63], 1);
  if (bug == 0) t.sync();
  s[me] = h[63 - me];
}
SIMT_PAIR(writes_and_updates) {
  SIMT_BEGIN_UPDATES
  h[me] = 1;
  if (bug == 0) t.sync();
  t.atomic_add(h[63 - me + zero], 1);
}
SIMT_PAIR(updates_and_writes) {
  SIMT_BEGIN_UPDATES
  t.atomic_add(h[63 - me + zero], 1);
  if (bug == 0)
    s[me] = 1;
  else
    h[me] = 1;
}
SIMT_PAIR(updates_before_a_piece) {
  SIMT_BEGIN_UPDATES
  t.atomic_add(h[me + zero], 1);
  SIMT_NEXT_PIECE
  s[me] = h[me ^ bug];
}
SIMT_PAIR(updates_before_a_piece_that_is_known) {
  SIMT_BEGIN_UPDATES
  if (late == 1) t.atomic_add(h[(me + zero + 1) & 63], 1);
  if (late - bug == 1) t.sync();
  h[me] += 1;
  t.sync();
}
SIMT_PAIR(updates_of_what_nobody_wrote) {
  SIMT_BEGIN_UPDATES
  auto& u = t.shared<"u", int[64]>();
  if (me >= bug) u[me] = 0;
  t.sync();
  t.atomic_add(u[63 - me + zero], 1);
}
SIMT_PAIR(many_updates) {
  SIMT_BEGIN_UPDATES
  if (me == 5) t.atomic_add(h[40 + zero], 1);
  for (int k = 0; k < 2000; ++k) t.atomic_add(h[(me + k + zero) & 31], 1);
  if (me == 5 + 50 * bug) s[me] = h[40 + zero];
}
SIMT_PAIR(updates_of_two_sizes) {
  SIMT_BEGIN_UPDATES
  auto& wide = t.shared<"wide", unsigned long long[64]>();
  wide[me] = 0;
  t.sync();
  t.atomic_add(wide[me + zero], 1ULL);
  if (bug == 0) t.sync();
  t.atomic_add(reinterpret_cast<int&>(wide[63 - me + zero]), 1);
}
SIMT_PAIR(updates_and_a_warp) {
  SIMT_BEGIN_UPDATES
  t.atomic_add(h[me + zero], 1);
  t.sync_warp();
  s[me] = h[(me ^ 5) ^ 32 * bug];
}
SIMT_PAIR(writes_one_by_one) {
  SIMT_BEGIN_UPDATES
  SIMT_WATCHED
  s[me] = 1;
  s[me + 64 - 63 * bug] = 2;
}
SIMT_PAIR(writes_of_one_thread_and_of_all) {
  SIMT_BEGIN_UPDATES
  if (me == 9) s[9 + 3 * bug + zero] = 4;
  SIMT_NEXT_PIECE
  s[me] = 2;
  t.sync();
}
SIMT_PAIR(what_nobody_wrote_read_one_by_one) {
  SIMT_BEGIN_UPDATES
  auto& u = t.shared<"u", int[64]>();
  if (me >= bug) u[me] = 0;
  t.sync();
  SIMT_WATCHED
  s[me] = u[63 - me];
}
SIMT_PAIR(reads_one_by_one_before_known_pieces) {
  SIMT_BEGIN_UPDATES
  SIMT_WATCHED
  const int other = s[63 - me];
  t.sync();
  s[me] = other;
  SIMT_NEXT_PIECE
  s[me + bug] = 2;
  t.sync();
}
SIMT_PAIR(writes_one_by_one_before_known_pieces) {
  SIMT_BEGIN_UPDATES
  auto& u = t.shared<"u", int[64]>();
  SIMT_WATCHED
  if (me >= bug + zero) u[me] = 1;
  t.sync();
  s[me] = u[63 - me];
  t.sync();
}
SIMT_PAIR(lone_writes_and_proved_reads) {
  SIMT_BEGIN_UPDATES
  s[me] = s[me + 64];
  s[192 - 127 * bug + me + zero] = 1;
}
SIMT_PAIR(lone_writes_of_two_threads) {
  SIMT_BEGIN_UPDATES
  s[me + 64] = 1;
  s[(me >> bug) + zero] = 1;
}
SIMT_PAIR(lone_writes_that_data_decide) {
  SIMT_BEGIN_UPDATES
  const int other = s[me + 64];
  if (g[me] == 7) s[me + 63 + 65 * (1 - bug)] = other;
}
SIMT_PAIR(lone_updates_and_proved_writes) {
  SIMT_BEGIN_UPDATES
  int* const own = parts<int>(g, t, 64);
  s[me] = 1;
  if (bug == 0) t.sync();
  own[me] = 2;
  t.atomic_add(s[63 - me + zero], 1);
}
SIMT_PAIR(lone_reads_of_what_is_written_first) {
  SIMT_BEGIN_UPDATES
  auto& u = t.shared<"u", int[64]>();
  if (me >= bug) u[me] = 0;
  t.sync();
  const int before = u[me + zero];
  u[me] = before + 1;
}
SIMT_PAIR(lone_reads_behind_what_orders) {
  SIMT_BEGIN_UPDATES
  t.atomic_add(h[zero], 1, simt::memory_order::acq_rel);
  s[me] = 1;
  if (bug != 0) s[me + 64] = s[((me + 63) & 63) + zero];
}
// All have told the last one, but of nothing that they do behind that.
SIMT_PAIR(lone_reads_by_the_last_behind_what_orders) {
  SIMT_BEGIN_UPDATES
  const int came = t.atomic_add(h[zero], 1, simt::memory_order::acq_rel);
  s[me] = 1;
  if (came == 63 && bug != 0) s[me + 64] = s[((me + 63) & 63) + zero];
}
SIMT_PAIR(one_thread_at_one_place) {
  SIMT_BEGIN
  if (me == 3) s[300] = 1;
  if (me == 3 + bug) s[300] += 1;
  t.sync();
}
SIMT_PAIR(some_threads_beside_others) {
  SIMT_BEGIN
  if (me < 8) s[me] = 1;
  if (me >= 56) s[me - 48 - 8 * bug] = 2;
  t.sync();
}

}  // namespace

TEST_CASE("checked loops: updates of shared memory, a race and its clean twin") {
  SIMT_EXPECT(updates_and_reads);
  SIMT_EXPECT(writes_and_updates);
  SIMT_EXPECT(updates_and_writes);
  SIMT_EXPECT(updates_before_a_piece);
  SIMT_EXPECT(updates_before_a_piece_that_is_known);
  SIMT_EXPECT(updates_of_what_nobody_wrote);
  SIMT_EXPECT(many_updates);
  SIMT_EXPECT(updates_of_two_sizes);
  SIMT_EXPECT(updates_and_a_warp);
}

TEST_CASE("checked loops: shared memory that is announced one by one, a race and its clean twin") {
  SIMT_EXPECT(writes_one_by_one);
  SIMT_EXPECT(writes_of_one_thread_and_of_all);
  SIMT_EXPECT(what_nobody_wrote_read_one_by_one);
  SIMT_EXPECT(reads_one_by_one_before_known_pieces);
  SIMT_EXPECT(writes_one_by_one_before_known_pieces);
  SIMT_EXPECT(lone_writes_and_proved_reads);
  SIMT_EXPECT(lone_writes_of_two_threads);
  SIMT_EXPECT(lone_writes_that_data_decide);
  SIMT_EXPECT(lone_updates_and_proved_writes);
  SIMT_EXPECT(lone_reads_of_what_is_written_first);
  SIMT_EXPECT(lone_reads_behind_what_orders);
  SIMT_EXPECT(lone_reads_by_the_last_behind_what_orders);
  SIMT_EXPECT(one_thread_at_one_place);
  SIMT_EXPECT(some_threads_beside_others);
}
