// SPDX-License-Identifier: Apache-2.0
// Which findings are shown as one: copies that nobody waits for, and what is written and read out of place.
#include <doctest/doctest.h>

#include "sample_findings.hpp"
#include "sim/report/grouping.hpp"

using namespace simt;
using test::at, test::groups, test::race;

TEST_CASE("a wait for copies that is missing is one thing, wherever they are used") {
  const auto copied = [](int line, int use) {
    finding f = race(line, use);
    f.cause = cause::race_async_copy;
    f.accesses[0].work = work::async_copy;
    f.accesses[1].thread.x = f.accesses[0].thread.x + 1;
    return f;
  };
  finding again = copied(5, 5);
  again.accesses[1].work = work::async_copy;
  CHECK(groups({again, copied(5, 8), copied(6, 9)}) == "0:5 0<1:5 0<2:6");
  finding waited = copied(7, 9);
  waited.facts.copy.waits = 8;  // what is missing there is a barrier
  CHECK(groups({copied(5, 8), waited}) == "0:5 1:7");
}

TEST_CASE("two writes of one line have no barrier between them") {
  finding writes = race(10, 10);
  writes.accesses[0].kind = writes.accesses[1].kind = access_kind::write;
  CHECK(groups({race(10, 10), writes}) == "0:10 1:10");
}

TEST_CASE("what was written past the end of a shared array is read there") {
  const auto outside = [](access_kind kind, int line, std::int64_t index, std::int64_t count) {
    finding f;
    f.rule = rule::out_of_bounds, f.cause = cause::outside_behind, f.space = memory_space::shared;
    f.object = "s", f.index = {index}, f.count = count, f.kernel = "k";
    f.accesses = {at(line)};
    f.accesses[0].kind = kind;
    return f;
  };
  const finding write = outside(access_kind::write, 6, 64, 64);
  CHECK(groups({write, outside(access_kind::read, 8, 127, 64)}) == "0:6 0<1:8");
  CHECK(groups({write, outside(access_kind::read, 8, 128, 1)}) == "0:6 1:8");
}
