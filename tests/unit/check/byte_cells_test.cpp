// SPDX-License-Identifier: Apache-2.0
// Arrays of bytes that threads touch in no order: cells of which each byte has words of its own (byte_cells.hpp).
#include <doctest/doctest.h>

#include "byte_accesses.hpp"
#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

constexpr std::uintptr_t kBytes = 512;

// The place of the i-th access: far from the one before, and never as far as that one was.
std::uintptr_t scattered(std::uintptr_t i) { return (i * i + i) / 2 * 37 % kBytes; }

bool any_byte_cells(world& w) { return w.d.core().shadow.bytes_apart.bytes() != 0; }

// Both instructions have gone elsewhere, so what follows is in no order. Bytes from x + 256 on.
void scatter(world& w, std::uintptr_t x) {
  for (const std::uintptr_t at : {x + 300, x + 260, x + 400}) rd1(w, 0, 0, at), wr1(w, 0, 0, at);
}

}  // namespace

TEST_CASE("bytes in no order, each of one thread: silent, and hardly any cell needs the general form") {
  for (const std::uint32_t size : {1u, 2u}) {
    world w;
    const auto x = w.buffer("x", kBytes * size, false);
    const int stream = w.d.new_stream("a");
    for (int k = 0; k < 4; ++k) {
      w.launch(2, 256, stream);
      for (std::uintptr_t i = 0; i < kBytes; ++i) {
        const std::uintptr_t at = scattered(i) * size;
        const auto block = static_cast<int>(scattered(i) % 2), rank = static_cast<int>(scattered(i) / 2);
        wr1(w, block, rank, x + at, size);
        rd1(w, block, rank, x + at, size);
      }
    }
    CHECK(any_byte_cells(w));
    CHECK(slow_cells(w) < 4);  // where one step is as long as the one before, by chance
    CHECK(w.found() == "");
  }
}

TEST_CASE("bytes in no order: what two threads do with one byte") {
  struct deed {
    int block, rank;
    bool writes;
  };
  for (const deed first : {deed{0, 3, true}, deed{0, 3, false}})
    for (const deed second :
         {deed{0, 4, true}, deed{0, 4, false}, deed{1, 3, true}, deed{1, 3, false}, deed{0, 3, true}})
      for (const bool same : {false, true}) {
        world w;
        const auto x = w.buffer("x", kBytes);
        w.launch(2, 8);
        scatter(w, x);
        const auto does = [&](const deed& d, std::uintptr_t at) {
          d.writes ? wr1(w, d.block, d.rank, at) : rd1(w, d.block, d.rank, at);
        };
        does(first, x + 5);
        does(second, same ? x + 5 : x + 6);
        CHECK(any_byte_cells(w));
        const bool one_thread = first.block == second.block && first.rank == second.rank;
        const bool races = same && !one_thread && (first.writes || second.writes);
        CHECK(w.found() == (races ? "race-global x" : ""));
        if (!races) continue;
        const finding f = w.d.findings()[0];
        CHECK(f.accesses[0].pc == (second.writes ? kWrite : kRead));
        CHECK(f.accesses[0].thread.x == second.rank);
        CHECK(f.accesses[0].block.x == second.block);
        CHECK(f.accesses[1].pc == (first.writes ? kWrite : kRead));
        CHECK(f.accesses[1].thread.x == first.rank);
      }
}

TEST_CASE("bytes in no order: a mark that three blocks set, and a reader of one of them") {
  for (const bool reads : {false, true}) {
    world w;
    const auto x = w.buffer("x", kBytes);
    w.launch(4, 8);
    scatter(w, x);
    if (reads) rd1(w, 3, 1, x + 5);
    for (int b = 0; b < 3; ++b) wr1(w, b, 2, x + 5);
    // Each writer races with the one before, at one pair of places; the first one with the reader, too.
    CHECK(w.d.findings().size() == (reads ? 2 : 1));
    std::int64_t writes = 0;
    for (const finding& f : w.d.findings())
      if (f.accesses[1].pc == kWrite) writes = f.count;
    CHECK(writes == 2);
  }
}

TEST_CASE("bytes in no order: a barrier orders them, and so does a stream") {
  for (const bool barrier : {false, true}) {
    world w;
    const auto x = w.buffer("x", kBytes);
    w.launch(1, 8);
    scatter(w, x);
    wr1(w, 0, 1, x + 5);
    if (barrier) block_barrier(*w.blocks[0]);
    rd1(w, 0, 2, x + 5);
    CHECK(w.found() == (barrier ? "" : "race-global x"));
  }
  for (const bool waits : {false, true})
    for (const bool writes : {false, true}) {
      world w;
      const auto x = w.buffer("x", kBytes);
      const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
      w.launch(1, 8, a);
      scatter(w, x);
      writes ? wr1(w, 0, 1, x + 5) : rd1(w, 0, 1, x + 5);
      w.end();
      if (waits) w.d.wait(b, w.d.record(a));
      w.launch(1, 8, b);
      wr1(w, 0, 2, x + 5);
      CHECK(w.found() == (waits ? "" : "race-global x"));
    }
}

TEST_CASE("bytes in no order: a byte that nobody wrote beside one that somebody did") {
  for (const bool own : {false, true}) {
    world w;
    const auto x = w.buffer("x", kBytes, false);
    w.launch(1, 8);
    for (const std::uintptr_t at : {x + 300, x + 260, x + 400}) wr1(w, 0, 0, at), rd1(w, 0, 0, at);
    wr1(w, 0, 0, x + 5);
    rd1(w, 0, 0, own ? x + 5 : x + 6);
    CHECK(w.found() == (own ? "" : "uninitialized-read x"));
  }
}

TEST_CASE("bytes in no order: words and atomic operations after them") {
  for (const bool ordered : {false, true})
    for (const bool atomic : {false, true}) {
      world w;
      const auto x = w.buffer("x", kBytes);
      const int a = w.d.new_stream("a");
      w.launch(1, 8, a);
      scatter(w, x);
      wr1(w, 0, 1, x + 5);
      if (ordered) {
        w.end();
        w.d.wait(0, w.d.record(a));
        w.launch(1, 8, a);
      }
      if (atomic)
        w.at(0, 5, x + 4, atomic_op::rmw, order::relaxed, scope::device);
      else
        w.wr(0, 5, x + 4, 1);
      CHECK((w.found() == "") == ordered);
    }
}
