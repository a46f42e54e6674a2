// SPDX-License-Identifier: Apache-2.0
// Races in which the later side stores what is there already: when that is a warning (docs/race_model.md, "Policies").
#include <doctest/doctest.h>

#include <algorithm>

#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

TEST_CASE("a racing store of the value that another thread of the launch has stored is a warning") {
  for (const int value : {1, 2})
    for (const bool two_launches : {false, true}) {
      world w;
      const auto x = w.buffer("flag", 1);
      w.launch(2, 1, w.d.new_stream("a"));
      w.wr(0, 0, x, 1);
      if (two_launches) w.launch(2, 1, w.d.new_stream("b"));
      w.wr(1, 0, x, value);
      CHECK(w.found() == (value == 1 && !two_launches ? "race-global flag (warning)" : "race-global flag"));
    }
}

TEST_CASE("a racing store of the value that another thread has read is an error: tiles of ones are tiles") {
  for (const bool synced : {false, true}) {
    world w;
    const auto x = w.buffer("x", 1);
    w.launch(1, 2);
    w.rd(0, 0, x);
    if (synced) block_barrier(*w.blocks[0]);
    w.wr(0, 1, x, 0);
    CHECK(w.found() == (synced ? "" : "race-global x"));
  }
}

TEST_CASE("all threads store one value in a byte, and each reads what it stored: a warning, as for whole words") {
  for (const std::uint32_t size : {1U, 4U})
    for (const bool all : {false, true}) {
      world w;
      const auto x = w.buffer("flag", 1);
      w.launch(1, 64);
      for (const int t : {0, 32, 5}) {
        if (t != 32 || all) write(w.t(0, t), x, size, 0x20);
        read(w.t(0, t), x, size, 0x24);
      }
      CHECK(w.found() == (all ? "race-global flag (warning)" : "race-global flag (warning), race-global flag"));
    }
}

// Each of `blocks` tells of one that was before it.
TEST_CASE("a flag of one byte that all blocks set: as many conflicting accesses as there are later stores") {
  for (const std::uint32_t size : {1U, 4U}) {
    constexpr int blocks = 20;
    world w;
    const auto x = w.buffer("flag", 1);
    w.launch(blocks, 1);
    for (int b = 0; b < blocks; ++b) write(w.t(b, 0), x, size, 0x20);
    CHECK(w.found() == "race-global flag (warning)");
    REQUIRE(w.d.findings().size() == 1);
    CHECK(w.d.findings()[0].count == blocks - 1);
  }
}
TEST_CASE("a flag of one byte that all blocks set keeps one of their stores, and what others have read") {
  world w;
  const auto x = w.buffer("flag", 1);
  w.launch(20, 1);
  read(w.t(0, 0), x + 1, 1, 0x24);
  for (int b = 1; b < 20; ++b) write(w.t(b, 0), x, 1, 0x20);
  const auto& records = w.d.core().forms.slow_form(*w.d.core().shadow.cell_of(x)).records;
  CHECK(std::ranges::count(records, record_kind::plain_write, &access_record::kind) == 1);
  write(w.t(19, 0), x + 1, 1, 0x28);
  CHECK(w.found() == "race-global flag (warning), race-global flag");
}
