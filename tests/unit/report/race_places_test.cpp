// SPDX-License-Identifier: Apache-2.0
// What is read from a kernel's text about the two places of a race.
#include "sim/report/race_places.hpp"

#include <doctest/doctest.h>

#include <string>

#include "kernel_text.hpp"

using namespace simt;
using test::kernel_text, test::text_place;

namespace {

constexpr access_kind kRead = access_kind::read, kWrite = access_kind::write, kAtomic = access_kind::atomic;

}  // namespace

TEST_CASE("a read, and a write behind it by the same threads") {
  const kernel_text text(
      "__global__ void k(int* p, int n) {\n  int t = threadIdx.x;\n  int base = *p;\n  *p += n;\n}\n");
  const facts v = text.race({kRead, 3, "*p"}, {kWrite, 4, "+="}).facts;
  CHECK(v.step.read_line == 3);
  CHECK(v.step.write_line == 4);
  CHECK(v.step.result == "base");
  CHECK(v.target == "*p");
  CHECK(v.update == "+=");
  CHECK(v.operand == "n");
}

TEST_CASE("a read that the compiler tells at its write stands where the name stands whole") {
  const kernel_text text("__global__ void k(int* p, int* ps) {\n  int old = *p, other = *ps; *p = threadIdx.x;\n}\n");
  const one_step step = text.race({kRead, 2, "= threadIdx"}, {kWrite, 2, "= threadIdx"}).facts.step;
  CHECK(step.read_line == 2);
  CHECK(step.result == "old");
}

TEST_CASE("what the write makes of what was read") {
  const auto update = [](const std::string& read, const std::string& write) {
    const kernel_text text("__global__ void k(int* p, int n) {\n  " + read + "\n  " + write + "\n}\n");
    const facts v = text.race({kRead, 2, "p[n]"}, {kWrite, 3, "= "}).facts;
    return v.step.read_line == 0 ? "none" : v.update + v.operand;
  };
  CHECK(update("int old = p[n];", "p[n] = old + 2;") == "+=2");
  CHECK(update("int old = p[n];", "p[n] = max(old, n);") == ">n");
  CHECK(update("int old = p[n];", "p[n] = old * 2;") == "old * 2");
  CHECK(update("q->next = p[n];", "p[n] = n;") == "=n");
  CHECK(update("int old = p[n];", "p[n + 1] = old;") == "none");
  CHECK(update("int old = p[n]; __syncthreads();", "p[n] = old + 2;") == "none");
  CHECK(update("int old = p[n];", "if (n) p[n] = 1;") == "none");  // others write than those who read
  CHECK(update("int old = p[n];", "if (!old) p[n] = 1;") == "=1");
  CHECK(update("if (n) q = p[n];", "p[n] = 1;") == "none");
  CHECK(update("if (p[n]) return;", "p[n] = 1;") == "=1");
}

TEST_CASE("a word that one statement reads and writes") {
  const kernel_text text(
      "__global__ void k(int* p, int n) {\n  p[n] = p[n] + 1;\n  s[t] = s[t] + s[t + 1];\n  if (n > *p) *p = n;\n"
      "  if (n > *p) {\n    *p = n;\n    p[1] = 2;\n  }\n}\n");
  CHECK(text.race({kRead, 2, "p[n] +"}, {kWrite, 2, "="}).facts.update == "+=");
  CHECK(text.race({kRead, 2, "="}, {kWrite, 2, "="}).facts.update == "+=");  // clang gives both the operator's column
  CHECK(text.race({kRead, 3, "="}, {kWrite, 3, "="}).facts.step.read_line ==
        0);  // which of the two it reads is not known
  const facts test = text.race({kRead, 4, "*p)"}, {kWrite, 4, "= n;"}).facts;
  CHECK(test.step.is_test);
  CHECK(!test.step.does_more);
  CHECK(test.update == ">");
  CHECK(text.race({kRead, 5, "*p)"}, {kWrite, 6, "= n;"}).facts.step.does_more);
}

