// SPDX-License-Identifier: Apache-2.0
// Neighbouring accesses of a warp that are one instruction, and updates that one lane does for all.
#include <doctest/doctest.h>

#include <string>

#include "sim/profile/block_counts.hpp"

using namespace simt::profile;

namespace {

constexpr std::uintptr_t kArray = 0x1000;

struct piece {
  std::uintptr_t at;
  std::uint32_t size;
};

// The instructions that these pieces of all lanes' elements are, as bytes: "8 4". Pieces have sites of their own.
std::string joined(operation what, const std::vector<piece>& pieces, std::uintptr_t base = kArray,
                   std::intptr_t stride = 16) {
  block_counts one;
  simt::sim::event::block b;
  b.threads = kLanes;
  one.begin(b);
  std::uintptr_t site = 1;
  for (const piece& p : pieces) one.add({{site++, base + p.at, stride, p.size, what}, 0, kLanes});
  one.all_wait();
  std::string out;
  const auto show = [&](std::uint64_t bytes) { out += (out.empty() ? "" : " ") + std::to_string(bytes / kLanes); };
  for (std::uintptr_t s = 1; s < site; ++s) {
    for (const auto& [key, t] : one.runs)
      if (key.sites[0] == s) show(t.whole.bytes);
    one.sites.each([&](const place& p, const tally& t) {
      if (p.site == s) show(t.bytes);
    });
  }
  return out;
}

struct update_cost {
  std::uint64_t executions, lanes, cost;
  friend bool operator==(const update_cost&, const update_cost&) = default;
};
update_cost updated(operation what, std::uint32_t lanes) {
  block_counts one;
  simt::sim::event::block b;
  b.threads = kLanes;
  one.begin(b);
  one.add({{1, kArray, 0, 4, what}, 0, lanes});
  one.all_wait();
  update_cost found{};
  one.sites.each([&](const place&, const tally& t) { found = {t.executions, t.lanes, t.cost}; });
  for (const auto& [key, t] : one.runs) found = {t.whole.executions, t.whole.lanes, t.whole.cost};
  return found;
}

}  // namespace

TEST_CASE("pieces side by side are one, as wide as a power of two that all addresses suit") {
  CHECK(joined(operation::global_load, {{0, 4}, {4, 4}, {8, 4}, {12, 4}}) == "16");
  CHECK(joined(operation::global_load, {{0, 4}, {4, 4}}) == "8");
  CHECK(joined(operation::global_load, {{0, 4}, {4, 4}}, kArray + 4) == "4 4");
  CHECK(joined(operation::global_load, {{0, 4}, {4, 4}, {8, 4}, {12, 4}}, kArray, 24) == "8 8");
  CHECK(joined(operation::global_load, {{0, 4}, {4, 4}, {8, 4}, {12, 4}}, kArray + 4) == "4 8 4");
  CHECK(joined(operation::global_load, {{0, 2}, {2, 2}, {4, 4}}) == "8");
}
TEST_CASE("a load may leave out members, but is of two words where they are no half") {
  CHECK(joined(operation::global_load, {{0, 4}, {4, 4}, {8, 4}}) == "16");
  CHECK(joined(operation::global_load, {{0, 4}, {4, 4}, {12, 4}}) == "16");
  CHECK(joined(operation::global_load, {{0, 4}, {8, 4}}) == "4 4");
  CHECK(joined(operation::global_load, {{0, 4}, {12, 4}}) == "4 4");
}
TEST_CASE("what is stored is stored whole") {
  CHECK(joined(operation::global_store, {{0, 4}, {4, 4}, {8, 4}}) == "8 4");
  CHECK(joined(operation::global_store, {{0, 4}, {8, 4}}) == "4 4");
  CHECK(joined(operation::global_store, {{0, 4}, {12, 4}}) == "4 4");
  CHECK(joined(operation::shared_store, {{0, 4}, {4, 4}, {8, 4}, {12, 4}}) == "16");
}

TEST_CASE("updates of one address: all lanes, or one for all") {
  CHECK(updated(operation::global_reduction, kLanes) == update_cost{1, 32, 32});
  CHECK(updated(operation::global_reduction_of_warp, kLanes) == update_cost{1, 32, 1});
  CHECK(updated(operation::global_reduction_of_warp, 7) == update_cost{1, 7, 1});
  CHECK(updated(operation::global_atomic_of_warp, 7) == update_cost{1, 7, 1});
  CHECK(updated(operation::global_atomic_of_full_warp, kLanes) == update_cost{1, 32, 1});
  CHECK(updated(operation::global_atomic_of_full_warp, 31) == update_cost{1, 31, 31});
  CHECK(updated(operation::shared_atomic, 5) == update_cost{1, 5, 5});
  CHECK(updated(operation::shared_atomic_of_warp, 5) == update_cost{1, 5, 1});
  CHECK(updated(operation::shared_atomic_of_full_warp, 5) == update_cost{1, 5, 5});
  CHECK(updated(operation::shared_atomic_of_full_warp, kLanes) == update_cost{1, 32, 1});
}
