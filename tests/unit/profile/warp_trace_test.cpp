// SPDX-License-Identifier: Apache-2.0
// Which steps of a warp's lanes are one instruction. A program here is what each lane does, as letters: capitals are
// basic blocks, in the order of the alphabet, small ones accesses.
#include <doctest/doctest.h>

#include <bit>
#include <functional>
#include <string>

#include "sim/profile/warp_trace.hpp"

using namespace simt::profile;

namespace {

// "a32 b16": access a by 32 lanes at once, then b by 16.
std::string together(const std::function<std::string(std::uint32_t)>& program, std::uint32_t mask = ~0U) {
  warp_trace t;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    for (const char c : program(lane)) {
      const bool block = c >= 'A' && c <= 'Z';
      const auto letter = static_cast<std::uintptr_t>(c);
      t.add(lane, 1,
            {letter, block ? letter : 0x1000 + 4 * lane, 0, 4, block ? operation::marker : operation::global_load});
    }
  std::string out;
  t.put_together(
      mask,
      [&](std::uintptr_t site, operation what, const warp_access& a) {
        if (what == operation::marker) return;
        out +=
            (out.empty() ? "" : " ") + std::string(1, static_cast<char>(site)) + std::to_string(std::popcount(a.mask));
      },
      [](std::uint64_t) {});
  return out;
}

}  // namespace

TEST_CASE("all lanes do the same") {
  CHECK(together([](std::uint32_t) { return "Aab"; }) == "a32 b32");
}
TEST_CASE("two sides of a branch, and what follows them") {
  CHECK(together([](std::uint32_t lane) { return lane % 2 == 0 ? "AaBbDd" : "AaCcDd"; }) == "a32 b16 c16 d32");
}
TEST_CASE("a loop that lanes leave at different times: those out of it wait") {
  const auto program = [](std::uint32_t lane) {
    std::string s = "A";
    for (std::uint32_t k = 0; k < lane % 3; ++k) s += "Bb";
    return s + "Cc";
  };
  CHECK(together(program) == "b21 b10 c32");
}
TEST_CASE("a branch in a loop: the next round waits for those inside") {
  const auto program = [](std::uint32_t lane) {
    std::string s;
    for (std::uint32_t k = 0; k < 2; ++k) s += lane % 2 == k ? "AaBbC" : "AaC";
    return s;
  };
  CHECK(together(program) == "a32 b16 a32 b16");
}
TEST_CASE("rounds count also where they touch nothing") {
  const auto program = [](std::uint32_t lane) {
    std::string s;
    for (std::uint32_t k = 0; k < 4; ++k) s += lane % 4 == k ? "ABbC" : "AC";
    return s;
  };
  CHECK(together(program) == "b8 b8 b8 b8");
}
TEST_CASE("a loop in a loop: every round of the outer one begins together") {
  const auto program = [](std::uint32_t lane) {
    std::string s;
    for (std::uint32_t k = 0; k < 2; ++k) {
      for (std::uint32_t m = 0; m <= (lane + k) % 2; ++m) s += "Bb";
      s += "Cc";
    }
    return s;
  };
  CHECK(together(program) == "b32 b16 c32 b32 b16 c32");
}
TEST_CASE("an early end") {
  CHECK(together([](std::uint32_t lane) { return lane < 10 ? "Aa" : "AaBb"; }) == "a32 b22");
}

TEST_CASE("runs of lanes are cut where others begin") {
  warp_trace t;
  t.add(0, 32, {1, 0x1000, 4, 4, operation::global_load});
  t.add(8, 4, {2, 0x2000, 4, 4, operation::global_load});
  t.add(0, 32, {3, 0x3000, 8, 4, operation::global_load});
  std::string seen;
  t.put_together(
      ~0U,
      [&](std::uintptr_t site, operation, const warp_access& a) {
        seen += std::to_string(site) + ":" + std::to_string(std::popcount(a.mask)) + " ";
        CHECK(a.address[9] == (site == 1 ? 0x1000 + 36 : site == 2 ? 0x2000 + 4 : 0x3000 + 72));
      },
      [](std::uint64_t) {});
  CHECK(seen == "1:32 2:4 3:32 ");
  CHECK(t.empty());
}

TEST_CASE("lanes that wait apart are put together apart") {
  warp_trace t;
  t.add(0, 32, {1, 0x1000, 4, 4, operation::global_load});
  int lanes = 0;
  const auto count = [&](std::uintptr_t, operation, const warp_access& a) { lanes += std::popcount(a.mask); };
  t.put_together(0xff, count, [](std::uint64_t) {});
  CHECK(lanes == 8);
  CHECK(!t.empty());
  t.put_together(~0xffU, count, [](std::uint64_t) {});
  CHECK(lanes == 32);
  CHECK(t.empty());
  CHECK(t.steps() == 0);
}
