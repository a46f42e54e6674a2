// SPDX-License-Identifier: Apache-2.0
// Blocks side by side (sim/compile/blocks_beside.hpp): of the blocks in a row of the grid, all but those at its ends
// run row by row. All must leave what they leave on fibers, and where a kernel's blocks decide differently, too.
#include <algorithm>

#include "shared_tile.hpp"

namespace {

SIMT_DEVICE int block_of(simt::thread t) { return static_cast<int>(t.block_idx().x); }
SIMT_DEVICE int wide(simt::thread t) { return static_cast<int>(t.block_dim().x); }
SIMT_DEVICE int high(simt::thread t) { return static_cast<int>(t.block_dim().y); }
SIMT_DEVICE unsigned threads_in(simt::thread t) { return static_cast<unsigned>(wide(t) * high(t)); }
SIMT_DEVICE unsigned rank_of(simt::thread t) { return static_cast<unsigned>(t.rank()); }  // asks for z, too
SIMT_DEVICE unsigned element_of(simt::thread t) {
  return static_cast<unsigned>(t.block_idx().y * t.grid_dim().x + t.block_idx().x) * threads_in(t) + rank_of(t);
}
SIMT_DEVICE int column_of(simt::thread t) { return block_of(t) * wide(t) + x_of(t); }

// A tile with what lies around it, by those at its edges; each block has its own shared memory.
SIMT_DEVICE void tile_with_edges(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[40][40]>();
  const int i = column_of(t), j = y_of(t), tx = x_of(t) + 1, ty = j + 1;
  s[ty][tx] = x[(j * 50 + i) & 4095] + static_cast<unsigned>(block_of(t));
  if (x_of(t) == 0) s[ty][0] = x[(j * 50 + std::max(i - 1, 0)) & 4095];
  if (x_of(t) == wide(t) - 1) s[ty][tx + 1] = i < 60 ? x[(j * 50 + i + 1) & 4095] : 9;
  if (j == 0) s[0][tx] = x[i & 4095] * 3;
  if (j == high(t) - 1) s[ty + 1][tx] = x[(i + 5) & 4095];
  t.sync();
  if (i > 0 && i < 10 * wide(t))
    out[element_of(t)] = s[ty][tx - 1] + s[ty][tx + 1] * 3 + s[ty - 1][tx] * 5 + s[ty + 1][tx] * 7;
}
// What threads keep over barriers: of the block, of the row, and each its own; and some have left.
SIMT_DEVICE void what_is_kept(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  auto& r = t.shared<"r", unsigned[40]>();
  const unsigned of_block = x[block_of(t) * 3], of_row = x[y_of(t) + block_of(t)] * 5, mine = x[column_of(t) & 4095];
  s[rank_of(t)] = mine ^ of_block;
  if (y_of(t) == 0) r[x_of(t)] = mine;
  if (mine % 7 == 0 && x_of(t) > 2) return;
  t.sync();
  const unsigned sum = s[(rank_of(t) + 3) % 8] + r[x_of(t)] * of_row;
  t.sync();
  s[rank_of(t)] = sum + of_block;
  t.sync();
  out[element_of(t)] = s[rank_of(t)] + s[0] * 3 + of_row + mine;
}
// Blocks that pass different barriers, and as many turns of a loop as their number says.
SIMT_DEVICE void blocks_decide(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  s[rank_of(t)] = x[column_of(t) & 4095];
  unsigned sum = 0;
  for (int turn = 0; turn < block_of(t) % 4; ++turn) {
    t.sync();
    sum = sum * 5 + s[(rank_of(t) + 7) % threads_in(t)];
    t.sync();
    s[rank_of(t)] += sum;
  }
  if (block_of(t) % 3 == 1) {
    t.sync();
    sum ^= s[threads_in(t) - 1 - rank_of(t)];
  }
  out[element_of(t)] = sum + static_cast<unsigned>(y_of(t));
}
// A tile that is larger than the block, in static and in dynamic shared memory.
SIMT_DEVICE void larger_tile(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[20][40]>();
  unsigned* const d = t.dynamic_shared<unsigned>();
  for (int j = y_of(t); j < high(t) + 2; j += high(t))
    for (int i = x_of(t); i < wide(t) + 2; i += wide(t))
      s[j][i] = x[(std::max(j - 1, 0) * 64 + std::max(block_of(t) * wide(t) + i - 1, 0)) & 4095];
  d[rank_of(t)] = x[element_of(t)] * 3;
  t.sync();
  unsigned sum = d[threads_in(t) - 1 - rank_of(t)];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum = sum * 3 + s[y_of(t) + j][x_of(t) + i];
  out[element_of(t)] = sum;
}
// A block larger than its result: how much is left to the edges shrinks from block to block.
SIMT_DEVICE void within_edges(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const int n = static_cast<int>(x[0]) * 17, first = block_of(t) * (wide(t) - 2) - 1, i = first + x_of(t);
  const int least = first < 0 ? -first : 0, most = first + wide(t) - 1 > n - 1 ? n - 1 - first : wide(t) - 1;
  const int west = std::max(x_of(t) - 1, least), east = std::min(x_of(t) + 1, most), row = y_of(t) * wide(t);
  const bool in = i >= 0 && i < n;
  if (in) s[rank_of(t)] = x[(y_of(t) * 70 + i) & 4095];
  t.sync();
  if (in && x_of(t) >= 1 && x_of(t) < wide(t) - 1)
    out[element_of(t)] = s[row + west] * 3 + s[row + east] * 5 + s[row + x_of(t)];
}
// Which block it is tells who ends the launch.
SIMT_DEVICE void one_block_traps(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  s[rank_of(t)] = x[element_of(t)];
  t.sync();
  if (block_of(t) == 4 && s[5] == 1 && y_of(t) == 3) t.trap();
  out[element_of(t)] = s[threads_in(t) - 1 - rank_of(t)];
}

// The shapes stand here as constants, so that the kernel has loops of its own for them.
template <auto Kernel>
std::vector<unsigned> leaves(bool square, simt::dim3 grid, wanted_execution how, int workers) {
  use(how, workers);
  std::vector<unsigned> values(4096);
  std::iota(values.begin(), values.end(), 3u);
  auto x = simt::to_device(values, "x");
  auto out = simt::to_device(std::vector<unsigned>(8192, 7u), "out");
  if (square)
    simt::launch<Kernel>({.grid = grid, .block = {16, 16}, .shared_bytes = 1024}, x.view(), out.view());
  else
    simt::launch<Kernel>({.grid = grid, .block = {32, 8}, .shared_bytes = 1024}, x.view(), out.view());
  if (kCut && how == wanted_execution::automatic) CHECK(simt::sim::last_launch_execution().how == execution::loops);
  use(wanted_execution::automatic);
  return out.to_host();
}
template <auto Kernel>
void same_beside(const std::string& what) {
  // All blocks are at an end of the grid; some are not; several rows, and some blocks are left over.
  for (const bool square : {true, false})
    for (const simt::dim3 grid : {simt::dim3{5}, simt::dim3{6}, simt::dim3{11, 2}})
      for (const int workers : {1, 2})
        CHECK_MESSAGE(leaves<Kernel>(square, grid, wanted_execution::automatic, workers) ==
                          leaves<Kernel>(square, grid, wanted_execution::fibers, workers),
                      what, square ? " in blocks of 16x16, " : " in blocks of 32x8, ", grid.x, " in a row");
}

}  // namespace

TEST_CASE("blocks side by side leave what they leave alone") {
  same_beside<tile_with_edges>("a tile with edges");
  same_beside<what_is_kept>("what is kept");
  same_beside<blocks_decide>("blocks that decide");
  same_beside<larger_tile>("a larger tile");
  same_beside<within_edges>("within edges");
  same_beside<one_block_traps>("a trap that nobody meets");
}
