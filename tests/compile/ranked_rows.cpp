// SPDX-License-Identifier: Apache-2.0
// Pieces in which threads of several rows ask for their rank alone run as one row (sim/compile/ranked_regions.hpp), and
// those that ask for something near it do not. All leave what they leave on fibers.
#include "shared_tile.hpp"

namespace {

SIMT_DEVICE unsigned in_plane(simt::thread t) {
  return static_cast<unsigned>(y_of(t) * static_cast<int>(t.block_dim().x) + x_of(t));
}

// A tile of 18 columns by all threads in turn, and what each takes of it.
SIMT_DEVICE void tile_by_ranks(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  for (unsigned i = me_of(t); i < 900; i += threads_of(t)) s[i] = x[i / 18 * 31 + i % 18] + i;
  t.sync();
  unsigned sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum = sum * 3 + s[(y_of(t) + j) * 18 + x_of(t) + i];
  out[gid_of(t)] = sum;
}
// Near a rank: of rows that lie further apart, of every second column, and of columns alone.
SIMT_DEVICE void near_ranks(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[2048]>();
  const unsigned wide = static_cast<unsigned>(t.block_dim().x), column = static_cast<unsigned>(x_of(t)),
                 row = static_cast<unsigned>(y_of(t) + 8 * t.thread_idx().z);
  s[row * (wide + 1) + column] = x[me_of(t)];
  t.sync();
  unsigned sum = s[row * (wide + 1) + (column + 1) % wide];
  t.sync();
  s[row * wide * 2 + column * 2] = sum;
  t.sync();
  sum = sum * 3 + s[row * wide * 2 + (wide - 1 - column) * 2];
  t.sync();
  s[column] = column;
  t.sync();
  out[gid_of(t)] = sum + s[column];
}
// What a row's threads have alike is kept, and used where ranks are asked for; and what each has.
SIMT_DEVICE void kept_of_rows(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned of_row = x[y_of(t) * 5] + 1, mine = x[in_plane(t) * 3] / (x[x_of(t)] | 1);
  s[me_of(t)] = mine;
  t.sync();
  const unsigned other = s[(me_of(t) * 7 + 3) % threads_of(t)];
  t.sync();
  s[me_of(t)] = other * of_row;
  t.sync();
  if (me_of(t) % 5 == 2) s[me_of(t)] += mine;
  t.sync();
  out[gid_of(t)] = s[me_of(t)] + of_row + mine;
}
// Some have left by their rank, others by their row; and turns of which a rank decides.
SIMT_DEVICE void left_by_rank(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  s[me_of(t)] = x[me_of(t)];
  if (me_of(t) >= threads_of(t) - 9) return;
  t.sync();
  if (y_of(t) == 3) return;
  t.sync();
  unsigned sum = 0;
  for (unsigned i = 0; i < me_of(t) % 4; ++i) sum += s[me_of(t) - i];
  if (me_of(t) < 40) sum ^= s[me_of(t) + 2];
  out[gid_of(t)] = sum;
}

template <auto Kernel>
std::vector<unsigned> ranks_leave(int shape, wanted_execution how) {
  use(how, 1);
  std::vector<unsigned> values(4096);
  for (unsigned i = 0; i < 4096; ++i) values[i] = i * 2654435761u >> 7;
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<unsigned>(2048, 7u), "out");
  // As constants, so that there are loops for each.
  if (shape == 0) simt::launch<Kernel>({.grid = 3, .block = {16, 16}}, x.view(), out.view());
  if (shape == 1) simt::launch<Kernel>({.grid = 3, .block = {32, 8}}, x.view(), out.view());
  if (shape == 2) simt::launch<Kernel>({.grid = 2, .block = {8, 8, 4}}, x.view(), out.view());
  if (kCut && how == wanted_execution::automatic) CHECK(simt::sim::last_launch_execution().how == execution::loops);
  use(wanted_execution::automatic);
  return out.to_host();
}
template <auto Kernel>
void same_by_ranks(const char* what) {
  for (int shape = 0; shape < 3; ++shape)
    CHECK_MESSAGE(
        ranks_leave<Kernel>(shape, wanted_execution::automatic) == ranks_leave<Kernel>(shape, wanted_execution::fibers),
        std::string(what), ", shape ", shape);
}

}  // namespace

TEST_CASE("threads of several rows that ask for their rank leave what they leave alone") {
  same_by_ranks<tile_by_ranks>("a tile by ranks");
  same_by_ranks<near_ranks>("near ranks");
  same_by_ranks<kept_of_rows>("what rows keep");
  same_by_ranks<left_by_rank>("who left by rank");
}
