// SPDX-License-Identifier: Apache-2.0
// The log of updates of shared memory that are put off.
#include "sim/check/shared_updates.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace {

using simt::check::shared_updates;

TEST_CASE("an update is by its own instruction, though another one's has been refused in between") {
  const std::vector<std::uint32_t> memory(256);
  const auto at = [&](std::size_t word) { return reinterpret_cast<std::uintptr_t>(&memory[word]); };
  const shared_updates::site first{0x1000, simt::check::scope::block, 4}, second{0x2000, simt::check::scope::block, 4};
  shared_updates log;
  log.begin({at(0), 1024}, 7);
  log.add_array(at(0), at(64), 4, true);
  CHECK(log.add_other(3, at(5), first, [] { return true; }));
  CHECK_FALSE(log.add_other(4, at(100), second, [] { return true; }));  // of no array
  if (!log.add(5, at(6), first, 7)) CHECK(log.add_other(5, at(6), first, [] { return true; }));
  std::vector<std::uintptr_t> by;
  log.each([&](std::uint32_t, std::uintptr_t, const shared_updates::site& s) { by.push_back(s.pc); });
  CHECK(by == std::vector<std::uintptr_t>{0x1000, 0x1000});
}

TEST_CASE("of more updates than the log has room for, none is forgotten") {
  const std::vector<std::uint32_t> memory(64);
  const auto base = reinterpret_cast<std::uintptr_t>(memory.data());
  const shared_updates::site site{0x1000, simt::check::scope::block, 4};
  shared_updates log;
  log.begin({base, 256}, 7);
  log.add_array(base, base + 256, 4, true);
  std::set<std::pair<std::uint32_t, std::uintptr_t>> made, kept;
  // Each thread has words of its own, and comes once: what an early one did is in the log's first lap alone.
  for (std::uint32_t rank = 0; rank < 256; ++rank)
    for (std::uint32_t k = 0; k < 1000; ++k) {
      const std::uintptr_t address = base + (rank + 7 * k % 32) % 64 * 4;
      REQUIRE((log.add(rank, address, site, 7) || log.add_other(rank, address, site, [] { return true; })));
      made.emplace(rank, address);
    }
  log.each(
      [&](std::uint32_t rank, std::uintptr_t address, const shared_updates::site&) { kept.emplace(rank, address); });
  CHECK(kept == made);
}

}  // namespace
