// SPDX-License-Identifier: Apache-2.0
// Pairs (checked_pairs.hpp), each about one thing that the pass tells the runtime of a piece's accesses
// (sim/instrument/loop_region.hpp).
//
// Long because: each pair is a few lines, and all begin with the same pieces.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

SIMT_PAIR(what_is_not_done) {
  SIMT_BEGIN
  if (n > 50 * late - 50 * bug) s[me + 1 + 64 * (1 - late)] = 1;
  SIMT_NEXT_PIECE
  s[me] = 2;
  t.sync();
}
SIMT_PAIR(what_no_thread_does) {
  SIMT_BEGIN
  if (me < 64 - 64 * late + 64 * bug) s[me + 1 + 64 * (1 - late)] = 1;
  SIMT_NEXT_PIECE
  s[me] = 2;
  t.sync();
}
SIMT_PAIR(what_some_do) {
  SIMT_BEGIN
  s[me] = 1;
  if (me >= 32) s[me + 1 + 64 * (1 - bug)] = 2;
  t.sync();
}
SIMT_PAIR(what_some_do_at_unknown_places) {
  SIMT_BEGIN
  s[me] = 1;
  if (me >= 60) s[me + 1 + (g[me] - 7) + 64 * (1 - bug)] = 2;
  t.sync();
}
SIMT_PAIR(what_data_decide_where_it_is_written_anyway) {
  SIMT_BEGIN
  s[me] = 1;
  if (s[me] + g[me] > 5) s[me] = 2;
  s[me + bug] += 1;
  t.sync();
}
SIMT_PAIR(turns_of_a_loop) {
  SIMT_BEGIN
  for (int k = 0; k < 4; ++k) s[me + k * (64 - 63 * bug)] = k;
  t.sync();
}
SIMT_PAIR(the_last_turn) {
  SIMT_BEGIN
  for (int k = 0; k < 3 + bug; ++k) s[me + k * 64] = k;
  s[192 + me + 1] = 7;
  t.sync();
}
SIMT_PAIR(turns_that_differ) {
  SIMT_BEGIN
  for (int i = me; i < 100 + bug; i += 64) s[i] = 1;
  SIMT_NEXT_PIECE
  if (me < 28) s[100 + me] = 2;
  t.sync();
}
SIMT_PAIR(turns_up_to_the_thread) {
  SIMT_BEGIN
  int sum = 0;
  for (int k = 0; k < me; ++k) sum += s[k];
  s[64 + me] = sum;
  SIMT_NEXT_PIECE
  if (me == 63) s[62 - bug] = 1;
  t.sync();
}
SIMT_PAIR(turns_from_the_thread_on) {
  SIMT_BEGIN
  unsigned sum = 0;
  for (unsigned k = static_cast<unsigned>(me); k <= 70; k += 2) sum += static_cast<unsigned>(s[k]);
  s[128 + me] = static_cast<int>(sum);
  SIMT_NEXT_PIECE
  if (me == 0) s[2 * bug] = 1;
  t.sync();
}
SIMT_PAIR(turns_that_write) {
  SIMT_BEGIN
  if (me < 8)
    for (int k = 0; k <= me; ++k) s[64 + 8 * me + k + bug] = k;
  SIMT_NEXT_PIECE
  if (me >= 8 && me < 16) s[64 + 9 * (me - 8) + 1] = 2;
  t.sync();
}
SIMT_PAIR(turns_that_some_make) {
  SIMT_BEGIN
  if (me >= 3)
    for (int i = me; i < 103 + bug; i += 64) s[i] = s[i + 128] + 1;
  SIMT_NEXT_PIECE
  if (me < 28) s[103 + me] = 2;
  t.sync();
}
SIMT_PAIR(turns_without_sign) {
  SIMT_BEGIN
  for (unsigned i = static_cast<unsigned>(me); i < 100U + static_cast<unsigned>(bug); i += 64U) s[i] = 1;
  SIMT_NEXT_PIECE
  if (me < 28) s[100 + me] = 2;
  t.sync();
}
SIMT_PAIR(turns_of_long_numbers) {
  SIMT_BEGIN
  for (std::size_t i = static_cast<std::size_t>(me); i < static_cast<std::size_t>(100 + bug); i += 64) s[i] = 1;
  SIMT_NEXT_PIECE
  if (me < 28) s[100 + me] = 2;
  t.sync();
}
SIMT_PAIR(turns_up_to_a_constant) {
  SIMT_BEGIN
  for (int i = me; i < 128; i += 64) s[i] = 1;
  SIMT_NEXT_PIECE
  s[128 + me - bug] = 2;
  t.sync();
}
SIMT_PAIR(from_the_other_end) {
  SIMT_BEGIN
  const int last = n + 98;
  for (int i = me; i < 100; i += 64) s[last - i] = 1;
  SIMT_NEXT_PIECE
  s[100 - bug + (63 - me)] = 2;
  t.sync();
}
SIMT_DEVICE void write_by_cases(int (&s)[512], int me) {
  switch (me) {
    case 3:
      s[70] = 1;
      break;
    case 9:
    case 12:
      s[300 + me] = 2;
      break;
    default:
      s[me] = 3;
  }
}
SIMT_PAIR(one_of_several_cases) {
  SIMT_BEGIN
  write_by_cases(s, me);
  SIMT_NEXT_PIECE
  if (me == 4) s[311 + bug] = 4;
  t.sync();
}
SIMT_PAIR(none_of_several_cases) {
  SIMT_BEGIN
  write_by_cases(s, me);
  SIMT_NEXT_PIECE
  if (me == 6) s[9 - 2 * bug] = 4;
  t.sync();
}
SIMT_PAIR(what_is_read_here_or_there) {
  SIMT_BEGIN
  int v = 0;
  if (me == 0)
    v = g[5];
  else
    v = s[me + 127 + 64 * bug];
  s[256 + me] = v;
  SIMT_NEXT_PIECE
  s[192 + me] = v;
  t.sync();
}
SIMT_PAIR(what_is_written_here_or_there) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  if (me < 32)
    s[128 + me] = n;
  else
    own[me] = n;
  SIMT_NEXT_PIECE
  s[160 + me - bug] = 3;
  t.sync();
}
SIMT_PAIR(small_numbers) {
  SIMT_BEGIN
  s[static_cast<unsigned char>(me + 128 + 122 * bug)] = 1;
  s[me + 1] = 2;
  t.sync();
}
SIMT_PAIR(short_numbers) {  // beyond 65535 they begin anew
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 2 * 65536);
  const std::int64_t apart = 1023 + 1024 * bug;
  own[static_cast<unsigned short>(me * apart)] = 1;
  SIMT_NEXT_PIECE
  if (me == 5) own[63 * 2047 - 65536] = 2;
  t.sync();
}
SIMT_PAIR(counted_back_from_the_end) {
  SIMT_BEGIN
  int* const end = s + 100;
  end[-1 - me] = 1;
  SIMT_NEXT_PIECE
  if (me == 5) s[35 + bug] = 2;
  t.sync();
}
SIMT_PAIR(one_of_many_cases) {  // few cases become questions, one by one (plain_indices.cpp)
  SIMT_BEGIN
  int v = 0;
  switch (me) {
    case 3:
    case 9:
    case 17:
    case 40:
      v = s[200] + s[202];
      break;
    case 50:
      v = n;
      break;
    default:
      break;
  }
  s[256 + me] = v;
  SIMT_NEXT_PIECE
  if (me == 50) s[201 + bug] = 4;
  t.sync();
}
SIMT_PAIR(what_comes_by_two_ways) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  int at = me + 64;
  if (me < 32) {
    own[me] = n;
    at = me;
  } else {
    s[400 + me] = n;
  }
  s[128 + at] = 3;
  SIMT_NEXT_PIECE
  if (me == 5) s[168 - 10 * bug] = 4;
  t.sync();
}
SIMT_PAIR(what_stands_behind_a_swap) {  // which is never told with the others
  SIMT_BEGIN
  s[me] = 1;
  if (me >= 60) {
    t.atomic_cas(s[300], 7, 8);
    s[me + 64 * (1 - bug) - 1] = 2;
  }
  t.sync();
}
SIMT_PAIR(what_is_written_behind_a_release) {
  SIMT_BEGIN
  if (me == 0) {
    t.atomic_add(s[300], 1, simt::memory_order::release);
    s[311 - bug] = 1;
  }
  SIMT_NEXT_PIECE
  if (me == 1) {
    t.atomic_add(s[300], 1, simt::memory_order::acquire);
    s[312] = s[310];
  }
  t.sync();
}
SIMT_PAIR(what_is_read_behind_the_end) {
  SIMT_BEGIN
  s[me] = g[me + 500 * bug];
  t.sync();
}
// By blocks whose reads in it were left out, for nothing in the launch writes it.
SIMT_PAIR(an_array_that_is_only_read_ends) {
  SIMT_BEGIN
  s[me] = parts<int>(g, t, 64)[me + 64 * bug];
  t.sync();
}
// Clean only where threads run in the order of their ranks.
SIMT_PAIR(what_is_read_behind_an_acquire) {
  SIMT_BEGIN
  s[me] = 1;
  t.atomic_add(s[300], 1, simt::memory_order::release);
  SIMT_NEXT_PIECE
  if (bug == 0)
    t.atomic_add(s[300], 1, simt::memory_order::acquire);
  else
    t.atomic_add(s[300], 1);
  if (me > 0) s[me + 64] = s[me - 1];  // of a thread that has released
}
SIMT_PAIR(a_piece_that_comes_again) {
  SIMT_BEGIN
  auto& q = t.shared<"q", int[128]>();
  for (int k = 0; k < n + 1; ++k) {
    s[me] = 1;
    t.sync();
    if (k == 0) q[me] = 2;
    t.sync();
  }
  if (late != 0) s[me + 64] = q[me + 64 * bug];
  t.sync();
}
SIMT_PAIR(the_first_piece_again_in_an_interval) {
  auto& s = t.shared<"s", int[128]>();
  const int me = t.rank(), late = static_cast<int>((t.block_idx().x + 5) >> 3);
  bug *= late;
  for (int k = 0; k < 8 * n; ++k) {
    s[me] = k;
    t.sync();
    s[me + 64] = s[63 - me];
    if (bug == 0 || k != 6) t.sync();
  }
  if (g.size() < 0) g[me] = s[me];
}
SIMT_PAIR(pieces_of_one_interval) {
  SIMT_BEGIN
  s[me + 1 + 64 * (1 - bug)] = 1;
  SIMT_NEXT_PIECE
  s[me] = 2;
  t.sync();
}
SIMT_PAIR(part_of_a_row) {
  SIMT_BEGIN
  if (t.thread_idx().x >= 32) s[me] = 1;
  SIMT_NEXT_PIECE
  s[me ^ bug] = 2;
  t.sync();
}
SIMT_PAIR(rows) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x), y = static_cast<int>(t.thread_idx().y);
  s[y * 8 + x] = s[y * 8 + x + 64 - 56 * bug];
  t.sync();
}
SIMT_PAIR(rows_that_another_block_wrote) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 128);
  const simt::dim3 at = t.thread_idx();
  s[me] = own[at.y * 8 + at.x];
  if (me == 0) own[128 + 19 + 64 * (1 - bug)] = 1;
}
SIMT_PAIR(rows_that_are_only_read) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 128);
  const simt::dim3 at = t.thread_idx();
  t.sync();
  const int read = own[at.y * 8 + at.x];
  t.sync();
  s[me] = read;
  if (me == 0) own[128 + 19 + 64 * (1 - bug)] = 1;
}
SIMT_PAIR(reads_and_writes) {
  SIMT_BEGIN
  const int all = s[300];
  SIMT_NEXT_PIECE
  if (me == 5) s[300 + 1 - bug] = all;
  t.sync();
}
SIMT_PAIR(a_barrier) {
  SIMT_BEGIN
  s[me + 1] = 1;
  if (bug == 0) t.sync();
  s[me] += 2;
  t.sync();
}
SIMT_PAIR(whole_memory) {
  SIMT_BEGIN
  const std::int64_t i = t.grid<1>();
  if (i + bug < g.size()) g[i] = static_cast<int>(i);
  t.sync();
  g[i + bug] += 1;
}
SIMT_PAIR(who_left) {
  SIMT_BEGIN
  if (me >= 64 - bug) return;
  t.sync();
  g[t.grid<1>()] = s[me];
}

