// SPDX-License-Identifier: Apache-2.0
// Arrays of bytes and halves: cells whose bytes belong to different threads.
#include <doctest/doctest.h>

#include <memory>

#include "byte_accesses.hpp"
#include "sim/check/access_judge.hpp"
#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

TEST_CASE("every thread its own byte or half: silent, and no cell needs the general form") {
  for (std::uint32_t size : {1u, 2u}) {
    world w;
    const auto in = w.buffer("in", 4096), out = w.buffer("out", 1024, false, 16384),
               ping = w.buffer("ping", 1024, false, 32768), pong = w.buffer("pong", 1024, false, 49152);
    const int stream = w.d.new_stream("a");
    for (int k = 0; k < 6; ++k) {
      w.launch(8, 64, stream);
      for (int b = 0; b < 8; ++b)
        for (int t = 0; t < 64; ++t) {
          const auto i = static_cast<std::uintptr_t>(b * 64 + t);
          for (std::uintptr_t c = 0; c < 3; ++c) rd1(w, b, t, in + (3 * i + c) * size, size, kRead + 4 * c);
          wr1(w, b, t, out + i * size, size);
          wr1(w, b, t, (k & 1 ? ping : pong) + i * size, size);  // each reads what the other wrote before
          if (k > 0) rd1(w, b, t, (k & 1 ? pong : ping) + i * size, size);
        }
    }
    CHECK(slow_cells(w) == 0);
    CHECK(w.d.unwritten_elements(out, size, 512) == 0);
    CHECK(w.d.unwritten_elements(in, size, 512) == 512);
    CHECK(w.found() == "");
  }
}

TEST_CASE("a byte that two threads touch: both places and threads are named") {
  for (bool same : {false, true}) {
    world w;
    const auto x = w.buffer("x", 64);
    w.launch(2, 8);
    for (int t = 0; t < 4; ++t)
      wr1(w, 0, t, x + static_cast<std::uintptr_t>(t), 1, kWrite + 4 * static_cast<std::uintptr_t>(t));
    rd1(w, 0, 5, same ? x + 2 : x + 4);
    CHECK(w.found() == (same ? "race-global x" : ""));
    if (!same) continue;
    const finding f = w.d.findings()[0];
    CHECK(f.accesses[0].pc == kRead);
    CHECK(f.accesses[0].thread.x == 5);
    CHECK(f.accesses[1].pc == kWrite + 8);
    CHECK(f.accesses[1].thread.x == 2);
  }
}

TEST_CASE("bytes that two blocks touch") {
  for (bool same : {false, true}) {
    world w;
    const auto x = w.buffer("x", 64);
    w.launch(2, 8);
    wr1(w, 0, 3, x);
    wr1(w, 1, 3, same ? x : x + 1);
    CHECK(w.found() == (same ? "race-global x" : ""));
  }
}

TEST_CASE("bytes and a barrier") {
  for (bool barrier : {false, true}) {
    world w;
    w.launch(1, 8);
    for (int t = 0; t < 8; ++t) wr1(w, 0, t, w.tile(0) + static_cast<std::uintptr_t>(t));
    if (barrier) block_barrier(*w.blocks[0]);
    for (int t = 0; t < 8; ++t) rd1(w, 0, t, w.tile(0) + static_cast<std::uintptr_t>((t + 1) % 8));
    if (barrier) block_barrier(*w.blocks[0]);
    for (int t = 0; t < 8; ++t) wr1(w, 0, t, w.tile(0) + static_cast<std::uintptr_t>(t));
    if (barrier) CHECK(slow_cells(w) == 0);
    CHECK(w.found().find("race-shared") == (barrier ? std::string::npos : 0));
  }
}

TEST_CASE("a byte that nobody wrote beside one that somebody did") {
  for (bool own : {false, true}) {
    world w;
    const auto x = w.buffer("x", 64, false);
    w.launch(1, 8);
    wr1(w, 0, 0, x);
    rd1(w, 0, 0, own ? x : x + 1);
    CHECK(w.found() == (own ? "" : "uninitialized-read x"));
  }
}

TEST_CASE("what an earlier launch did to the other bytes still races with other streams") {
  // A launch touches all bytes, the next on its stream one of them; then another stream writes another byte.
  for (bool first_writes : {false, true})
    for (bool waits : {false, true})
      for (bool between : {false, true}) {
        world w;
        const auto x = w.buffer("x", 64);
        const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
        w.launch(1, 8, a);
        for (int t = 0; t < 4; ++t)
          first_writes ? wr1(w, 0, t, x + static_cast<std::uintptr_t>(t))
                       : rd1(w, 0, t, x + static_cast<std::uintptr_t>(t));
        if (between) {  // a third level
          w.launch(1, 8, a);
          rd1(w, 0, 1, x + 1);
        }
        w.launch(1, 8, a);
        wr1(w, 0, 0, x);
        w.end();
        if (waits) w.d.wait(b, w.d.record(a));
        w.launch(1, 8, b);
        wr1(w, 0, 0, x + 3);
        CHECK(w.found() == (waits ? "" : "race-global x"));
      }
}

