// SPDX-License-Identifier: Apache-2.0
// Which findings are shown as one (sim/report/grouping.hpp): each group beside a twin that is none.
#include "sim/report/grouping.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <vector>

#include "sample_findings.hpp"

using namespace simt;
using test::at, test::groups, test::race;

TEST_CASE("one barrier orders all races whose lines it stands between; the closest lines come first") {
  CHECK(groups({race(20, 8), race(10, 9), race(12, 7)}) == "0:10 0<1:20 0<2:12");
  // Line 8 comes before some of the first lines and behind others: one barrier between 7 and 8 is enough for all.
  CHECK(groups({race(8, 4), race(9, 6), race(11, 7)}) == "0:9 0<1:8 0<2:11");
  CHECK(groups({race(8, 4), race(9, 8)}) == "0:8 1:9");
  // Between lines 9 and 10, and between 11 and 12: two barriers.
  CHECK(groups({race(10, 9), race(12, 11)}) == "0:10 1:12");
  CHECK(groups({race(10, 9), race(12, 8, "other")}) == "0:10 1:12");  // lines of another function
}

TEST_CASE("thousands of races are put together at once") {
  std::vector<finding> many;
  for (int line = 2; line <= 12'000; line += 4) many.push_back(race(line + 2, line));
  const std::clock_t begin = std::clock();
  group_findings(many);
  CHECK(many.size() == 3000);
  CHECK(std::clock() - begin < 5 * CLOCKS_PER_SEC);  // processor time; a search for each pair takes a minute
}

TEST_CASE("what no barrier mends is left alone") {
  finding update = race(10, 10);
  update.facts.in_place = true;
  CHECK(groups({race(12, 8), update}) == "0:12 1:10");
  finding blocks = race(10, 9);
  blocks.cause = cause::race_blocks;
  CHECK(groups({race(12, 8), blocks}) == "0:12 1:10");
}

TEST_CASE("one barrier of the grid orders races of blocks, and those within a block that it stands between") {
  const auto of_blocks = [](int later, int earlier, bool cooperative = true) {
    finding f = race(later, earlier);
    f.rule = rule::race_global;
    f.cause = cause::race_blocks_handover;
    f.object = "g";
    f.facts.cooperative = cooperative;
    return f;
  };
  finding in_block = race(11, 8);
  in_block.facts.cooperative = true;
  CHECK(groups({of_blocks(20, 8), of_blocks(10, 9), in_block}) == "0:10 0<1:20 0<2:11");
  std::vector<finding> all{of_blocks(16, 10), of_blocks(17, 11)};
  group_findings(all);
  CHECK(all[0].facts.between_low == 11);
  CHECK(all[0].facts.between_high == 16);
  CHECK(groups({of_blocks(10, 9), race(11, 8)}) == "0:10 1:11");  // of a launch whose blocks do not wait
  in_block.accesses[0].line = 9;                                  // ends before the others
  CHECK(groups({of_blocks(20, 8), of_blocks(12, 10), in_block}) == "0:12 0<1:20 2:9");
  // Two launches order what one block hands to the other, and no more.
  CHECK(groups({of_blocks(20, 8, false), of_blocks(10, 9, false)}) == "0:10 0<1:20");
  finding writes = of_blocks(10, 9, false);
  writes.cause = cause::race_blocks;
  CHECK(groups({of_blocks(20, 8, false), writes}) == "0:20 1:10");
  writes.facts.cooperative = true;
  CHECK(groups({of_blocks(20, 8), writes}) == "0:10 0<1:20");
  writes.accesses[0].line = 9, writes.accesses[0].kind = access_kind::write;  // two writes of one line
  CHECK(groups({of_blocks(20, 8), writes}) == "0:20 1:9");
}

TEST_CASE("reads of global memory before anything was written, at a line where blocks race") {
  finding early;
  early.rule = rule::uninitialized_read;
  early.cause = cause::unwritten_global;
  early.object = "s";
  early.accesses = {at(9)};
  finding blocks = race(9, 7);
  blocks.cause = cause::race_blocks_handover;
  CHECK(groups({early, blocks}) == "0:9 0<1:9");
  CHECK(groups({early, race(9, 7)}) == "0:9 1:9");
}

TEST_CASE("a barrier that not all come to comes first, with the deadlock of the others") {
  finding missing, lost;
  missing.rule = rule::barrier_divergence;
  missing.cause = cause::blocks_missing;
  missing.accesses = {at(8)};
  lost.rule = rule::deadlock;
  lost.cause = cause::fault_deadlock;
  lost.accesses = {at(9)};
  CHECK(groups({race(12, 11), lost, missing}) == "0:8 0<1:9 2:12");
  lost.kernel = "another";
  CHECK(groups({race(12, 11), lost, missing}) == "0:12 1:9 2:8");
}

TEST_CASE("races between blocks that one fence orders, and what a barrier of the grid would have") {
  finding one = race(14, 8), other = race(15, 9);
  for (finding* const f : {&one, &other}) {
    f->cause = cause::race_blocks_unfenced;
    f->accesses.push_back(at(10));
  }
  CHECK(groups({one, other}) == "0:14 0<1:15");
  std::vector<finding> both{one, other};
  group_findings(both);
  CHECK(both[0].facts.between_low == 9);
  other.accesses[2].line = 11;
  CHECK(groups({one, other}) == "0:14 1:15");

  finding around, blocks = race(9, 6);
  around.rule = rule::barrier_divergence;
  around.cause = cause::barrier_skipped;
  around.accesses = {at(7)};
  around.accesses[0].deed = deed::waits_here;
  blocks.cause = cause::race_blocks_handover;
  CHECK(groups({blocks, around}) == "0:9 1:7");
  around.facts.of_grid = true;
  CHECK(groups({blocks, around}) == "0:7 0<1:9");
}

TEST_CASE("a race at the condition of a loop comes before the barrier in it, and the deadlock, that it leads to") {
  finding condition = race(9, 19), around, stuck;
  around.rule = rule::barrier_divergence;
  around.cause = cause::barrier_skipped;
  around.accesses = {at(10), at(21)};
  around.accesses[0].deed = deed::waits_here;
  stuck.cause = cause::fault_deadlock;
  stuck.rule = rule::deadlock;
  stuck.accesses = {at(10)};
  condition.accesses[0].kind = access_kind::write;
  condition.accesses[1].kind = access_kind::read;
  CHECK(groups({around, condition, stuck}) == "0:10 0<1:9 0<2:10");  // the barrier is between the two
  condition.facts.next_turn = true;
  CHECK(groups({around, condition, stuck}) == "0:9 0<1:10 0<2:10");
  around.cause = cause::barrier_unreachable;
  CHECK(groups({around, condition}) == "0:9 0<1:10");
  around.cause = cause::barrier_skipped;
  condition.facts.place.turn = 8;
  condition.facts.place.turn_end = 19;
  CHECK(groups({around, condition, stuck}) == "0:9 0<1:10 0<2:10");
  condition.facts.place.turn_end = 20;  // both are in the loop's body
  CHECK(groups({around, condition, stuck}) == "0:10 0<1:9 0<2:10");
}

TEST_CASE("a shuffle that lanes go around, and what it reads from them") {
  finding around, reads;
  around.rule = reads.rule = rule::warp_mask;
  around.cause = cause::lanes_elsewhere;
  reads.cause = cause::shuffle_from_outside;
  reads.severity = severity::warning;
  around.accesses = {at(7), at(9)};
  reads.accesses = {at(7)};
  CHECK(groups({reads, around}) == "0:7 0<1:7");
  reads.accesses[0].line = 8;
  CHECK(groups({reads, around}) == "0:7 1:8");
}

TEST_CASE("errors come before warnings, and a counter before what it counts") {
  finding alike = race(3, 3), handed = race(13, 9), counter = race(10, 10);
  alike.severity = severity::warning;
  CHECK(groups({alike, race(12, 11)}) == "0:12 1:3");
  handed.cause = cause::race_blocks_handover;
  counter.cause = cause::race_blocks;
  counter.object = "retired";
  counter.facts.in_place = true;
  CHECK(groups({handed, counter}) == "0:10 1:13");
  for (simt::access& a : counter.accesses) a.line = 14;  // behind it
  CHECK(groups({handed, counter}) == "0:13 1:14");
}

TEST_CASE("races with the next turn of one loop") {
  finding first = race(7, 9), second = race(6, 10);
  first.facts.barrier_line = second.facts.barrier_line = 8;
  first.facts.next_turn = second.facts.next_turn = true;
  CHECK(groups({first, second}) == "0:7 0<1:6");
  CHECK(groups({first, race(12, 11)}) == "0:7 1:12");
  second.facts.barrier_line = 10;  // of another loop
  CHECK(groups({first, second}) == "0:7 1:6");
}

TEST_CASE("races in a loop without a barrier, and with what came before the loop") {
  finding in_loop = race(22, 24), writes = race(24, 24), from_before = race(22, 14), behind = race(30, 24);
  in_loop.facts.loop_begin = writes.facts.loop_begin = 20;
  in_loop.facts.loop_end = 26;
  CHECK(groups({from_before, writes, in_loop, behind}) == "0:22 0<1:22 0<2:24 3:30");
  CHECK(groups({writes, in_loop, behind}) == "0:22 0<1:24 0<2:30");
  std::vector<finding> all{from_before, in_loop};
  group_findings(all);
  CHECK(all[0].facts.from_before_loop);
  std::vector<finding> alone{writes, in_loop};
  group_findings(alone);
  CHECK(!alone[0].facts.from_before_loop);
}

TEST_CASE("calls of one helper part at their calls") {
  finding first = race(2, 2), second = race(2, 3);
  for (finding* const f : {&first, &second}) {
    for (simt::access& a : f->accesses) a.function = "helper";
    f->accesses[0].stack = {{"kernel", f->accesses[0].file, 18}};
    f->accesses[1].stack = {{"kernel", f->accesses[1].file, 13}};
  }
  CHECK(groups({first, second}) == "0:2 0<1:2");
  first.accesses[1].stack[0].line = 18;  // the same call: nothing is known of it
  CHECK(groups({first, second}) == "0:2 1:2");
}

TEST_CASE("a barrier gone around, and the races that it stands between") {
  finding barrier;
  barrier.rule = rule::barrier_divergence;
  barrier.cause = cause::barrier_skipped;
  barrier.accesses = {at(8)};
  barrier.accesses[0].deed = deed::waits_here;
  CHECK(groups({race(9, 7), barrier, race(10, 6)}) == "0:8 0<1:9 0<2:10");
  CHECK(groups({race(7, 6), barrier}) == "0:7 1:8");
  barrier.cause = cause::barrier_unreachable;  // by fewer turns of a loop
  CHECK(groups({race(9, 7), barrier}) == "0:8 0<1:9");
}

TEST_CASE("a write out of bounds, and the races of its line with other objects") {
  finding outside;
  outside.rule = rule::out_of_bounds;
  outside.cause = cause::outside_behind;
  outside.object = "s";
  outside.accesses = {at(5, access_kind::write)};
  finding other = race(9, 5);
  other.object = "t";
  other.facts.in_place = false;
  CHECK(groups({other, outside}) == "0:5 0<1:9");
  CHECK(groups({race(9, 5), outside}) == "0:9 1:5");  // of the same object: a race of its own
  finding rows = race(5, 5);                          // one statement writes past the end of a row, and of the last one
  rows.facts.in_place = false, rows.object = "s";
  rows.accesses[0].kind = rows.accesses[1].kind = access_kind::write;
  CHECK(groups({rows, outside}) == "0:5 0<1:5");
  rows.accesses[1].kind = access_kind::read;
  CHECK(groups({rows, outside}) == "0:5 1:5");
  outside.accesses[0].kind = access_kind::read;
  CHECK(groups({other, outside}) == "0:9 1:5");  // a read harms nobody
}

TEST_CASE("dynamic shared memory that a launch has not asked for") {
  finding none;
  none.rule = rule::out_of_bounds;
  none.cause = cause::outside_all;
  none.space = memory_space::shared;
  none.kernel = "k";
  none.accesses = {at(5, access_kind::write)};
  finding later = none, other = none;
  later.accesses[0].line = 9;
  other.kernel = "another";
  CHECK(groups({none, later, other}) == "0:5 0<1:9 2:5");
  none.space = later.space = memory_space::global;
  CHECK(groups({none, later}) == "0:5 1:9");
}

TEST_CASE("reads before anything was written, at a line of such a race") {
  finding early;
  early.rule = rule::uninitialized_read;
  early.cause = cause::unwritten_shared;
  early.object = "s";
  early.accesses = {at(9)};
  CHECK(groups({early, race(9, 7), race(10, 6)}) == "0:9 0<1:9 0<2:10");
  finding counted = race(9, 7);  // an atomic reads, too
  early.accesses[0].kind = counted.accesses[0].kind = access_kind::atomic;
  CHECK(groups({early, counted}) == "0:9 0<1:9");
  counted.accesses[0].kind = access_kind::write;
  CHECK(groups({early, counted}) == "0:9 1:9");
  early.accesses[0].kind = access_kind::read;
  early.accesses[0].line = 8;
  CHECK(groups({early, race(9, 7)}) == "0:8 1:9");
}

TEST_CASE("writes of one value go under the race of what they write, and are as grave") {
  finding reads = race(12, 10), alike = race(10, 10);
  alike.severity = severity::warning;
  alike.accesses[0].kind = access_kind::write;
  const auto severities = [](std::vector<finding> all) {
    group_findings(all);
    std::string out;
    for (const finding& f : all) out += f.severity == severity::error ? 'e' : 'w';
    return out;
  };
  CHECK(groups({alike, reads}) == "0:12 0<1:10");
  CHECK(severities({alike, reads}) == "ee");
  CHECK(groups({alike}) == "0:10");
  CHECK(severities({alike}) == "w");
  reads.object = "t";  // another array
  CHECK(groups({alike, reads}) == "0:12 1:10");
  CHECK(severities({alike, reads}) == "ew");
  reads.object = "s";
  reads.accesses[1].line = 11;  // another write
  CHECK(severities({alike, reads}) == "ew");
  reads.accesses[1].line = 10;
  reads.severity = severity::warning;  // that write changed nothing, either
  CHECK(severities({alike, reads}) == "ww");
}

TEST_CASE("what one function allocates and nobody frees is one thing to look at") {
  const auto leak = [](int line, const std::string& function) {
    finding f;
    f.rule = rule::leak;
    f.accesses = {at(line, access_kind::write, function)};
    return f;
  };
  CHECK(groups({leak(3, "main"), leak(5, "main"), leak(9, "make"), leak(7, "main")}) == "0:3 0<1:5 0<2:7 3:9");
  CHECK(groups({leak(0, "main"), leak(0, "main")}) == "0:0 1:0");  // no line is known
}

TEST_CASE("code that relies on lanes in step lacks one thing, of a function") {
  const auto volatiles = [](int later, int earlier, const std::string& function = "k") {
    finding f = race(later, earlier, function);
    f.cause = cause::race_volatile_lanes;
    return f;
  };
  CHECK(groups({volatiles(6, 5), volatiles(9, 6), volatiles(7, 7)}) == "0:6 0<1:9 0<2:7");
  CHECK(groups({volatiles(6, 5), volatiles(9, 8, "other")}) == "0:6 1:9");
}

TEST_CASE("a lock that is given back by a plain store, and what it was to keep") {
  const auto of_blocks = [](int later, int earlier) {
    finding f = race(later, earlier);
    f.cause = cause::race_blocks;
    return f;
  };
  finding lock = of_blocks(7, 10);
  lock.facts.unlock_line = 10;
  finding held = of_blocks(9, 9), apart = of_blocks(8, 8);
  lock.accesses[0].kind = access_kind::atomic;
  for (finding* f : {&held, &apart}) f->cause = cause::race_held_lock, f->facts.lock = {7, 10};
  apart.facts.lock = {20, 24};
  CHECK(groups({held, lock, of_blocks(10, 10)}) == "0:7 0<1:9 0<2:10");
  CHECK(groups({of_blocks(12, 12), lock}) == "0:12 1:7");  // behind the lock
  CHECK(groups({held, held, apart}) == "0:9 0<1:9 2:8");
  CHECK(groups({apart, lock}) == "0:8 1:7");  // another lock
}

TEST_CASE("a race that lets a thread read what nothing has written is an error") {
  finding alike = race(10, 7);
  alike.severity = severity::warning;
  finding unwritten;
  unwritten.rule = rule::uninitialized_read;
  unwritten.cause = cause::unwritten_shared;
  unwritten.object = "s";
  unwritten.accesses = {at(10)};
  std::vector<finding> all{alike, unwritten};
  group_findings(all);
  CHECK(all[0].severity == severity::error);
  CHECK(all[1].part_of == 0);
}

TEST_CASE("what nothing has written is one thing, of an object and a kernel") {
  const auto unwritten = [](int line, const std::string& object) {
    finding f;
    f.rule = rule::uninitialized_read;
    f.cause = cause::unwritten_shared;
    f.object = object;
    f.accesses = {at(line)};
    return f;
  };
  CHECK(groups({unwritten(6, "s"), unwritten(8, "s"), unwritten(9, "t")}) == "0:6 0<1:8 2:9");
}

TEST_CASE("one index out of bounds of several arrays, in one line and thread") {
  const auto outside = [](int line, std::int64_t index, std::int64_t thread) {
    finding f;
    f.rule = rule::out_of_bounds;
    f.cause = cause::outside_behind;
    f.index = {index};
    f.accesses = {at(line)};
    f.accesses[0].thread = {thread, 0, 0};
    return f;
  };
  CHECK(groups({outside(6, 1000, 232), outside(6, 1000, 232), outside(6, 1000, 232)}) == "0:6 0<1:6 0<2:6");
  CHECK(groups({outside(6, 1000, 232), outside(6, 1001, 232), outside(7, 1000, 232), outside(6, 1000, 3)}) ==
        "0:6 1:6 2:7 3:6");
}

TEST_CASE("two barriers' races in a block leave one room for one barrier") {
  std::vector<finding> all{race(10, 7), race(11, 8)};
  group_findings(all);
  CHECK(all[0].facts.between_low == 8);
  CHECK(all[0].facts.between_high == 10);
}

TEST_CASE("a copy that wrote nothing, and who reads what it was to write") {
  finding copy, read;
  copy.rule = rule::out_of_bounds, copy.cause = cause::copy_writes_outside;
  read.rule = rule::uninitialized_read, read.cause = cause::unwritten_global;
  copy.object = read.object = "d";
  copy.accesses = {at(20)}, read.accesses = {at(7)};
  finding other = read;
  other.object = "e";
  CHECK(groups({read, copy, other}) == "0:20 0<1:7 2:7");
  copy.cause = cause::copy_reads_outside;
  CHECK(groups({read, copy}) == "0:7 1:20");
}
