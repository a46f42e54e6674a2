// SPDX-License-Identifier: Apache-2.0
// Every cause has its sentences, in every dialect, and what they take from a finding is filled in.
#include <doctest/doctest.h>

#include <set>

#include "sample_reports.hpp"
#include "sim/report/phrasebook.hpp"

using namespace simt;

namespace {

// A finding with something in every field that a phrase may name.
finding full(cause c) {
  finding f = test::race();
  f.cause = c;
  f.facts = test::all_facts();
  for (simt::access& a : f.accesses) a.stream = "2", a.kernel = "histogram_racy";
  return f;
}

std::vector<cause> all_causes() {
  std::vector<cause> out;
  for (int i = 1; i < cause_count; ++i) out.push_back(static_cast<cause>(i));  // 0: none
  return out;
}

}  // namespace

TEST_CASE("every cause is phrased whole in both dialects") {
  for (const cause c : all_causes())
    for (const dialect d : {dialect::api, dialect::cuda}) {
      CAPTURE(name(c));
      const phrases said = phrase(full(c), d);
      for (const std::string& text : {said.message, said.why, said.fix}) {
        CHECK(text.size() > 10);
        CHECK(text.find('{') == std::string::npos);
        CHECK(text.find('}') == std::string::npos);
        CHECK(text.find("  ") == std::string::npos);
        CHECK(text.back() != '.');
      }
    }
}

TEST_CASE("one row a cause, with a name of its own") {
  std::set<cause> rows;
  std::set<std::string_view> names;
  std::size_t count = 0;
  for (const auto table :
       {race_phrases(), memory_phrases(), host_phrases(), barrier_phrases(), fault_phrases(), gpu_phrases()})
    for (const phrase_row& row : table) rows.insert(row.cause), names.insert(row.name), ++count;
  CHECK(rows.size() == count);
  CHECK(names.size() == count);
  CHECK(count == static_cast<std::size_t>(cause_count - 1));
}

TEST_CASE("no finding speaks of the API in CUDA's dialect, nor the other way round") {
  for (const cause c : all_causes()) {
    const phrases api = phrase(full(c), dialect::api), cuda = phrase(full(c), dialect::cuda);
    CAPTURE(name(c));
    for (const std::string& text : {cuda.message, cuda.why, cuda.fix})
      for (const char* word : {" sync()", "(sync()", "sync_warp()", "to_host()", "stream.synchronize()"})
        CHECK(text.find(word) == std::string::npos);
    for (const std::string& text : {api.message, api.why, api.fix})
      for (const char* word : {"__sync", "cudaMem", "cudaDevice"}) CHECK(text.find(word) == std::string::npos);
  }
}

TEST_CASE("who is who") {
  finding f = full(cause::race_streams);
  f.accesses[0].agent = actor::stream;
  f.accesses[0].work = work::copy_to_host;
  f.accesses[0].stream = "12";
  CHECK(phrase(f, dialect::api).message ==
        "write and read of bins[75] are not ordered: stream 12 and thread (7,0,0) of block (0,0,0)");
  CHECK(phrase(f, dialect::api).why ==
        "kernel histogram_racy on stream 2 and copy to the host on stream 12: no event, wait or common stream orders "
        "them");
  f.accesses[0].work = work::callback;
  CHECK(phrase(f, dialect::api)
            .message.ends_with(" are not ordered: a host callback on stream 12 and thread (7,0,0) of block (0,0,0)"));
  CHECK(doing(f.accesses[0]) == "in a host callback");
  f.accesses[0].work = work::release;
  CHECK(phrase(f, dialect::api).message.starts_with("free and read of bins[75] are not ordered: stream 12 and "));
  f.accesses[1] = f.accesses[0];
  f.accesses[1].work = work::allocation;
  CHECK(phrase(f, dialect::api).message.starts_with("free and allocation of bins[75] are not ordered"));
  simt::access host;
  host.agent = actor::host;
  CHECK(who(host) == "the host");
  simt::access unknown;
  unknown.block = unknown.thread = kUnknownPosition;
  CHECK(who(unknown) == "a thread");
  unknown.block = {1, 2, 3};
  CHECK(who(unknown) == "a thread of block (1,2,3)");
}