TEST_CASE("a read and a write that are two statements of one line") {
  const kernel_text text(
      "__global__ void k(int* p, int n) {\n  nx[n] = *p; *p = n;\n  *p = 3; *p = n;\n  other(*pp); *p = n;\n}\n");
  const facts v = text.race({kRead, 2, "= n;"}, {kWrite, 2, "= n;"}).facts;  // the compiler tells both at the write
  CHECK(v.step.read_line == 2);
  CHECK(v.step.two_statements);
  CHECK(v.update == "=");
  CHECK(v.operand == "n");
  CHECK(text.race({kRead, 2, "*p;"}, {kWrite, 2, "= n;"}).facts.step.two_statements);
  CHECK(text.race({kRead, 3, "= n;"}, {kWrite, 3, "= n;"}).facts.step.read_line == 0);  // there it is written
  CHECK(text.race({kRead, 4, "= n;"}, {kWrite, 4, "= n;"}).facts.step.read_line == 0);  // another word
}

TEST_CASE("an element that one statement of a line reads, and that another one updates") {
  const kernel_text text(
      "__global__ void k(float* a, int n) {\n  float p = a[y * n]; a[y * n + x] /= p;\n"
      "  for (int i = 0; i < n; i++) a[y] += a[y];\n}\n");
  const facts pivot = text.race({kRead, 2, "a[y * n];"}, {kWrite, 2, "/="}).facts;
  CHECK(!pivot.in_place);
  CHECK(pivot.step.read_line == 0);
  CHECK(pivot.reads_first);
  CHECK(text.race({kRead, 3, "+="}, {kWrite, 3, "+="}).facts.in_place);
  CHECK(text.race({kRead, 3, "a[y] +"}, {kWrite, 3, "+="}).facts.in_place);
}

TEST_CASE("the barrier of a loop that one side stands behind belongs to no next turn of both") {
  const kernel_text text(
      "__global__ void k(int* s, int n) {\n  for (int i = threadIdx.x; i < n; i += 64) {\n    s[t] += i;\n"
      "    __syncthreads();\n  }\n  out[t] = s[t + 1];\n}\n");
  const facts v = text.race({kWrite, 3, "s[t]"}, {kRead, 6, "s[t + 1]"}, cause::race_block, 4).facts;
  CHECK(!v.next_turn);
  CHECK(!v.next_call);
  CHECK(v.place.after == 5);
  CHECK(v.place.before == 6);
}

TEST_CASE("an atomic operation gives the value that is read in front of it") {
  const kernel_text text(
      "__global__ void k(int* p) {\n  int at = *p;\n  atomicAdd(p, 1);\n  int all = *p;\n  while (*p < 3) {\n  }\n"
      "  atomicAdd(p, 1);\n}\n");
  const one_step step = text.race({kRead, 2, "*p"}, {kAtomic, 3, "atomicAdd"}).facts.step;
  CHECK(step.call == "atomicAdd(p, 1)");
  CHECK(step.result == "at");
  CHECK(text.race({kRead, 4, "*p"}, {kAtomic, 3, "atomicAdd"}).facts.step.read_line ==
        0);  // it reads what all have added
  CHECK(text.race({kRead, 5, "*p"}, {kAtomic, 7, "atomicAdd"}).facts.step.read_line == 0);  // it waits
}

TEST_CASE("turns of a loop over an array lack a barrier, not an atomic operation") {
  const kernel_text text(
      "__global__ void k(int* d, int n) {\n  for (int j = 0; j < n; ++j) {\n    int i = 2 * threadIdx.x + j % 2;\n"
      "    if (d[i] > d[i + 1]) {\n      int x = d[i];\n      d[i] = d[i + 1];\n      d[i + 1] = x;\n    }\n  }\n}\n");
  CHECK(text.race({kRead, 4, "d[i] >"}, {kWrite, 6, "="}, cause::race_block).facts.step.read_line == 0);
}

