// SPDX-License-Identifier: Apache-2.0
// Agreement of the fast detector with the brute-force oracle on random programs.
// SIMT_ORACLE_SEEDS: how many (default 2000). SIMT_ORACLE_FIRST: the first seed. SIMT_ORACLE_SHIFT: other programs of
// the same seeds, for each number.
#include <doctest/doctest.h>

#include "random_programs.hpp"

TEST_CASE("fast detector and brute-force oracle agree") {
  const char* count = std::getenv("SIMT_ORACLE_SEEDS");
  const char* first = std::getenv("SIMT_ORACLE_FIRST");
  const char* shifted = std::getenv("SIMT_ORACLE_SHIFT");
  const std::uint64_t from = first ? std::strtoull(first, nullptr, 10) : 1;
  const std::uint64_t shift = shifted ? std::strtoull(shifted, nullptr, 10) : 0;
  const std::uint64_t seeds = count ? std::strtoull(count, nullptr, 10) : 2000;
  int racy = 0, scope_racy = 0, clean = 0, uninit = 0, counted = 0, told_before = 0, differences = 0;
  for (std::uint64_t s = from; s < from + seeds; ++s) {
    random_programs::program p(s, shift);
    const std::string error = p.run();
    if (!error.empty()) {
      MESSAGE(error);
      if (++differences == 5) break;
    }
    racy += p.races > 0;
    scope_racy += p.scope_races > 0;
    uninit += p.uninit > 0;
    counted += p.counted > 0;
    told_before += p.told_before > 0;
    clean += !p.races && !p.scope_races;
  }
  MESSAGE("racy " << racy << ", scope " << scope_racy << ", uninitialised " << uninit << ", race-free " << clean
                  << ", with busy counters " << counted << ", told before they were done " << told_before);
  CHECK(differences == 0);
  // The generator must go on making programs of each sort.
  if (seeds >= 1000) {
    CHECK(racy > static_cast<int>(seeds / 10));
    CHECK(clean > static_cast<int>(seeds / 10));
    CHECK(scope_racy > static_cast<int>(seeds / 50));
    CHECK(uninit > static_cast<int>(seeds / 50));
    CHECK(counted > static_cast<int>(seeds / 200));
    CHECK(told_before > static_cast<int>(seeds / 200));
  }
}