// What the block's own shared memory holds is known without its cells (sim/check/deferred_shared.hpp), until somebody
// looks at them: `(g[me] - 7)`, which is 0, does so.
SIMT_PAIR(what_nobody_wrote) {
  SIMT_BEGIN
  auto& u = t.shared<"u", int[80]>();
  u[me] = 1;
  t.sync();
  g[t.grid<1>()] = 7 * u[me + bug];
}
SIMT_PAIR(what_nobody_wrote_in_rows) {
  SIMT_BEGIN
  auto& u = t.shared<"u", int[8][9]>();
  u[me / 8][me % 8] = 1;
  t.sync();
  g[t.grid<1>()] = 7 * u[me % 8][me / 8 + bug];
}
SIMT_PAIR(what_is_written_behind_an_array) {
  SIMT_BEGIN
  auto& u = t.shared<"u", int[64]>();
  u[me + 512 * bug] = 1;
  t.sync();
}
SIMT_PAIR(what_nobody_wrote_seen_late) {
  SIMT_BEGIN
  auto& u = t.shared<"u", int[80]>();
  u[me] = 1;
  t.sync();
  s[me] = 1 + u[63 - me];
  t.sync();
  g[t.grid<1>()] = 6 + u[me + (g[t.grid<1>()] - 7) + bug];
}
SIMT_PAIR(writes_before_some_at_unknown_places) {
  SIMT_BEGIN
  s[me] = 1;
  SIMT_NEXT_PIECE
  s[me + (g[me] - 7) + 64 - 63 * bug] = 2;
  t.sync();
}
SIMT_PAIR(reads_before_some_at_unknown_places) {
  SIMT_BEGIN
  const int mine = s[me];
  SIMT_NEXT_PIECE
  s[me + (g[me] - 7) + 64 - 63 * bug] = 2 + mine;
  t.sync();
}
SIMT_PAIR(a_window_that_grows_until_it_holds_enough) {
  SIMT_BEGIN
  s[me] = 1;
  if (bug == 0) t.sync();
  int sum = 0;
  for (int r = 1; sum < 3 && r < 6; ++r) {
    sum = 0;
    for (int k = 0; k < r; ++k) sum += s[(me + k) % 64];
  }
  t.sync();
  s[me] = sum;
}
SIMT_PAIR(a_barrier_before_some_at_unknown_places) {
  SIMT_BEGIN
  s[me] = 1;
  if (bug == 0) t.sync();
  s[me + (g[me] - 7) + 1] = 2;
  t.sync();
}
SIMT_PAIR(each_thread_twice) {
  SIMT_BEGIN
  s[me] = 1;
  SIMT_NEXT_PIECE
  s[me + bug] += 2;
  t.sync();
}
SIMT_PAIR(one_thread_twice) {
  SIMT_BEGIN
  if (me == 0) s[5] = 1;
  SIMT_NEXT_PIECE
  if (me == bug) s[5] += 2;
  t.sync();
}
SIMT_PAIR(the_same_numbers_again) {
  SIMT_BEGIN
  for (int i = 0; i < 12; ++i) {
    s[me] = i;
    t.sync();
    s[64 + me] = s[me + (i == 11 ? bug : 0)] + s[63 - me];
    if (i < 11 || bug == 0) t.sync();
  }
  s[63 - me] = 5;
  t.sync();
}
// Turns that touch the same are one entry of a batch.
SIMT_PAIR(turns_at_one_place) {
  SIMT_BEGIN
  for (int k = 0; k < 4; ++k) s[me - bug * me] += k;
  t.sync();
}
SIMT_PAIR(what_data_decide_in_turns) {
  SIMT_BEGIN
  for (int k = 0; k < 4; ++k) {
    s[me] += k;
    if (s[me + bug] > g[me]) s[me] = 2;
  }
  t.sync();
}
// The index is a sum of numbers without sign, as in i += blockDim.x.
SIMT_PAIR(turns_whose_index_might_wrap) {
  SIMT_BEGIN
  const auto width = static_cast<unsigned>(t.block_dim().x);
  for (int i = me; i < 192 + bug; i = static_cast<int>(static_cast<unsigned>(i) + width)) s[i] = 1;
  s[255 - me] += 1;
  t.sync();
}
// A number that wraps around goes on below the bound: three turns, of which the first alone is foreseen.
SIMT_PAIR(turns_whose_number_wraps) {
  SIMT_BEGIN
  constexpr int kFirst = 0x70000000;
  const unsigned step = 64u + static_cast<unsigned>(bug) * 0x55555550u;
  int j = me;
  for (int i = kFirst + me; i < kFirst + 64; i = static_cast<int>(static_cast<unsigned>(i) + step), ++j) s[j] = me;
  t.sync();
}
// What one thread does of what all read: no two threads touch it twice by one and the same index.
SIMT_PAIR(one_writes_what_all_have_read) {
  SIMT_BEGIN
  s[me + 64] = s[5];
  SIMT_NEXT_PIECE
  if (me == 0) s[5 + 2 * (1 - bug)] = 1;
  t.sync();
}
SIMT_PAIR(one_writes_what_all_have_read_in_rows) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x), all = s[300];
  SIMT_NEXT_PIECE
  if (x == 5) s[300 + 1 - bug] = all;
  t.sync();
  g[t.block_idx().x * 64 + me] = s[me] + all;
}
SIMT_PAIR(all_read_what_one_has_written) {
  SIMT_BEGIN
  if (me == 0) s[5 + 2 * (1 - bug)] = 1;
  SIMT_NEXT_PIECE
  s[me + 64] = s[5];
  t.sync();
}
SIMT_PAIR(some_write_what_all_have_written) {
  SIMT_BEGIN
  s[me] = 1;
  SIMT_NEXT_PIECE
  if (me >= 32) s[me - bug] = 2;
  t.sync();
}

