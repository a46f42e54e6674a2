// SPDX-License-Identifier: Apache-2.0
// Ways past different barriers that share code behind them, ways out of the kernel past several questions, and loops
// that draw numbers: as loops, and the same as on fibers.
#include <cstdio>

#include "both_executions.hpp"

namespace {

// The store is one for both arms, and under a condition of the thread in one of them.
SIMT_DEVICE void shares_store(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t), i = gid_of(t);
  if (t.block_idx().x != 1) {
    s[me] = x[i];
    t.sync();
    out[i] = s[n - 1 - me];
  } else {
    s[me] = x[me] * 3;
    t.sync();
    if (me % 3 != 0) out[i] = s[me] + 1;
  }
}
// As before, with values of each arm behind the shared code.
SIMT_DEVICE void shares_what_is_used_behind(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t), i = gid_of(t);
  unsigned sum = me;
  if (t.block_idx().x == 0) {
    s[me] = x[me];
    t.sync();
    if (me > 2) sum += s[n - 1 - me] * x[me + 1];
  } else if (t.block_idx().x == 1) {
    s[me] = x[me] + 5;
    t.sync();
    if (me > 4) sum += s[n - 1 - me] * x[me + 1];
  } else {
    s[me] = 2;
    t.sync();
  }
  t.sync();
  s[me] = sum;
  t.sync();
  out[i] = s[(me + 1) % n] + sum;
}
SIMT_DEVICE unsigned sum_of_block(simt::thread t, unsigned value, unsigned* s) {
  const unsigned me = me_of(t), n = threads_of(t);
  s[me] = value;
  t.sync();
  for (unsigned d = 1; d < n; d *= 2) {
    const unsigned other = me >= d ? s[me - d] : 0;
    t.sync();
    s[me] += other;
    t.sync();
  }
  return s[n - 1];
}
SIMT_DEVICE void one_function_in_three_arms(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), b = static_cast<unsigned>(t.block_idx().x);
  if (b == 0) {
    const unsigned sum = sum_of_block(t, x[me], s);
    if (me == 0) out[b] = sum;
  } else if (b == 1) {
    const unsigned sum = sum_of_block(t, x[me] * 2, s);
    if (me == 0) out[b] = sum;
  } else {
    const unsigned sum = sum_of_block(t, 1, s);
    if (me < 1) out[b] = sum;
  }
}
// The last steps of a reduction, which begin further up in larger blocks.
template <unsigned N>
SIMT_DEVICE void steps_from(simt::thread t, unsigned* s) {
  const unsigned me = me_of(t), n = threads_of(t);
  if constexpr (N >= 256) {
    if (me < 128 && me + 128 < n) s[me] += s[me + 128];
    t.sync();
  }
  if constexpr (N >= 64) {
    if (me < 32 && me + 32 < n) s[me] += s[me + 32];
    t.sync();
  }
  if (me < 8)
    for (unsigned k = 8; k < 32 && k + me < n; k += 8) s[me] += s[me + k] ^ k;
}
SIMT_DEVICE void switch_of_sizes(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t);
  s[me] = x[me];
  t.sync();
  switch (threads_of(t)) {
    case 256:
      steps_from<256>(t, s);
      break;
    case 64:
      steps_from<64>(t, s);
      break;
    case 37:
      steps_from<1>(t, s);
      break;
    default:
      break;
  }
  if (me == 0) out[t.block_idx().x] = s[0];
}
SIMT_DEVICE void return_in_both_arms(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t), i = gid_of(t);
  s[me] = x[i];
  if (t.block_idx().x == 1) {
    t.sync();
    if (me < 30) out[i] = s[n - 1 - me];
    return;
  }
  t.sync();
  if (me >= 30) return;
  out[i] = s[me] + 1;
}
// A loop is shared as a whole.
SIMT_DEVICE void shares_loop(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t), i = gid_of(t);
  s[me] = x[i];
  unsigned from = 0, sum = 1;
  if (t.block_idx().x == 1) {
    t.sync();
    if (me % 2 == 0) goto out_of_here;
    from = s[n - 1 - me] % 5;
  } else {
    t.sync();
    s[me] += 2;
    t.sync();
    if (me % 5 == 0) goto out_of_here;
    from = s[me] % 7;
  }
  for (unsigned k = from; k < from + x[me] % 4; ++k) sum = sum * 3 + x[k];
  out[i] = sum;
out_of_here:
  out[i] += from;
}
TEST_CASE("shared code: each way past a barrier gets its own") {
  RUNS_AS_LOOPS(shares_store);
  RUNS_AS_LOOPS(shares_what_is_used_behind);
  RUNS_AS_LOOPS(one_function_in_three_arms);
  RUNS_AS_LOOPS(switch_of_sizes);
  RUNS_AS_LOOPS(return_in_both_arms);
  RUNS_AS_LOOPS(shares_loop);
}

// The second question is asked of some only.
SIMT_DEVICE void leaves_past_two_questions(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t), n = threads_of(t), i = gid_of(t);
  s[me] = 0;
  if (me < n / 2 && x[me] % 5 == 0) return;
  s[me] = me < n / 2 ? x[me] : 1;
  t.sync();
  if (me < n / 2) out[i] = s[me] + s[n - 1 - me];
}
TEST_CASE("shared code: ways out past several questions") { RUNS_AS_LOOPS(leaves_past_two_questions); }

// Who draws which number is not the same each time; what is done for it is.
SIMT_DEVICE void work_on(simt::thread t, in_view x, out_view out, unsigned tile) {
  if (me_of(t) < 32) out[tile * 32 + me_of(t)] = x[tile + me_of(t)] * 3;
}
constexpr unsigned kTiles = 40;
SIMT_DEVICE void draws_for_block(simt::thread t, in_view x, out_view out) {
  auto& tile = t.shared<"tile", unsigned[1]>();
  while (true) {
    t.sync();
    if (me_of(t) == 0) tile[0] = t.atomic_add(out[4000], 1u);
    t.sync();
    if (tile[0] >= kTiles) break;
    work_on(t, x, out, tile[0]);
  }
  out[4000] = kTiles;
}
SIMT_DEVICE void draws_four(simt::thread t, in_view x, out_view out) {
  auto& first = t.shared<"first", unsigned[1]>();
  while (true) {
    if (me_of(t) == 0) first[0] = t.atomic_add(out[4000], 1u) * 4;
    t.sync();
    const unsigned begin = first[0];
    t.sync();
    if (begin >= kTiles) break;
    for (unsigned k = 0; k < 4; ++k) work_on(t, x, out, begin + k);
  }
  out[4000] = kTiles;
}
// What the C library prints waits for nobody.
SIMT_DEVICE void would_print(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = me_of(t);
  if (x[me] > 1'000'000) std::printf("%u is too large\n", x[me]);
  if (x[me] > 2'000'000) std::printf("too large\n");
  s[me] = x[me];
  t.sync();
  out[gid_of(t)] = s[threads_of(t) - 1 - me];
}
TEST_CASE("shared code: what prints runs as loops") { RUNS_AS_LOOPS(would_print); }

TEST_CASE("shared code: loops that draw numbers wait for nobody") {
  RUNS_AS_LOOPS(draws_for_block);
  RUNS_AS_LOOPS(draws_four);
}

}  // namespace
