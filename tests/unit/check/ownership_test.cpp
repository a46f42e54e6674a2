// SPDX-License-Identifier: Apache-2.0
// Guards of cells on several OS threads: never two in one group of cells at a time, whatever the ownership do.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>

#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

constexpr int kOwners = 4, kGroups = 8, kLaunches = 400, kTurns = 2000;

struct counter {
  alignas(64) std::uint64_t plain = 0;
  std::atomic<int> inside{0};
};

// All threads count in a few groups, at `from` and every `apart` bytes, without atomics, under guards alone. The first
// one stays in its own group at first, so that it owns the stretch when the others come.
int lost_counts(shadow_memory& shadow, std::uintptr_t from, std::uintptr_t apart) {
  std::array<counter, kGroups> groups;
  std::atomic<int> met{0};
  for (int launch = 0; launch < kLaunches; ++launch) {
    shadow.ownership->new_launch();
    std::array<std::thread, kOwners> threads;
    for (int me = 0; me < kOwners; ++me)
      threads[static_cast<std::size_t>(me)] = std::thread([&, me] {
        std::uint32_t random = static_cast<std::uint32_t>(launch * 64 + me + 1) * 2654435761U;
        for (int i = 0; i < kTurns; ++i) {
          random = random * 1664525 + 1013904223;
          const std::uint32_t g = me == 0 ? 0 : random >> 24 & (kGroups - 1);
          const cell_guard guard(shadow, from + g * apart);
          if (groups[g].inside.fetch_add(1, std::memory_order_relaxed) != 0) ++met;
          groups[g].plain = groups[g].plain + 1;
          groups[g].inside.fetch_sub(1, std::memory_order_relaxed);
        }
      });
    for (auto& t : threads) t.join();
  }
  std::uint64_t sum = 0;
  for (const counter& c : groups) sum += c.plain;
  return met + static_cast<int>(std::uint64_t{kOwners} * kLaunches * kTurns - sum);
}

// One thread owns a stretch and touches a group of it over and over, without an atomic operation; another comes once a
// launch. Both change two words that must stay equal.
int torn_pairs(shadow_memory& shadow, std::uintptr_t address) {
  volatile std::uint64_t first = 0, second = 0;
  std::atomic<int> torn{0}, launch{0}, done{0};
  std::atomic<bool> owned{false};
  const auto change = [&] {
    const cell_guard guard(shadow, address);
    const std::uint64_t a = first;
    if (second != a) ++torn;
    first = a + 1;
    for (int k = 0; k < 10; ++k)
      std::atomic_signal_fence(std::memory_order_seq_cst), static_cast<void>(std::uint64_t{first});
    second = a + 1;
  };
  constexpr int kRounds = 20'000;
  std::thread owner([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (launch != i) {
      }
      change();
      owned = true;
      for (int k = 0; k < 50; ++k) change();
      ++done;
    }
  });
  for (int i = 1; i <= kRounds; ++i) {
    shadow.ownership->new_launch();
    owned = false;
    launch = i;
    while (!owned) {
    }
    for (int k = 0; k < 5; ++k) change();
    while (done != i) {
    }
  }
  owner.join();
  return torn + static_cast<int>(first != std::uint64_t{kRounds} * 56);
}

}  // namespace

TEST_CASE("guards: neighbouring groups of one stretch") {
  epoch_table epochs;
  thread_sets sets;
  shadow_memory shadow({1 << 20, 1 << 20}, {1 << 22, 1 << 20}, true, epochs, sets);
  CHECK(lost_counts(shadow, 1 << 20, 16) == 0);
}
TEST_CASE("guards: groups of several stretches") {
  epoch_table epochs;
  thread_sets sets;
  shadow_memory shadow({1 << 20, 1 << 20}, {1 << 22, 1 << 20}, true, epochs, sets);
  CHECK(lost_counts(shadow, 1 << 20, 4096 + 16) == 0);
}
TEST_CASE("guards: shared memory") {
  epoch_table epochs;
  thread_sets sets;
  shadow_memory shadow({1 << 20, 1 << 20}, {1 << 22, 1 << 20}, true, epochs, sets);
  CHECK(lost_counts(shadow, 1 << 22, 16) == 0);
}
TEST_CASE("guards: the owner of a stretch sees that it was taken") {
  epoch_table epochs;
  thread_sets sets;
  shadow_memory shadow({1 << 20, 1 << 20}, {1 << 22, 1 << 20}, true, epochs, sets);
  CHECK(torn_pairs(shadow, 1 << 20) == 0);
}
TEST_CASE("guards: where stretches are taken from their owners, new ones are shared at once, for a while") {
  ownership_table table;
  std::uint32_t next = 0;
  // Two threads ask for so many stretches each, and then for each other's.
  const auto meet = [&](std::uint32_t count) {
    const auto ask = [&](std::uint32_t from) {
      for (std::uint32_t i = from; i < from + count; ++i)
        if (table.hold(i)) end_owned();
    };
    ask(next);
    std::thread([&] { ask(next + count), ask(next); }).join();
    ask(next + count);
    next += 2 * count;
  };
  const auto owns = [&] {
    if (!table.hold(next++)) return false;
    end_owned();
    return true;
  };
  meet(10);
  CHECK(owns());
  meet(300);
  CHECK(!owns());
  std::uint32_t shared = 0;
  while (!owns()) REQUIRE(++shared < 50'000);
  CHECK(shared > 10'000);
}
TEST_CASE("guards: a stretch that was shared is shared at once in the launches to come, but not for ever") {
  ownership_table table;
  const auto owns = [&](std::uint32_t index) {
    const bool mine = table.hold(index);
    if (mine) end_owned();
    return mine;
  };
  REQUIRE(owns(1));
  REQUIRE(owns(2));
  std::thread([&] { REQUIRE(!owns(1)); }).join();
  std::uint32_t launches = 0;
  do {
    table.new_launch();
    CHECK(owns(2));
    REQUIRE(++launches < 20);
  } while (!owns(1));
  CHECK(launches > 2);
  table.new_launch();
  CHECK(owns(1));
}
TEST_CASE("guards: a lock leaves the readers of a cell alone") {
  world w(with(16, false, 2));
  const auto x = w.buffer("x", 64);
  w.launch(2, 32);
  read(thread_of(*w.blocks[0], 3), x, 4, 0x10);
  std::thread([&] { read(thread_of(*w.blocks[1], 4), x, 4, 0x11); }).join();  // shared from here on
  std::thread([&] { write(thread_of(*w.blocks[1], 4), x, 4, 0x12); }).join();
  CHECK(w.found().find("race-global x") == 0);
}

TEST_CASE("what a worker held in the launch before is nobody's") {
  simt::check::ownership_table table;
  REQUIRE(table.take(5));
  simt::check::end_owned();
  REQUIRE(simt::check::begin_owned(table.entries(), 5));
  simt::check::end_owned();
  table.new_launch();
  CHECK(!simt::check::begin_owned(table.entries(), 5));  // another one may take it without a word
}
