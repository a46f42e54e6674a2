// SPDX-License-Identifier: Apache-2.0
// Reads through the read-only cache of what the same launch has written.
#include <doctest/doctest.h>

#include "sim/check/detector.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

// As instrumented code reads so: the look, then the read.
void read_through_cache(world& w, int block, int rank, std::uintptr_t at, std::uint32_t size = 4) {
  thread_state& t = w.t(block, rank);
  if (may_be_noncoherent(t, at, size)) read_noncoherent(t, at, size, 0x50);
  read(t, at, size, 0x50);
}

}  // namespace

TEST_CASE("a thread reads through the read-only cache what it wrote itself") {
  for (const bool same : {true, false}) {
    world w;
    const std::uintptr_t x = w.buffer("x", 8);
    w.launch(1, 32);
    w.wr(0, 3, x + 4, 1);
    read_through_cache(w, 0, 3, same ? x + 4 : x + 8);
    CHECK(w.found() == (same ? "noncoherent-read x" : ""));
  }
}

TEST_CASE("a barrier orders, and makes no such read coherent; without it there is a race and nothing else") {
  for (const bool barrier : {true, false}) {
    world w;
    const std::uintptr_t x = w.buffer("x", 8);
    w.launch(1, 64);
    w.wr(0, 3, x, 1);
    if (barrier) block_barrier(*w.blocks[0]);
    read_through_cache(w, 0, 40, x);
    CHECK(w.found() == (barrier ? "noncoherent-read x" : "race-global x"));
  }
}

TEST_CASE("what an earlier launch or the host wrote, and what is written later, is read as it is") {
  world w;
  const std::uintptr_t x = w.buffer("x", 8);
  const int stream = w.d.new_stream("s");  // for which the host does not wait
  w.launch(1, 32, stream);
  w.wr(0, 3, x, 1);
  w.launch(1, 32, stream);
  read_through_cache(w, 0, 5, x);
  w.wr(0, 5, x, 2);
  CHECK(w.found() == "");
}

TEST_CASE("parts of words, by their bytes") {
  for (const std::uintptr_t part : {0, 1, 2, 3}) {
    CAPTURE(part);
    world w;
    const std::uintptr_t x = w.buffer("x", 8);
    w.launch(1, 32);
    write(w.t(0, 3), x + 1, 1, 0x20);
    read_through_cache(w, 0, 3, x + part, 1);
    CHECK(w.found() == (part == 1 ? "noncoherent-read x" : ""));
  }
  // Before them the same thread has read the whole word, and wide reads have one written byte.
  world w;
  const std::uintptr_t x = w.buffer("x", 8);
  w.launch(1, 32);
  w.rd(0, 3, x + 12);
  write(w.t(0, 3), x + 13, 1, 0x20);
  read_through_cache(w, 0, 3, x, 16);
  CHECK(w.found() == "noncoherent-read x");
}

TEST_CASE("what atomic operations and volatile stores wrote") {
  for (const int way : {0, 1, 2, 3}) {
    CAPTURE(way);
    world w;
    const std::uintptr_t x = w.buffer("x", 8);
    w.launch(1, 64);
    for (int rank = 0; rank < 40; ++rank)
      if (way == 0) w.at(0, rank, x, atomic_op::rmw, order::relaxed, scope::device);
    if (way == 1) w.at(0, 3, x, atomic_op::store, order::release, scope::device);
    if (way == 2) w.at(0, 3, x, atomic_op::load, order::acquire, scope::device);
    if (way == 3) write_volatile(w.t(0, 3), x, 4, 0x20);
    block_barrier(*w.blocks[0]);
    read_through_cache(w, 0, 50, x);
    CHECK(w.found() == (way == 2 ? "" : "noncoherent-read x"));
  }
}

TEST_CASE("where races are not asked for nothing is said, nor of shared memory") {
  options o;
  o.races = false;
  world quiet(o);
  const std::uintptr_t x = quiet.buffer("x", 8);
  quiet.launch(1, 32);
  quiet.wr(0, 3, x, 1);
  read_through_cache(quiet, 0, 3, x);
  CHECK(quiet.found() == "");
  world w;
  w.launch(1, 32);
  w.wr(0, 3, w.tile(0), 1);
  read_through_cache(w, 0, 3, w.tile(0));
  CHECK(w.found() == "");
}
