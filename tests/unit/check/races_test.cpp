// SPDX-License-Identifier: Apache-2.0
// One mechanism of ordering within a launch a test: the racy form and its twin that differs in one event.
#include <doctest/doctest.h>

#include "world.hpp"

using namespace check_tests;

TEST_CASE("blocks of a launch are not ordered") {
  world w;
  const auto x = w.buffer("counter", 1);
  w.launch(2, 32);
  w.rd(0, 3, x), w.wr(0, 3, x, 1);
  w.rd(1, 4, x), w.wr(1, 4, x, 2);
  CHECK(w.found() == "race-global counter, race-global counter");  // read against write, write against write
  const finding f = w.d.findings().at(1);
  CHECK(f.space == simt::memory_space::global);
  CHECK(f.index == std::vector<std::int64_t>{0});
  CHECK(f.type == "int");
  CHECK(f.kernel == "kernel");
  REQUIRE(f.accesses.size() == 2);
  CHECK(f.accesses[0].block == simt::index3{1, 0, 0});
  CHECK(f.accesses[0].thread == simt::index3{4, 0, 0});
  CHECK(f.accesses[1].block == simt::index3{0, 0, 0});
  CHECK(f.accesses[1].thread == simt::index3{3, 0, 0});
  CHECK(f.accesses[0].value == "2");
  CHECK(f.accesses[1].value == "1");
}

TEST_CASE("atomics do not race with each other, but with plain accesses") {
  world w;
  const auto x = w.buffer("counter", 2);
  w.launch(2, 32);
  for (int b : {0, 1}) w.at(b, 0, x, atomic_op::rmw, order::relaxed, scope::device);
  SUBCASE("silent") { CHECK(w.found() == ""); }
  SUBCASE("plain read") {
    w.rd(1, 5, x);
    CHECK(w.found() == "race-global counter");
  }
  SUBCASE("what a plain write stored is not told once an atomic has changed it") {
    w.wr(1, 5, x + 4, 9);
    w.at(0, 0, x + 4, atomic_op::rmw, order::relaxed, scope::device);
    REQUIRE(w.found() == "race-global counter");
    CHECK(w.d.findings()[0].accesses[1].value == "");
  }
  SUBCASE("block scope") {
    w.at(1, 7, x, atomic_op::rmw, order::relaxed, scope::block);
    CHECK(w.found() == "race-scope counter");
  }
}

TEST_CASE("a block barrier orders shared memory") {
  for (bool barrier : {false, true}) {
    world w;
    w.launch(1, 64);
    for (int t = 0; t < 64; ++t) w.wr(0, t, w.tile(0) + static_cast<std::uintptr_t>(t) * 4, t);
    if (barrier) block_barrier(*w.blocks[0]);
    for (int t = 0; t < 64; ++t) w.rd(0, t, w.tile(0) + static_cast<std::uintptr_t>(t ^ 33) * 4);
    CHECK(w.found() == (barrier ? "" : "race-shared tile"));
    if (!barrier) {
      const finding f = w.d.findings()[0];
      CHECK(f.count == 64);
      CHECK(f.index == std::vector<std::int64_t>{4, 1});  // tile[4][1]: thread 0 reads element 33
      CHECK(f.cause == simt::cause::race_block);
    }
  }
}

TEST_CASE("a counter that its last updater resets in two plain writes") {
  world w;
  const auto x = w.buffer("counter", 2);
  w.launch(2, 32);
  w.at(0, 3, x, atomic_op::rmw, order::relaxed, scope::device);
  w.at(1, 4, x, atomic_op::rmw, order::relaxed, scope::device);
  write(w.t(1, 4), x, 2, 0x20), write(w.t(1, 4), x + 2, 2, 0x24);
  SUBCASE("by itself") { CHECK(w.found() == ""); }
  SUBCASE("and another then") {
    w.wr(1, 5, x, 0);
    CHECK(w.found() != "");
  }
}

