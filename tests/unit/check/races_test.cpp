// SPDX-License-Identifier: Apache-2.0
// One mechanism of ordering a test: the racy form and its twin that differs in one event.
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

TEST_CASE("a plain read that a compare-and-swap of the same thread checks is a guess") {
  world w;
  const auto x = w.buffer("sum", 2);
  w.launch(2, 64);
  const auto swap = [&](int block, int rank, std::uintptr_t at) {
    w.at(block, rank, at, atomic_op::rmw, order::relaxed, scope::device);
    compared_and_swapped(w.t(block, rank), at, 4);
  };
  const int ranks[] = {0, 1, 40};
  SUBCASE("one after the other") {
    for (int b : {0, 1})
      for (int r : ranks) w.rd(b, r, x), swap(b, r, x);
    CHECK(w.found() == "");
  }
  SUBCASE("all read first") {
    for (int b : {0, 1})
      for (int r : ranks) w.rd(b, r, x);
    for (int b : {0, 1})
      for (int r : ranks) swap(b, r, x);
    CHECK(w.found() == "");
  }
  SUBCASE("one goes by what it read: a warning; nobody checks: an error") {
    for (int r : ranks) w.rd(0, r, x), swap(0, r, x);
    w.rd(1, 0, x);
    CHECK(w.found() == "race-global sum (warning)");
    w.at(0, 0, x + 4, atomic_op::rmw, order::relaxed, scope::device);
    w.rd(1, 0, x + 4, 0x77);
    CHECK(w.d.findings().back().severity == simt::severity::error);
  }
  SUBCASE("a swap elsewhere, or of another thread, checks nothing") {
    swap(0, 0, x);
    w.rd(1, 0, x);
    swap(1, 0, x + 4);
    swap(1, 1, x);
    REQUIRE(w.found() == "race-global sum");
    CHECK(w.d.findings()[0].severity == simt::severity::error);
  }
  SUBCASE("a plain write races with the swap as ever") {
    w.rd(0, 0, x), swap(0, 0, x);
    w.wr(1, 0, x, 5);
    CHECK(w.found() == "race-global sum");
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
      CHECK(f.why.find("no barrier") != std::string::npos);
    }
  }
}

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
    const auto begin = [&](int i) {
      w.blocks.push_back(&w.d.block_begin(*w.l, i, {i, 0, 0}, 0, {w.tile(i), 1024}));
    };
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
  world w;
  w.l = &w.d.launch_begin(0, "kernel", {2, 1, 1}, {4, 1, 1}, true);
  const address_range slots[] = {{w.tile(0), 1024}, {w.tile(1), 1024}};
  w.d.cluster_begin(slots);
  for (int i : {0, 1}) {
    w.blocks.push_back(&w.d.block_begin(*w.l, i, {i, 0, 0}, 0, {w.tile(i), 1024}));
    shared_array(*w.blocks.back(), w.tile(i), 256, {"tile", "int", 4, {8, 8}});
    if (i == 0) w.wr(0, 0, w.tile(1) + 8, 1);
  }
  w.wr(1, 2, w.tile(1) + 8, 2, 0x30);
  CHECK(w.found() == "race-shared tile");
}