SIMT_PAIR(what_some_have_written) {
  auto& u = t.shared<"u", int[64]>();
  SIMT_BEGIN
  if (me >= 32) u[me] = 1;
  t.sync();
  if (me >= 32 - bug) s[me] = u[me];
  t.sync();
}
// Blocks of 8x8 threads: rows of threads write, and read a row and a column of the same matrix.
SIMT_PAIR(a_row_and_a_column) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x), y = static_cast<int>(t.thread_idx().y);
  s[(y + 1) * 16 + x + 1] += s[(y + 1) * 16 + 8 * bug] + s[x + 1];
  t.sync();
}
SIMT_PAIR(a_column_that_nobody_writes) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x), y = static_cast<int>(t.thread_idx().y);
  if (x != 3) s[y * 16 + x] += s[y * 16 + 3 + bug];
  t.sync();
}

// Words that all blocks read, each by a row or a column of threads, some of which leave them out. The last block but
// one writes a word: one that nobody has read, or not.
SIMT_PAIR(a_word_that_some_columns_read) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x);
  int read = 0;
  if (x != 3) read = g[x];
  s[me] = read;
  t.sync();
  if (t.block_idx().x == 4 && me == 0) g[3 + bug] = read;
}
SIMT_PAIR(a_word_that_some_rows_read) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x), y = static_cast<int>(t.thread_idx().y);
  int read = 0;
  if (y != 5 && x != 2) read = g[16 * y];
  s[me] = read;
  t.sync();
  if (t.block_idx().x == 4 && me == 0) g[16 * (5 + bug)] = read;
}
SIMT_PAIR(a_word_that_some_threads_read) {
  SIMT_BEGIN
  int read = 0;
  if (me % 8 > 1 + static_cast<int>(t.block_idx().x)) read = g[4 - bug];
  s[me] = read;
  t.sync();
  if (t.block_idx().x == 4 && me == 0) g[3] = read;
}
// Blocks side by side in one matrix, of which each reads the same column, or one of its own: addresses that move
// differently from block to block.
SIMT_PAIR(a_column_that_all_blocks_read) {
  SIMT_BEGIN
  const int x = static_cast<int>(t.thread_idx().x), y = static_cast<int>(t.thread_idx().y);
  int* const own = parts<int>(g, t, 8);
  const int column = 60 + bug * (static_cast<int>(t.block_idx().x) * 8 + 11 - 60);
  own[y * 64 + x] += g[y * 64 + column];
}
// Blocks at an edge, whose comparisons come out otherwise (sim/instrument/known_batches.cpp): they and the others take
// turns.
SIMT_PAIR(every_second_block_is_at_an_edge) {
  SIMT_BEGIN
  int* const c = parts<int>(g, t, 64);
  const int odd = static_cast<int>(t.block_idx().x) % 2, i = me + 1000 * odd;
  if (i < 1000) c[me] = 1;
  if (i >= 1000 + 8) c[me] = 2;
  if (i >= 1000 && i < 1008) c[me - 8 * bug] = 3;
}