TEST_CASE("words after bytes") {
  for (bool ordered : {false, true}) {
    world w;
    const auto x = w.buffer("x", 64);
    const int a = w.d.new_stream("a");
    w.launch(1, 8);
    for (int t = 0; t < 4; ++t) wr1(w, 0, t, x + static_cast<std::uintptr_t>(t));
    if (ordered) {
      w.end();
      w.d.wait(0, w.d.record(0));
      w.launch(1, 8, a);
    }
    w.rd(0, 5, x);
    w.wr(0, 5, x, 1);
    CHECK((w.found() == "") == ordered);
  }
}

TEST_CASE("a cell that was of the general form needs it no more when all that is over") {
  world w;
  const auto x = w.buffer("x", 64);
  const int a = w.d.new_stream("a");
  for (int k = 0; k < 3; ++k) {
    w.launch(2, 8, a);
    if (k == 0) w.at(0, 0, x, atomic_op::load, order::relaxed, scope::device);
    for (int t = 0; t < 4; ++t) rd1(w, 0, t, x + static_cast<std::uintptr_t>(t));
    CHECK(slow_cells(w) == (k == 0 ? 1 : 0));
    w.end();
    w.d.wait(0, w.d.record(a));
    w.d.wait(a, w.d.record(0));
  }
  CHECK(w.found() == "");
}

TEST_CASE("bytes written before they are read only: written all the same") {
  for (int launches : {1, 2, 3}) {
    world w;
    const auto x = w.buffer("x", 64);
    const int a = w.d.new_stream("a");
    w.launch(1, 8, a);
    for (int i = 0; i < 16; ++i) w.wr(0, i % 8, x + static_cast<std::uintptr_t>(i) * 4, 1);
    for (int k = 0; k < launches; ++k) {
      w.launch(1, 8, a);
      for (int i = 0; i < 64; ++i) rd1(w, 0, i % 8, x + static_cast<std::uintptr_t>(i));
    }
    w.end();
    CHECK(w.d.unwritten_elements(x, 1, 64) == 0);
  }
}

TEST_CASE("shared bytes of a cluster: what was before a barrier of the block is not before the other block") {
  for (bool together : {false, true}) {
    world w;
    w.launch(2, 8, 0, 2);
    wr1(w, 0, 0, w.tile(0) + 1);
    block_barrier(*w.blocks[0]);
    wr1(w, 0, 0, w.tile(0));
    if (together) blocks_sync(w.blocks);
    rd1(w, 1, 0, w.tile(0) + 1);
    CHECK(w.found() == (together ? "" : "race-shared tile"));
  }
}

namespace {
std::vector<std::uintptr_t> constants_of_test;
}  // namespace

// The thread's racing write waits for its next event, which is the read of the constant.
TEST_CASE("a constant read behind a write that raced leaves no record, and the write is judged") {
  for (const bool changes : {false, true}) {
    options o = with();
    o.read_only_arrays = true;
    o.constants = [] { return constants_of_test; };
    world w(o);
    const auto x = w.buffer("x", 1), table = w.buffer("table", 16, true, 4096);
    constants_of_test = {table};
    w.launch(2, 4);
    write(w.t(0, 0), x, 1, kWrite);
    write(w.t(1, 0), x, 1, kWrite);
    if (changes) ++*reinterpret_cast<unsigned char*>(x);
    for (int i = 0; i < 3; ++i) CHECK(access_judge::reads_constant(w.t(1, 0), table + 5, 1));
    CHECK(w.d.core().shadow.look(table + 4).readers == 0);
    CHECK(w.found() == (changes ? "race-global x" : "race-global x (warning)"));
  }
}

// It ends at once. Were all records looked at for each read, it would take minutes.
TEST_CASE("a byte that very many blocks read") {
  world w;
  const auto x = w.buffer("x", 1);
  constexpr int blocks = 400000;
  w.l = &w.d.launch_begin(0, "kernel", {blocks, 1, 1}, {1, 1, 1}, false, false, 0);
  for (int i = 0; i < blocks; ++i) {
    block_state& b = w.d.block_begin(*w.l, i, {i, 0, 0}, i, {w.tile(0), 1024});
    read(thread_of(b, 0), x, 1, kRead);
    w.d.block_end(b);
  }
  CHECK(w.found() == "");
}