TEST_CASE("updates of one word at two lines, and what a fence would not mend") {
  const kernel_text text("__global__ void k(int* p, int n) {\n  *p += n;\n  --*p;\n  atomicAdd(p, 1);\n}\n");
  const facts v = text.race({kWrite, 2, "+="}, {kWrite, 3, "--"}).facts;
  CHECK(v.update_line == 2);
  REQUIRE(v.other_updates.size() == 1);
  CHECK(v.other_updates[0].line == 3);
  CHECK(v.other_updates[0].operation == "--");
  CHECK(!v.other_updates[0].value_used);
  const finding f = text.race({kWrite, 2, "+="}, {kAtomic, 4, "atomicAdd"}, cause::race_blocks_unfenced);
  CHECK(f.cause == cause::race_blocks);
  CHECK(f.facts.plain_update == 2);
}

TEST_CASE("x = x + n beside an atomic operation is an update, and gives no lock back") {
  const kernel_text text(
      "__global__ void k(int* c, int* lock) {\n  if (atomicCAS(c, 64, 0) == 64) return;\n  c[0] = c[0] + 2;\n"
      "  while (atomicCAS(lock, 0, 1) != 0) continue;\n  *lock = 0;\n}\n");
  const facts v = text.race({kWrite, 3, "="}, {kAtomic, 2, "c, 64"}).facts;
  CHECK(v.both_update);
  CHECK(v.plain_update == 3);
  CHECK(v.update == "+=");
  CHECK(v.operand == "2");
  CHECK(v.unlock_line == 0);
  const facts read = text.race({kRead, 3, "c[0] + 2"}, {kAtomic, 2, "c, 64"}).facts;
  CHECK(read.both_update);
  CHECK(read.plain_update == 3);
  CHECK(read.operand == "2");
  CHECK(text.race({kRead, 3, "c[0] ="}, {kAtomic, 2, "c, 64"}).facts.plain_update == 3);  // where the write stands
  const facts lock = text.race({kWrite, 5, "="}, {kAtomic, 4, "lock, 0"}).facts;
  CHECK(!lock.both_update);
  CHECK(lock.unlock_line == 5);
}

TEST_CASE("each of several shared variables of one declaration is common to all threads") {
  const kernel_text text(
      "__global__ void k(int* out, int n) {\n  __shared__ int done, s[64], last;\n  while (!done) {\n"
      "    if (s[threadIdx.x] > n) done = 1;\n    __syncthreads();\n  }\n  if (last) return;\n  last = 1;\n}\n");
  const barrier_place place = text.race({kRead, 3, "done"}, {kWrite, 4, "done"}, cause::race_block).facts.place;
  CHECK(place.guard == 0);
  CHECK(place.turn == 3);
}

TEST_CASE("lanes that meet between two places of a loop lack a barrier between its turns") {
  const auto next_turn = [](const std::string& between) {
    const kernel_text text(
        "__global__ void k(int* o) {\n  __shared__ int s[32];\n  for (int r = 0; r < 3; ++r) {\n    s[threadIdx.x] = "
        "r;\n    " +
        between + "\n    o[r] = s[threadIdx.x ^ 1];\n  }\n}\n");
    return text.race({kRead, 6, "s[threadIdx.x ^"}, {kWrite, 4, "= r"}, cause::race_lanes).facts.next_turn;
  };
  CHECK(next_turn("__syncwarp();"));
  CHECK(next_turn("__syncwarp(0xffffffff);"));
  CHECK(!next_turn("__syncwarp(0xff);"));
  CHECK(!next_turn("if (threadIdx.x < 8) __syncwarp();"));
}