TEST_CASE("where the barrier belongs that a race in a block lacks") {
  finding f = test::race();
  f.cause = cause::race_block;
  f.facts = {};
  simt::access &later = f.accesses[0], &earlier = f.accesses[1];
  earlier.file = later.file, earlier.function = later.function;
  later.kind = access_kind::write, earlier.kind = access_kind::read;
  later.line = 20, earlier.line = 18;
  const auto fix = [&] { return phrase(f, dialect::cuda).fix; };
  CHECK(fix().starts_with("put a barrier (__syncthreads()) between line 18 and line 20"));
  f.facts.barrier_line = 19, f.facts.next_turn = true;
  CHECK(fix().ends_with("at the end of the loop's body, behind line 20: line 18 belongs to the loop's next turn"));
  f.facts.barrier_line = 20, f.facts.loop_end = 22, earlier.line = 20;
  CHECK(fix() ==
        "put a barrier (__syncthreads()) at the end of the loop's body, line 22: what stands in line 20 in front "
        "of its barrier belongs to the loop's next turn");
  f.facts.barrier_line = 10, f.facts.next_turn = false, earlier.line = 18;
  CHECK(fix() ==
        "put a barrier (__syncthreads()) between line 18 and line 20, and another at the end of the loop's body, line "
        "22");
  earlier.line = 20;
  CHECK(fix().starts_with("put a barrier (__syncthreads()) at the end of the loop's body, line 22"));
  f.facts.loop_end = 0;
  CHECK(fix() ==
        "read into a variable of the thread, put a barrier (__syncthreads()) behind that, and write behind the "
        "barrier");
  earlier.kind = access_kind::write;
  CHECK(fix() ==
        "give each thread an element of its own, let one thread alone write this one, or combine what they write by an "
        "atomic operation");
  f.facts.loop_begin = 17, f.facts.from_before_loop = true;
  CHECK(fix().starts_with("put a barrier (__syncthreads()) at the beginning of the loop's body, line 17"));
  f.facts = {};
  later.stack = {{"sort", later.file, 40}}, earlier.stack = {{"sort", later.file, 33}};
  CHECK(fix() ==
        "put a barrier (__syncthreads()) between line 33 and line 40 of sort; blocks are ordered only by separate "
        "launches");
}

TEST_CASE("a barrier is put where all threads come to it") {
  finding f = test::race();
  f.cause = cause::race_block;
  f.space = memory_space::shared;
  f.facts = {};
  simt::access &later = f.accesses[0], &earlier = f.accesses[1];
  earlier.file = later.file, earlier.function = later.function;
  later.kind = access_kind::write, earlier.kind = access_kind::read;
  later.line = 20, earlier.line = 18;
  barrier_place& place = f.facts.place;
  place.after = 18, place.before = 19;
  const auto fix = [&] { return phrase(f, dialect::cuda).fix; };
  CHECK(fix() == "put a barrier (__syncthreads()) between line 18 and line 19");
  place.leave = 12;
  CHECK(fix().ends_with("; threads that leave at line 12 must come to it, too: guard the work instead of leaving"));
  place.guard = 15;
  CHECK(fix().find("line 19, outside of the branch at line 15, which not all threads take") != std::string::npos);
  place.in_loop = true;
  CHECK(fix().find("; not all threads take the branch at line 15 around the loop") != std::string::npos);
  place.guard_is_loop = true;
  CHECK(fix().find("line 19, and make two loops of the one at line 15, of which") != std::string::npos);
  place.turns_share = true;
  CHECK(fix().find("line 19, and another at the end of the body of the loop at line 15; of which all") !=
        std::string::npos);
  place.turns_share = false;
  // A loop around the branch: at the end of its body all come.
  f.facts.loop_end = place.turn_end = 22, place.turn = 14, place.guard_is_loop = false, place.leave = 0;
  CHECK(fix() ==
        "put a barrier (__syncthreads()) at the end of the loop's body, line 22: no thread may begin its next turn "
        "before all have ended this one");
  f.facts.next_turn = true, place.turn_behind = 21;
  CHECK(fix().find("at the end of the loop's body, behind line 21: line 18 belongs") != std::string::npos);
  f.facts.next_turn = false, place.turn_is_bare = true;
  CHECK(fix().find("body, behind line 22, in braces that the body needs then: no thread") != std::string::npos);
  f.facts.next_turn = true, place.turn_ends_in_head = true;
  CHECK(fix() ==
        "put a barrier (__syncthreads()) at the beginning of the loop's body, in front of line 18: other threads still "
        "read the condition at line 20 of the turn before");
  f.facts = {};
  place.guard = 15, place.in_two_branches = true;
  CHECK(fix().ends_with("first the branch of line 20, behind the barrier that of line 18"));  // what writes comes first
  f.facts = {};
  place.after = place.before = 20, place.upper = "a();", place.lower = "b();", earlier.line = 20;
  CHECK(fix() == "put a barrier (__syncthreads()) in line 20 between \"a();\" and \"b();\"");
  earlier.line = 18, place = {}, place.call_guard = 40;
  CHECK(
      fix().ends_with("; the branch at line 40 around the call keeps threads from it: let all threads make the call, "
                      "and guard the work in the function"));
  f.facts = {};
  f.facts.loop_begin = 17, f.facts.from_before_loop = true, place.after = 18, place.before = 20;
  CHECK(fix().ends_with("what came before the loop; and another between line 18 and line 20"));
  f.facts = {};
  f.facts.next_call = true;
  CHECK(fix().find("in front of line 18: it belongs to the next call of " + later.function) != std::string::npos);
}