TEST_CASE("shared memory of a block of the cluster that has ended is nobody's") {
  world w;
  w.launch(2, 1, 0, 2);
  w.d.block_end(*w.blocks[1]);
  w.blocks.pop_back();
  w.rd(0, 0, w.tile(1));
  CHECK(w.found().starts_with("out-of-bounds"));
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

TEST_CASE("the first of many launches that nobody waited for is still not done") {
  world w;
  const auto x = w.buffer("x", 64), y = w.buffer("y", 64, true, 1024);
  const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
  w.launch(1, 1, a);
  w.wr(0, 0, x, 1);
  detector::position first = w.d.record(a);
  for (int i = 0; i < 5000; ++i) {
    w.launch(1, 1, a);
    w.wr(0, 0, y, i);
  }
  w.end();
  SUBCASE("host") {
    w.d.copy_to_host(0, x, 256);
    CHECK(w.found() == "race-global x");
  }
  SUBCASE("another stream") {
    w.launch(1, 1, b);
    w.rd(0, 0, x);
    CHECK(w.found() == "race-global x");
  }
  SUBCASE("host after that launch alone") {
    w.d.wait(0, first);
    w.d.copy_to_host(0, x, 256);
    CHECK(w.found() == "");
    w.d.copy_to_host(0, y, 256);
    CHECK(w.found() == "race-global y");
  }
  SUBCASE("another stream that learns it from a launch in between") {  // order by stream, then by a flag
    const auto flag = w.buffer("flag", 1, true, 2048);
    w.launch(1, 1, a);
    w.at(0, 0, flag, atomic_op::rmw, order::release, scope::device);
    w.launch(1, 1, b);
    w.at(0, 0, flag, atomic_op::rmw, order::acquire, scope::device);
    w.rd(0, 0, x);
    w.rd(0, 0, y);
    CHECK(w.found() == "");
  }
}

TEST_CASE("a flag passes on what its stream did, between two flags as well") {
  for (bool last_releases : {true, false}) {
    world w;
    const auto x = w.buffer("x", 4), flag = w.buffer("flag", 1, true, 2048);
    const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
    for (int k = 0; k < 2; ++k) {
      w.launch(1, 1, a);
      w.wr(0, 0, x + static_cast<std::uintptr_t>(k) * 4, 1);
      w.launch(1, 1, a);
      if (k == 0 || last_releases) w.at(0, 0, flag, atomic_op::rmw, order::release, scope::device);
    }
    w.launch(1, 1, b);
    w.at(0, 0, flag, atomic_op::rmw, order::acquire, scope::device);
    w.rd(0, 0, x);
    w.rd(0, 0, x + 4);
    CHECK(w.found() == (last_releases ? "" : "race-global x"));
  }
}

TEST_CASE("what a launch learned through a flag its stream passes on") {
  for (const order seen : {order::acquire, order::relaxed}) {
    for (const char* next : {"launch", "copy", "other stream", "host", "after the host"}) {
      world w;
      const auto x = w.buffer("x", 1), flag = w.buffer("flag", 1, true, 2048);
      const int a = w.d.new_stream("a"), b = w.d.new_stream("b"), c = w.d.new_stream("c");
      w.launch(1, 1, a);
      w.wr(0, 0, x, 1);
      w.at(0, 0, flag, atomic_op::rmw, order::release, scope::device);
      w.launch(1, 1, b);
      w.at(0, 0, flag, atomic_op::load, seen, scope::device);
      w.end();
      const std::string how = next;
      if (how == "copy") {
        w.d.copy_to_host(b, x, 4, {});
      } else if (how == "host") {
        w.d.wait(0, w.d.record(b));
        w.d.copy_to_host(0, x, 4, {});
      } else {
        int last = b;
        if (how == "other stream") w.d.wait(last = c, w.d.record(b));
        if (how == "after the host") w.d.wait(0, w.d.record(b)), last = c;
        w.launch(1, 1, last);
        w.rd(0, 0, x);
      }
      CAPTURE(how);
      CHECK(w.found() == (seen == order::acquire ? "" : "race-global x"));
    }
  }
}

TEST_CASE("what the host learned through a flag holds for what it then enqueues") {
  for (const order seen : {order::acquire, order::relaxed}) {
    world w;
    const auto x = w.buffer("x", 1), flag = w.buffer("flag", 1, true, 2048);
    const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
    w.launch(1, 1, a);
    w.wr(0, 0, x, 1);
    w.at(0, 0, flag, atomic_op::rmw, order::release, scope::system);
    w.end();
    w.d.host_atomic(0, flag, 4, atomic_op::load, seen, 0x50);
    w.launch(1, 1, b);
    w.rd(0, 0, x);
    CHECK(w.found() == (seen == order::acquire ? "" : "race-global x"));
  }
}

TEST_CASE("the host and a device thread hold each other at system scope only, in both directions") {
  for (const scope s : {scope::system, scope::device, scope::block})
    for (const bool fenced : {false, true})
      for (const bool to_host : {true, false}) {
        world w;
        const auto x = w.buffer("x", 1), flag = w.buffer("flag", 1, true, 2048);
        const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
        const std::uintptr_t pcs[] = {0x50};
        const order relaxed = order::relaxed, from = fenced ? relaxed : order::release, to = fenced ? relaxed : order::acquire;
        const scope flags = fenced ? scope::system : s;
        const auto release_fence = [&](auto f) { if (fenced) f(order::release); };
        const auto acquire_fence = [&](auto f) { if (fenced) f(order::acquire); };
        const auto on_device = [&](order o) { fence(w.t(0, 0), o, s); };
        if (to_host) {
          w.launch(1, 1, a);
          w.wr(0, 0, x, 1);
          release_fence(on_device);
          w.at(0, 0, flag, atomic_op::store, from, flags);
          w.end();
          w.d.host_atomic(0, flag, 4, atomic_op::load, to, 0x51);
          acquire_fence([&](order o) { w.d.host_fence(0, o); });
          w.d.host_reads(0, x, 4, pcs);
        } else {  // a callback of stream a, seen by a kernel on stream b
          w.d.fill(a, x, 4, pcs);
          release_fence([&](order o) { w.d.host_fence(a, o); });
          w.d.host_atomic(a, flag, 4, atomic_op::store, from, 0x51);
          w.launch(1, 1, b);
          w.at(0, 0, flag, atomic_op::load, to, flags);
          acquire_fence(on_device);
          w.rd(0, 0, x);
        }
        CAPTURE(static_cast<int>(s));
        CAPTURE(fenced);
        CAPTURE(to_host);
        CHECK(w.found() == (s == scope::system ? "" : fenced ? "race-scope x" : "race-scope flag, race-scope x"));
      }
}

TEST_CASE("a link at device scope leads neither to the host nor from it") {
  for (const scope link : {scope::system, scope::device})
    for (const bool to_host : {true, false}) {
      world w;
      const auto x = w.buffer("x", 1), flag = w.buffer("flag", 1, true, 2048);
      const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
      const std::uintptr_t pcs[] = {0x50};
      const auto link_and_end = [&] { w.at(1, 0, flag, atomic_op::rmw, order::relaxed, link), w.end(); };
      w.launch(2, 1, a);
      w.wr(0, 0, x, 1);
      w.at(0, 0, flag, atomic_op::store, order::release, to_host ? scope::system : link);
      if (to_host) {
        link_and_end();
        w.d.host_atomic(0, flag, 4, atomic_op::load, order::acquire, 0x51);
        w.d.host_reads(0, x, 4, pcs);
      } else {
        w.end();
        w.d.host_atomic(b, flag, 4, atomic_op::rmw, order::relaxed, 0x51);  // a callback
        w.launch(1, 1, w.d.new_stream("c"));
        w.at(0, 0, flag, atomic_op::load, order::acquire, scope::system);
        w.rd(0, 0, x);
      }
      CAPTURE(to_host);
      CHECK(w.found() == (link == scope::system ? "" : "race-scope flag, race-scope x"));
    }
}

TEST_CASE("an update at device scope has not observed the host's store") {
  for (const scope s : {scope::system, scope::device}) {
    world w;
    const auto flag = w.buffer("flag", 1, true, 2048);
    const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
    w.d.host_atomic(a, flag, 4, atomic_op::store, order::relaxed, 0x51);  // a callback
    w.launch(1, 1, b);
    w.at(0, 0, flag, atomic_op::rmw, order::relaxed, s);
    w.wr(0, 0, flag, 1);
    CHECK(w.found() == (s == scope::system ? "" : "race-global flag, race-scope flag"));
  }
}

TEST_CASE("a relaxed load of the host acquires by a fence behind it, whatever it does in between") {
  for (const char* how : {"fence", "work between", "no fence", "fence before"}) {
    world w;
    const auto x = w.buffer("x", 1), flag = w.buffer("flag", 1, true, 2048), other = w.buffer("other", 1, true, 4096);
    const int a = w.d.new_stream("a");
    const std::uintptr_t pcs[] = {0x50};
    w.launch(1, 1, a);
    w.wr(0, 0, x, 1);
    w.at(0, 0, flag, atomic_op::store, order::release, scope::system);
    w.end();
    const std::string kind = how;
    if (kind == "fence before") w.d.host_fence(0, order::acquire);
    w.d.host_atomic(0, flag, 4, atomic_op::load, order::relaxed, 0x51);
    if (kind == "work between") w.d.fill(0, other, 4, pcs), w.d.wait(0, w.d.record(0));
    if (kind == "fence" || kind == "work between") w.d.host_fence(0, order::acquire);
    w.d.host_reads(0, x, 4, pcs);
    CAPTURE(kind);
    CHECK(w.found() == (kind == "fence" || kind == "work between" ? "" : "race-global x"));
  }
}

TEST_CASE("a racing store of the value already there is a warning") {
  for (int value : {1, 2}) {
    world w;
    const auto x = w.buffer("flag", 1);
    w.launch(2, 1);
    w.wr(0, 0, x, 1);
    w.wr(1, 0, x, value);
    CHECK(w.found() == (value == 1 ? "race-global flag (warning)" : "race-global flag"));
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

TEST_CASE("what one stream is ordered after may still race with another's work") {
  world w;
  const auto x = w.buffer("x", 4);
  const int a = w.d.new_stream("a"), b = w.d.new_stream("b"), c = w.d.new_stream("c"), z = w.d.new_stream("z");
  w.launch(1, 1, z);
  write(w.t(0, 0), x, 1, 0x10);  // a part of the cell: it has records of its own from here on
  w.end();
  w.launch(1, 1, a);
  write(w.t(0, 0), x + 1, 1, 0x11);
  w.end();
  w.d.wait(0, w.d.record(z));
  w.d.wait(b, w.d.record(a));
  w.launch(1, 1, b);
  read(w.t(0, 0), x, 4, 0x12);  // drops the record of the first launch alone
  w.end();
  w.launch(1, 1, c);
  read(w.t(0, 0), x, 4, 0x13);
  CHECK(w.found() == "race-global x");
}

TEST_CASE("launches, copies and the host: only streams, events and waits order") {
  world w;
  const auto x = w.buffer("x", 64);
  const int a = w.d.new_stream("a"), b = w.d.new_stream("b");
  w.launch(1, 1, a);
  w.wr(0, 0, x, 1);
  w.end();
  SUBCASE("same stream") {
    w.launch(1, 1, a);
    w.wr(0, 0, x, 2);
    CHECK(w.found() == "");
  }
  SUBCASE("another stream") {
    w.launch(1, 1, b);
    w.wr(0, 0, x, 2);
    CHECK(w.found() == "race-global x");
    CHECK(w.d.findings()[0].why.find("stream a") != std::string::npos);
  }
  SUBCASE("event") {
    w.d.wait(b, w.d.record(a));
    w.launch(1, 1, b);
    w.wr(0, 0, x, 2);
    CHECK(w.found() == "");
  }
  SUBCASE("host too early") {
    w.d.copy_to_host(0, x, 256);
    CHECK(w.found() == "race-global x");
    CHECK(w.d.findings()[0].accesses[0].agent == "host");
  }
  SUBCASE("host waits") {
    w.d.wait(0, w.d.record(a));
    w.d.copy_to_host(0, x, 256);
    CHECK(w.found() == "");
  }
  SUBCASE("copy on another stream") {
    w.d.copy_to_device(b, x, 256);
    CHECK(w.found() == "race-global x");
    CHECK(w.d.findings()[0].accesses[0].agent == "stream b");
  }
  SUBCASE("kernel against a copy of another stream that covered it") {
    w.d.wait(b, w.d.record(a));
    w.d.copy_to_device(b, x, 256);
    w.launch(1, 1, a);
    w.rd(0, 0, x + 128);
    CHECK(w.found() == "race-global x");
  }
}