TEST_CASE("message passing: each part is needed, at its scope") {
  struct form {
    order store, load;
    scope s;
    const char* want;
  };
  for (const form& f : {form{order::release, order::acquire, scope::device, ""},
                        form{order::relaxed, order::acquire, scope::device, "race-global data"},
                        form{order::release, order::relaxed, scope::device, "race-global data"},
                        form{order::release, order::acquire, scope::block, "race-scope data, race-scope flag"}}) {
    world w;
    const auto data = w.buffer("data", 1), flag = w.buffer("flag", 1, true, 64);
    w.launch(2, 1);
    w.wr(0, 0, data, 1);
    w.at(0, 0, flag, atomic_op::store, f.store, f.s);
    w.at(1, 0, flag, atomic_op::load, f.load, f.s, 0x40);
    w.rd(1, 0, data);
    CHECK(w.found() == f.want);
  }
}

TEST_CASE("fences around relaxed or volatile accesses synchronise") {
  for (int dropped = 0; dropped < 4; ++dropped)  // 0: none; 1, 2: one of the fences; 3: both at block scope
    for (bool use_volatile : {false, true}) {
      world w;
      const auto data = w.buffer("data", 1), flag = w.buffer("flag", 1, true, 64);
      const scope s = dropped == 3 ? scope::block : scope::device;
      w.launch(2, 1);
      w.wr(0, 0, data, 1);
      if (dropped != 1) fence(w.t(0, 0), order::seq_cst, s);
      if (use_volatile)
        write_volatile(w.t(0, 0), flag, 4, 0x40), read_volatile(w.t(1, 0), flag, 4, 0x50);
      else
        w.at(0, 0, flag, atomic_op::rmw, order::relaxed, scope::device),
            w.at(1, 0, flag, atomic_op::rmw, order::relaxed, scope::device);
      if (dropped != 2) fence(w.t(1, 0), order::seq_cst, s);
      w.rd(1, 0, data);
      CHECK(w.found() == (dropped == 0 ? "" : dropped == 3 ? "race-scope data" : "race-global data"));
      if (dropped == 2) CHECK(w.d.findings()[0].cause == simt::cause::race_blocks_unacquired);
      if (dropped == 1) CHECK(w.d.findings()[0].cause == simt::cause::race_blocks_unfenced);
    }
}

TEST_CASE("what a thread has seen goes with its arrival at a named barrier, for the waiters' fences") {
  for (const bool sees : {true, false}) {
    world w;
    const auto data = w.buffer("data", 1), flag = w.buffer("flag", 1, true, 64);
    w.launch(2, 64);
    w.wr(0, 0, data, 1);
    w.at(0, 0, flag, atomic_op::store, order::release, scope::device);
    if (sees) w.at(1, 0, flag, atomic_op::load, order::relaxed, scope::device);
    arrive_at_named(w.t(1, 0), 1);
    const int waits[] = {32};
    named_barrier(*w.blocks[1], 1, waits);
    fence(w.t(1, 32), order::acquire, scope::device);
    w.rd(1, 32, data);
    CHECK(w.found() == (sees ? "" : "race-global data"));
  }
}

TEST_CASE("lanes of one warp do not run in step: volatile elements of a shared array race between them") {
  for (bool sync : {false, true}) {
    world w;
    w.launch(1, 64);
    write_volatile(w.t(0, 1), w.tile(0) + 4, 4, 0x40);
    if (sync) warp_sync(*w.blocks[0], 0, 3);
    read_volatile(w.t(0, 0), w.tile(0) + 4, 4, 0x50);    // lane 0 of the writer's warp
    read_volatile(w.t(0, 40), w.tile(0) + 4, 4, 0x60);   // another warp: a flag
    write_volatile(w.t(0, 33), w.tile(0) + 4, 4, 0x70);  // and lane 1 of that
    CHECK(w.found() == (sync ? "race-shared tile" : "race-shared tile, race-shared tile"));
  }
}

TEST_CASE("a volatile write of a lane is not forgotten when another warp's follows it in order") {
  for (bool ordered : {false, true}) {  // what the lane's neighbour reads races with it either way
    world w;
    const auto flag = w.buffer("flag", 1);
    w.launch(1, 64);
    write_volatile(w.t(0, 1), w.tile(0) + 4, 4, 0x40);
    if (ordered) w.at(0, 1, flag, atomic_op::rmw, order::release, scope::device);
    if (ordered) w.at(0, 33, flag, atomic_op::rmw, order::acquire, scope::device);
    write_volatile(w.t(0, 33), w.tile(0) + 4, 4, 0x70);
    read_volatile(w.t(0, 0), w.tile(0) + 4, 4, 0x50);
    CHECK(w.found() == "race-shared tile");
  }
}

