// SPDX-License-Identifier: Apache-2.0
// Blocks of one launch on several OS threads: the same verdicts as on one.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

constexpr int kManyBlocks = 200, kThreadsOfEach = 64, kWorkers = 4;

// Every block reads all of x, fills its tile, sums it after a barrier, writes its part, adds to a histogram, and takes
// a ticket; the last reads all parts. Every thread updates bytes of its own. `defect`: 1: a plain counter; 2: no
// barrier; 3: no fence before the ticket; 4: the last thread writes a byte of the next block.
std::string run(int defect) {
  world w(with(4096, false, kWorkers));
  const auto x = w.buffer("x", 64), part = w.buffer("part", kManyBlocks, false, 4096),
             hist = w.buffer("hist", 16, true, 8192), ticket = w.buffer("ticket", 1, true, 12288),
             counter = w.buffer("counter", 1, true, 16384),
             bytes = w.buffer("bytes", (kManyBlocks + 1) * kThreadsOfEach * 3 / 4, true, 20480);
  for (int repeat = 0; repeat < 3; ++repeat) {
    launch_state& l = w.d.launch_begin(0, "k", {kManyBlocks, 1, 1}, {kThreadsOfEach, 1, 1});
    std::atomic<int> next{0}, tickets{0};
    auto worker = [&](int me) {
      for (int i; (i = next++) < kManyBlocks;) {
        block_state& b = w.d.block_begin(l, i, {i, 0, 0}, i, {w.tile(me), 1024});
        shared_array(b, w.tile(me), 256, {"tile", "int", 4, {64}});
        for (int t = 0; t < kThreadsOfEach; ++t) {
          thread_state& s = thread_of(b, t);
          for (std::uintptr_t k = 0; k < 64; ++k) read(s, x + k * 4, 4, 0x10);
          write(s, w.tile(me) + static_cast<std::uintptr_t>(t) * 4, 4, 0x20);
          const std::uintptr_t pixel = bytes + static_cast<std::uintptr_t>(i * kThreadsOfEach + t) * 3;
          for (std::uintptr_t k = 0; k < 3; ++k)
            read(s, pixel + k, 1, 0x90 + k * 4), write(s, pixel + k, 1, 0xa0 + k * 4);
          if (defect == 4 && t == kThreadsOfEach - 1) write(s, pixel + 3, 1, 0xb0);
          const std::uintptr_t bin = hist + static_cast<std::uintptr_t>((i * 7 + t) % 16) * 4;
          atomic_section lock(s, bin, 4);
          atomic(s, bin, 4, atomic_op::rmw, order::relaxed, scope::device, 0x30);
        }
        if (defect != 2) block_barrier(b);
        for (int k = 0; k < kThreadsOfEach; ++k)
          read(thread_of(b, 0), w.tile(me) + static_cast<std::uintptr_t>(k) * 4, 4, 0x40);
        write(thread_of(b, 0), part + static_cast<std::uintptr_t>(i) * 4, 4, 0x50);
        if (defect == 1) read(thread_of(b, 0), counter, 4, 0x60), write(thread_of(b, 0), counter, 4, 0x61);
        if (defect != 3) fence(thread_of(b, 0), order::acq_rel, scope::device);
        int mine;
        {
          atomic_section lock(thread_of(b, 0), ticket, 4);
          mine = tickets++;
          atomic(thread_of(b, 0), ticket, 4, atomic_op::rmw, order::relaxed, scope::device, 0x70);
        }
        fence(thread_of(b, 0), order::acq_rel, scope::device);
        block_barrier(b);
        if (mine == kManyBlocks - 1)
          for (int k = 0; k < kManyBlocks; ++k)
            read(thread_of(b, k % kThreadsOfEach), part + static_cast<std::uintptr_t>(k) * 4, 4, 0x80);
        for (int t = 0; t < kThreadsOfEach; ++t) thread_exit(thread_of(b, t));
        w.d.block_end(b);
      }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < kWorkers; ++i) threads.emplace_back(worker, i);
    for (auto& t : threads) t.join();
    w.d.launch_end(l);
  }
  return w.found();
}

}  // namespace

TEST_CASE("several workers: clean stays clean") {
  for (int i = 0; i < 5; ++i) CHECK(run(0) == "");
}
TEST_CASE("several workers: a plain counter") {
  const std::string s = run(1);
  CHECK(s.find("race-global counter") == 0);
  CHECK(s.find("part") == std::string::npos);
}
TEST_CASE("several workers: no barrier") { CHECK(run(2) == "race-shared tile"); }
TEST_CASE("several workers: a byte too many") {
  const std::string s = run(4);
  CHECK(s.find("race-global bytes, race-global bytes") == 0);
}
TEST_CASE("several workers: no fence") { CHECK(run(3) == "race-global part"); }

TEST_CASE("several workers: no reader of what they share is lost") {
  // All threads of all blocks read the same words at the same time; the words must name every one of them.
  constexpr int kReaders = 32, kWords = 64;
  world w(with(4096, false, kWorkers));
  const auto x = w.buffer("x", kWords);
  launch_state& l = w.d.launch_begin(0, "k", {kManyBlocks, 1, 1}, {kReaders, 1, 1});
  std::atomic<int> next{0}, ready{0};
  const auto worker = [&](int me) {
    ++ready;
    while (ready < kWorkers) std::this_thread::yield();
    for (int i; (i = next++) < kManyBlocks;) {
      block_state& b = w.d.block_begin(l, i, {i, 0, 0}, i, {w.tile(me), 1024});
      for (int t = 0; t < kReaders; ++t)
        for (std::uintptr_t k = 0; k < kWords; ++k) read(thread_of(b, t), x + k * 4, 4, 0x10);
      w.d.block_end(b);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kWorkers; ++i) threads.emplace_back(worker, i);
  for (auto& t : threads) t.join();
  detector_core& d = w.d.core();
  for (std::uintptr_t k = 0; k < kWords; ++k) {
    int readers = 0;
    for (shadow_word rest = readers_of(*d.shadow.cell_of(x + k * 4));
         const shadow_word group = next_group(d.epochs, rest, 0);)
      d.sets.any(who_of(group), [&](std::uint32_t) { return ++readers, false; });
    CHECK(readers == kManyBlocks * kReaders);
  }
  w.d.launch_end(l);
  CHECK(w.found() == "");
}
