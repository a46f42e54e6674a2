// SPDX-License-Identifier: Apache-2.0
// What an OS thread has put off for a block that runs as loops (deferred_shared.hpp).
#include <doctest/doctest.h>

#include <memory>

#include "sim/check/batch_checker.hpp"
#include "sim/check/block_state.hpp"
#include "world.hpp"

using namespace check_tests;

// A kernel that dies ends no block, and its detector goes with it. The next one's first block mostly lies where the
// last one lay; what the dead one did there is not its own.
TEST_CASE("what was put off for a block goes with its detector") {
  batch_checker judge;
  const auto first = [](world& w) -> thread_state& { return w.t(0, 0); };
  auto dead = std::make_unique<world>();
  dead->launch(1, 32);
  judge.loops_begin(first(*dead));
  REQUIRE(first(*dead).block->deferred != nullptr);
  dead->wr(0, 5, dead->tile(0), 1);
  const void* const block = first(*dead).block;
  dead->blocks.clear();
  dead->l = nullptr;
  dead.reset();

  world w;
  w.launch(1, 32);
  WARN(first(w).block == block);  // else only a sanitizer sees it
  first(w).block->share();
  judge.loops_begin(first(w));
  w.rd(0, 6, w.tile(0));
  CHECK(w.found() == "uninitialized-read tile");
}