TEST_CASE("of lanes of one warp, a barrier of the warp does") {
  finding f = test::race();
  f.cause = cause::race_lanes;
  f.space = memory_space::shared;
  f.facts = {};
  simt::access &later = f.accesses[0], &earlier = f.accesses[1];
  earlier.file = later.file, earlier.function = later.function;
  later.line = 20, earlier.line = 18;
  const auto fix = [&](dialect d = dialect::cuda) { return phrase(f, d).fix; };
  CHECK(
      fix() ==
      "put a barrier (__syncthreads(), or __syncwarp() where one warp alone shares the data) between line 18 and line "
      "20");
  f.facts.place.lanes = 0xffffffff;
  CHECK(fix() == "put __syncwarp() between line 18 and line 20");
  f.facts.place.lanes = 0xffff;
  CHECK(fix() == "put __syncwarp(0x0000ffff) between line 18 and line 20");
  CHECK(fix(dialect::api) == "put sync_warp(0x0000ffff) between line 18 and line 20");
  f.facts.steps_of_lanes = true;
  CHECK(fix() ==
        "in line 18, line 20 and those like them, read the other lane's element into a variable, put "
        "__syncwarp(0x0000ffff) behind that, then write, and put __syncwarp(0x0000ffff) behind the write");
}

TEST_CASE("where the barrier of the grid belongs that a race between blocks lacks") {
  finding f = test::race();
  f.facts = {};
  f.facts.cooperative = true;
  simt::access &later = f.accesses[0], &earlier = f.accesses[1];
  earlier.file = later.file, earlier.function = later.function;
  later.kind = access_kind::write, earlier.kind = access_kind::read;
  later.line = 18, earlier.line = 20;  // blocks run one after the other: the later one is at the earlier line
  const auto fix = [&](dialect d = dialect::cuda) { return phrase(f, d).fix; };
  for (const cause c : {cause::race_blocks, cause::race_blocks_handover}) {
    f.cause = c;
    CHECK(fix() == "put grid.sync() between line 18 and line 20");
    CHECK(fix(dialect::api) == "put sync_grid() between line 18 and line 20");
    CHECK(phrase(f, dialect::cuda).why.ends_with("; no barrier of the grid has run between them"));
    f.facts.barrier_line = 19, f.facts.next_turn = true;
    CHECK(fix() ==
          "put grid.sync() at the end of the loop's body, behind line 20: line 18 belongs to the loop's next turn");
    f.facts.next_turn = false;
    f.facts.barrier_line = 16, f.facts.loop_begin = 17, f.facts.loop_end = 22;
    CHECK(fix() == "put grid.sync() between line 18 and line 20, and at the end of the loop's body, line 22");
    f.facts.loop_begin = 15;  // a barrier in it parts its turns
    CHECK(fix() == "put grid.sync() between line 18 and line 20");
    f.facts.between_low = 19, f.facts.between_high = 20;  // with others
    CHECK(fix() == "put grid.sync() between line 19 and line 20");
    f.facts = {};
    CHECK(fix().find("grid") == std::string::npos);
    f.facts.cooperative = true;
  }
  earlier.line = 18;
  CHECK(fix() == "read into a variable of the thread, put grid.sync() behind that, and write behind the barrier");
  f.facts.loop_end = 22;
  CHECK(fix() ==
        "put grid.sync() at the end of the loop's body, line 22: no block may begin its next turn before all "
        "have ended this one");
  f.facts.same_array = true;
  CHECK(fix().ends_with("write behind the barrier; and grid.sync() at the end of the loop's body, line 22"));
  f.facts.in_place = true;
  CHECK(fix().starts_with("make the update one atomic operation"));
  f.facts = {};
  earlier.line = 20;
  CHECK(fix().starts_with("split the kernel into two launches between line 18 and line 20, or hand over"));
}

