// SPDX-License-Identifier: Apache-2.0
// What streams, events, waits and the host order, between launches and copies: the racy form and its twin.
#include <doctest/doctest.h>

#include "world.hpp"

using namespace check_tests;

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
        const order relaxed = order::relaxed, from = fenced ? relaxed : order::release,
                    to = fenced ? relaxed : order::acquire;
        const scope flags = fenced ? scope::system : s;
        const auto release_fence = [&](auto f) {
          if (fenced) f(order::release);
        };
        const auto acquire_fence = [&](auto f) {
          if (fenced) f(order::acquire);
        };
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
    CHECK(w.d.findings()[0].cause == simt::cause::race_streams);
    CHECK(w.d.findings()[0].accesses[1].stream == "a");
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
    CHECK(w.d.findings()[0].accesses[0].agent == simt::actor::host);
  }
  SUBCASE("host waits") {
    w.d.wait(0, w.d.record(a));
    w.d.copy_to_host(0, x, 256);
    CHECK(w.found() == "");
  }
  SUBCASE("copy on another stream") {
    w.d.copy_to_device(b, x, 256);
    CHECK(w.found() == "race-global x");
    CHECK(w.d.findings()[0].accesses[0].agent == simt::actor::stream);
    CHECK(w.d.findings()[0].accesses[0].stream == "b");
  }
  SUBCASE("kernel against a copy of another stream that covered it") {
    w.d.wait(b, w.d.record(a));
    w.d.copy_to_device(b, x, 256);
    w.launch(1, 1, a);
    w.rd(0, 0, x + 128);
    CHECK(w.found() == "race-global x");
  }
}
