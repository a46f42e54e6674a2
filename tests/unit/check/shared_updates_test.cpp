// SPDX-License-Identifier: Apache-2.0
// The log of updates of shared memory that are put off.
#include "sim/check/shared_updates.hpp"

#include <doctest/doctest.h>

#include <cstdint>
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

}  // namespace
