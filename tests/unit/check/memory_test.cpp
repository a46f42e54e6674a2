// SPDX-License-Identifier: Apache-2.0
// Addresses, lifetimes, initialisation; limits of memory and number of findings.
#include <doctest/doctest.h>

#include "world.hpp"

using namespace check_tests;

TEST_CASE("an instruction that was aligned before may be misaligned now") {
  for (const bool stores : {false, true}) {
    world w;
    const auto x = w.buffer("x", 8);
    w.launch(1, 2);
    const auto access = [&](int rank, std::uintptr_t at) {
      stores ? write(w.t(0, rank), at, 8, 0x10) : read(w.t(0, rank), at, 8, 0x10);
    };
    for (int i = 0; i < 4; ++i) access(0, x);
    for (int i = 0; i < 4; ++i) access(0, x + 8);
    CHECK(w.d.findings().empty());
    access(0, x + 4);
    CHECK(w.found() == "misaligned x");
  }
}

TEST_CASE("out of bounds by address") {
  world w;
  const auto x = w.buffer("x", 5, true, 64);
  w.launch(1, 1);
  SUBCASE("inside") {
    w.rd(0, 0, x), w.rd(0, 0, x + 16);
    CHECK(w.found() == "");
  }
  SUBCASE("past the end") {
    w.rd(0, 0, x + 20);
    CHECK(w.found() == "out-of-bounds x");
    CHECK(w.d.findings()[0].index == std::vector<std::int64_t>{5});
    CHECK(w.d.findings()[0].cause == simt::cause::outside_behind);
    CHECK(w.d.findings()[0].facts.distance == 0);
    CHECK(w.d.findings()[0].object == "x");
  }
  SUBCASE("before the start") {
    w.wr(0, 0, x - 4, 1);
    CHECK(w.found() == "out-of-bounds x");
  }
  SUBCASE("half of it") {
    read(w.t(0, 0), x + 16, 8, 0x10);
    CHECK(w.found() == "out-of-bounds x");
  }
  SUBCASE("shared") {
    w.wr(0, 0, w.tile(0) + 256, 1);
    CHECK(w.found() == "out-of-bounds tile");
  }
  SUBCASE("atomic") {
    w.at(0, 0, x + 20, atomic_op::rmw, order::relaxed, scope::device);
    CHECK(w.found() == "out-of-bounds x");
  }
  SUBCASE("host copy") {
    w.d.copy_to_host(0, x, 24);
    CHECK(w.found() == "out-of-bounds x");
  }
}

TEST_CASE("an allocation that ends inside a word") {
  world w;
  allocation a;
  a.address = w.device;
  a.size = 6;
  a.info = {"s", "char", 1, {}};
  w.d.allocated(a, true);
  w.launch(1, 1);
  SUBCASE("last byte") {
    read(w.t(0, 0), w.device + 5, 1, 0x10);
    CHECK(w.found() == "");
  }
  SUBCASE("one further") {
    read(w.t(0, 0), w.device + 6, 1, 0x10);
    CHECK(w.found() == "out-of-bounds s");
  }
  SUBCASE("the whole word") {
    read(w.t(0, 0), w.device + 4, 4, 0x10);
    CHECK(w.found() == "out-of-bounds s");
  }
}

TEST_CASE("misaligned") {
  world w;
  const auto x = w.buffer("x", 4);
  w.launch(1, 1);
  read(w.t(0, 0), x + 2, 4, 0x10);
  read_unaligned(w.t(0, 0), x + 5, 4, 0x18);
  CHECK(w.found() == "misaligned x");
}

TEST_CASE("lifetimes") {
  world w;
  const auto x = w.buffer("x", 4);
  w.launch(1, 1);
  w.rd(0, 0, x);
  w.end();
  SUBCASE("use after free") {
    CHECK(w.d.freed(x));
    w.launch(1, 1);
    w.rd(0, 0, x);
    CHECK(w.found() == "use-after-free x");
  }
  SUBCASE("freed twice") {
    CHECK(w.d.freed(x));
    CHECK_FALSE(w.d.freed(x));
    CHECK(w.found() == "invalid-free x");
  }
  SUBCASE("inside") {
    CHECK_FALSE(w.d.freed(x + 4));
    CHECK(w.found() == "invalid-free x");
  }
  SUBCASE("leak") {
    w.d.report_leaks();
    CHECK(w.found() == "leak x");
  }
  SUBCASE("the place is used again") {
    CHECK(w.d.freed(x));
    w.buffer("y", 4, false);
    w.launch(1, 1);
    w.rd(0, 0, x);
    CHECK(w.found() == "uninitialized-read y");
  }
}

