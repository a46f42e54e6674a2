// SPDX-License-Identifier: Apache-2.0
// Who am I: every way of asking for a position, against counting on the host.
#include <doctest/doctest.h>

#include <vector>

#include <simt/simt.hpp>

namespace {

struct position {
  std::int64_t tx, ty, tz, bx, by, bz, dx, dy, dz, gx, gy, gz;
  std::int64_t x, y, z, sx, sy, sz;
  std::int64_t x2, y2, sx2, sy2, x1, s1;
  int rank, warp, lane;
  std::int64_t block;
  bool operator==(const position&) const = default;
};

SIMT_DEVICE void report_position(simt::thread t, simt::view<position> out) {
  const simt::dim3 ti = t.thread_idx(), bi = t.block_idx(), bd = t.block_dim(), gd = t.grid_dim();
  const auto [x, y, z] = t.grid<3>();
  const auto [sx, sy, sz] = t.grid_size<3>();
  const auto [x2, y2] = t.grid<2>();
  const auto [sx2, sy2] = t.grid_size<2>();
  const std::int64_t slot = t.block_index() * bd.volume() + t.rank();
  out[slot] = position{ti.x,     ti.y,     ti.z,        bi.x,
                       bi.y,     bi.z,     bd.x,        bd.y,
                       bd.z,     gd.x,     gd.y,        gd.z,
                       x,        y,        z,           sx,
                       sy,       sz,       x2,          y2,
                       sx2,      sy2,      t.grid<1>(), t.grid_size<1>(),
                       t.rank(), t.warp(), t.lane(),    t.block_index()};
}

std::vector<position> wanted_positions(simt::dim3 grid, simt::dim3 block) {
  std::vector<position> all;
  for (std::int64_t bz = 0; bz < grid.z; ++bz)
    for (std::int64_t by = 0; by < grid.y; ++by)
      for (std::int64_t bx = 0; bx < grid.x; ++bx)
        for (std::int64_t tz = 0; tz < block.z; ++tz)
          for (std::int64_t ty = 0; ty < block.y; ++ty)
            for (std::int64_t tx = 0; tx < block.x; ++tx) {
              const std::int64_t x = bx * block.x + tx, y = by * block.y + ty, z = bz * block.z + tz;
              const std::int64_t sx = grid.x * block.x, sy = grid.y * block.y, sz = grid.z * block.z;
              const int rank = static_cast<int>(tx + block.x * (ty + block.y * tz));
              all.push_back({tx,      ty,      tz,     bx,     by,        bz,        block.x,
                             block.y, block.z, grid.x, grid.y, grid.z,    x,         y,
                             z,       sx,      sy,     sz,     x,         y,         sx,
                             sy,      x,       sx,     rank,   rank / 32, rank % 32, bx + grid.x * (by + grid.y * bz)});
            }
  return all;
}

SIMT_DEVICE void visit_grid(simt::thread t, simt::view<int> visits) {
  for (auto i : t.grid_stride(visits.size())) t.atomic_add(visits[i], 1);
}
SIMT_DEVICE void visit_block(simt::thread t, simt::view<int, 2> visits) {
  for (auto i : t.block_stride(visits.extent(1))) t.atomic_add(visits(t.block_index(), i), 1);
}

}  // namespace

TEST_CASE("positions in one, two and three dimensions") {
  const std::pair<simt::dim3, simt::dim3> geometries[] = {
      {{1}, {1}}, {{5}, {33}}, {{3, 2}, {8, 5}}, {{2, 3, 4}, {5, 3, 7}}, {{1, 1, 3}, {1, 1, 64}}};
  for (const auto& [grid, block] : geometries) {
    simt::buffer<position> out(grid.volume() * block.volume(), "positions");
    simt::launch<report_position>({.grid = grid, .block = block}, out);
    CHECK(out.to_host() == wanted_positions(grid, block));
  }
}

TEST_CASE("grid_stride visits every index once") {
  for (const std::int64_t n : {0, 1, 63, 64, 65, 1000}) {
    auto visits = simt::to_device(std::vector<int>(static_cast<std::size_t>(n)), "visits");
    simt::launch<visit_grid>({.grid = 2, .block = 32}, visits);
    CHECK(visits.to_host() == std::vector<int>(static_cast<std::size_t>(n), 1));
  }
}

TEST_CASE("block_stride visits every index once in each block") {
  for (const std::int64_t n : {1, 29, 30, 31, 100}) {
    simt::buffer<int> visits(std::vector<std::int64_t>{3, n}, "visits");
    visits.fill_bytes(0);
    simt::launch<visit_block>({.grid = 3, .block = {5, 3, 2}}, visits);
    CHECK(visits.to_host() == std::vector<int>(static_cast<std::size_t>(3 * n), 1));
  }
}
