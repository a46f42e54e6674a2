// SPDX-License-Identifier: Apache-2.0
// Busy counters (sim/check/busy_counters.hpp): what is counted without the cell's lock is found by all that comes
// later.
#include <doctest/doctest.h>

#include <atomic>
#include <set>
#include <thread>
#include <utility>

#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

constexpr int kCountingBlocks = 16, kCountingThreads = 64;
constexpr std::uintptr_t kOpening = 0x30, kCounted = 0x40, kOtherCode = 0x50;

// As instrumented code adds 1: true without a section.
bool add(thread_state& t, std::uintptr_t at, std::uintptr_t pc = kCounted, scope reach = scope::device) {
  int* const word = reinterpret_cast<int*>(at);
  if (counting c(t, at, reach); c) {
    c.done(pc, static_cast<std::uint32_t>(__atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST)));
    return true;
  }
  atomic_section lock(t, at, 4);
  __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
  atomic(t, at, 4, atomic_op::rmw, order::relaxed, reach, pc);
  return false;
}

// The same where nobody reads the old value.
bool add_unread(thread_state& t, std::uintptr_t at, std::uint32_t more = 1) {
  std::uint32_t* const word = reinterpret_cast<std::uint32_t*>(at);
  if (counting c(t, at, scope::device, true); c) {
    if (c.sums())
      c.add(kCounted, more);
    else
      c.done(kCounted, __atomic_add_fetch(word, more, __ATOMIC_SEQ_CST));
    return true;
  }
  atomic_section lock(t, at, 4);
  __atomic_add_fetch(word, more, __ATOMIC_SEQ_CST);
  atomic(t, at, 4, atomic_op::rmw, order::relaxed, scope::device, kCounted, true);
  return false;
}
std::uint32_t value(std::uintptr_t at) {
  return __atomic_load_n(reinterpret_cast<std::uint32_t*>(at), __ATOMIC_SEQ_CST);
}

struct counter_world : world {
  std::uintptr_t counter;
  const int first = d.new_stream("first"), second = d.new_stream("second");
  static options options_with(int workers) {
    options o = with(4096, false, workers);
    o.counter_from = 4;
    return o;
  }
  explicit counter_world(int workers = 2) : world(options_with(workers)) {
    counter = buffer("counter", 4);
    launch(kCountingBlocks, kCountingThreads, first);
    for (int i = 0; !add(t(i % kCountingBlocks, 0), counter, kOpening); ++i) REQUIRE(i < 100);
  }
  bool is_open() { return d.core().shadow.counters.any_open(); }
  // Some finding shows this line.
  bool names(std::uintptr_t pc) {
    for (const finding& f : d.findings())
      for (const auto& a : f.accesses)
        if (a.pc == pc) return true;
    return false;
  }
};

}  // namespace