TEST_CASE("a step of a loop that reads what others write in the same turn") {
  const auto reads_others = [](const std::string& step) {
    const kernel_text text(
        "__global__ void k(int* o) {\n  __shared__ int s[64];\n  int t = threadIdx.x;\n  for (int d = 16; d > 0; d /= "
        "2) "
        "{\n    " +
        step + "\n  }\n}\n");
    return text.race({kWrite, 5, "s["}, {kRead, 5, "s[t + d]"}, cause::race_lanes).facts.place.turn_reads_others;
  };
  CHECK(reads_others("s[t] += s[t + d];"));
  CHECK(reads_others("if (t + d < 32) s[t] += s[t + d];"));
  CHECK(!reads_others("if (t < d) s[t] += s[t + d];"));
  CHECK(!reads_others("if (d > t) s[t] += s[t + d];"));
  CHECK(!reads_others("if (t % (2 * d) == 0) s[t] += s[t + d];"));
  CHECK(!reads_others("int at = 2 * d * t; if (at < 32) s[at] += s[t + d];"));
}

TEST_CASE("bit-fields behind a pointer") {
  const kernel_text text("__global__ void k(word* f) {\n  f->a = 3;\n  f->b = 5;\n}\n");
  CHECK(text.race({kRead, 3, "="}, {kWrite, 2, "="}, cause::race_block).facts.two_names == "f->a and f->b");
}

TEST_CASE("a flag is a word that a condition reads and that gets a constant") {
  const kernel_text text(
      "__global__ void k(int* stop, int n) {\n  if (*stop) return;\n  if (n) *stop = 1;\n  if (n) *stop = n;\n}\n");
  CHECK(text.race({kRead, 2, "*stop"}, {kWrite, 3, "="}).facts.flag);
  CHECK(!text.race({kRead, 2, "*stop"}, {kWrite, 4, "="}).facts.flag);
}

TEST_CASE("calls of functions that are not inlined, where there is one only") {
  const kernel_text text(
      "__device__ int get(int* s);\n__device__ void put(int* s) {\n  s[0] = 1;\n}\n__device__ int get(int* s) {\n"
      "  return s[0];\n}\n__global__ void k(int* s) {\n  if (threadIdx.x < 9) {\n    put(s);\n    get(s);\n  }\n}\n");
  finding f;
  f.rule = rule::race_shared, f.cause = cause::race_block, f.kernel = "k";
  f.accesses = {text.at({kWrite, 3, "= "}, "put"), text.at({kRead, 6, "s[0]"}, "get")};
  source_reader sources;
  find_places(sources, f, {}, 0);
  REQUIRE(f.accesses[0].stack.size() == 1);
  CHECK(f.accesses[0].stack[0].line == 10);
  CHECK(f.accesses[1].stack[0].line == 11);
  CHECK(f.facts.place.guard == 9);
}

TEST_CASE("a guard around the call of what holds both places") {
  const kernel_text text(
      "__device__ __noinline__ int both(int* s) {\n  s[threadIdx.x] = 1;\n  return s[3];\n}\n"
      "__global__ void k(int* s, int n) {\n  if (threadIdx.x < n) both(s);\n}\n");
  finding f;
  f.rule = rule::race_shared, f.cause = cause::race_block, f.kernel = "k";
  f.accesses = {text.at({kWrite, 2, "= "}, "both"), text.at({kRead, 3, "s[3]"}, "both")};
  source_reader sources;
  find_places(sources, f, {}, 0);
  CHECK(f.facts.place.guard == 0);
  CHECK(f.facts.place.call_guard == 6);
}

TEST_CASE("whether the turns of a loop, of which threads make different numbers, use one element") {
  const auto share = [](const std::string& element) {
    const kernel_text text(
        "__global__ void k(int* p, int n) {\n  __shared__ int s[256];\n  int t = threadIdx.x;\n"
        "  for (int i = t; i < n; i += 256) {\n    s[" +
        element + "] = p[i];\n    p[i] = s[" + element + " ^ 1];\n  }\n}\n");
    const finding f = text.race({kRead, 6, "s["}, {kWrite, 5, "s["}, cause::race_block);
    CHECK(f.facts.place.guard_is_loop);
    return f.facts.place.turns_share;
  };
  CHECK(share("t"));
  CHECK(!share("i"));
  CHECK(!share("n - 1 - i"));
  CHECK(share("in"));
}