// Device memory that the block has touched itself: what it did before its last barrier is over, and nothing else is.
SIMT_PAIR(read_and_written_back) {
  SIMT_BEGIN
  int* const c = parts<int>(g, t, 64);
  s[me] = c[me];
  t.sync();
  c[me - 64 * bug] = s[63 - me];
}
SIMT_PAIR(written_back_too_early) {
  SIMT_BEGIN
  int* const c = parts<int>(g, t, 64);
  s[me] = c[me];
  if (bug == 0) t.sync();
  c[63 - me] = s[me] + 1;
}
SIMT_PAIR(written_and_read_in_parts) {
  SIMT_BEGIN
  int* const c = parts<int>(g, t, 64);
  c[me] = me;
  t.sync();
  s[me] = c[63 - me];
  if (bug == 0) t.sync();
  c[me] = s[me];
  t.sync();
  c[63 - me] += 1;
}

// Bytes and halves of device memory: neighbours touch parts of one word (sim/check/batch_bytes.cpp).
SIMT_PAIR(bytes_of_a_neighbour) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 128);
  c[me] = static_cast<unsigned char>(c[me + 64 - 63 * bug] + 1);
}
SIMT_PAIR(bytes_that_another_block_wrote) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 128);
  c[me] = static_cast<unsigned char>(c[me + 64 - 192 * bug] + 1);
}
SIMT_PAIR(bytes_that_another_block_read) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 128);
  c[me + 64 - 128 * bug] = static_cast<unsigned char>(c[me] + 1);
}
SIMT_PAIR(bytes_of_words_that_blocks_share) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 64);
  c[me + 1 - bug] = 1;
}
SIMT_PAIR(halves_that_another_block_wrote) {
  SIMT_BEGIN
  short* const h = parts<short>(g, t, 64);
  h[me + 1 - bug] = 1;
}
SIMT_PAIR(every_third_byte) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 192);
  c[3 * me] = 1;
  c[3 * me + 1 + 2 * bug] = 2;
}
SIMT_PAIR(bytes_and_words) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 256);
  c[4 * me + 1 + 3 * bug] = 1;
  reinterpret_cast<int*>(c)[me] += 2;
}
// Cells of a row that are not like the first one.
SIMT_PAIR(bytes_of_which_one_was_read) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 128);
  c[me] = 1;
  if (me == 40) c[me + 64] = c[me + 128 * bug];
}
SIMT_PAIR(bytes_that_are_read_again) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 128);
  c[me] = 1;
  SIMT_NEXT_PIECE
  c[me + 64] = c[me + bug * (me < 63)];
}
// Some threads of a block, known by their indices (sim/instrument/loop_lanes.cpp). The second condition reads what the
// block before has written, or not.
SIMT_PAIR(what_some_threads_write) {
  SIMT_BEGIN
  short* const own = parts<short>(g, t, 128);
  if (me >= 8) own[me] = 1;
  if (me < 8) own[me + 64] = own[me - 128 + 8 * bug];
}
SIMT_PAIR(bytes_that_some_threads_write) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 128);
  if (me >= 5) c[me] = 1;
  if (me < 5 + bug) c[me + 64] = c[me - 128];
}
// Blocks whose planes do not follow each other in memory (loop_proofs::add).
SIMT_PAIR(planes) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const simt::dim3 at = t.thread_idx();
  if (at.y < 3) own[at.z * (15 - 12 * bug) + at.y * 4 + at.x] = 1;
}
SIMT_PAIR(planes_that_another_block_wrote) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const simt::dim3 at = t.thread_idx();
  own[at.z * 10 + at.y * 3 + at.x - 64 * bug] = 1;
}
SIMT_PAIR(some_of_the_planes) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64);
  const simt::dim3 at = t.thread_idx();
  if (at.z >= 2 - bug) own[at.z * 20 + at.y * 4 + at.x - 20] = 1;
  if (at.z < 1) own[at.y * 4 + at.x] = 2;
}
SIMT_PAIR(bytes_before_a_barrier) {
  SIMT_BEGIN
  unsigned char* const c = parts<unsigned char>(g, t, 128);
  c[me] = 1;
  if (bug == 0) t.sync();
  s[me] = c[63 - me];
}

}  // namespace