TEST_CASE("a busy counter: only atomics, nothing is found") {
  counter_world w;
  for (int i = 0; i < 200; ++i) CHECK(add(w.t(i % kCountingBlocks, i % kCountingThreads), w.counter));
  CHECK(w.found() == "");
  CHECK_FALSE(w.is_open());
}
TEST_CASE("a busy counter: the next launch opens it again, also where the host has set it to zero") {
  for (const bool cleared : {false, true}) {
    CAPTURE(cleared);
    counter_world w;
    w.end();
    if (cleared) w.d.fill(w.first, w.counter, 4);
    w.launch(kCountingBlocks, kCountingThreads, w.first);
    for (int i = 0; i < 6; ++i) add(w.t(0, 0), w.counter, kOpening);
    CHECK(add(w.t(0, 1), w.counter));
  }
}
TEST_CASE("a busy counter: who waited for the word while it became one counts, too") {
  counter_world w;
  for (int i = 0; i < 10; ++i) {
    const atomic_section late(w.t(i, 0), w.counter, 4, true);
    CHECK(late.is_counter());
  }
  CHECK(add(w.t(3, 5), w.counter));
  {
    const atomic_section other(w.t(4, 0), w.counter, 4);
    CHECK_FALSE(other.is_counter());
  }
  CHECK_FALSE(w.is_open());
  const atomic_section closed(w.t(5, 0), w.counter, 4, true);  // it holds the guard
  CHECK_FALSE(closed.is_counter());
}
TEST_CASE("a busy counter: one worker has none") {
  world w;
  const auto counter = w.buffer("counter", 4);
  w.launch(kCountingBlocks, kCountingThreads);
  for (int i = 0; i < 200; ++i) CHECK_FALSE(add(w.t(i % kCountingBlocks, 0), counter));
}
TEST_CASE("a busy counter: a plain read by a thread that only adds otherwise") {
  counter_world w;
  CHECK(add(w.t(3, 5), w.counter));
  w.rd(7, 1, w.counter, kOtherCode);
  CHECK_FALSE(w.is_open());
  CHECK(w.found().find("race-global counter") == 0);
  CHECK(w.names(kCounted));
  CHECK(w.names(kOtherCode));
}
TEST_CASE("a busy counter: a plain read, then one more addition") {
  counter_world w;
  w.rd(7, 1, w.counter, kOtherCode);
  CHECK_FALSE(add(w.t(3, 5), w.counter));
  CHECK(w.found().find("race-global counter") == 0);
  CHECK(w.names(kCounted));
}
TEST_CASE("a busy counter: another kernel reads it, on another stream or on the same") {
  for (const bool other : {true, false}) {
    counter_world w;
    CHECK(add(w.t(3, 5), w.counter));
    w.launch(1, 1, other ? w.second : w.first);
    w.rd(0, 0, w.counter, kOtherCode);
    w.end();
    CHECK(w.names(kCounted) == other);
  }
}
TEST_CASE("a busy counter: a narrower scope") {
  counter_world w;
  CHECK(add(w.t(3, 5), w.counter));
  w.at(4, 0, w.counter, atomic_op::rmw, order::relaxed, scope::block, kOtherCode);
  CHECK_FALSE(w.is_open());
  CHECK(w.found().find("race-scope counter") == 0);
  CHECK(w.names(kCounted));
}
TEST_CASE("a busy counter: an addition of another scope is judged, wide or narrow") {
  for (const scope other : {scope::block, scope::system}) {
    counter_world w;
    CHECK(add(w.t(3, 5), w.counter));
    CHECK_FALSE(add(w.t(4, 0), w.counter, kOtherCode, other));
    CHECK((w.found() == "") == (other == scope::system));
  }
}
TEST_CASE("a busy counter: who added last may reset it, another may not") {
  for (const bool last : {true, false}) {
    counter_world w;
    CHECK(add(w.t(3, 5), w.counter));
    CHECK(add(w.t(4, 5), w.counter));
    w.wr(last ? 4 : 3, 5, w.counter, 0, kOtherCode);
    w.end();
    CHECK(w.names(kOtherCode) == !last);
  }
}
TEST_CASE("a busy counter: of several workers, who added last may reset it, whichever closes it") {
  for (const bool last : {true, false})
    for (const bool added_here : {true, false}) {
      counter_world w;
      const auto here = [&](int block) { CHECK(add(w.t(block, 5), w.counter)); };
      const auto elsewhere = [&](int block) { std::thread([&] { here(block); }).join(); };
      added_here ? elsewhere(3) : here(3);
      added_here ? here(4) : elsewhere(4);
      w.wr(last ? 4 : 3, 5, w.counter, 0, kOtherCode);
      w.end();
      CHECK(w.names(kOtherCode) == !last);
    }
}
TEST_CASE("a busy counter: what is released and acquired there orders as ever") {
  for (const bool acquires : {true, false}) {
    counter_world w;
    const auto data = w.buffer("data", 4, true, 4096);
    CHECK(add(w.t(3, 5), w.counter));
    w.wr(3, 5, data, 1);
    w.at(3, 5, w.counter, atomic_op::rmw, order::release, scope::device);
    CHECK_FALSE(w.is_open());
    for (int i = 0; i < 200; ++i) CHECK_FALSE(add(w.t(i % kCountingBlocks, 7), w.counter));
    w.at(4, 5, w.counter, atomic_op::rmw, acquires ? order::acquire : order::relaxed, scope::device);
    w.rd(4, 5, data, kOtherCode);
    CHECK(w.names(kOtherCode) == !acquires);
    w.end();
  }
}
TEST_CASE("a busy counter: a thread with a fence behind it releases by its addition") {
  counter_world w;
  const auto data = w.buffer("data", 4, true, 4096);
  w.wr(3, 5, data, 1);
  fence(w.t(3, 5), order::acq_rel, scope::device);
  CHECK_FALSE(add(w.t(3, 5), w.counter));
  CHECK_FALSE(add(w.t(4, 5), w.counter));
  fence(w.t(4, 5), order::acq_rel, scope::device);
  w.rd(4, 5, data, kOtherCode);
  CHECK(w.found() == "");
}
TEST_CASE("a busy counter: its neighbours have cells of their own") {
  counter_world w;
  for (int i = 0; i < 200; ++i) add(w.t(i % kCountingBlocks, 1), w.counter + 4);
  CHECK(add(w.t(3, 5), w.counter));
  CHECK(add(w.t(3, 5), w.counter + 4));
  w.rd(7, 1, w.counter + 4, kOtherCode);
  CHECK(w.found().find("race-global counter") == 0);
}
TEST_CASE("a busy counter: what is closed again and again stays closed") {
  counter_world w;
  const scope all = scope::device;
  int opened = 0;
  for (int i = 0; i < 400; ++i) {
    opened += add(w.t(i % kCountingBlocks, 1), w.counter);
    w.at(5, 9, w.counter, atomic_op::load, order::relaxed, all);
  }
  CHECK(opened < 8);
  CHECK(w.found() == "");
}