TEST_CASE("a single volatile variable is a flag, also within a warp") {
  world w;
  w.launch(1, 32);
  shared_array(*w.blocks[0], w.tile(0) + 512, 4, {"flag", "int", 4, {}});
  write_volatile(w.t(0, 1), w.tile(0) + 512, 4, 0x40);
  read_volatile(w.t(0, 0), w.tile(0) + 512, 4, 0x50);
  CHECK(w.found() == "");
}

TEST_CASE("shared memory of a block of the cluster that has not begun: its array, and a race with what it does later") {
  for (bool sync : {false, true}) {
    world w;
    w.l = &w.d.launch_begin(0, "kernel", {2, 1, 1}, {4, 1, 1}, true);
    const address_range slots[] = {{w.tile(0), 1024}, {w.tile(1), 1024}};
    w.d.cluster_begin(slots);
    const auto begin = [&](int i) { w.blocks.push_back(&w.d.block_begin(*w.l, i, {i, 0, 0}, 0, {w.tile(i), 1024})); };
    const auto declare = [&](int i) { shared_array(*w.blocks[i], w.tile(i), 256, {"tile", "int", 4, {8, 8}}); };
    begin(0);
    declare(0);
    if (!sync) w.wr(0, 0, w.tile(1) + 8, 1);
    begin(1);
    if (!sync) w.wr(0, 1, w.tile(1) + 16, 1);  // begun, but the array is not declared yet
    declare(1);
    if (sync) blocks_sync(w.blocks);
    if (sync) w.wr(0, 0, w.tile(1) + 8, 1), w.wr(0, 1, w.tile(1) + 16, 1);
    if (sync) blocks_sync(w.blocks);
    w.wr(1, 2, w.tile(1) + 8, 2, 0x30);
    w.wr(1, 2, w.tile(1) + 16, 2, 0x40);
    CHECK(w.found() == (sync ? "" : "race-shared tile, race-shared tile"));
  }
}

TEST_CASE("what a block of the cluster did before this one began is not ordered before it") {
  for (const int workers : {1, 2}) {
    world w(with(16, false, workers));
    w.l = &w.d.launch_begin(0, "kernel", {2, 1, 1}, {4, 1, 1}, true);
    const address_range slots[] = {{w.tile(0), 1024}, {w.tile(1), 1024}};
    w.d.cluster_begin(slots);
    for (int i : {0, 1}) {
      w.blocks.push_back(&w.d.block_begin(*w.l, i, {i, 0, 0}, 0, {w.tile(i), 1024}));
      shared_array(*w.blocks.back(), w.tile(i), 256, {"tile", "int", 4, {8, 8}});
      if (i == 0) w.wr(0, 0, w.tile(0) + 8, 1), w.wr(0, 0, w.tile(1) + 8, 1);
    }
    w.wr(1, 2, w.tile(1) + 8, 2, 0x30);
    CHECK(w.found() == "race-shared tile");
  }
}

TEST_CASE("shared memory of a block of the cluster that has ended is nobody's") {
  world w;
  w.launch(2, 1, 0, 2);
  w.d.block_end(*w.blocks[1]);
  w.blocks.pop_back();
  w.rd(0, 0, w.tile(1));
  CHECK(w.found().starts_with("out-of-bounds"));
  const simt::finding f = w.d.findings().front();
  CHECK(f.cause == simt::cause::outside_left);
  REQUIRE(f.accesses.size() == 2);
  CHECK(f.accesses[1].block.x == 1);
}

TEST_CASE("a structure's copy announces its write, then its read, and happens after both") {
  world w;
  const auto x = w.buffer("x", 8);
  w.launch(2, 1);
  w.rd(0, 0, x, 0x10);
  write_range(w.t(1, 0), x, 8, 0x20);
  read_range(w.t(1, 0), x + 16, 8, 0x20);
  const long value = 7;
  std::memcpy(reinterpret_cast<void*>(x), &value, 8);
  w.rd(1, 0, x + 24, 0x30);
  w.rd(1, 0, x + 24, 0x30);
  CHECK(w.found() == "race-global x");  // not a warning: the value changed
}