TEST_CASE("what orders two blocks that one launch leaves unordered") {
  finding f = test::race();
  f.cause = cause::race_blocks;
  f.facts = {};
  simt::access &later = f.accesses[0], &earlier = f.accesses[1];
  earlier.file = later.file, earlier.function = later.function;
  later.line = earlier.line = 20;
  const auto fix = [&](access_kind now, access_kind before) {
    later.kind = now, earlier.kind = before;
    return phrase(f, dialect::cuda).fix;
  };
  CHECK(fix(access_kind::write, access_kind::write).starts_with("give each block memory of its own, let one block"));
  CHECK(fix(access_kind::atomic, access_kind::read)
            .starts_with("read it at line 20 in a second launch; or in the block"));
  CHECK(fix(access_kind::read, access_kind::atomic).find("__threadfence()") != std::string::npos);
  f.facts.same_array = true;
  CHECK(fix(access_kind::read, access_kind::write).starts_with("write to a second array at line 20, and swap"));
  f.facts = {};
  f.facts.reads_first = true, later.line = 18, f.facts.place.in_loop = true, f.facts.place.turn = 16;
  CHECK(fix(access_kind::read, access_kind::write)
            .starts_with("write to a second array at line 20, launch the kernel once for each turn of the loop at line "
                         "16, and swap"));
  f.facts = {};
  f.facts.place.turn = 16;
  CHECK(fix(access_kind::read, access_kind::write).starts_with("end the launch with each turn of the loop at line 16"));
}

TEST_CASE("barriers of the grid, lanes elsewhere and scopes that are too narrow are called so") {
  finding f = test::race();
  const auto said = [&](cause c) { return f.cause = c, phrase(f, dialect::cuda); };
  f.facts.count = 48, f.facts.size = 64;
  CHECK(said(cause::barrier_skipped).message == "48 of 64 threads went past a barrier of their block");
  f.facts.of_grid = true;
  CHECK(said(cause::barrier_skipped).message == "48 of 64 threads went past a barrier of the grid");
  CHECK(said(cause::barrier_skipped).why.starts_with("a barrier of the grid must be reached by every thread of every"));
  CHECK(said(cause::barriers_differ).fix.find("let all threads of the grid come") != std::string::npos);
  f.facts.mask = 0xffffffff, f.facts.lanes = 0xffff0000, f.facts.branch_line = 7;
  CHECK(said(cause::lanes_elsewhere).message.ends_with("which never execute it"));
  CHECK(said(cause::lanes_elsewhere).fix.starts_with("move it out of the branch at line 7"));
  f.facts.narrow_line = 14;
  CHECK(said(cause::scope_order).why.starts_with("line 14 orders for its block only, and another block"));
  CHECK(said(cause::scope_order).fix.starts_with("widen the scope at line 14: __threadfence()"));
  f.facts.later_scope = sync_scope::device;
  CHECK(said(cause::fence_narrow).fix == "make the fence at line 14 __threadfence()");
  f.severity = severity::warning;
  CHECK(said(cause::race_block).why.find("left the value that was there") != std::string::npos);
}

TEST_CASE("what the host means by the name of a device variable") {
  finding f = test::race();
  f.object = "scale";
  const auto said = [&](cause c, dialect d = dialect::cuda) { return f.cause = c, phrase(f, d); };
  CHECK(said(cause::host_reads_variable).message == "the host reads the device variable 'scale' by its name");
  CHECK(said(cause::host_reads_variable).why.find("crash") == std::string::npos);
  CHECK(said(cause::host_reads_variable).fix.find("cudaMemcpyFromSymbol") != std::string::npos);
  CHECK(said(cause::host_writes_variable).fix == "copy the value to it with cudaMemcpyToSymbol");
  CHECK(said(cause::host_writes_variable, dialect::api).fix == "copy the value to it with copy_from");
  CHECK(said(cause::host_writes_device).fix.find("cudaMallocManaged") != std::string::npos);
}

