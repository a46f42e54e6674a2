// SPDX-License-Identifier: Apache-2.0
// What an OS thread has put off for a block that runs as loops (deferred_shared.hpp).
#include <doctest/doctest.h>

#include "sim/check/batch_checker.hpp"
#include "sim/check/block_state.hpp"
#include "world.hpp"

using namespace check_tests;

// A kernel that dies ends no block, and the memory of its block goes with its detector. Here it stays, to see that the
// next detector's block leaves it alone.
TEST_CASE("what was put off for a block goes with its detector") {
  batch_checker judge;
  world dead;
  dead.launch(1, 32);
  judge.loops_begin(dead.t(0, 0));
  const block_state& left = *dead.t(0, 0).block;
  const auto* const put_off = left.deferred;
  REQUIRE(put_off != nullptr);
  dead.wr(0, 5, dead.tile(0), 1);
  dead.blocks.clear();
  dead.l = nullptr;

  world w;
  w.launch(1, 32);
  judge.loops_begin(w.t(0, 0));
  CHECK(left.deferred == put_off);
  w.rd(0, 6, w.tile(0));
  CHECK(w.found() == "uninitialized-read tile");
}

// What is in no cell yet is recorded when somebody has to look: the words of an interval by who wrote them, and nothing
// else is old when the block has done nothing before its barrier.
TEST_CASE("a block that begins with a barrier has written nothing before it") {
  for (const int barriers : {1, 2}) {
    batch_checker judge;
    world w;
    w.launch(1, 64);
    judge.loops_begin(w.t(0, 0));
    for (int k = 0; k < barriers; ++k) block_barrier(*w.blocks[0]);
    const auto tile = w.tile(0);
    for (int t = 0; t < 64; ++t) w.wr(0, t, tile + 4 * static_cast<std::uintptr_t>(t ^ 1), t);
    REQUIRE(w.t(0, 0).block->deferred != nullptr);
    write(w.t(0, 63), tile + 62 * 4 + 1, 1, 0x24);  // a byte: it looks at cells
    REQUIRE(w.t(0, 0).block->deferred == nullptr);
    CHECK(w.found() == "");
  }
}