TEST_CASE("a busy counter: launch after launch") {
  counter_world w;
  for (int n = 0; n < 10; ++n) {
    w.launch(kCountingBlocks, kCountingThreads, w.first);
    int announced = 0;
    while (!add(w.t(announced % kCountingBlocks, 0), w.counter)) REQUIRE(++announced < 6);
    for (int i = 0; i < 50; ++i) CHECK(add(w.t(i % kCountingBlocks, i % kCountingThreads), w.counter));
  }
  CHECK(w.found() == "");
}

namespace {

// Its counter has sums, and 100 is in memory.
struct summing_world : world {
  std::uintptr_t counter;
  const int first = d.new_stream("first"), second = d.new_stream("second");
  explicit summing_world(bool (*of_host)(std::uintptr_t) = nullptr) : world(options_with(of_host)) {
    counter = buffer("counter", 4);
    begin();
  }
  static options options_with(bool (*of_host)(std::uintptr_t)) {
    options o = counter_world::options_with(2);
    o.host_may_access = of_host;
    return o;
  }
  void begin() {
    launch(kCountingBlocks, kCountingThreads, first);
    for (int i = 0; !add_unread(t(i % kCountingBlocks, 0), counter); ++i) REQUIRE(i < 100);
    set(99);  // the last one may not be there
  }
  void set(std::uint32_t to) { __atomic_store_n(reinterpret_cast<std::uint32_t*>(counter), to, __ATOMIC_SEQ_CST); }
  bool names(std::uintptr_t pc) {
    for (const finding& f : d.findings())
      for (const auto& a : f.accesses)
        if (a.pc == pc) return true;
    return false;
  }
};

}  // namespace