TEST_CASE("which branch keeps threads or blocks from a barrier") {
  finding f = test::race();
  const auto fix = [&](cause c) { return f.cause = c, phrase(f, dialect::cuda).fix; };
  f.facts.branch_line = 9;
  CHECK(fix(cause::barriers_differ).starts_with("move the barrier out of the branch at line 9, so that all threads"));
  CHECK(
      fix(cause::barriers_differ).ends_with("reach it; what follows it there goes into a branch of its own behind it"));
  CHECK(fix(cause::blocks_missing) == "move the barrier out of the branch at line 9, so that every block reaches it");
  f.facts.branch_line = 0, f.facts.return_line = 7;
  CHECK(fix(cause::blocks_missing) ==
        "guard the work instead of returning at line 7, so that every block reaches the barrier");
  f.facts.return_line = 0;
  CHECK(fix(cause::barriers_differ).starts_with("let all threads of the block come"));
  CHECK(fix(cause::blocks_missing).find("line") == std::string::npos);
  f.facts.place.leave = 8;
  CHECK(fix(cause::barrier_unreachable).starts_with("guard the work instead of leaving at line 8"));
  f.facts.place.guard = 5, f.facts.place.guard_is_loop = true;
  CHECK(fix(cause::barrier_unreachable)
            .ends_with("the same number of turns in the loop at line 5: guard the work in its body, not the barrier"));
}

TEST_CASE("who waits at a named barrier says which, and how many have come") {
  simt::access a;
  a.deed = deed::waits_at_named_barrier;
  CHECK(doing(a) == "waits at a named barrier");
  a.named = {3, 32, 64};
  CHECK(doing(a) == "waits at barrier 3: 32 of 64 threads have come");
}

TEST_CASE("what a count counts") {
  finding f = test::race();
  f.count = 3;
  CHECK(how_often(f) == "3 conflicting accesses at these lines");
  f.rule = rule::uninitialized_read;
  CHECK(how_often(f) == "3 accesses at these lines");
  f.rule = rule::barrier_divergence;
  f.accesses[0].deed = deed::waits_here;
  CHECK(how_often(f) == "3 times at these lines");
}

TEST_CASE("numbers agree with their nouns, and text of the program is never a template") {
  finding f;
  f.rule = rule::leak;
  f.cause = cause::leaked;
  f.facts.size = 1;
  CHECK(phrase(f, dialect::api).message == "1 byte is still allocated at exit");
  f.facts.size = 2;
  f.object = "{x}";
  CHECK(phrase(f, dialect::api).message == "'{x}': 2 bytes are still allocated at exit");
  f.cause = cause::fault_exception;
  f.facts.text = "{later_act} {0}";
  CHECK(phrase(f, dialect::api).message.ends_with("threw an exception: {later_act} {0}"));
}

TEST_CASE("of an index outside, the size may be what is wrong") {
  finding f;
  f.rule = rule::out_of_bounds;
  f.cause = cause::outside_behind;
  f.space = memory_space::shared;
  f.object = "s";
  f.accesses.resize(1);
  CHECK(phrase(f, dialect::cuda).fix ==
        "check the index against the number of elements, or make s larger: of `extern __shared__` memory the third "
        "argument of <<<>>> gives the bytes");
  f.space = memory_space::global;
  CHECK(phrase(f, dialect::cuda).fix ==
        "check the index against the number of elements, or make s larger: cudaMalloc and cudaMemcpy count bytes");
  f.cause = cause::outside_before;
  CHECK(phrase(f, dialect::cuda).fix == "check the index against the number of elements");
  f.cause = cause::outside_all;
  CHECK(phrase(f, dialect::cuda).fix == "check the index against the number of elements");
  f.space = memory_space::shared;
  CHECK(phrase(f, dialect::cuda).fix.starts_with("give the launch the bytes of its dynamic shared memory"));
  CHECK(phrase(f, dialect::api).fix.find("<<<") == std::string::npos);
}
