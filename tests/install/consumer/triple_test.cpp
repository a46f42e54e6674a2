// SPDX-License-Identifier: Apache-2.0
// The same tests in every variant; only check has an opinion on the racy twin.
#include <doctest/doctest.h>

#include <simt/check.hpp>
#include <simt/simt.hpp>
#include <vector>

#include "triple.hpp"

TEST_CASE("triple") {
  auto x = simt::to_device(std::vector<int>(100, 2), "x");
  const auto findings = simt::check({}, [&] { simt::launch<triple>({.grid = 2, .block = 64}, x); });
  CHECK(findings.empty());
  CHECK(simt::to_host(x) == std::vector<int>(100, 6));
}

TEST_CASE("a race is found where the variant checks") {
  auto x = simt::to_device(std::vector<int>(64, 0), "x");
  const auto findings = simt::check({}, [&] { simt::launch<add_all_racy>({.grid = 1, .block = 64}, x); });
#if defined(SIMT_VARIANT_CHECK)
  REQUIRE(!findings.empty());
  for (const simt::finding& f : findings) CHECK(f.rule == simt::rule::race_global);
#else
  CHECK(findings.empty());
#endif
}