TEST_CASE("uninitialised bytes") {
  world w;
  const auto x = w.buffer("x", 8, false), y = w.buffer("y", 8, false, 64);
  w.d.fill(0, x, 10);
  SUBCASE("by copies") {
    w.d.copy_on_device(0, y, x, 32);
    CHECK(w.d.uninitialised_bytes(y, 32) == 22);
    w.launch(1, 1);
    read(w.t(0, 0), y + 8, 2, 0x10);
    CHECK(w.d.findings().empty());
    read(w.t(0, 0), y + 10, 2, 0x11);
    CHECK(w.found() == "uninitialized-read y");
  }
  SUBCASE("copied to the host: only what nobody wrote a byte of") {
    w.d.copy_to_host(0, x, 32);
    CHECK(w.found() == "");
    w.d.host_reads(0, y, 8);
    CHECK(w.found() == "");
    w.d.copy_to_host(0, y, 8);
    CHECK(w.found() == "uninitialized-read y (warning)");
  }
  SUBCASE("by stores") {
    w.launch(1, 1);
    w.wr(0, 0, x + 12, 1);
    w.rd(0, 0, x + 12);
    CHECK(w.d.findings().empty());
    w.rd(0, 0, x + 8);
    CHECK(w.found() == "uninitialized-read x");
  }
  SUBCASE("shared memory starts undefined in each block") {
    w.launch(1, 1);
    w.wr(0, 0, w.tile(0), 1);
    w.rd(0, 0, w.tile(0));
    w.launch(1, 1);
    CHECK(w.d.findings().empty());
    w.rd(0, 0, w.tile(0));
    CHECK(w.found() == "uninitialized-read tile");
  }
  SUBCASE("atomic add needs a value, atomic store does not") {
    w.launch(1, 1);
    w.at(0, 0, y, atomic_op::store, order::relaxed, scope::device);
    w.at(0, 0, y, atomic_op::rmw, order::relaxed, scope::device);
    CHECK(w.d.findings().empty());
    w.at(0, 0, y + 4, atomic_op::rmw, order::relaxed, scope::device);
    CHECK(w.found() == "uninitialized-read y");
  }
}

TEST_CASE("gaps of structures") {
  world w;
  const auto x = w.buffer("x", 16, false);
  w.launch(1, 1);
  thread_state& t = w.t(0, 0);
  SUBCASE("int, gap, double, copied whole") {
    write(t, x, 4, 0x10), write(t, x + 8, 8, 0x11);
    read_range(t, x, 16, 0x12);
    CHECK(w.found() == "");
  }
  SUBCASE("and never the first member") {
    write(t, x + 8, 8, 0x11);
    read_range(t, x, 16, 0x12);
    CHECK(w.found() == "uninitialized-read x");
  }
  SUBCASE("nor a whole member of eight bytes") {
    write(t, x, 8, 0x10), write(t, x + 16, 8, 0x11);
    read_range(t, x, 24, 0x12);
    CHECK(w.found() == "uninitialized-read x");
    CHECK(w.d.findings()[0].index == std::vector<std::int64_t>{2});
  }
  SUBCASE("char, gap, int in one read of eight bytes") {
    write(t, x, 1, 0x10), write(t, x + 4, 4, 0x11);
    read(t, x, 8, 0x12);
    CHECK(w.found() == "");
  }
  SUBCASE("half of a double is no gap") {
    write(t, x, 4, 0x10);
    read(t, x, 8, 0x12);
    CHECK(w.found() == "uninitialized-read x");
  }
  SUBCASE("a byte of an int is none") {
    write(t, x, 1, 0x10), write(t, x + 1, 1, 0x11), write(t, x + 2, 1, 0x12);
    read(t, x, 4, 0x13);
    CHECK(w.found() == "uninitialized-read x");
  }
}

TEST_CASE("checks can be off") {
  options o;
  o.races = o.memory = o.uninit = false;
  world w(o);
  const auto x = w.buffer("x", 4, false);
  w.launch(2, 2);
  w.rd(0, 0, x), w.wr(0, 0, x, 1), w.wr(1, 1, x, 2), w.rd(0, 0, x + 64), read(w.t(0, 0), x + 2, 4, 0x10);
  w.wr(0, 0, w.tile(0), 1), w.wr(0, 1, w.tile(0), 2);
  CHECK(w.found() == "");
}

