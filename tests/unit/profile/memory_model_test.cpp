// SPDX-License-Identifier: Apache-2.0
// Sectors and wavefronts of one instruction, by patterns whose cost is known.
#include <doctest/doctest.h>

#include <functional>

#include "sim/profile/memory_model.hpp"

using namespace simt::profile;

namespace {

constexpr std::uintptr_t kBase = 0x10000;

warp_access access_of(std::uint32_t size, const std::function<std::uintptr_t(std::uint32_t)>& offset,
                      std::uint32_t mask = ~0U) {
  warp_access a;
  a.mask = mask;
  a.size = size;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) a.address[lane] = kBase + offset(lane);
  return a;
}
warp_access strided(std::uint32_t size, std::uintptr_t stride, std::uintptr_t first = 0) {
  return access_of(size, [=](std::uint32_t lane) { return first + lane * stride; });
}

}  // namespace

TEST_CASE("sectors of global memory") {
  CHECK(cost_in_global(strided(4, 4)).sectors == 4);
  CHECK(cost_in_global(strided(4, 4)).ideal == 4);
  CHECK(cost_in_global(strided(4, 4, 4)).sectors == 5);  // does not begin at a sector
  CHECK(cost_in_global(strided(4, 8)).sectors == 8);
  CHECK(cost_in_global(strided(4, 32)).sectors == 32);
  CHECK(cost_in_global(strided(4, 4096)).sectors == 32);
  CHECK(cost_in_global(strided(4, 0)).sectors == 1);
  CHECK(cost_in_global(strided(4, 0)).ideal == 1);
  CHECK(cost_in_global(strided(1, 1)).sectors == 1);
  CHECK(cost_in_global(strided(8, 8)).sectors == 8);
  CHECK(cost_in_global(strided(16, 16)).sectors == 16);
  CHECK(cost_in_global(access_of(4, [](std::uint32_t lane) { return 4 * (31 - lane); })).sectors == 4);
  CHECK(cost_in_global(access_of(
                           4, [](std::uint32_t lane) { return 4 * lane; }, 0xffU))
            .sectors == 1);
  CHECK(cost_in_global(access_of(4, [](std::uint32_t lane) { return lane % 2 * 64; })).sectors == 2);
}

TEST_CASE("wavefronts of shared memory") {
  const auto cost = [](const warp_access& a) {
    const shared_cost c = cost_of_shared_load(a);
    return std::pair(c.wavefronts, c.conflicts);
  };
  CHECK(cost(strided(4, 4)) == std::pair(1U, 0U));
  CHECK(cost(strided(4, 8)) == std::pair(2U, 1U));
  CHECK(cost(strided(4, 12)) == std::pair(1U, 0U));     // an odd number of words
  CHECK(cost(strided(4, 128)) == std::pair(32U, 31U));  // a column of tile[32][32]
  CHECK(cost(strided(4, 132)) == std::pair(1U, 0U));    // of tile[32][33]
  CHECK(cost(strided(4, 0)) == std::pair(1U, 0U));      // one word for all
  CHECK(cost(access_of(4, [](std::uint32_t lane) { return lane % 2 * 128; })) == std::pair(2U, 1U));
  CHECK(cost(strided(1, 1)) == std::pair(1U, 0U));
  CHECK(cost(strided(8, 8)) == std::pair(2U, 0U));
  CHECK(cost(strided(8, 16)) == std::pair(4U, 2U));
  CHECK(cost(strided(8, 0)) == std::pair(1U, 0U));
  CHECK(cost(strided(16, 16)) == std::pair(4U, 0U));
  CHECK(cost(access_of(
            16, [](std::uint32_t lane) { return 16 * lane; }, 0xffU)) == std::pair(1U, 0U));
  CHECK(cost(strided(16, 0)) == std::pair(2U, 0U));  // 16 bytes for all: two turns
  // Half of the lanes, in both halves of the warp: the 128 bytes would fit one wavefront.
  const warp_access every_second = access_of(
      8, [](std::uint32_t lane) { return 8 * lane; }, 0x55555555U);
  CHECK(cost(every_second) == std::pair(2U, 1U));
  CHECK(cost_of_shared_store(every_second).conflicts == 0);
}

TEST_CASE("updates of global memory: lanes of one word take turns at its sector") {
  CHECK(cost_of_global_update(strided(4, 4)).sectors == 4);
  CHECK(cost_of_global_update(strided(4, 8)).sectors == 8);
  CHECK(cost_of_global_update(strided(4, 0)).sectors == 32);
  CHECK(cost_of_global_update(access_of(4, [](std::uint32_t lane) { return lane / 2 * 4; })).sectors == 4);
}

TEST_CASE("updates of shared memory: lanes of one word take turns") {
  CHECK(cost_of_shared_atomic(strided(4, 4)).wavefronts == 1);
  CHECK(cost_of_shared_atomic(strided(4, 0)).wavefronts == 32);
  CHECK(cost_of_shared_atomic(access_of(4, [](std::uint32_t lane) { return lane / 2 * 4; })).wavefronts == 2);
}

// As ncu counted them on an H100 (tests/profile/record.json, swap_in_shared and its neighbours).
TEST_CASE("compare-and-swaps in shared memory: two wavefronts for each turn, whose conflicts are counted once") {
  const auto cost = [](const warp_access& a) {
    const shared_cost c = cost_of_shared_swap(a);
    return std::pair(c.wavefronts, c.conflicts);
  };
  CHECK(cost(strided(4, 4)) == std::pair(2U, 0U));
  CHECK(cost(strided(4, 16)) == std::pair(8U, 3U));
  CHECK(cost(access_of(4, [](std::uint32_t lane) { return lane / 4 * 4; })) == std::pair(8U, 3U));
  CHECK(cost(strided(8, 16)) == std::pair(8U, 2U));
}
