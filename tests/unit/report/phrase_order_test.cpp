// SPDX-License-Identifier: Apache-2.0
// Where the sides of a race are to meet, for threads that take different ways.
#include "sim/report/phrase_order.hpp"

#include <doctest/doctest.h>

#include "sim/report/phrasebook.hpp"

using namespace simt;

TEST_CASE("threads that meet at barriers of some of them are told no barrier of the block") {
  finding f;
  f.rule = rule::race_shared;
  f.cause = cause::race_block;
  f.space = memory_space::shared;
  f.accesses.resize(2);
  f.accesses[0].kind = access_kind::write, f.accesses[1].kind = access_kind::read;
  for (simt::access& a : f.accesses) a.file = "k.cu", a.function = "k";
  f.accesses[0].line = 7, f.accesses[1].line = 10;
  f.facts.place.guard = 4, f.facts.place.in_two_branches = true;
  CHECK(phrase(f, dialect::cuda).fix.starts_with("make two branches of the one at line 4, with a barrier"));
  f.facts.named_barriers = true;
  CHECK(phrase(f, dialect::cuda)
            .fix.starts_with(
                "let both branches of line 4 meet behind line 7 and in front of line 10, at a named barrier"));
  CHECK(phrase(f, dialect::cuda).why.starts_with("no barrier that both take part in"));
  f.facts.loop_end = 12;  // what came first may be what comes first
  CHECK(phrase(f, dialect::cuda)
            .fix.starts_with("let both branches of line 4 meet behind line 10 and in front of line 7, in each turn of "
                             "the loop, at a named"));
  f.facts.named_barriers = false, f.facts.barrier_object = "full";
  CHECK(phrase(f, dialect::cuda).fix.find("at a barrier object of its own beside full") != std::string::npos);
}