TEST_CASE("a lock that both sides hold, and what it lacks") {
  const auto lacks = [](const std::string& before, const std::string& behind) {
    const kernel_text text("__global__ void k(int* p, int n) {\n" + before + "\n  p[0] += n;\n" + behind + "\n}\n");
    const finding f = text.race({kRead, 3, "p[0]"}, {kWrite, 3, "+="});
    if (f.cause != cause::race_held_lock) return std::string(f.facts.in_place ? "an atomic operation" : "?");
    const held_lock& l = f.facts.lock;
    return std::string(l.fence_behind ? "" : "behind ") + (l.fence_in_front ? "" : "in front ") + l.target;
  };
  CHECK(lacks("while (atomicCAS(&m, 0, 1)) {}", "atomicExch(&m, 0);") == "behind in front ");
  CHECK(lacks("while (atomicCAS(&m, 0, 1)) {} __threadfence();", "atomicExch(&m, 0);") == "in front ");
  CHECK(lacks("while (atomicCAS(&m, 0, 1)) {} __threadfence();", "__threadfence(); m = 0;") == "m");
  CHECK(lacks("while (atomicCAS(&m, 0, 1)) {} __threadfence();", "__threadfence(); atomicExch(&m, 0);") ==
        "an atomic operation");
  CHECK(lacks("while (atomicCAS(&m, 0, 1)) {}", "atomicExch(&other, 0);") == "an atomic operation");
  CHECK(lacks("while (i < n) { ++i; }", "i = 0;") == "an atomic operation");
  CHECK(lacks("if (atomicCAS(&m, 0, 1) == 0) {", "atomicExch(&m, 0); }") == "behind in front ");
  CHECK(lacks("if (atomicCAS(&m, 0, 1) == 0) {}", "atomicExch(&m, 0);") == "an atomic operation");
}

TEST_CASE("two names of one array, of which a statement reads one and writes the other") {
  const kernel_text text(
      "__global__ void k(float* u, float* v, int n) {\n"
      "  v[i] = u[i - 1] + u[i + 1];\n"
      "  for (int i = threadIdx.x; i < n; i += m) v[i] = u[i - 1] + u[i + 1];\n"
      "  for (int s = 0; s < n; ++s) {\n"
      "    if (t < n) v[t] = u[t - 1];\n"
      "    float* w = u; u = v; v = w;\n"
      "  }\n"
      "  for (int d = n; d > 0; d /= 2) {\n"
      "    v[t] = u[t] + u[t + d];\n"
      "  }\n"
      "  v[t] = 1; x = u[t + 1];\n"
      "}\n");
  const auto facts_of = [&](int line, const std::string& read) {
    return text.race({kRead, line, read}, {kWrite, line, "= u"}).facts;
  };
  CHECK(facts_of(2, "u[i - 1]").same_array);
  CHECK(facts_of(2, "u[i - 1]").reads_first);
  CHECK(facts_of(2, "u[i + 1]").reads_first);
  CHECK(facts_of(3, "u[i - 1]").reads_first);
  CHECK(!facts_of(5, "u[t - 1]").same_array);  // turns exchange the two
  CHECK(!facts_of(5, "u[t - 1]").reads_first);
  CHECK(facts_of(9, "u[t + d]").same_array);
  CHECK(!facts_of(9, "u[t + d]").reads_first);  // a step of a tree: its turns go apart
  CHECK(!text.race({kRead, 11, "u[t + 1]"}, {kWrite, 11, "= 1"}).facts.reads_first);
}

TEST_CASE("two bit-fields of one word") {
  const kernel_text fields(
      "__global__ void k(S* s) {\n  if (threadIdx.x < 32)\n    s[threadIdx.x].a = 3;\n  else\n    s[threadIdx.x - "
      "32].b = 2;\n"
      "  q = s[0].b;\n  s[0].b = s[1].a;\n}\n");
  const auto named = [&](int line, const char* at) {
    return fields.race({kRead, line, at}, {kWrite, 3, "= 3"}, cause::race_block).facts.two_names;
  };
  CHECK(named(5, "= 2") == "s[threadIdx.x].a and s[threadIdx.x - 32].b");  // the word of a bit-field is read
  CHECK(named(6, "s[0].b").empty());
  CHECK(named(7, "= s[1]").empty());  // what is read there may be s[1].a
}

