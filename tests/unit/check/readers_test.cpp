// SPDX-License-Identifier: Apache-2.0
// Every reader of a word is remembered, however many there are.
#include <doctest/doctest.h>

#include "world.hpp"

using namespace check_tests;

TEST_CASE("all readers are remembered: one that the writer did not wait for is enough") {
  for (std::uint32_t mask : {0xffffffffu, 0xffffffdfu}) {
    world w;
    w.launch(1, 32);
    w.wr(0, 0, w.tile(0), 1);
    block_barrier(*w.blocks[0]);
    for (int t = 0; t < 32; ++t) w.rd(0, t, w.tile(0), 0x10 + static_cast<std::uintptr_t>(t % 3));
    warp_sync(*w.blocks[0], 0, mask);
    w.wr(0, 9, w.tile(0), 2);
    CHECK(w.found() == (mask == 0xffffffffu ? "" : "race-shared tile"));
    if (mask != 0xffffffffu) CHECK(w.d.findings()[0].accesses[1].thread == simt::index3{5, 0, 0});
  }
}

TEST_CASE(
    "readers of one interval at several places: with readers_by_place each has its own, else the run is doubtful") {
  for (const bool by_place : {false, true}) {
    for (const int late : {3, 4, 5}) {
      options o;
      o.readers_by_place = by_place;
      world w(o);
      w.launch(1, 32);
      w.wr(0, 0, w.tile(0), 1);
      block_barrier(*w.blocks[0]);
      for (int t = 0; t < 32; ++t) w.rd(0, t, w.tile(0), 0x10 + static_cast<std::uintptr_t>(t % 3));
      warp_sync(*w.blocks[0], 0, ~(1U << late));
      w.wr(0, 9, w.tile(0), 2);
      CHECK(w.found() == "race-shared tile");
      const finding f = w.d.findings()[0];
      CHECK(f.accesses[1].thread == simt::index3{late, 0, 0});
      CHECK(w.d.stats().doubtful == !by_place);
      CHECK(f.unsure_place == !by_place);
      if (by_place) CHECK(f.accesses[1].pc == 0x10 + static_cast<std::uintptr_t>(late % 3));
    }
  }
}

TEST_CASE("a word that very many blocks read: no reader is forgotten") {
  for (int late : {-1, 1, 40, 70, 99}) {
    world w;
    const auto x = w.buffer("table", 2), y = x + 4;
    w.launch(100, 32);
    for (int b = 0; b < 100; ++b) {
      if (b != late) w.rd(b, b % 32, x);
      w.at(b, b % 32, y, atomic_op::rmw, order::acq_rel, scope::device);
      if (b == late) w.rd(b, b % 32, x);
    }
    w.at(0, 0, y, atomic_op::load, order::acquire, scope::device);
    w.wr(0, 0, x, 1);
    CHECK(w.found() == (late < 0 ? "" : "race-global table"));
    if (late >= 0) CHECK(w.d.findings()[0].accesses[1].block == simt::index3{late, 0, 0});
    CHECK(w.d.stats().inexact_cells == 0);
  }
}

TEST_CASE("many threads read words of one history: each word has its own reader") {
  world w;
  const auto x = w.buffer("table", 1024);
  w.launch(1, 1024);
  for (int k = 0; k < 1024; ++k) w.rd(0, 5, x + 4 * static_cast<std::uintptr_t>(k), 0x10);
  block_barrier(*w.blocks[0]);
  for (int k = 0; k < 1024; ++k) w.rd(0, k, x + 4 * static_cast<std::uintptr_t>(k), 0x14);
  for (int k = 0; k < 1024; ++k) w.wr(0, k, x + 4 * static_cast<std::uintptr_t>(k), k);
  CHECK(w.found() == "");
}

// Thread 3 reads cells that others have read before it, so that what it did at one is remembered for the next.
TEST_CASE("a step from one set of readers to the next is taken for the same set and thread only") {
  for (const int other_thread : {0, 1}) {
    world w;
    const auto x = w.buffer("x", 64);
    w.launch(1, 32);
    const std::uintptr_t first = x, second = x + 64, last = x + 128;
    const int left_out = other_thread ? 4 : 5;
    for (int warm = 0; warm < 2; ++warm)
      for (const std::uintptr_t cell : {first, second}) {
        w.rd(0, 1, cell + static_cast<std::uintptr_t>(warm) * 4);
        w.rd(0, 3, cell + static_cast<std::uintptr_t>(warm) * 4);
      }
    w.rd(0, other_thread ? 1 : left_out, last);
    w.rd(0, other_thread ? left_out : 3, last);
    warp_sync(*w.blocks[0], 0, 1u << 1 | 1u << 3 | 1u << 7);
    w.wr(0, 7, last, 1);  // after what threads 1 and 3 did, not after the reader that is left out
    CHECK(w.found() == "race-global x");
  }
}

TEST_CASE("out of room the list of a word's readers is cut, which loses nothing until blocks order each other") {
  options o;
  o.extra_bytes = 0;
  world w(o);
  const auto x = w.buffer("table", 2), y = x + 4;
  w.launch(100, 32);
  for (int b = 0; b < 100; ++b) w.rd(b, b % 32, x);
  SUBCASE("no note") {
    w.end();
    CHECK(w.d.stats().inexact_cells == 0);
  }
  SUBCASE("a note") {
    w.at(3, 0, y, atomic_op::rmw, order::release, scope::device);
    w.end();
    CHECK(w.d.stats().inexact_cells > 0);
  }
  SUBCASE("a writer is found whichever block it is of") {
    w.wr(50, 0, x, 1);
    CHECK(w.found() == "race-global table");
  }
}

TEST_CASE("every second reader of many cells is kept, whichever thread it is") {
  world w(with(100000));
  constexpr int kThreads = 1024;
  const auto x = w.buffer("x", kThreads);
  const auto cell = [&](int i) { return x + static_cast<std::uintptr_t>(i) * 4; };
  w.launch(1, kThreads);
  for (int i = 2; i < kThreads; ++i) w.rd(0, 1, cell(i));
  for (int i = 2; i < kThreads; ++i) w.rd(0, i, cell(i));
  for (int i = 2; i < kThreads; ++i) w.wr(0, 1, cell(i), i, 0x1000 + static_cast<std::uintptr_t>(i));
  w.end();
  const auto all = w.d.findings();
  REQUIRE(all.size() == kThreads - 2);
  int wrong = 0;
  for (const finding& f : all) wrong += f.accesses.at(1).thread.x != f.index.at(0);
  CHECK(wrong == 0);
}