TEST_CASE("checked loops: a race and its clean twin") {
  SIMT_EXPECT(what_is_not_done);
  SIMT_EXPECT(what_no_thread_does);
  SIMT_EXPECT(what_some_do);
  SIMT_EXPECT(what_some_do_at_unknown_places);
  SIMT_EXPECT(what_data_decide_where_it_is_written_anyway);
  SIMT_EXPECT(turns_of_a_loop);
  SIMT_EXPECT(the_last_turn);
  SIMT_EXPECT(turns_that_differ);
  SIMT_EXPECT(turns_up_to_the_thread);
  SIMT_EXPECT(turns_from_the_thread_on);
  SIMT_EXPECT(turns_that_write);
  SIMT_EXPECT(turns_that_some_make);
  SIMT_EXPECT(turns_without_sign);
  SIMT_EXPECT(turns_of_long_numbers);
  SIMT_EXPECT(turns_up_to_a_constant);
  SIMT_EXPECT(from_the_other_end);
  SIMT_EXPECT(one_of_several_cases);
  SIMT_EXPECT(none_of_several_cases);
  SIMT_EXPECT(what_is_read_here_or_there);
  SIMT_EXPECT(what_is_written_here_or_there);
  SIMT_EXPECT(small_numbers);
  expect_pair(launch<short_numbers>, "short_numbers", {64}, 2 * 65536 / 64 + 1200);
  SIMT_EXPECT(counted_back_from_the_end);
  SIMT_EXPECT(one_of_many_cases);
  SIMT_EXPECT(what_comes_by_two_ways);
  SIMT_EXPECT(what_stands_behind_a_swap);
  SIMT_EXPECT(what_is_written_behind_a_release);
  SIMT_EXPECT(what_is_read_behind_the_end);
  SIMT_EXPECT(an_array_that_is_only_read_ends);
  SIMT_EXPECT(a_piece_that_comes_again);
  SIMT_EXPECT(the_first_piece_again_in_an_interval);
  SIMT_EXPECT(pieces_of_one_interval);
  SIMT_EXPECT(part_of_a_row);
  SIMT_EXPECT(reads_and_writes);
  SIMT_EXPECT(a_barrier);
  SIMT_EXPECT(whole_memory);
  SIMT_EXPECT(who_left);
  SIMT_EXPECT(what_nobody_wrote);
  SIMT_EXPECT(what_nobody_wrote_in_rows);
  SIMT_EXPECT(what_is_written_behind_an_array);
  SIMT_EXPECT(what_nobody_wrote_seen_late);
  SIMT_EXPECT(writes_before_some_at_unknown_places);
  SIMT_EXPECT(reads_before_some_at_unknown_places);
  SIMT_EXPECT(a_window_that_grows_until_it_holds_enough);
  SIMT_EXPECT(a_barrier_before_some_at_unknown_places);
  SIMT_EXPECT(each_thread_twice);
  SIMT_EXPECT(one_thread_twice);
  SIMT_EXPECT(the_same_numbers_again);
  SIMT_EXPECT(turns_at_one_place);
  SIMT_EXPECT(what_data_decide_in_turns);
  SIMT_EXPECT(turns_whose_index_might_wrap);
  SIMT_EXPECT(turns_whose_number_wraps);
  SIMT_EXPECT(one_writes_what_all_have_read);
  SIMT_EXPECT(one_writes_what_all_have_read_in_rows);
  SIMT_EXPECT(all_read_what_one_has_written);
  SIMT_EXPECT(some_write_what_all_have_written);
  SIMT_EXPECT(what_some_have_written);
  SIMT_EXPECT(read_and_written_back);
  SIMT_EXPECT(written_back_too_early);
  SIMT_EXPECT(written_and_read_in_parts);
  expect_pair(launch<rows>, "rows", {8, 8});
  expect_pair(launch<rows_that_another_block_wrote>, "rows_that_another_block_wrote", {8, 8}, 3);
  expect_pair(launch<rows_that_are_only_read>, "rows_that_are_only_read", {8, 8}, 3);
  expect_pair(launch<planes>, "planes", {4, 4, 4});
  expect_pair(launch<planes_that_another_block_wrote>, "planes_that_another_block_wrote", {3, 3, 4});
  expect_pair(launch<some_of_the_planes>, "some_of_the_planes", {4, 4, 4});
  expect_pair(launch<a_row_and_a_column>, "a_row_and_a_column", {8, 8});
  expect_pair(launch<a_column_that_nobody_writes>, "a_column_that_nobody_writes", {8, 8});
  expect_pair(launch<a_word_that_some_columns_read>, "a_word_that_some_columns_read", {8, 8});
  expect_pair(launch<a_word_that_some_rows_read>, "a_word_that_some_rows_read", {8, 8});
  expect_pair(launch<a_word_that_some_threads_read>, "a_word_that_some_threads_read", {8, 8});
  expect_pair(launch<a_column_that_all_blocks_read>, "a_column_that_all_blocks_read", {8, 8}, 2);
  SIMT_EXPECT(every_second_block_is_at_an_edge);
}

