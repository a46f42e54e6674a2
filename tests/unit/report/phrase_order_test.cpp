// SPDX-License-Identifier: Apache-2.0
// Where the sides of a race are to meet, for threads that take different ways.
#include "sim/report/phrase_order.hpp"

#include <doctest/doctest.h>

#include "sim/report/phrasebook.hpp"

using namespace simt;

namespace {
// Of a later access at line 7 and an earlier one at line 10.
finding race(cause why, access_kind later, access_kind earlier) {
  finding f;
  f.cause = why;
  f.accesses.resize(2);
  f.accesses[0].kind = later, f.accesses[1].kind = earlier;
  f.accesses[0].line = 7, f.accesses[1].line = 10;
  for (simt::access& a : f.accesses) a.file = "k.cu", a.function = "k";
  return f;
}
finding race_in_shared_memory(cause why) {
  finding f = race(why, access_kind::write, access_kind::read);
  f.rule = rule::race_shared;
  f.space = memory_space::shared;
  return f;
}
}  // namespace

TEST_CASE("blocks of a cluster are put in order by its barrier") {
  finding f = race_in_shared_memory(cause::race_blocks_handover);
  CHECK(phrase(f, dialect::cuda).fix == "put cluster.sync() between line 7 and line 10");
  CHECK(phrase(f, dialect::cuda).why.ends_with("; no barrier of the cluster has run between them"));
  f.space = memory_space::global;
  CHECK(phrase(f, dialect::cuda).fix.starts_with("split the kernel into two launches"));
  CHECK(phrase(f, dialect::cuda).why.find("cluster") == std::string::npos);
}

TEST_CASE("two names of one place are told, for a barrier would only let one overwrite the other") {
  finding f = race(cause::race_block, access_kind::write, access_kind::write);
  CHECK(phrase(f, dialect::cuda).fix.starts_with("put a barrier (__syncthreads()) between line 7 and line 10"));
  f.facts.two_names = "left[i] and right[i]";
  CHECK(phrase(f, dialect::cuda).fix.starts_with("left[i] and right[i] are one place here: keep apart"));
  CHECK(phrase(f, dialect::cuda).fix.ends_with("put a barrier (__syncthreads()) between line 7 and line 10"));
  f.cause = cause::race_blocks;
  CHECK(phrase(f, dialect::cuda).fix.find("line 7") == std::string::npos);
}

TEST_CASE("threads that meet at barriers of some of them are told no barrier of the block") {
  finding f = race_in_shared_memory(cause::race_block);
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
  f.facts.barrier_object.clear(), f.facts.waits_by_atomics = true;
  CHECK(phrase(f, dialect::cuda)
            .fix.starts_with("the branches of line 4 wait for each other by atomic operations: let each tell"));
}