TEST_CASE("volatile as plain") {
  world w(with(4096, true));
  const auto flag = w.buffer("flag", 1);
  w.launch(2, 1);
  write_volatile(w.t(0, 0), flag, 4, 0x40);
  read_volatile(w.t(1, 0), flag, 4, 0x50);
  CHECK(w.found() == "race-global flag");
}

TEST_CASE("a volatile load happens after its announcement: what is released in between is acquired") {
  world w;
  const auto data = w.buffer("data", 1), flag = w.buffer("flag", 1, true, 64);
  w.launch(2, 1);
  read_volatile(w.t(1, 0), flag, 4, 0x50);  // announced; the load itself comes below
  w.wr(0, 0, data, 1);
  fence(w.t(0, 0), order::release, scope::device);
  write_volatile(w.t(0, 0), flag, 4, 0x40);
  fence(w.t(1, 0), order::acquire, scope::device);  // the load was before this
  w.rd(1, 0, data);
  CHECK(w.found() == "");
}

TEST_CASE("ticket: the last block reads what all wrote") {
  for (bool fenced : {true, false}) {
    world w;
    const auto part = w.buffer("partial", 8), ticket = w.buffer("ticket", 1, true, 64);
    w.launch(8, 32);
    for (int b = 0; b < 8; ++b) {
      w.wr(b, 0, part + static_cast<std::uintptr_t>(b) * 4, b);
      if (fenced || b != 3) fence(w.t(b, 0), order::seq_cst, scope::device);
      w.at(b, 0, ticket, atomic_op::rmw, order::relaxed, scope::device);
      fence(w.t(b, 0), order::seq_cst, scope::device);
      block_barrier(*w.blocks[static_cast<std::size_t>(b)]);
    }
    for (int i = 0; i < 8; ++i) w.rd(7, 20 + i, part + static_cast<std::uintptr_t>(i) * 4);
    CHECK(w.found() == (fenced ? "" : "race-global partial"));
    if (!fenced) CHECK(w.d.findings()[0].index == std::vector<std::int64_t>{3});
  }
}

TEST_CASE("bytes of one word are separate") {
  world w;
  const auto x = w.buffer("bytes", 1);
  w.launch(4, 1);
  for (int b = 0; b < 4; ++b) write(w.t(b, 0), x + static_cast<std::uintptr_t>(b), 1, 0x20);
  SUBCASE("neighbours") { CHECK(w.found() == ""); }
  SUBCASE("overlap") {
    write(w.t(0, 0), x + 2, 2, 0x20);
    CHECK(w.found() != "");
  }
}

TEST_CASE("cluster and grid barriers") {
  for (int synced : {0, 2, 4}) {
    world w;
    const auto x = w.buffer("x", 1);
    w.launch(4, 8, 0, 2);
    w.wr(0, 0, x, 1);
    if (synced) blocks_sync(std::span<block_state* const>(w.blocks).first(static_cast<std::size_t>(synced)));
    SUBCASE("inside the cluster") {
      w.rd(1, 3, x);
      CHECK(w.found() == (synced ? "" : "race-global x"));
    }
    SUBCASE("another cluster") {
      w.rd(3, 3, x);
      CHECK(w.found() == (synced == 4 ? "" : "race-global x"));
    }
  }
}

TEST_CASE("an asynchronous copy is done when it has been waited for") {
  for (bool waits : {true, false}) {
    world w;
    const auto x = w.buffer("x", 4);
    w.launch(1, 32);
    thread_state& copy = async_begin(w.t(0, 0));
    read_range(copy, x, 16, 0x60);
    write_range(copy, w.tile(0), 16, 0x60);
    sync_object done;
    release(copy, done);
    if (waits) acquire(w.t(0, 0), done);
    block_barrier(*w.blocks[0]);  // orders the threads, not the copy
    w.rd(0, 5, w.tile(0) + 4);
    CHECK(w.found() == (waits ? "" : "race-shared tile"));
  }
}
