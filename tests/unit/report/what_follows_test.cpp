// SPDX-License-Identifier: Apache-2.0
// Findings that follow from another one, which is shown first, and which of several like ones is shown.
#include <doctest/doctest.h>

#include <vector>

#include "sample_findings.hpp"
#include "sim/report/merged_findings.hpp"
#include "sim/report/parting_lines.hpp"

using namespace simt;
using test::at, test::groups, test::race;

TEST_CASE("a read of global memory before its write, at a line where threads of its block race about that element") {
  finding early, in_block = race(9, 7);
  early.rule = rule::uninitialized_read, early.cause = cause::unwritten_global, early.object = "s";
  early.accesses = {at(9)};
  early.index = in_block.index = {40};
  CHECK(groups({early, in_block}) == "0:9 0<1:9");
  early.index = {41};
  CHECK(groups({early, in_block}) == "0:9 1:9");
}

TEST_CASE("a write that is not aligned comes before the races with the neighbours whose bytes it meets") {
  finding misaligned, neighbours = race(5, 5);
  misaligned.rule = rule::misaligned, misaligned.cause = cause::misaligned_access;
  misaligned.object = "s";
  misaligned.accesses = {at(5, access_kind::write)};
  misaligned.accesses[0].block = {0, 0, 0}, misaligned.accesses[0].thread = {3, 0, 0};
  for (simt::access& a : neighbours.accesses) a.kind = access_kind::write;
  CHECK(groups({neighbours, misaligned}) == "0:5 0<1:5");
  // With another line: of that thread only, since the others' is a missing order.
  finding read = race(8, 5);
  CHECK(groups({read, misaligned}) == "0:8 1:5");
  read.accesses[1].block = {0, 0, 0}, read.accesses[1].thread = {3, 0, 0};
  CHECK(groups({read, misaligned}) == "0:5 0<1:8");
  misaligned.accesses[0].kind = access_kind::read;
  CHECK(groups({neighbours, misaligned}) == "0:5 1:5");
}

TEST_CASE("of a place that is several instructions the first element outside is shown") {
  finding third, first;
  third.rule = rule::out_of_bounds, third.cause = cause::outside_behind, third.object = "s";
  third.accesses = {at(5)};
  first = third;
  third.facts.distance = 12, first.facts.distance = 0;
  std::vector<finding> merged;
  merge_findings(merged, {third, first}, true);
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].facts.distance == 0);
  CHECK(merged[0].count == 2);
  merge_findings(merged, {third}, true);
  CHECK(merged[0].facts.distance == 0);
}

TEST_CASE("who reads a loop's head late leaves the loop, and others wait at the barrier of that turn") {
  finding left = race(8, 10), waits;
  left.facts.place.turn = 8, left.facts.place.turn_begin = 9, left.facts.place.turn_end = 12;
  waits.rule = rule::barrier_divergence, waits.cause = cause::barrier_unreachable;
  waits.accesses = {at(11)};
  waits.accesses[0].deed = deed::waits_here;
  CHECK(groups({left, waits}) == "0:8 0<1:11");
  waits.accesses[0].line = 14;  // behind the loop
  CHECK(groups({left, waits}) == "0:8 1:14");
  waits.accesses[0].line = 11;
  left.facts.place.turn = 7;  // what is read is in the body
  CHECK(groups({left, waits}) == "0:8 1:11");
}

TEST_CASE("sides in two instances of one template part in the function that both are in") {
  simt::access outer = at(4, access_kind::write, "tree<128>"), inner = at(4, access_kind::read, "tree<64>");
  outer.stack = {{"k", "app.cu", 14}};
  inner.stack = {{"tree<128>", "app.cu", 8}};  // who called that is not on record
  const auto [a, b] = parting_lines(outer, inner);
  CHECK(a.function == b.function);
  CHECK(a.line == 4);
  CHECK(b.line == 8);
}

TEST_CASE("a second run that was ended lends its sides to what both have found, and takes nothing away") {
  run_report first, second;
  finding both = race(9, 7), early = race(12, 11), late = race(15, 14);
  both.count = 40, early.count = 3;
  both.accesses[0].thread = {33, 0, 0};
  first.findings = {both, early};
  both.count = 2, late.count = 1;
  both.accesses[0].thread = {1, 0, 0};
  second.findings = {both, late};
  const run_report r = with_part_of_second(first, second);
  REQUIRE(r.findings.size() == 3);
  for (const finding& f : r.findings) {
    CAPTURE(f.accesses[0].line);
    CHECK(f.count == (f.accesses[0].line == 9 ? 40 : f.accesses[0].line == 12 ? 3 : 1));
    if (f.accesses[0].line == 9) CHECK(f.accesses[0].thread.x == 1);
  }
  REQUIRE(r.notes.size() == 1);
  CHECK(r.notes[0].find("was ended") != std::string::npos);
}