TEST_CASE("a sum: memory has it when the launch has ended") {
  summing_world w;
  for (std::uint32_t i = 1; i <= 200; ++i) {
    CHECK(add_unread(w.t(i % kCountingBlocks, i % kCountingThreads), w.counter, i));
    CHECK(value(w.counter) == 99);
  }
  std::thread([&] { CHECK(add_unread(w.t(3, 5), w.counter, 0xffffffff)); }).join();
  w.end();
  CHECK(value(w.counter) == 100 + 200 * 201 / 2 - 1);
  CHECK(w.found() == "");
}
TEST_CASE("a sum: memory has it before anybody else goes on, and each addition is found") {
  for (const bool written : {false, true}) {
    summing_world w;
    CHECK(add_unread(w.t(3, 5), w.counter, 7));
    std::thread([&] { CHECK(add_unread(w.t(4, 5), w.counter, 8)); }).join();
    written ? w.wr(7, 1, w.counter + 4, 1, kOtherCode) : w.rd(7, 1, w.counter, kOtherCode);
    CHECK(value(w.counter) == 100 + 7 + 8);
    CHECK(w.names(kOtherCode) != written);
    CHECK(w.names(kCounted) != written);
  }
}
TEST_CASE("a sum: who reads the old value gets all of it, and from then on it is in memory") {
  summing_world w;
  CHECK(add_unread(w.t(3, 5), w.counter, 7));
  CHECK_FALSE(add(w.t(4, 5), w.counter));
  CHECK(value(w.counter) == 100 + 7 + 1);
  for (int i = 0; !add(w.t(i % kCountingBlocks, 0), w.counter); ++i) REQUIRE(i < 100);
  for (int i = 0; i < 10; ++i) {
    const std::uint32_t before = value(w.counter);
    CHECK(add_unread(w.t(5, 5), w.counter, 3));
    CHECK(value(w.counter) == before + 3);
  }
  CHECK(w.found() == "");
}
TEST_CASE("a sum: a counter that another addition has opened has none") {
  counter_world w;
  const std::uint32_t before = value(w.counter);
  CHECK(add_unread(w.t(5, 5), w.counter, 3));
  CHECK(value(w.counter) == before + 3);
  CHECK(w.is_open());
}
TEST_CASE("a sum: not of memory that is the host's, too") {
  summing_world w([](std::uintptr_t) { return true; });
  const std::uint32_t before = value(w.counter);
  CHECK(add_unread(w.t(5, 5), w.counter, 3));
  CHECK(value(w.counter) == before + 3);
}
TEST_CASE("a sum: nobody has added last") {
  for (const int resets : {3, 4}) {
    summing_world w;
    CHECK(add_unread(w.t(3, 5), w.counter, 1));
    std::thread([&] { CHECK(add_unread(w.t(4, 5), w.counter, 1)); }).join();
    w.set(0);
    w.wr(resets, 5, w.counter, 0, kOtherCode);
    w.end();
    CHECK(w.names(kOtherCode));
  }
}
TEST_CASE("a sum: launch after launch, and those are ordered") {
  summing_world w;
  for (int n = 0; n < 5; ++n) {
    for (int i = 0; i < 300; ++i) CHECK(add_unread(w.t(i % kCountingBlocks, i % kCountingThreads), w.counter));
    const std::uint32_t before = value(w.counter);
    w.end();
    CHECK(value(w.counter) >= before + 300);
    w.begin();
  }
  CHECK(w.found() == "");
}
TEST_CASE("a sum: the next launch on another stream finds it") {
  summing_world w;
  CHECK(add_unread(w.t(3, 5), w.counter));
  w.launch(1, 1, w.second);
  w.rd(0, 0, w.counter, kOtherCode);
  w.end();
  CHECK(w.names(kCounted));
}

TEST_CASE("several workers: no addition to a busy counter is lost") {
  for (const bool unread : {false, true}) {
    CAPTURE(unread);
    constexpr int kWorkers = 4, kMany = 200, kWords = 8, kRounds = 3;
    world w(with(4096, false, kWorkers));
    const auto x = w.buffer("x", kWords);
    launch_state& l = w.d.launch_begin(0, "k", {kMany, 1, 1}, {32, 1, 1});
    std::atomic<int> next{0}, ready{0}, counted{0};
    const auto worker = [&](int me) {
      ++ready;
      while (ready < kWorkers) std::this_thread::yield();
      for (int i; (i = next++) < kMany;) {
        block_state& b = w.d.block_begin(l, i, {i, 0, 0}, i, {w.tile(me), 1024});
        for (int round = 0; round < kRounds; ++round)
          for (int t = 0; t < 32; ++t)
            for (std::uintptr_t k = 0; k < kWords; ++k)
              counted += unread ? add_unread(thread_of(b, t), x + k * 4) : add(thread_of(b, t), x + k * 4);
        // Closes now and then.
        if (i % 97 == 5) {
          atomic_section lock(thread_of(b, 0), x, 4);
          atomic(thread_of(b, 0), x, 4, atomic_op::load, order::relaxed, scope::device, kOtherCode);
        }
        w.d.block_end(b);
      }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kWorkers; ++i) threads.emplace_back(worker, i);
    for (auto& t : threads) t.join();
    w.d.launch_end(l);
    CHECK(counted > kMany * 32);
    detector_core& d = w.d.core();
    for (std::uintptr_t k = 0; k < kWords; ++k) {
      CHECK(*reinterpret_cast<int*>(x + k * 4) == kMany * 32 * kRounds);
      std::set<std::pair<std::uint32_t, std::uint32_t>> who;
      for (const access_record& r : d.forms.slow_form(*d.shadow.cell_of(x + k * 4)).records)
        if (r.kind == record_kind::atomic_write)
          r.any([&](std::uint32_t rank) { return who.insert({d.epochs[r.when].block, rank}), false; });
      CHECK(who.size() == kMany * 32);
    }
    CHECK(w.found() == "");
  }
}