TEST_CASE("two writes that name one place differently") {
  const kernel_text text(
      "__global__ void k(flags* f, float4* v) {\n"
      "  left[threadIdx.x] = 1;\n"
      "  right[threadIdx.x] = 2;\n"
      "  f->a = 3;\n"
      "  f->b = 4;\n"
      "  v[threadIdx.x] = w;\n"
      "  v[threadIdx.x].x = 5;\n"
      "  ((int*)left)[threadIdx.x] = 6;\n"
      "  left[threadIdx.x + 1] = 7;\n"
      "}\n");
  const auto names = [&](const text_place& later, const text_place& earlier) {
    return text.race(later, earlier, cause::race_block).facts.two_names;
  };
  CHECK(names({kWrite, 3, "right["}, {kWrite, 2, "left["}) == "left[threadIdx.x] and right[threadIdx.x]");
  CHECK(names({kWrite, 4, "f->a"}, {kWrite, 5, "f->b"}) == "f->a and f->b");
  CHECK(names({kRead, 3, "right["}, {kWrite, 2, "left["}).empty());  // read through another name on purpose
  CHECK(names({kWrite, 9, "left["}, {kWrite, 2, "left["}).empty());  // two elements
  CHECK(names({kWrite, 7, "v["}, {kWrite, 6, "v["}).empty());        // the whole and a member
  CHECK(names({kWrite, 8, "[threadIdx.x] = 6"}, {kWrite, 3, "right["}).empty());  // a cast
}

TEST_CASE("a flag that is set by an atomic operation and read plainly by a condition") {
  const kernel_text text(
      "__global__ void k(int* ready, int* n, int* out) {\n"
      "  if (*ready == 0) {\n"
      "    r.store(1, cuda::memory_order_release);\n"
      "    atomicAdd(n, 1);\n"
      "  }\n"
      "  out[0] = *ready;\n"
      "  if (*n > 3) out[1] = 1;\n"
      "}\n");
  const finding read = text.race({kRead, 2, "*ready"}, {kAtomic, 3, "r.store"});
  CHECK(read.facts.flag);
  CHECK(read.facts.target == "*ready");
  CHECK(text.race({kAtomic, 3, "r.store"}, {kRead, 2, "*ready"}).facts.flag);
  CHECK(!text.race({kRead, 6, "*ready"}, {kAtomic, 3, "r.store"}).facts.flag);  // no condition
  CHECK(!text.race({kRead, 7, "*n"}, {kAtomic, 4, "n, 1"}).facts.flag);         // a count
  CHECK(!text.race({kRead, 2, "*ready"}, {kAtomic, 3, "r.store"}, cause::race_block).facts.flag);
}

TEST_CASE("two branches that wait for each other by atomic operations") {
  const auto waits = [](const std::string& loop) {
    const kernel_text text(
        "__global__ void k(int* out) {\n"
        "  if (threadIdx.x == 0) {\n"
        "    " +
        loop +
        "\n"
        "    ring[0] = 1;\n"
        "  } else if (threadIdx.x == 32) {\n"
        "    out[0] = ring[0];\n"
        "  }\n"
        "}\n");
    const finding f = text.race({kWrite, 4, "ring"}, {kRead, 6, "ring"}, cause::race_block);
    CHECK(f.facts.place.in_two_branches);
    return f.facts.waits_by_atomics;
  };
  CHECK(waits("while (atomicAdd(&head, 0) == 8) {}"));
  CHECK(waits("do {} while (r.load(cuda::memory_order_acquire) == 0);"));
  CHECK(!waits("atomicAdd(&head, 1);"));
  CHECK(!waits("for (int i = 0; i < 8; ++i) ring[i] = 0;"));
}
