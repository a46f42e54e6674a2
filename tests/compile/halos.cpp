// SPDX-License-Identifier: Apache-2.0
// Tiles with what lies around them: what some threads do beside the others, indices that are kept within a row or go
// round, and what is the same for a row of threads (sim/compile/side_steps.hpp, steady_indices.hpp, idle_loops.hpp,
// values.hpp, place_questions.hpp). All must leave what they leave on fibers.
#include <algorithm>

#include "shared_tile.hpp"

namespace {

constexpr int kWide = 40;  // of a row of the shared array

SIMT_DEVICE int width_of(simt::thread t) { return static_cast<int>(t.block_dim().x); }
SIMT_DEVICE int height_of(simt::thread t) { return static_cast<int>(t.block_dim().y); }

SIMT_DEVICE int row_of(simt::thread t) { return y_of(t) + height_of(t) * static_cast<int>(t.thread_idx().z); }
SIMT_DEVICE int place(simt::thread t) { return (me_of(t) + 40) % 700; }

SIMT_DEVICE void ends_of_rows(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  s[place(t)] = x[gid_of(t)];
  if (t.thread_idx().x == 0 && x[3] != 0) s[900 + row_of(t)] = x[gid_of(t) + 1];
  if (t.thread_idx().x + 1 == t.block_dim().x) s[930 + row_of(t)] = x[gid_of(t) + 2];
  if (t.thread_idx().y == 0 && t.thread_idx().z == 0 && x_of(t) < 9) s[960 + x_of(t)] = x[gid_of(t) + 3];
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void one_end_or_the_other(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  s[place(t)] = x[gid_of(t)];
  const bool asked = x[5] > 2;
  if (t.thread_idx().x == 0 && asked)
    s[900 + row_of(t)] = x[gid_of(t) + 1];
  else if (t.thread_idx().x == 5 || t.thread_idx().x == 0)
    s[930 + row_of(t)] += x[gid_of(t) + 2];
  t.sync();
  leave_sums(t, s, out);
}
// What a thread has loaded is used in front of the step, in it and behind it.
SIMT_DEVICE void what_is_loaded_goes_on(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  unsigned mine = x[gid_of(t)] * 7;
  unsigned kept[3] = {mine, mine + 1, x[2]};
  s[place(t)] = mine;
  if (t.thread_idx().x < 3) {
    s[900 + x_of(t) + 3 * row_of(t)] = mine + kept[x[gid_of(t)] % 3];
    kept[1] = 5;
  }
  s[place(t)] ^= kept[mine % 3];
  t.sync();
  mine += s[place(t)];
  t.sync();
  s[place(t)] = mine;
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void steps_in_a_loop(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  unsigned behind = 0, here = x[gid_of(t)];
  for (unsigned turn = 1; turn < 6; ++turn) {
    const unsigned next = x[(gid_of(t) + turn * 5) % 4096];
    s[place(t)] = here;
    if (t.thread_idx().x < 1) s[900 + row_of(t)] = here + turn;
    if (t.thread_idx().y < 1) s[930 + std::min(x_of(t), 60)] = turn;
    t.sync();
    behind += s[900 + row_of(t)] + s[(place(t) + 3) % 700] * turn;
    here = next;
    t.sync();
  }
  s[place(t)] = behind;
  t.sync();
  leave_sums(t, s, out);
}
// Some have left.
SIMT_DEVICE void steps_of_who_is_there(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  if (me_of(t) % 5 == 3) return;
  s[place(t)] = x[gid_of(t)];
  if (t.thread_idx().x < 4) s[900 + x_of(t) + 4 * row_of(t)] = x[gid_of(t) + 1];
  t.sync();
  leave_sums(t, s, out);
}

SIMT_DEVICE void within_a_row(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int last = static_cast<int>(x[16]), base = static_cast<int>(t.block_idx().x) * 8 - 2;  // 19; -2 to 14
  for (int j = y_of(t); j < 17; j += height_of(t))
    for (int i = x_of(t); i < 33; i += width_of(t)) {
      const int row = std::min(std::max(base + j, 0), last), column = std::min(std::max(base + i, 0), last);
      s[j * kWide + i] = x[static_cast<unsigned>(row * 50 + column)];
    }
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void around(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const unsigned n = x[20];                   // 23
  const int around = static_cast<int>(x[8]);  // 11
  for (int j = y_of(t); j < 18; j += height_of(t))
    for (int i = x_of(t); i < 20; i += width_of(t)) {
      const unsigned place =
          (t.block_idx().x * 9 + static_cast<unsigned>(j) - 1 + n) % n * n + (static_cast<unsigned>(i) - 1 + n) % n;
      s[j * 20 + i] = x[place] + static_cast<unsigned>((i - 7) % around * 3 + (i - 7) / around);
    }
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void in_wide_numbers(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const auto n = static_cast<unsigned long>(x[30]), i = static_cast<unsigned long>(gid_of(t));  // 33
  const long from = static_cast<long>(x_of(t)) - static_cast<long>(x[1]);
  s[place(t)] = x[i / n * 31 + i % n] + static_cast<unsigned>(std::max(from, 2L) + std::min(from, 5L));
  t.sync();
  leave_sums(t, s, out);
}
SIMT_DEVICE void of_a_row(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const auto y = static_cast<unsigned>(t.thread_idx().y), z = static_cast<unsigned>(t.thread_idx().z);
  unsigned begin = x[y + 5 * z] % 7;
  if (x[y] % 2 == 1) begin += x[y + 9] / x[z];
  unsigned only_some = 1;
  if (t.thread_idx().x > 1) only_some = x[y + 11];
  s[place(t)] = begin;
  t.sync();
  const unsigned v = x[begin + static_cast<unsigned>(t.thread_idx().x)] + only_some;
  t.sync();
  s[place(t)] += v + begin;
  t.sync();
  leave_sums(t, s, out);
}

// What a thread has noted of its place on one side of a barrier, and asks on the other (place_questions.hpp).
SIMT_DEVICE void notes_of_places(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int at = x_of(t) - 1, row = row_of(t), most = static_cast<int>(x[4]);
  bool inside = false, at_edge = false;
  if (at >= 0 && at < most) {
    if (row > 0 || x[7] < 5) {
      s[place(t)] = x[gid_of(t)];
      inside = true;
    } else {
      s[place(t)] = 5;
      at_edge = true;
    }
  }
  t.sync();
  if (inside)
    s[place(t)] += x[gid_of(t)] + 1;
  else if (at_edge)
    s[place(t)] ^= 77;
  else
    s[place(t)] += 3;
  t.sync();
  leave_sums(t, s, out);
}
// In each turn fewer threads compute, and those that did take over what they have (a pyramid of tiles).
SIMT_DEVICE void notes_in_turns(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int wide = width_of(t), me = x_of(t), turns = static_cast<int>(x[1]);
  s[place(t)] = x[gid_of(t)];
  t.sync();
  unsigned result = 0;
  bool computed = false;
  for (int i = 0; i < turns; ++i) {
    computed = false;
    if (me >= i + 1 && me <= wide - i - 2) {
      computed = true;
      result = s[place(t)] * 3 + static_cast<unsigned>(i);
    }
    t.sync();
    if (i == turns - 1) break;
    if (computed) s[place(t)] = result;
    t.sync();
  }
  if (computed) s[place(t)] = result + 1;
  t.sync();
  leave_sums(t, s, out);
}
// Rows that begin below 0, in numbers without a sign: at their first threads the question fails, behind the wrap it
// holds.
SIMT_DEVICE void rows_begin_below_zero(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const unsigned at = static_cast<unsigned>(t.thread_idx().x) - 2u, most = x[2];
  if (at < most) s[place(t)] = x[at] * 5 + at;
  t.sync();
  if (at <= most + 1) s[place(t)] += x[at + 1] + (at ^ 9);
  t.sync();
  if (at - 1u < 3u && at < most) s[place(t)] += x[gid_of(t)];
  t.sync();
  leave_sums(t, s, out);
}
// clang writes the first and the last thread's places without an index; they are the threads' elements.
SIMT_DEVICE void places_of_the_ends(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  auto& r = t.shared<"r", unsigned[1024]>();
  clear(t, s);
  const int me = static_cast<int>(t.thread_idx().x), last = 15;
  const unsigned at = t.thread_idx().y * t.block_dim().x;
  unsigned* const row = &r[at];
  row[me] = me == 0 ? 3 : x[me], s[at + t.thread_idx().x] = me == last ? 5 : x[me + 1];
  t.sync();
  for (unsigned d = 1; d < 8; d *= 2) {
    const unsigned left = row[me < static_cast<int>(d) ? 0 : me - d];
    t.sync();
    row[me] += left * 3;
    t.sync();
  }
  if (me == 0) s[at] += row[0];
  if (me != 0 && me != last) s[at + t.thread_idx().x] ^= row[me];
  t.sync();
  leave_sums(t, s, out);
}
// What is asked of all threads of a row alike, several times in it.
SIMT_DEVICE void asked_of_rows(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  clear(t, s);
  const int y = static_cast<int>(t.thread_idx().y), h = static_cast<int>(x[1]);
  if (y < h) s[place(t)] = x[gid_of(t)];
  if (y + 2 < h) s[place(t)] += x[gid_of(t) + 7] * 3;
  if (y + 4 >= h) s[place(t)] ^= x[gid_of(t) + 9];
  t.sync();
  if (y > 0 && y < h - 1) s[place(t)] += 11;
  t.sync();
  leave_sums(t, s, out);
}

}  // namespace

TEST_CASE("what is noted of a place is asked again") {
  RUNS_AS_LOOPS(notes_of_places);
  RUNS_AS_LOOPS(notes_in_turns);
  RUNS_AS_LOOPS(rows_begin_below_zero);
}
TEST_CASE("where ways meet, places are those of the index") { RUNS_AS_LOOPS(places_of_the_ends); }
TEST_CASE("what a row is asked alike") { RUNS_AS_LOOPS(asked_of_rows); }
TEST_CASE("halos are loaded by some threads beside the others") {
  RUNS_AS_LOOPS(ends_of_rows);
  RUNS_AS_LOOPS(one_end_or_the_other);
  RUNS_AS_LOOPS(what_is_loaded_goes_on);
  RUNS_AS_LOOPS(steps_in_a_loop);
  RUNS_AS_LOOPS(steps_of_who_is_there);
}
TEST_CASE("indices are kept within a row, or go round") {
  RUNS_AS_LOOPS(within_a_row);
  RUNS_AS_LOOPS(around);
  RUNS_AS_LOOPS(in_wide_numbers);
}
TEST_CASE("what is the same for a row is kept once") { RUNS_AS_LOOPS(of_a_row); }
