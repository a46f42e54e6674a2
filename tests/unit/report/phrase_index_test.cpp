// SPDX-License-Identifier: Apache-2.0
// What is advised about an access outside of its object.
#include <doctest/doctest.h>

#include "sample_reports.hpp"
#include "sim/report/phrasebook.hpp"

using namespace simt;

TEST_CASE("an index that 32 bits have made negative") {
  finding f = test::race();
  f.rule = rule::out_of_bounds, f.cause = cause::outside_before;
  f.object = "a", f.bytes = 4, f.index = {-2134967296}, f.facts.size = 10'000'000'000;
  CHECK(phrase(f, dialect::cuda).fix ==
        "compute the index in 64 bits: 32 bits make -2134967296 of 2160000000, which is an element of a");
  f.facts.size = 4 * 2160000000;  // just outside, too
  CHECK(phrase(f, dialect::cuda).fix == "check the index against the number of elements");
  f.index = {-1}, f.facts.size = 400;
  CHECK(phrase(f, dialect::cuda).fix == "check the index against the number of elements");
}