TEST_CASE("checked loops: bytes and halves, a race and its clean twin") {
  SIMT_EXPECT(bytes_of_a_neighbour);
  SIMT_EXPECT(bytes_that_another_block_wrote);
  SIMT_EXPECT(bytes_that_another_block_read);
  SIMT_EXPECT(bytes_of_words_that_blocks_share);
  SIMT_EXPECT(halves_that_another_block_wrote);
  SIMT_EXPECT(every_third_byte);
  SIMT_EXPECT(bytes_and_words);
  SIMT_EXPECT(bytes_before_a_barrier);
  SIMT_EXPECT(bytes_of_which_one_was_read);
  SIMT_EXPECT(bytes_that_are_read_again);
}

TEST_CASE("checked loops: what some threads do, a race and its clean twin") {
  SIMT_EXPECT(what_some_threads_write);
  SIMT_EXPECT(bytes_that_some_threads_write);
}

#if defined(SIMT_LOOPS)
TEST_CASE("checked loops: an acquire orders what comes after it in its thread") {
  CHECK(findings(launch<what_is_read_behind_an_acquire>, 0, {64}, "auto", 1) == 0);
  CHECK(findings(launch<what_is_read_behind_an_acquire>, 1, {64}, "auto", 1) > 0);
}
#endif
