// SPDX-License-Identifier: Apache-2.0
// Sectors of one warp's updates of global memory against what ncu counted on an H200: update_turns.txt has a line for
// each of 253 launches of 32 threads: bytes of an update, sectors, and which element each lane updates (-1: none).
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "sim/profile/memory_model.hpp"

using namespace simt::profile;

TEST_CASE("turns of updates are the hardware's") {
  std::ifstream in(std::filesystem::path(__FILE__).parent_path() / "update_turns.txt");
  int launches = 0;
  for (std::string line; std::getline(in, line); ++launches) {
    std::istringstream words(line);
    warp_access a;
    std::uint32_t sectors = 0;
    words >> a.size >> sectors;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      std::int64_t element = 0;
      words >> element;
      if (element < 0) continue;
      a.mask |= 1U << lane;
      a.address[lane] = (std::uintptr_t{1} << 40) + static_cast<std::uintptr_t>(element) * a.size;
    }
    CAPTURE(launches);
    CHECK(cost_of_global_update(a).sectors == sectors);
  }
  CHECK(launches == 253);
}
