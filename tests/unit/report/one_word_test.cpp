// SPDX-License-Identifier: Apache-2.0
// Races on one word that are shown as one (sim/report/one_word.hpp): each group beside a twin that is none.
#include <doctest/doctest.h>

#include <vector>

#include "sample_findings.hpp"

using namespace simt;
using test::groups, test::race;

TEST_CASE("updates of one word are one finding, which names them all") {
  const auto update = [](int later, int earlier) {
    finding f = race(later, earlier);
    f.facts.both_update = later != earlier, f.facts.in_place = later == earlier;
    f.accesses[0].kind = access_kind::write;
    if (later == earlier) return f;
    f.facts.update_line = later, f.facts.target = "x";
    f.facts.other_updates = {{earlier, "x", "+=", "1", false}};
    return f;
  };
  CHECK(groups({update(10, 10), update(12, 10), update(12, 12)}) == "0:12 0<1:10 0<2:12");
  std::vector<finding> all{update(12, 10), update(14, 12)};
  group_findings(all);
  CHECK(all[0].members.size() == 1);
  REQUIRE(all[0].facts.other_updates.size() == 2);
  CHECK(all[0].facts.other_updates[1].line == 14);
  CHECK(groups({update(12, 10), update(16, 14)}) == "0:12 1:16");  // of lines that have nothing in common
  finding other = update(10, 10);
  other.object = "y";
  CHECK(groups({update(12, 10), other}) == "0:12 1:10");
}

TEST_CASE("a read and the write behind it, with the two writes of that line") {
  finding step = race(8, 9), writes = race(9, 9), lower = race(11, 9);
  step.facts.step.read_line = 8, step.facts.step.write_line = 9;
  writes.accesses[0].kind = access_kind::write;
  CHECK(groups({writes, step}) == "0:8 0<1:9");
  CHECK(groups({lower, step}) == "0:11 1:8");
  finding atomic = race(12, 8);  // in order with what becomes atomic; a plain read of another line is not
  atomic.accesses[0].kind = access_kind::atomic;
  CHECK(groups({atomic, step}) == "0:8 0<1:12");
  atomic.accesses[1].line = 7;
  CHECK(groups({atomic, step}) == "0:12 1:8");
}

TEST_CASE("of blocks: what one line overwrites, and what one turn leaves to the next") {
  const auto of_blocks = [](int read, int write) {
    finding f = race(read, write);
    f.cause = cause::race_blocks;
    return f;
  };
  std::vector<finding> overwritten{of_blocks(7, 9), of_blocks(8, 9)};
  for (finding& f : overwritten) f.facts.reads_first = true;
  CHECK(groups(overwritten) == "0:7 0<1:8");
  overwritten[1].accesses[1].line = 10;
  CHECK(groups(overwritten) == "0:7 1:8");
  std::vector<finding> turns{of_blocks(8, 8), of_blocks(8, 8)};
  turns[1].object = "other";
  for (finding& f : turns) f.facts.place.turn = 6;
  CHECK(groups(turns) == "0:8 0<1:8");
  turns[1].facts.place.turn = 12;
  CHECK(groups(turns) == "0:8 1:8");
}
