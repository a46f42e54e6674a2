// SPDX-License-Identifier: Apache-2.0
// Kernels that kernels launch: what comes before them, and what they come before (sim/check/child_launches.hpp).
#include <doctest/doctest.h>

#include "world.hpp"

using namespace check_tests;

namespace {

// A stream that is not the host.
struct streamed : world {
  const int s = d.new_stream("a");
  void parent(int count, int threads) { launch(count, threads, s); }
  void child(std::uint64_t number) { launch(1, 1, s, 1, number); }
};

}  // namespace

TEST_CASE("a child comes after what its thread did before the launch, not after what it does then") {
  for (const bool before : {false, true}) {
    streamed w;
    const auto x = w.buffer("x", 1);
    w.parent(1, 1);
    if (before) w.wr(0, 0, x, 1);
    kernel_launched(w.t(0, 0), 1);
    if (!before) w.wr(0, 0, x, 1);
    w.child(1);
    w.rd(0, 0, x);
    CHECK(w.found() == (before ? "" : "race-global x"));
  }
}

TEST_CASE("a child comes after the rest of its parent's block only by a barrier, and after other blocks never") {
  for (const bool synced : {false, true})
    for (const int block : {0, 1}) {
      streamed w;
      const auto x = w.buffer("x", 1);
      w.parent(2, 64);
      w.wr(block, 40, x, 1);
      if (synced) block_barrier(*w.blocks[0]), block_barrier(*w.blocks[1]);
      kernel_launched(w.t(0, 0), 1);
      w.child(1);
      w.rd(0, 0, x);
      CHECK(w.found() == (synced && block == 0 ? "" : "race-global x"));
    }
}

TEST_CASE("what follows on the parent's stream comes after the child; the parent does not") {
  for (const bool by_parent : {false, true})
    for (const bool same_stream : {false, true}) {
      streamed w;
      const auto x = w.buffer("x", 1);
      const int other = w.d.new_stream("b");
      w.parent(1, 1);
      kernel_launched(w.t(0, 0), 1);
      if (by_parent) w.rd(0, 0, x);
      w.child(1);
      w.wr(0, 0, x, 1);
      if (!by_parent) {
        w.launch(1, 1, same_stream ? w.s : other);
        w.rd(0, 0, x);
      }
      CHECK(w.found() == (!by_parent && same_stream ? "" : "race-global x"));
    }
}

TEST_CASE("children of one block run one after the other, those of two blocks do not") {
  for (const int block : {0, 1}) {
    streamed w;
    const auto x = w.buffer("x", 1);
    w.parent(2, 2);
    kernel_launched(w.t(0, 0), 1);
    kernel_launched(w.t(block, 1), 2);
    w.child(1);
    w.wr(0, 0, x, 1, 0x20);
    w.child(2);
    w.rd(0, 0, x, 0x30);
    CHECK(w.found() == (block == 0 ? "" : "race-global x"));
  }
}

TEST_CASE("children of one block on two streams are not ordered, unless the block lets streams meet") {
  for (const std::uint64_t stream : {0, 7})
    for (const bool meet : {false, true}) {
      streamed w;
      const auto x = w.buffer("x", 1);
      w.parent(1, 2);
      kernel_launched(w.t(0, 0), 1, 7);
      if (meet) kernel_streams_meet(w.t(0, 1));
      kernel_launched(w.t(0, 1), 2, stream);
      w.child(1);
      w.wr(0, 0, x, 1, 0x20);
      w.child(2);
      w.rd(0, 0, x, 0x30);
      CHECK(w.found() == (stream == 7 || meet ? "" : "race-global x"));
    }
}

TEST_CASE("children of many blocks are told apart, and streams that met in one launch do not in the next") {
  streamed w;
  const auto x = w.buffer("x", 2);
  w.parent(1, 1);
  kernel_streams_meet(w.t(0, 0));
  w.parent(129, 1);
  for (int i = 0; i < 129; ++i) kernel_launched(w.t(i, 0), static_cast<std::uint64_t>(i + 1));
  kernel_launched(w.t(0, 0), 130, 5);
  for (int i = 0; i < 129; ++i) {
    w.child(static_cast<std::uint64_t>(i + 1));
    if (i == 64) w.wr(0, 0, x, 1, 0x20);
    if (i == 128) w.rd(0, 0, x, 0x30);
    if (i == 0) w.wr(0, 0, x + 4, 1, 0x40);
  }
  w.child(130);
  w.rd(0, 0, x + 4, 0x50);
  w.end();
  CHECK(w.d.findings().size() == 2);
}

TEST_CASE("a child has ended when its own children have: the next one comes after them, and so does the host") {
  streamed w;
  const auto x = w.buffer("x", 2);
  w.parent(1, 1);
  kernel_launched(w.t(0, 0), 1);
  kernel_launched(w.t(0, 0), 2);
  w.child(1);
  kernel_launched(w.t(0, 0), 3);
  w.child(3);
  w.wr(0, 0, x, 1);
  w.wr(0, 0, x + 4, 1);
  w.child(2);
  w.wr(0, 0, x, 2);
  w.end();
  w.d.wait(0, w.d.record(w.s));
  w.launch(1, 1, w.d.new_stream("b"));
  w.rd(0, 0, x + 4);
  CHECK(w.found() == "");
}

TEST_CASE("streams of children are used again, and later parents' children keep to their own") {
  streamed w;
  const auto x = w.buffer("x", 1);
  for (std::uint64_t i = 1; i <= 200; ++i) {
    w.parent(1, 1);
    w.wr(0, 0, x, static_cast<int>(i));
    kernel_launched(w.t(0, 0), i);
    w.child(i);
    w.wr(0, 0, x, -static_cast<int>(i));
  }
  CHECK(w.found() == "");
}
