// SPDX-License-Identifier: Apache-2.0
// How many blocks workers of a checked launch take at once.
#include <sim/exec/chunks.hpp>

#include <doctest/doctest.h>

namespace simt::sim {

TEST_CASE("blocks of a checked launch are taken in units that fill stretches of memory") {
  // 4,096 threads: 4 KiB of bytes, 16 KiB of floats.
  CHECK(watched_unit({65536, 1, 1}, {256, 1, 1}, 65536, 16) == 16);
  CHECK(watched_unit({65536, 1, 1}, {1024, 1, 1}, 65536, 16) == 4);
  CHECK(watched_unit({65536, 1, 1}, {64, 1, 1}, 65536, 2) == 64);
  // Tiles: whole rows of blocks.
  CHECK(watched_unit({256, 256, 1}, {16, 16, 1}, 65536, 8) == 256);
  CHECK(watched_unit({100, 300, 1}, {32, 8, 1}, 30000, 4) == 100);
}

TEST_CASE("workers of a checked launch get 32 units each, or single blocks") {
  CHECK(watched_unit({1024, 1, 1}, {256, 1, 1}, 1024, 16) == 2);
  CHECK(watched_unit({100, 1, 1}, {256, 1, 1}, 100, 16) == 1);
  CHECK(watched_unit({1, 1, 1}, {256, 1, 1}, 1, 1) == 1);
  CHECK(watched_unit({128, 8, 1}, {16, 16, 1}, 1024, 4) == 8);  // a row of blocks is half of a worker's share
}

}  // namespace simt::sim