TEST_CASE("memory checks without races, races without the others") {
  for (bool races : {true, false}) {
    options o;
    o.races = races;
    o.memory = o.uninit = !races;
    world w(o);
    const auto x = w.buffer("x", 4, false);
    w.launch(2, 2);
    w.rd(0, 0, x, 0x11), w.wr(0, 0, x, 1), w.wr(1, 1, x, 2), w.rd(1, 0, x + 16, 0x12);
    CHECK(w.found() == (races ? "race-global x" : "out-of-bounds x, uninitialized-read x"));
  }
}

TEST_CASE("a million findings fold and stay bounded") {
  world w(with(100));
  const auto x = w.buffer("x", 4096);
  w.launch(2, 1);
  for (std::uintptr_t i = 0; i < 4096; ++i) w.wr(0, 0, x + i * 4, 1, 0x1000 + i % 500);
  for (std::uintptr_t i = 0; i < 4096; ++i) w.wr(1, 0, x + i * 4, 2, 0x3000 + i % 500);
  CHECK(w.d.findings().size() == 100);
  CHECK(w.d.stats().findings_dropped == 400);  // 500 pairs of places, each 8 times
}

TEST_CASE("many launches do not grow memory") {
  world w;
  const auto x = w.buffer("x", 64);
  std::size_t early = 0;
  for (int i = 0; i < 100000; ++i) {
    w.launch(1, 2);
    for (int t : {0, 1})
      for (std::uintptr_t k = 0; k < 4; ++k) w.rd(0, t, x + k * 4, 0x100 + k);
    w.at(0, 0, x + 128, atomic_op::rmw, order::acq_rel, scope::device);
    if (i == 1000) early = w.d.stats().side_bytes;
  }
  CHECK(w.d.stats().side_bytes <= early + 300000);
  CHECK(w.found() == "");
}

TEST_CASE("launches on a stream that the host never waits for stay bounded") {
  world w;
  const auto x = w.buffer("x", 64);
  const int s = w.d.new_stream("s");
  for (int i = 0; i < 20000; ++i) {
    w.launch(1, 1, s);
    w.wr(0, 0, x, i);
  }
  CHECK(w.found() == "");
  CHECK(w.d.stats().side_bytes < 10000000);
}

TEST_CASE("outputs that nothing wrote, and sums that nothing was added to") {
  world w;
  const auto x = w.buffer("x", 4, false), y = w.buffer("y", 4, false, 64);
  w.d.fill(0, x, 16), w.d.fill(0, y, 16);
  w.launch(1, 1);
  w.wr(0, 0, x, 1);
  w.at(0, 0, y, atomic_op::rmw, order::relaxed, scope::device);
  w.end();
  CHECK(w.d.unwritten_elements(x, 4, 4) == 3);
  CHECK(w.d.unwritten_elements(y, 4, 4) == 0);
}

TEST_CASE("a read of what nobody wrote, after one by the same instruction that took it for padding") {
  for (bool shared : {false, true})
    for (bool written : {false, true}) {
      world w;
      const auto buffer = w.buffer("x", 64, false);
      w.launch(1, 1);
      const std::uintptr_t x = shared ? w.tile(0) : buffer;
      write(w.t(0, 0), x, 8, 0x20);
      write(w.t(0, 0), x + 8, 1, 0x30);
      if (written) w.wr(0, 0, x + 12, 1);
      read(w.t(0, 0), x, 16, 0x40);
      CHECK(w.d.findings().empty());
      w.rd(0, 0, x + 12, 0x40);
      CHECK(w.found() == (written ? "" : shared ? "uninitialized-read tile" : "uninitialized-read x"));
    }
}

TEST_CASE("a read of two words, the second of which nobody wrote") {
  for (bool written : {false, true}) {
    world w;
    const auto x = w.buffer("x", 64, false);
    w.launch(1, 2);
    for (int k = 0; k < 2; ++k) w.wr(0, 0, x + static_cast<std::uintptr_t>(k) * 8, 1);
    if (written) w.wr(0, 0, x + 12, 1);
    w.wr(0, 0, x + 4, 1);
    w.end();
    w.launch(1, 2);
    read(w.t(0, 0), x, 8, 0x40);
    read(w.t(0, 0), x + 8, 8, 0x40);
    CHECK(w.found() == (written ? "" : "uninitialized-read x"));
  }
}
